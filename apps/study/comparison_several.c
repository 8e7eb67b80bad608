/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Several comparisons, of different sizes or spreads of durations, as text. */
#include <math.h>
#include <stdio.h>

#include "apps/output/members.h"
#include "apps/output/table.h"
#include "apps/study/comparison.h"

static bool has_spread(JsonObject *facts)
{
    return !json_object_get_null_member(facts, "spread");
}

static char *percent(double value)
{
    return g_strdup_printf("%+.2f %%", value);
}

static char *behind_best(double slowdown)
{
    return slowdown > 1 ? percent(100 * (slowdown - 1)) : g_strdup("best");
}

static char *above_bound(JsonObject *policy)
{
    return json_object_get_null_member(policy, "above_bound_percent")
               ? g_strdup("-")
               : percent(orr_double_of(policy, "above_bound_percent"));
}

/* The value of option @axis: a count, or a shape, which is a text. */
static char *value_of(JsonObject *facts, const char *axis)
{
    JsonNode *node = json_object_get_member(facts, axis);

    return json_node_get_value_type(node) == G_TYPE_STRING
               ? g_strdup(json_node_get_string(node))
               : g_strdup_printf("%" G_GINT64_FORMAT, orr_int_of(facts, axis));
}

/* Returns the spread of the comparison, or the value of option @axis. */
static char *place_of(JsonObject *facts, const char *axis)
{
    return has_spread(facts)
               ? g_strdup_printf("%g", orr_double_of(facts, "spread"))
               : value_of(facts, axis);
}

/* Returns "-" if the operations of the application are not known. */
static char *speed_of(JsonObject *policy)
{
    JsonObject *gflops = json_object_get_object_member(policy, "gflops");

    return json_object_get_null_member(gflops, "mean")
               ? g_strdup("-")
               : g_strdup_printf("%.1f", orr_double_of(gflops, "mean"));
}

/* Returns the interval of the difference from the best policy. */
static char *interval_of(JsonObject *versus)
{
    JsonArray *interval;

    if (json_object_get_null_member(versus, "ci95"))
        return g_strdup("-");
    interval = orr_array_of(versus, "ci95");
    return g_strdup_printf("%+.2f to %+.2f %%",
                           json_array_get_double_element(interval, 0),
                           json_array_get_double_element(interval, 1));
}

static const char *verdict_of(JsonObject *versus)
{
    return json_object_get_null_member(versus, "verdict")
               ? "-" /* one replica */
               : orr_text_of(versus, "verdict");
}

/* Adds the cells after the name of a policy that hangs. */
static void add_hang(struct orr_table *table, JsonObject *hang, bool intervals)
{
    orr_table_add(table, "hangs");
    for (unsigned i = 0; i < (intervals ? 4 : 3); i++)
        orr_table_add(table, "-");
    orr_table_add(table, orr_text_of(hang, "kind"));
}

static void add_results(struct orr_table *table, JsonObject *policy,
                        bool intervals)
{
    JsonObject *versus = json_object_get_object_member(policy, "versus_best");

    orr_table_take(
        table, g_strdup_printf(
                   "%.6f s", orr_policy_result(policy, "makespan_s", "mean")));
    orr_table_take(table, speed_of(policy));
    orr_table_take(table, behind_best(orr_double_of(policy, "slowdown")));
    if (intervals)
        orr_table_take(table, interval_of(versus));
    orr_table_take(table, above_bound(policy));
    orr_table_add(table, verdict_of(versus));
}

static void add_comparison(struct orr_table *table, JsonObject *facts,
                           const char *axis, bool intervals)
{
    JsonArray *policies = orr_array_of(facts, "policies");

    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *policy = orr_object_at(policies, i);

        orr_table_take(table, place_of(facts, axis));
        orr_table_add(table, orr_text_of(policy, "sched"));
        if (orr_policy_hang(policy))
            add_hang(table, orr_policy_hang(policy), intervals);
        else
            add_results(table, policy, intervals);
    }
}

static void add_titles(struct orr_table *table, const char *const *titles)
{
    for (; *titles; titles++)
        orr_table_add(table, *titles);
}

/* @intervals: whether there are replicas, hence intervals. */
static void print_comparisons(JsonArray *comparisons, const char *axis,
                              bool intervals)
{
    const char *const titles[] = {axis,      "policy",  "makespan",
                                  "GFlop/s", "vs best", NULL};
    const char *const more[] = {"vs bound", "verdict", NULL};
    struct orr_table *table = orr_table_new(intervals ? "RLrrrrrl" : "RLrrrrl");

    add_titles(table, titles);
    if (intervals)
        orr_table_add(table, "95 % interval");
    add_titles(table, more);
    for (guint i = 0; i < json_array_get_length(comparisons); i++)
        add_comparison(table, orr_object_at(comparisons, i), axis, intervals);
    orr_table_print(table);
    orr_table_free(table);
}

/* Rounds to the significant digits. */
static double rounded(double value)
{
    return round(value * 1e6) / 1e6;
}

/* If a policy hangs in some comparison, its members are null. */
static JsonObject *hanging_robustness(const char *name)
{
    static const char *const members[] = {"growth_percent", "worst_slowdown",
                                          "at_spread"};
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "sched", name);
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++)
        json_object_set_null_member(object, members[i]);
    return object;
}

static bool hangs_somewhere(JsonArray *comparisons, guint policy)
{
    for (guint c = 0; c < json_array_get_length(comparisons); c++) {
        JsonArray *policies =
            orr_array_of(orr_object_at(comparisons, c), "policies");

        if (orr_policy_hang(orr_object_at(policies, policy)))
            return true;
    }
    return false;
}

static JsonObject *robustness_of(JsonArray *comparisons, guint policy)
{
    guint count = json_array_get_length(comparisons);
    JsonObject *object = json_object_new();
    double worst = 0, spread = 0, makespans_s[2] = {0, 0};

    for (guint c = 0; c < count; c++) {
        JsonArray *policies =
            orr_array_of(orr_object_at(comparisons, c), "policies");
        JsonObject *one = orr_object_at(policies, policy);

        makespans_s[c > 0] = orr_policy_result(one, "makespan_s", "mean");
        json_object_set_string_member(object, "sched",
                                      orr_text_of(one, "sched"));
        if (orr_double_of(one, "slowdown") <= worst)
            continue;
        worst = orr_double_of(one, "slowdown");
        spread = orr_double_of(orr_object_at(comparisons, c), "spread");
    }
    json_object_set_double_member(
        object, "growth_percent",
        count > 1 ? rounded(100 * (makespans_s[1] / makespans_s[0] - 1)) : 0);
    json_object_set_double_member(object, "worst_slowdown", rounded(worst));
    json_object_set_double_member(object, "at_spread", spread);
    return object;
}

static const char *name_of(JsonArray *comparisons, guint policy)
{
    return orr_text_of(
        orr_object_at(orr_array_of(orr_object_at(comparisons, 0), "policies"),
                      policy),
        "sched");
}

JsonArray *orr_comparison_robustness(JsonArray *comparisons)
{
    JsonArray *robustness = json_array_new();
    guint least = G_MAXUINT; /* after a signal, the last may have fewer */

    for (guint c = 0; c < json_array_get_length(comparisons); c++)
        least = MIN(least, json_array_get_length(orr_array_of(
                               orr_object_at(comparisons, c), "policies")));
    for (guint p = 0; p < least; p++)
        json_array_add_object_element(
            robustness, hangs_somewhere(comparisons, p)
                            ? hanging_robustness(name_of(comparisons, p))
                            : robustness_of(comparisons, p));
    return robustness;
}

static void print_robustness(JsonArray *comparisons)
{
    static const char *const titles[] = {"policy", "makespan, last vs first",
                                         "worst vs best", "at spread", NULL};
    JsonArray *robustness = orr_comparison_robustness(comparisons);
    struct orr_table *table = orr_table_new("lrrr");

    add_titles(table, titles);
    for (guint i = 0; i < json_array_get_length(robustness); i++) {
        JsonObject *policy = orr_object_at(robustness, i);
        double worst;

        orr_table_add(table, orr_text_of(policy, "sched"));
        if (json_object_get_null_member(policy, "worst_slowdown")) {
            for (unsigned dash = 0; dash < 3; dash++)
                orr_table_add(table, dash == 0 ? "hangs" : "-");
            continue;
        }
        worst = orr_double_of(policy, "worst_slowdown");
        orr_table_take(table, percent(orr_double_of(policy, "growth_percent")));
        orr_table_take(table, worst > 1 ? percent(100 * (worst - 1))
                                        : g_strdup("always best"));
        orr_table_take(table,
                       worst > 1 ? g_strdup_printf(
                                       "%g", orr_double_of(policy, "at_spread"))
                                 : g_strdup("-"));
    }
    orr_table_print(table);
    orr_table_free(table);
    json_array_unref(robustness);
}

void orr_comparison_print_several(JsonArray *comparisons, const char *axis)
{
    JsonObject *first = orr_object_at(comparisons, 0);
    bool spreads = has_spread(first);
    JsonObject *common = json_object_new();
    gint64 replicas;

    orr_facts_copy_common(common, first);
    json_object_set_array_member(
        common, "policies", json_array_ref(orr_array_of(first, "policies")));
    for (guint i = 1; i < json_array_get_length(comparisons); i++)
        orr_facts_keep_common(common, orr_object_at(comparisons, i));
    orr_facts_print_request(common, false);
    json_object_unref(common);
    replicas = orr_policies_replicas(orr_array_of(first, "policies"));
    if (replicas > 1)
        printf("\nMeans of %" G_GINT64_FORMAT " replicas, with the 95 %% "
               "interval of the difference from the best:\n",
               replicas);
    puts("");
    print_comparisons(comparisons, spreads ? "spread" : axis, replicas > 1);
    if (spreads) {
        puts("");
        print_robustness(comparisons);
    }
}

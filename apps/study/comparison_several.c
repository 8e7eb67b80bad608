/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Several comparisons, of different sizes or spreads of durations, as text. */
#include <math.h>
#include <stdio.h>

#include "apps/output/members.h"
#include "apps/output/table.h"
#include "apps/study/comparison.h"

/* Returns the mean of a member that is a number or a summary. */
static double mean_of(JsonObject *policy, const char *name)
{
    JsonNode *node = json_object_get_member(policy, name);

    return JSON_NODE_HOLDS_OBJECT(node)
               ? orr_double_of(json_node_get_object(node), "mean")
               : json_node_get_double(node);
}

/* Returns the verdict about @name against @best from the pairs. */
static const char *verdict_beside(JsonArray *pairs, const char *name,
                                  const char *best)
{
    if (g_str_equal(name, best))
        return "best";
    for (guint i = 0; i < json_array_get_length(pairs); i++) {
        JsonObject *pair = orr_object_at(pairs, i);
        const char *a = orr_text_of(pair, "a"), *b = orr_text_of(pair, "b");

        if ((g_str_equal(a, name) && g_str_equal(b, best)) ||
            (g_str_equal(b, name) && g_str_equal(a, best)))
            return orr_text_of(pair, "verdict")[0] == 't' ? "tie" : "slower";
    }
    return "-"; /* one replica: there are no pairs */
}

/* Returns the name of the best policy; "" if all of them hang. */
static const char *best_of(JsonArray *policies)
{
    const char *best = "";
    double least = INFINITY;

    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *policy = orr_object_at(policies, i);

        if (orr_policy_hang(policy) || mean_of(policy, "makespan_s") >= least)
            continue;
        least = mean_of(policy, "makespan_s");
        best = orr_text_of(policy, "sched");
    }
    return best;
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

/* Returns the size or spread of the comparison. */
static char *place_of(JsonObject *facts)
{
    return json_object_has_member(facts, "spread")
               ? g_strdup_printf("%g", orr_double_of(facts, "spread"))
               : g_strdup_printf("%" G_GINT64_FORMAT,
                                 orr_int_of(facts, "size"));
}

/* Adds the cells after the name of a policy that hangs. */
static void add_hang(struct orr_table *table, JsonObject *hang)
{
    orr_table_add(table, "hangs");
    for (unsigned i = 0; i < 3; i++)
        orr_table_add(table, "-");
    orr_table_add(table, orr_text_of(hang, "kind"));
}

static void add_comparison(struct orr_table *table, JsonObject *facts)
{
    JsonArray *policies = orr_array_of(facts, "policies");
    const char *best = best_of(policies);

    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *policy = orr_object_at(policies, i);
        const char *name = orr_text_of(policy, "sched");

        orr_table_take(table, place_of(facts));
        orr_table_add(table, name);
        if (orr_policy_hang(policy)) {
            add_hang(table, orr_policy_hang(policy));
            continue;
        }
        orr_table_take(
            table, g_strdup_printf("%.6f s", mean_of(policy, "makespan_s")));
        orr_table_take(table,
                       g_strdup_printf("%.1f", mean_of(policy, "gflops")));
        orr_table_take(table, behind_best(orr_double_of(policy, "slowdown")));
        orr_table_take(table, above_bound(policy));
        orr_table_add(table,
                      verdict_beside(orr_array_of(facts, "pairs"), name, best));
    }
}

static void add_titles(struct orr_table *table, const char *const *titles)
{
    for (; *titles; titles++)
        orr_table_add(table, *titles);
}

static void print_comparisons(JsonArray *comparisons, const char *first)
{
    const char *titles[] = {first,     "policy",   "makespan", "GFlop/s",
                            "vs best", "vs bound", "verdict",  NULL};
    struct orr_table *table = orr_table_new("rlrrrrl");

    add_titles(table, titles);
    for (guint i = 0; i < json_array_get_length(comparisons); i++)
        add_comparison(table, orr_object_at(comparisons, i));
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

        makespans_s[c > 0] = mean_of(one, "makespan_s");
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

void orr_comparison_print_several(JsonArray *comparisons)
{
    JsonObject *first = orr_object_at(comparisons, 0);
    bool spreads = json_object_has_member(first, "spread");
    JsonObject *common = json_object_new();
    gint64 replicas;

    orr_facts_copy_common(common, first);
    json_object_set_array_member(
        common, "policies", json_array_ref(orr_array_of(first, "policies")));
    if (!spreads)
        json_object_remove_member(common, "size");
    orr_facts_print_request(common, false);
    json_object_unref(common);
    replicas = orr_policies_replicas(orr_array_of(first, "policies"));
    if (replicas > 1)
        printf("\nMeans of %" G_GINT64_FORMAT " replicas:\n", replicas);
    puts("");
    print_comparisons(comparisons, spreads ? "spread" : "size");
    if (spreads) {
        puts("");
        print_robustness(comparisons);
    }
}

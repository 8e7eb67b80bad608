/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Comparisons as text: one comparison with its statistics, bounds and shares of
 * busy time, or a table of several comparisons of different sizes or spreads.
 * Made from the facts alone (comparison_facts.c).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/experiment/comparison.h"
#include "apps/experiment/comparison_energy.h"
#include "apps/output/members.h"
#include "apps/output/table.h"
#include "models/base/units.h"

/* A comparison as text. */

static bool is_null(JsonObject *facts, const char *name)
{
    return json_object_get_null_member(facts, name);
}

/* Returns a new table with its row of titles. */
static struct orr_table *table_with(const char *alignment,
                                    const char *const *titles)
{
    struct orr_table *table = orr_table_new(alignment);

    for (; *titles; titles++)
        orr_table_add(table, *titles);
    return table;
}

static void finish(struct orr_table *table)
{
    orr_table_print(table);
    orr_table_free(table);
}

static char *behind_best(JsonObject *policy)
{
    double slowdown;

    if (is_null(policy, "slowdown"))
        return g_strdup("-");
    slowdown = orr_double_of(policy, "slowdown");
    return slowdown > 1 ? g_strdup_printf("+%.2f %%", 100 * (slowdown - 1))
                        : g_strdup("best");
}

static char *above_bound(JsonObject *policy)
{
    if (is_null(policy, "above_bound_percent"))
        return g_strdup("-");
    return g_strdup_printf("%+.2f %%",
                           orr_double_of(policy, "above_bound_percent"));
}

/* Returns "-" for a policy that hangs, which has no results. */
static char *seconds(JsonObject *object, const char *name)
{
    return is_null(object, name)
               ? g_strdup("-")
               : g_strdup_printf("%.6f s", orr_double_of(object, name));
}

static char *speed(JsonObject *object, const char *name)
{
    return is_null(object, name)
               ? g_strdup("-")
               : g_strdup_printf("%.1f", orr_double_of(object, name));
}

/* Returns the facts of the first replica of @policy. */
static JsonObject *first_run(JsonObject *policy)
{
    return json_object_get_object_member(policy, "first_run");
}

static void print_runs(JsonArray *policies)
{
    static const char *const titles[] = {
        "policy", "makespan", "GFlop/s", "vs best",   "vs bound",
        "H->D",   "D->H",     "D->D",    "evictions", NULL};
    static const char *const bytes[] = {"bytes_host_to_device",
                                        "bytes_device_to_host",
                                        "bytes_device_to_device"};
    struct orr_table *table = table_with("lrrrrrrrr", titles);

    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *policy = orr_object_at(policies, i);
        JsonObject *run = first_run(policy);

        orr_table_add(table, orr_text_of(policy, "sched"));
        orr_table_take(table, orr_policy_hang(policy)
                                  ? g_strdup("hangs")
                                  : seconds(run, "makespan_s"));
        orr_table_take(table, speed(run, "gflops"));
        orr_table_take(table, behind_best(policy));
        orr_table_take(table, above_bound(policy));
        for (size_t b = 0; b < G_N_ELEMENTS(bytes); b++)
            orr_table_take(
                table, orr_format_bytes((uint64_t)orr_int_of(run, bytes[b])));
        orr_table_take(table, g_strdup_printf("%" G_GINT64_FORMAT,
                                              orr_int_of(run, "evictions")));
    }
    finish(table);
}

static char *busy_share(JsonObject *worker)
{
    return is_null(worker, "busy_share")
               ? g_strdup("-")
               : g_strdup_printf("%.1f %%",
                                 100 * orr_double_of(worker, "busy_share"));
}

/* Prints a row for each worker, with a column for each policy. All runs have
 * the same workers. */
static void print_shares(JsonArray *policies)
{
    guint runs = json_array_get_length(policies);
    JsonArray *workers =
        orr_array_of(first_run(orr_object_at(policies, 0)), "workers");
    char *alignment = g_strnfill(runs + 1, 'r');
    struct orr_table *table;

    alignment[0] = 'l';
    table = orr_table_new(alignment);
    orr_table_add(table, "worker");
    for (guint r = 0; r < runs; r++)
        orr_table_add(table, orr_text_of(orr_object_at(policies, r), "sched"));
    for (guint w = 0; w < json_array_get_length(workers); w++) {
        orr_table_add(table, orr_text_of(orr_object_at(workers, w), "name"));
        for (guint r = 0; r < runs; r++) {
            JsonObject *worker = orr_object_at(
                orr_array_of(first_run(orr_object_at(policies, r)), "workers"),
                w);

            orr_table_take(table, busy_share(worker));
        }
    }
    orr_table_fold(table);
    finish(table);
    g_free(alignment);
}

static char *quantiles(JsonObject *summary)
{
    return is_null(summary, "p05")
               ? g_strdup("-")
               : g_strdup_printf("%.6f to %.6f s",
                                 orr_double_of(summary, "p05"),
                                 orr_double_of(summary, "p95"));
}

static void print_summaries(JsonArray *policies)
{
    static const char *const titles[] = {"policy",      "mean",    "median",
                                         "5 % to 95 %", "GFlop/s", "vs best",
                                         "vs bound",    NULL};
    struct orr_table *table = table_with("lrrrrrr", titles);

    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *policy = orr_object_at(policies, i);
        JsonObject *makespan =
            json_object_get_object_member(policy, "makespan_s");
        JsonObject *gflops = json_object_get_object_member(policy, "gflops");

        orr_table_add(table, orr_text_of(policy, "sched"));
        orr_table_take(table, orr_policy_hang(policy)
                                  ? g_strdup("hangs")
                                  : seconds(makespan, "mean"));
        orr_table_take(table, seconds(makespan, "median"));
        orr_table_take(table, quantiles(makespan));
        orr_table_take(table, speed(gflops, "mean"));
        orr_table_take(table, behind_best(policy));
        orr_table_take(table, above_bound(policy));
    }
    finish(table);
}

/* Returns the policy that is significantly better; or "tie". */
static const char *winner_of(JsonObject *pair)
{
    const char *verdict = orr_text_of(pair, "verdict");

    if (verdict[0] == 't')
        return "tie";
    return orr_text_of(pair, verdict[0] == 'A' ? "a" : "b");
}

static void print_pairs(JsonArray *pairs)
{
    static const char *const titles[] = {
        "makespan", "versus", "difference", "95 % interval", "winner", NULL};
    struct orr_table *table = table_with("llrrl", titles);

    for (guint i = 0; i < json_array_get_length(pairs); i++) {
        JsonObject *pair = orr_object_at(pairs, i);
        JsonArray *interval = orr_array_of(pair, "ci95");

        orr_table_add(table, orr_text_of(pair, "a"));
        orr_table_add(table, orr_text_of(pair, "b"));
        orr_table_take(
            table, g_strdup_printf("%+.2f %%",
                                   orr_double_of(pair, "difference_percent")));
        orr_table_take(
            table, g_strdup_printf("%+.2f to %+.2f %%",
                                   json_array_get_double_element(interval, 0),
                                   json_array_get_double_element(interval, 1)));
        orr_table_add(table, winner_of(pair));
    }
    finish(table);
}

static bool has_durations(JsonObject *facts, const char *kind)
{
    g_autofree char *item = g_strconcat("durations=", kind, NULL);

    return g_str_has_prefix(orr_text_of(facts, "models"), item);
}

static void print_bounds(JsonObject *facts)
{
    JsonObject *bounds = json_object_get_object_member(facts, "bounds");
    GList *names = json_object_get_members(bounds);
    struct orr_table *table = orr_table_new("lr");

    for (GList *i = names; i; i = i->next) {
        g_autofree char *title = orr_output_title(i->data);

        if (strcmp(i->data, "energy") == 0 || is_null(bounds, i->data))
            continue;
        orr_table_add(table, title);
        orr_table_take(table, seconds(bounds, i->data));
    }
    if (!is_null(bounds, "area_s"))
        printf(
            "Lower bounds on the %smakespan (runtime overhead excluded):\n\n",
            has_durations(facts, "sampled") ? "mean " : "");
    else if (has_durations(facts, "replayed"))
        puts("No bounds: durations are replayed.");
    else
        puts("No bounds: there are too many tasks.");
    orr_table_print(table);
    orr_table_free(table);
    g_list_free(names);
}

/* Prints the statistics of several replicas. */
static void print_statistics(JsonObject *facts, JsonArray *policies)
{
    gint64 replicas = orr_policies_replicas(policies);
    JsonArray *pairs = orr_array_of(facts, "pairs");

    printf("%" G_GINT64_FORMAT " replicas, with seeds from %" G_GINT64_FORMAT
           ":\n\n",
           replicas, orr_int_of(facts, "seed"));
    print_summaries(policies);
    if (json_array_get_length(pairs) == 0)
        return;
    puts("");
    print_pairs(pairs);
    printf(
        "\nNoise floor: %.2g %%, half the widest interval. Smaller differences "
        "may be due to\nchance; more replicas lower the floor.\n",
        orr_double_of(facts, "noise_floor_percent"));
}

/* Prints the summary of each policy: where the time of its first replica went.
 */
static void print_reasons(JsonArray *policies)
{
    struct orr_table *table = orr_table_new("ll");
    bool any = false;

    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *policy = orr_object_at(policies, i);

        if (is_null(policy, "summary"))
            continue;
        orr_table_add(table, orr_text_of(policy, "sched"));
        orr_table_add(table, orr_text_of(policy, "summary"));
        any = true;
    }
    if (any) {
        puts("\nIn short:\n");
        orr_table_print(table);
    }
    orr_table_free(table);
}

void orr_comparison_print(JsonObject *facts)
{
    JsonArray *policies = orr_array_of(facts, "policies");
    bool single = orr_int_of(facts, "replicas") == 1;

    orr_facts_print_request(facts, false);
    puts("");
    if (single)
        print_runs(policies);
    else
        print_statistics(facts, policies);
    orr_comparison_energy_print(facts);
    puts("");
    print_bounds(facts);
    if (single) {
        puts("\nShare of the makespan that each worker spent computing:\n");
        print_shares(policies);
    }
    print_reasons(policies);
}

static bool has_spread(JsonObject *facts)
{
    return !json_object_get_null_member(facts, "spread");
}

static char *percent(double value)
{
    return g_strdup_printf("%+.2f %%", value);
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

/* Adds the cells of a policy that hangs, after its name. */
static void add_hang_cells(struct orr_table *table, JsonObject *hang,
                           bool intervals)
{
    orr_table_add(table, "hangs");
    for (unsigned i = 0; i < (intervals ? 4 : 3); i++)
        orr_table_add(table, "-");
    orr_table_add(table, orr_text_of(hang, "kind"));
}

static void add_result_cells(struct orr_table *table, JsonObject *policy,
                             bool intervals)
{
    JsonObject *versus = json_object_get_object_member(policy, "versus_best");

    orr_table_take(
        table, g_strdup_printf(
                   "%.6f s", orr_policy_result(policy, "makespan_s", "mean")));
    orr_table_take(
        table, speed(json_object_get_object_member(policy, "gflops"), "mean"));
    orr_table_take(table, behind_best(policy));
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
            add_hang_cells(table, orr_policy_hang(policy), intervals);
        else
            add_result_cells(table, policy, intervals);
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

static void print_robustness(JsonArray *comparisons)
{
    static const char *const titles[] = {"policy", "makespan, last vs first",
                                         "worst vs best", "at spread", NULL};
    JsonArray *robustness = orr_comparison_robustness(comparisons);
    struct orr_table *table = table_with("lrrr", titles);

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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The facts of a comparison. */
#include <math.h>

#include "apps/output/output.h"
#include "apps/study/comparison.h"
#include "models/base/statistics.h"
#include "sched/plugin.h"

/* Significant digits after the decimal point: seconds are exact to the ns. */
enum { DIGITS_OF_SECONDS = 9, DIGITS = 6 };

static double rounded(double value, int digits)
{
    double scale = pow(10, digits);

    return round(value * scale) / scale;
}

/* Sets the member to null if @value is not finite. */
static void set_number(JsonObject *object, const char *name, double value,
                       int digits)
{
    if (isfinite(value))
        json_object_set_double_member(object, name, rounded(value, digits));
    else
        json_object_set_null_member(object, name);
}

/* Without values, all members of the summary are null. */
static void set_summary(JsonObject *object, const char *name,
                        const double *values, unsigned count, int digits)
{
    JsonObject *member = json_object_new();
    struct orr_summary summary = {NAN, NAN, NAN, NAN};

    if (count > 0)
        orr_summary_compute(&summary, values, count);
    set_number(member, "mean", summary.mean, digits);
    set_number(member, "median", summary.median, digits);
    set_number(member, "p05", summary.p05, digits);
    set_number(member, "p95", summary.p95, digits);
    json_object_set_object_member(object, name, member);
}

/* The makespans in the complete replicas, as columns. */
struct columns {
    unsigned count;       /* complete replicas */
    unsigned policies;    /* that do not hang and have complete replicas */
    const char **names;   /* [policy] */
    double **makespans_s; /* [policy][replica] */
    double *means_s;      /* [policy] */
    struct orr_bounds bounds;
    double best_s; /* the smallest mean */
};

static void init(struct columns *columns,
                 const struct orr_comparison *comparison)
{
    *columns = (struct columns){
        .count = orr_comparison_complete(comparison, 0, NULL),
        .names = g_new(const char *, comparison->policy_count),
        .makespans_s = g_new(double *, comparison->policy_count),
        .means_s = g_new(double, comparison->policy_count),
        .best_s = INFINITY,
    };
    orr_comparison_bounds(comparison, &columns->bounds);
    for (unsigned p = 0; p < comparison->policy_count; p++) {
        unsigned to = columns->policies;
        struct orr_summary summary;

        if (!comparison->facts[p] || comparison->hanging[p] > 0)
            continue;
        columns->names[to] = comparison->labels[p];
        columns->makespans_s[to] = g_new(double, comparison->replicas);
        orr_comparison_complete(comparison, p, columns->makespans_s[to]);
        orr_summary_compute(&summary, columns->makespans_s[to], columns->count);
        columns->means_s[to] = summary.mean;
        columns->best_s = fmin(columns->best_s, summary.mean);
        columns->policies++;
    }
}

static void clear(struct columns *columns)
{
    for (unsigned p = 0; p < columns->policies; p++)
        g_free(columns->makespans_s[p]);
    g_free(columns->makespans_s);
    g_free(columns->names);
    g_free(columns->means_s);
}

/* Compares a policy with the others and with the bounds. */
static void add_place(JsonObject *object, const struct columns *columns,
                      unsigned policy)
{
    double mean_s = columns->means_s[policy];

    json_object_set_double_member(
        object, "slowdown", columns->best_s > 0 ? mean_s / columns->best_s : 1);
    json_object_set_int_member(object, "replicas", columns->count);
    set_number(object, "above_bound_percent",
               100 * (mean_s / orr_bounds_best(&columns->bounds) - 1), DIGITS);
}

static JsonObject *summarise(const struct orr_comparison *comparison,
                             const struct columns *columns, unsigned policy)
{
    const double *makespans_s = columns->makespans_s[policy];
    double *gflops = g_new(double, columns->count);
    JsonObject *object = json_object_new();

    for (unsigned r = 0; r < columns->count; r++)
        gflops[r] = orr_comparison_gflops(comparison, makespans_s[r]);
    json_object_set_string_member(object, "sched", columns->names[policy]);
    set_summary(object, "makespan_s", makespans_s, columns->count,
                DIGITS_OF_SECONDS);
    set_summary(object, "gflops", gflops, columns->count, DIGITS);
    g_free(gflops);
    return object;
}

/* A policy that hangs in some replica has no results. */
static JsonObject *summarise_hang(const char *name)
{
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "sched", name);
    set_summary(object, "makespan_s", NULL, 0, DIGITS_OF_SECONDS);
    set_summary(object, "gflops", NULL, 0, DIGITS);
    return object;
}

static void add_hang(JsonObject *object,
                     const struct orr_comparison *comparison, unsigned policy)
{
    json_object_set_null_member(object, "slowdown");
    json_object_set_int_member(object, "replicas", 0);
    json_object_set_null_member(object, "above_bound_percent");
    json_object_set_object_member(
        object, "hang",
        json_object_ref(orr_comparison_hang(comparison, policy)));
    json_object_set_int_member(object, "hanging_replicas",
                               comparison->hanging[policy]);
}

static const char *verdict_of(const struct orr_contrast *contrast)
{
    if (contrast->high < 0)
        return "A wins";
    return contrast->low > 0 ? "B wins" : "tie";
}

/* Adds a pair of policies. Returns half the width of its interval, in %. */
static double add_pair(JsonArray *pairs, const struct columns *columns,
                       unsigned a, unsigned b)
{
    JsonObject *pair = json_object_new();
    JsonArray *interval = json_array_new();
    struct orr_contrast contrast;

    orr_contrast_compute(&contrast, columns->makespans_s[a],
                         columns->makespans_s[b], columns->count);
    json_array_add_double_element(interval,
                                  rounded(100 * contrast.low, DIGITS));
    json_array_add_double_element(interval,
                                  rounded(100 * contrast.high, DIGITS));
    json_object_set_string_member(pair, "a", columns->names[a]);
    json_object_set_string_member(pair, "b", columns->names[b]);
    set_number(pair, "difference_percent", 100 * contrast.difference, DIGITS);
    json_object_set_array_member(pair, "ci95", interval);
    json_object_set_string_member(pair, "verdict", verdict_of(&contrast));
    json_array_add_object_element(pairs, pair);
    return 100 * (contrast.high - contrast.low) / 2;
}

static void add_pairs(JsonObject *facts, const struct columns *columns)
{
    JsonArray *pairs = json_array_new();
    double floor = NAN;

    for (unsigned a = 0; columns->count > 1 && a < columns->policies; a++) {
        for (unsigned b = a + 1; b < columns->policies; b++)
            floor = fmax(floor, add_pair(pairs, columns, a, b));
    }
    json_object_set_array_member(facts, "pairs", pairs);
    set_number(facts, "noise_floor_percent", floor, DIGITS);
}

static void add_bounds(JsonObject *facts, const struct orr_bounds *bounds)
{
    JsonObject *object = json_object_new();

    set_number(object, "area_s", bounds->area_s, DIGITS_OF_SECONDS);
    set_number(object, "critical_path_s", bounds->critical_path_s,
               DIGITS_OF_SECONDS);
    set_number(object, "mixed_s", bounds->mixed_s, DIGITS_OF_SECONDS);
    set_number(object, "transfer_s", bounds->transfer_s, DIGITS_OF_SECONDS);
    json_object_set_object_member(facts, "bounds", object);
}

/* Sets the name of @policy, the @p-th, and, if any policy is a plug-in, its
 * file. */
static void name_policy(JsonObject *policy,
                        const struct orr_comparison *comparison, unsigned p)
{
    bool any = false;

    for (unsigned i = 0; i < comparison->policy_count; i++)
        any |= orr_plugin_is_named(comparison->names[i]);
    json_object_set_string_member(policy, "sched", comparison->labels[p]);
    if (!any)
        return;
    json_object_remove_member(policy, "sched_file"); /* it moves to the end */
    orr_output_set_text(policy, "sched_file",
                        orr_plugin_is_named(comparison->names[p])
                            ? comparison->names[p]
                            : NULL);
}

/* With one replica, adds the facts of each run; with several, summaries. */
static void add_policies(JsonObject *facts,
                         const struct orr_comparison *comparison,
                         const struct columns *columns)
{
    JsonArray *policies = json_array_new();
    unsigned policy = 0;

    for (unsigned p = 0; p < comparison->policy_count; p++) {
        JsonObject *object;

        if (!comparison->facts[p])
            continue;
        if (comparison->replicas > 1)
            object = comparison->hanging[p] > 0
                         ? summarise_hang(comparison->labels[p])
                         : summarise(comparison, columns, policy);
        else
            object = json_object_ref(comparison->facts[p]);
        if (comparison->hanging[p] > 0)
            add_hang(object, comparison, p);
        else
            add_place(object, columns, policy++);
        name_policy(object, comparison, p);
        json_array_add_object_element(policies, object);
    }
    json_object_set_array_member(facts, "policies", policies);
}

JsonObject *orr_comparison_facts(const struct orr_comparison *comparison)
{
    struct columns columns;
    JsonObject *first = NULL, *facts = NULL;

    for (unsigned p = 0; !first && p < comparison->policy_count; p++)
        first = comparison->facts[p];
    if (!first)
        return NULL;
    init(&columns, comparison);
    facts = json_object_new();
    orr_facts_copy_common(facts, first);
    if (comparison->settings.spread >= 0)
        json_object_set_double_member(
            facts, "spread", rounded(comparison->settings.spread, DIGITS));
    add_policies(facts, comparison, &columns);
    add_pairs(facts, &columns);
    add_bounds(facts, &columns.bounds);
    clear(&columns);
    return facts;
}

static void copy_member(JsonObject *to, JsonObject *from, const char *name)
{
    json_object_set_member(to, name, json_object_dup_member(from, name));
}

/* Copies all members of @from, but no arrays and objects if @plain. */
static void copy_members(JsonObject *to, JsonObject *from, bool plain)
{
    GList *names = json_object_get_members(from);

    for (GList *i = names; i; i = i->next) {
        JsonNode *node = json_object_get_member(from, i->data);

        if (!plain || JSON_NODE_HOLDS_VALUE(node) || JSON_NODE_HOLDS_NULL(node))
            copy_member(to, from, i->data);
    }
    g_list_free(names);
}

static bool is_pair(JsonObject *pair, const char *a, const char *b)
{
    return g_str_equal(json_object_get_string_member(pair, "a"), a) &&
           g_str_equal(json_object_get_string_member(pair, "b"), b);
}

/* Returns an object about @name against @other, with nulls if pairs[] does not
 * hold the two in this order. */
static JsonObject *versus(JsonArray *pairs, const char *name, const char *other)
{
    static const char *const members[] = {"difference_percent", "ci95",
                                          "verdict"};
    JsonObject *object = json_object_new();
    JsonObject *pair = NULL;

    for (guint i = 0; !pair && i < json_array_get_length(pairs); i++) {
        pair = json_array_get_object_element(pairs, i);
        if (!is_pair(pair, name, other))
            pair = NULL;
    }
    json_object_set_string_member(object, "name", other);
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
        if (pair)
            copy_member(object, pair, members[i]);
        else
            json_object_set_null_member(object, members[i]);
    }
    return object;
}

static void add_versus(JsonObject *row, JsonObject *facts, const char *name)
{
    JsonArray *pairs = json_object_get_array_member(facts, "pairs");
    JsonArray *policies = json_object_get_array_member(facts, "policies");
    JsonArray *all = json_array_new();

    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *policy = json_array_get_object_element(policies, i);

        json_array_add_object_element(
            all, versus(pairs, name,
                        json_object_get_string_member(policy, "sched")));
    }
    json_object_set_array_member(row, "versus", all);
}

/* Keeps the kind of a hang only. If any policy hangs, all rows have it. */
static void shorten_hang(JsonObject *row, JsonObject *policy, bool any_hangs)
{
    JsonObject *hang = orr_policy_hang(policy);

    if (hang)
        json_object_remove_member(row, "hang");
    if (any_hangs) {
        orr_output_set_text(row, "hang",
                            hang ? json_object_get_string_member(hang, "kind")
                                 : NULL);
        json_object_remove_member(row, "hanging_replicas");
        json_object_set_int_member(
            row, "hanging_replicas",
            hang ? json_object_get_int_member(policy, "hanging_replicas") : 0);
    }
}

static JsonObject *new_row(JsonObject *facts, JsonObject *policy,
                           bool any_hangs)
{
    JsonObject *row = json_object_new();
    bool is_run = json_object_has_member(policy, "app");

    if (!is_run)
        copy_members(row, facts, true);
    else if (json_object_has_member(facts, "spread"))
        copy_member(row, facts, "spread");
    copy_members(row, policy, false);
    if (!is_run)
        add_versus(row, facts, json_object_get_string_member(policy, "sched"));
    copy_member(row, facts, "bounds");
    shorten_hang(row, policy, any_hangs);
    return row;
}

static bool any_hangs(JsonArray *comparisons)
{
    for (guint c = 0; c < json_array_get_length(comparisons); c++) {
        JsonObject *facts = json_array_get_object_element(comparisons, c);
        JsonArray *policies = json_object_get_array_member(facts, "policies");

        for (guint i = 0; i < json_array_get_length(policies); i++) {
            if (orr_policy_hang(json_array_get_object_element(policies, i)))
                return true;
        }
    }
    return false;
}

void orr_comparison_add_rows(JsonArray *rows, JsonArray *comparisons)
{
    bool any = any_hangs(comparisons);

    for (guint c = 0; c < json_array_get_length(comparisons); c++) {
        JsonObject *facts = json_array_get_object_element(comparisons, c);
        JsonArray *policies = json_object_get_array_member(facts, "policies");

        for (guint i = 0; i < json_array_get_length(policies); i++)
            json_array_add_object_element(
                rows, new_row(facts, json_array_get_object_element(policies, i),
                              any));
    }
}

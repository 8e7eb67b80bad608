/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The facts of a comparison. */
#include <math.h>

#include "apps/experiment/comparison.h"
#include "apps/experiment/comparison_energy.h"
#include "apps/facts/bounds_facts.h"
#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/settings/policies.h"
#include "models/base/statistics.h"

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

/* Without values, all members of the summary but n are null. */
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
    json_object_set_int_member(member, "n", count);
    json_object_set_object_member(object, name, member);
}

/* The makespans in the complete replicas, as columns. */
struct columns {
    unsigned count;     /* complete replicas */
    unsigned policies;  /* number of policies that do not hang and have complete
                           replicas */
    const char **names; /* [policy] */
    unsigned best;      /* the policy with the smallest mean */
    double **makespans_s; /* [policy][replica] */
    double *means_s;      /* [policy] */
    struct orr_bounds bounds;
};

static void init(struct columns *columns,
                 const struct orr_comparison *comparison)
{
    *columns = (struct columns){
        .count = orr_comparison_complete(comparison, 0, NULL),
        .names = g_new(const char *, comparison->policy_count),
        .makespans_s = g_new(double *, comparison->policy_count),
        .means_s = g_new(double, comparison->policy_count),
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
        if (to == 0 || summary.mean < columns->means_s[columns->best])
            columns->best = to;
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

/* Adds the difference of two makespans, and its 95 % interval. */
static void add_difference(JsonObject *object,
                           const struct orr_contrast *contrast)
{
    JsonArray *interval;

    set_number(object, "difference_percent", 100 * contrast->difference,
               DIGITS);
    interval = orr_output_add_array(object, "ci95");
    json_array_add_double_element(interval,
                                  rounded(100 * contrast->low, DIGITS));
    json_array_add_double_element(interval,
                                  rounded(100 * contrast->high, DIGITS));
}

/* Compares policy @a with policy @b, in at least two replicas. */
static void contrast(struct orr_contrast *to, const struct columns *columns,
                     unsigned a, unsigned b)
{
    orr_contrast_compute(to, columns->makespans_s[a], columns->makespans_s[b],
                         columns->count);
}

static void add_null_members(JsonObject *object, const char *const *names)
{
    for (; *names; names++)
        json_object_set_null_member(object, *names);
}

/* Compares a policy with the best one, which is the base of the ratio. */
static void add_versus_best(JsonObject *object, const struct columns *columns,
                            unsigned policy)
{
    JsonObject *versus = json_object_new();
    double best_s = columns->means_s[columns->best];
    double slowdown = best_s > 0 ? columns->means_s[policy] / best_s : 1;
    struct orr_contrast against;

    json_object_set_double_member(object, "slowdown", slowdown);
    if (policy == columns->best || columns->count < 2) {
        set_number(versus, "difference_percent", 100 * (slowdown - 1), DIGITS);
        json_object_set_null_member(versus, "ci95");
        orr_output_set_text(versus, "verdict",
                            policy == columns->best ? "best" : NULL);
    } else {
        contrast(&against, columns, policy, columns->best);
        add_difference(versus, &against);
        orr_output_set_text(versus, "verdict",
                            against.low > 0 ? "slower" : "tie");
    }
    json_object_set_object_member(object, "versus_best", versus);
}

static void add_results(JsonObject *object,
                        const struct orr_comparison *comparison,
                        const struct columns *columns, unsigned policy)
{
    const double *makespans_s = columns->makespans_s[policy];
    double *gflops = g_new(double, columns->count);

    for (unsigned r = 0; r < columns->count; r++)
        gflops[r] = orr_comparison_gflops(comparison, makespans_s[r]);
    set_summary(object, "makespan_s", makespans_s, columns->count,
                DIGITS_OF_SECONDS);
    set_summary(object, "gflops", gflops,
                orr_comparison_has_speed(comparison) ? columns->count : 0,
                DIGITS);
    add_versus_best(object, columns, policy);
    set_number(
        object, "above_bound_percent",
        100 *
            (columns->means_s[policy] / orr_bounds_best(&columns->bounds) - 1),
        DIGITS);
    g_free(gflops);
}

/* A policy that hangs in some replica has no results. */
static void add_no_results(JsonObject *object)
{
    static const char *const members[] = {"difference_percent", "ci95",
                                          "verdict", NULL};
    JsonObject *versus = json_object_new();

    add_null_members(versus, members);
    set_summary(object, "makespan_s", NULL, 0, DIGITS_OF_SECONDS);
    set_summary(object, "gflops", NULL, 0, DIGITS);
    json_object_set_null_member(object, "slowdown");
    json_object_set_object_member(object, "versus_best", versus);
    json_object_set_null_member(object, "above_bound_percent");
}

static void add_hang(JsonObject *object,
                     const struct orr_comparison *comparison, unsigned policy)
{
    JsonObject *hang = orr_comparison_hang(comparison, policy);

    json_object_set_int_member(object, "hanging_replicas",
                               comparison->hanging[policy]);
    if (hang)
        json_object_set_object_member(object, "hang", json_object_ref(hang));
    else
        json_object_set_null_member(object, "hang");
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
    JsonObject *pair = orr_output_add_object(pairs);
    struct orr_contrast against;

    contrast(&against, columns, a, b);
    orr_output_set_text(pair, "a", columns->names[a]);
    orr_output_set_text(pair, "b", columns->names[b]);
    add_difference(pair, &against);
    orr_output_set_text(pair, "verdict", verdict_of(&against));
    return 100 * (against.high - against.low) / 2;
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

static void add_policies(JsonObject *facts,
                         const struct orr_comparison *comparison,
                         const struct columns *columns)
{
    JsonArray *policies = orr_output_add_array(facts, "policies");
    unsigned column = 0;

    for (unsigned p = 0; p < comparison->policy_count; p++) {
        g_autofree char *file = orr_policies_file(comparison->names[p]);
        JsonObject *object;

        if (!comparison->facts[p])
            continue;
        object = orr_output_add_object(policies);
        orr_output_set_text(object, "sched", comparison->labels[p]);
        orr_output_set_text(object, "sched_file", file);
        if (comparison->hanging[p] > 0)
            add_no_results(object);
        else
            add_results(object, comparison, columns, column++);
        add_hang(object, comparison, p);
        orr_output_set_text(object, "summary", comparison->summaries[p]);
        json_object_set_object_member(object, "first_run",
                                      json_object_ref(comparison->facts[p]));
    }
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
    json_object_set_int_member(facts, "replicas", comparison->replicas);
    set_number(facts, "spread",
               comparison->settings.scenario.config.spread >= 0
                   ? comparison->settings.scenario.config.spread
                   : NAN,
               DIGITS);
    add_policies(facts, comparison, &columns);
    orr_comparison_energy_add(facts, comparison);
    orr_comparison_energy_order(facts, comparison->settings.outputs.by);
    add_pairs(facts, &columns);
    orr_bounds_facts_add(facts, &columns.bounds);
    clear(&columns);
    return facts;
}

gint64 orr_policies_replicas(JsonArray *policies)
{
    gint64 replicas = 0;

    for (guint i = 0; i < json_array_get_length(policies); i++)
        replicas = MAX(
            replicas,
            json_object_get_int_member(
                json_object_get_object_member(
                    json_array_get_object_element(policies, i), "makespan_s"),
                "n"));
    return replicas;
}

/* Returns the robustness of a policy that hangs in some comparison: null
 * members. */
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
        count > 1 ? rounded(100 * (makespans_s[1] / makespans_s[0] - 1), DIGITS)
                  : 0);
    json_object_set_double_member(object, "worst_slowdown",
                                  rounded(worst, DIGITS));
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

JsonObject *orr_comparisons_json(JsonArray *comparisons)
{
    JsonObject *first = json_array_get_object_element(comparisons, 0);
    JsonObject *all = json_object_new();

    json_object_set_int_member(all, "schema_version", ORR_COMPARE_SCHEMA);
    json_object_set_array_member(all, "comparisons",
                                 json_array_ref(comparisons));
    if (!json_object_get_null_member(first, "spread"))
        json_object_set_array_member(all, "robustness",
                                     orr_comparison_robustness(comparisons));
    return all;
}

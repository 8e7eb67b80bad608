/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/study/ablation.h"

#include "apps/output/output.h"
#include "apps/report/facts.h"
#include "models/base/statistics.h"

/* Smaller changes do not count: see verdict_of(). */
#define NOTICEABLE 0.01

static JsonObject *run_at(const struct orr_ablation *a, unsigned size,
                          unsigned replica, unsigned variant)
{
    return a->runs[((size_t)size * a->replicas + replica) * a->variant_count +
                   variant];
}

static double number(JsonObject *run, const char *name)
{
    return json_object_get_double_member(run, name);
}

double orr_ablation_speed(JsonObject *run)
{
    if (!json_object_get_null_member(run, "gflops"))
        return number(run, "gflops");
    return number(run, "makespan_s") > 0 ? 1 / number(run, "makespan_s") : 0;
}

/*
 * Computes the change of the speed by @variant against all models, 0.1 for
 * 10 %, from the replicas in which both were run: each is a pair with the same
 * random draws. Returns the number of pairs. For a single pair, both ends of
 * the interval equal the change.
 */
static unsigned compute_change(struct orr_contrast *change,
                               const struct orr_ablation *a, unsigned size,
                               unsigned variant)
{
    double *speeds = g_new(double, 2 * (size_t)a->replicas);
    double *wholes = speeds + a->replicas;
    unsigned count = 0;

    for (unsigned r = 0; r < a->replicas; r++) {
        JsonObject *whole = run_at(a, size, r, 0);
        JsonObject *run = run_at(a, size, r, variant);

        if (!whole || !run || !(orr_ablation_speed(whole) > 0))
            continue;
        wholes[count] = orr_ablation_speed(whole);
        speeds[count++] = orr_ablation_speed(run);
    }
    *change = (struct orr_contrast){.difference = 0};
    if (count > 1) {
        orr_contrast_compute(change, speeds, wholes, count);
    } else if (count == 1) {
        change->difference = speeds[0] / wholes[0] - 1;
        change->low = change->high = change->difference;
    }
    g_free(speeds);
    return count;
}

/* The changes by a variant over all sizes. */
struct effect {
    unsigned count;
    double sum, least, most;
    unsigned least_at, most_at; /* sizes */
    bool good, bad;             /* significant and noticeable at some size */
    bool any;
};

static void add_change(struct effect *effect, const struct orr_contrast *change,
                       unsigned size)
{
    double mean = change->difference;

    if (effect->count == 0 || mean < effect->least) {
        effect->least = mean;
        effect->least_at = size;
    }
    if (effect->count == 0 || mean > effect->most) {
        effect->most = mean;
        effect->most_at = size;
    }
    effect->sum += mean;
    effect->count++;
    effect->good |= mean >= NOTICEABLE && change->low > 0;
    effect->bad |= mean <= -NOTICEABLE && change->high < 0;
    effect->any |= change->low < 0 || change->high > 0;
}

/* Judges a prediction without the model. */
static const char *verdict_of(const struct effect *effect)
{
    if (effect->good && effect->bad)
        return "too good or too bad";
    if (effect->good)
        return "too good";
    if (effect->bad)
        return "too bad";
    if (!effect->any)
        return "the same";
    if (effect->most < NOTICEABLE && effect->least > -NOTICEABLE)
        return "within 1 %";
    return "not told from chance";
}

static void set_number(JsonObject *object, const char *name, double value,
                       bool known)
{
    if (known)
        json_object_set_double_member(object, name, value);
    else
        json_object_set_null_member(object, name);
}

/* Sets "least_size", say, and "least_shape" if there are shapes. */
static void set_size(JsonObject *object, const char *prefix,
                     const struct orr_ablation *a, unsigned size, bool known)
{
    g_autofree char *number = g_strconcat(prefix, "size", NULL);
    g_autofree char *shape = g_strconcat(prefix, "shape", NULL);

    if (known)
        json_object_set_int_member(object, number, (gint64)a->sizes[size]);
    else
        json_object_set_null_member(object, number);
    if (a->shapes)
        orr_output_set_text(object, shape, known ? a->shapes[size] : NULL);
}

static void add_degradation(JsonArray *degradations,
                            const struct orr_ablation *a, unsigned variant)
{
    JsonObject *row = orr_output_add_object(degradations);
    struct effect effect = {.count = 0};
    bool known;

    for (unsigned s = 0; s < a->size_count; s++) {
        struct orr_contrast change;

        if (compute_change(&change, a, s, variant) > 0)
            add_change(&effect, &change, s);
    }
    known = effect.count > 0;
    orr_output_set_text(row, "degraded", a->variants[variant]);
    set_number(row, "mean_change", effect.sum / MAX(effect.count, 1), known);
    set_number(row, "least_change", effect.least, known);
    set_size(row, "least_", a, effect.least_at, known);
    set_number(row, "most_change", effect.most, known);
    set_size(row, "most_", a, effect.most_at, known);
    orr_output_set_text(row, "verdict", known ? verdict_of(&effect) : NULL);
}

/* Sets members of @row to means over the replicas that were run. */
static void set_means(JsonObject *row, const struct orr_ablation *a,
                      unsigned size, unsigned variant)
{
    static const char *const names[] = {
        "makespan_s",
        "gflops",
        "bytes_host_to_device",
        "bytes_device_to_host",
        "bytes_device_to_device",
        "evictions",
    };
    double sums[G_N_ELEMENTS(names)] = {0};
    bool known[G_N_ELEMENTS(names)] = {0};
    unsigned count = 0;

    for (unsigned r = 0; r < a->replicas; r++) {
        JsonObject *run = run_at(a, size, r, variant);

        count += run != NULL;
        for (size_t i = 0; run && i < G_N_ELEMENTS(names); i++) {
            known[i] = !json_object_get_null_member(run, names[i]);
            sums[i] += known[i] ? number(run, names[i]) : 0;
        }
    }
    json_object_set_int_member(row, "replicas", count);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        set_number(row, names[i], sums[i] / MAX(count, 1), known[i]);
}

/* Returns the facts of a complete run of that size and variant, or NULL. */
static JsonObject *example(const struct orr_ablation *a, unsigned size,
                           unsigned variant)
{
    for (unsigned r = 0; r < a->replicas; r++) {
        if (run_at(a, size, r, variant))
            return run_at(a, size, r, variant);
    }
    return NULL;
}

static void add_run(JsonArray *runs, const struct orr_ablation *a,
                    unsigned size, unsigned variant)
{
    JsonObject *run = example(a, size, variant);
    struct orr_contrast change;
    bool known = compute_change(&change, a, size, variant) > 0;
    JsonObject *row;

    if (!run)
        return;
    row = orr_output_add_object(runs);
    set_size(row, "", a, size, true);
    orr_output_set_text(row, "degraded",
                        variant == 0 ? NULL : a->variants[variant]);
    set_number(row, "change", change.difference, known);
    set_number(row, "change_low", change.low, known);
    set_number(row, "change_high", change.high, known);
    set_means(row, a, size, variant);
    orr_output_set_text(row, "models",
                        json_object_get_string_member(run, "models"));
}

JsonObject *orr_ablation_facts(const struct orr_ablation *a)
{
    JsonObject *facts = json_object_new();
    JsonArray *degradations;
    JsonArray *runs;

    g_assert(a->runs[0]);
    orr_facts_copy_common(facts, a->runs[0]);
    for (unsigned s = 1; s < a->size_count; s++) {
        JsonObject *other = example(a, s, 0);

        if (other)
            orr_facts_keep_common(facts, other);
    }
    orr_output_set_text(facts, "sched",
                        json_object_get_string_member(a->runs[0], "sched"));
    json_object_set_int_member(facts, "replicas", a->replicas);
    degradations = orr_output_add_array(facts, "degradations");
    for (unsigned v = 1; v < a->variant_count; v++)
        add_degradation(degradations, a, v);
    runs = orr_output_add_array(facts, "runs");
    for (unsigned s = 0; s < a->size_count; s++) {
        for (unsigned v = 0; v < a->variant_count; v++)
            add_run(runs, a, s, v);
    }
    return facts;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/ablation.h"

#include <string.h>

#include "apps/facts.h"
#include "apps/output.h"

/* Changes below this are not worth a word: see orr_ablation_facts(). */
#define NOTICEABLE 0.01

static JsonObject *run_at(const struct orr_ablation *a, unsigned size,
                          unsigned variant)
{
    return a->runs[(size_t)size * a->variant_count + variant];
}

/* How much faster @run is than @whole: 0.1 for 10 %. */
static double change_of(JsonObject *run, JsonObject *whole)
{
    double speed = json_object_get_double_member(whole, "gflops");

    return speed > 0 ? json_object_get_double_member(run, "gflops") / speed - 1
                     : 0;
}

/* The changes that a variant makes, over the sizes. */
struct effect {
    unsigned count;
    double sum, least, most;
    uint64_t least_size, most_size;
};

static void add_change(struct effect *effect, double change, uint64_t size)
{
    if (effect->count == 0 || change < effect->least) {
        effect->least = change;
        effect->least_size = size;
    }
    if (effect->count == 0 || change > effect->most) {
        effect->most = change;
        effect->most_size = size;
    }
    effect->sum += change;
    effect->count++;
}

/* What a prediction without the model would be. */
static const char *verdict_of(const struct effect *effect)
{
    bool good = effect->most >= NOTICEABLE;
    bool bad = effect->least <= -NOTICEABLE;

    if (good && bad)
        return "too good or too bad";
    if (good)
        return "too good";
    if (bad)
        return "too bad";
    return effect->least < 0 || effect->most > 0 ? "within 1 %" : "the same";
}

static void set_change(JsonObject *object, const char *name, double change,
                       bool known)
{
    if (known)
        json_object_set_double_member(object, name, change);
    else
        json_object_set_null_member(object, name);
}

static void set_size(JsonObject *object, const char *name, uint64_t size,
                     bool known)
{
    if (known)
        json_object_set_int_member(object, name, (gint64)size);
    else
        json_object_set_null_member(object, name);
}

static void add_degradation(JsonArray *degradations,
                            const struct orr_ablation *a, unsigned variant)
{
    JsonObject *row = orr_output_add_object(degradations);
    struct effect effect = {.count = 0};
    bool known;

    for (unsigned s = 0; s < a->size_count; s++) {
        JsonObject *whole = run_at(a, s, 0);
        JsonObject *run = run_at(a, s, variant);

        if (whole && run)
            add_change(&effect, change_of(run, whole), a->sizes[s]);
    }
    known = effect.count > 0;
    orr_output_set_text(row, "degraded", a->variants[variant]);
    set_change(row, "mean_change", effect.sum / MAX(effect.count, 1), known);
    set_change(row, "least_change", effect.least, known);
    set_size(row, "least_size", effect.least_size, known);
    set_change(row, "most_change", effect.most, known);
    set_size(row, "most_size", effect.most_size, known);
    orr_output_set_text(row, "verdict", known ? verdict_of(&effect) : NULL);
}

static void add_run(JsonArray *runs, const struct orr_ablation *a,
                    unsigned size, unsigned variant)
{
    JsonObject *whole = run_at(a, size, 0);
    JsonObject *run = run_at(a, size, variant);
    JsonObject *row;
    GList *members;

    if (!run)
        return;
    row = orr_output_add_object(runs);
    orr_output_set_text(row, "degraded",
                        variant == 0 ? NULL : a->variants[variant]);
    set_change(row, "change", whole ? change_of(run, whole) : 0, whole);
    members = json_object_get_members(run);
    for (GList *name = members; name; name = name->next) {
        if (strcmp(name->data, "workers") != 0)
            json_object_set_member(row, name->data,
                                   json_object_dup_member(run, name->data));
    }
    g_list_free(members);
}

static JsonObject *first_run(const struct orr_ablation *a)
{
    unsigned count = a->size_count * a->variant_count;

    for (unsigned i = 0; i < count; i++) {
        if (a->runs[i])
            return a->runs[i];
    }
    return NULL;
}

JsonObject *orr_ablation_facts(const struct orr_ablation *a)
{
    JsonObject *facts = json_object_new();
    JsonObject *first = first_run(a);
    JsonArray *degradations;
    JsonArray *runs;

    g_assert(first);
    orr_facts_copy_common(facts, first);
    json_object_remove_member(facts, "size");
    json_object_remove_member(facts, "tiles");
    orr_output_set_text(facts, "sched",
                        json_object_get_string_member(first, "sched"));
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

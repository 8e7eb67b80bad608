/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/explore/decision_log.h"

/* Whether a deviation is to be played now; it is in @script->next. */
static bool has_come(const struct orr_decision_log *script)
{
    return script->next < script->played_count &&
           script->played[script->next].position == script->asked;
}

static unsigned play(struct orr_decision_log *script,
                     const struct orr_decision *decision)
{
    struct orr_deviation deviation = script->played[script->next++];

    if (deviation.option < decision->count)
        return deviation.option;
    if (script->fits) {
        script->fits = false;
        script->misfit = deviation;
        script->misfit.count = decision->count;
        script->misfit.kind = decision->kind;
    }
    return 0;
}

static unsigned decide(struct orr_decider *decider,
                       const struct orr_decision *decision)
{
    struct orr_decision_log *script = (struct orr_decision_log *)decider;
    struct orr_deviation deviation = {
        .count = decision->count,
        .kind = decision->kind,
    };

    if (has_come(script))
        deviation.option = play(script, decision);
    else if (script->other)
        deviation.option = script->other->decide(script->other, decision);
    deviation.position = script->asked++;
    if (deviation.option > 0)
        g_array_append_val(script->deviations, deviation);
    return deviation.option;
}

static void step(struct orr_decider *decider,
                 const struct orr_footprint *before, const struct orr_due *due)
{
    struct orr_decider *other = ((struct orr_decision_log *)decider)->other;

    other->step(other, before, due);
}

struct orr_decision_log *
orr_decision_log_new(const struct orr_deviation *played, size_t count,
                     struct orr_decider *other)
{
    struct orr_decision_log *script = g_new0(struct orr_decision_log, 1);

    for (size_t i = 1; i < count; i++)
        g_assert(played[i - 1].position < played[i].position);
    script->decider.decide = decide;
    if (other && other->step)
        script->decider.step = step;
    script->deviations =
        g_array_new(FALSE, FALSE, sizeof(struct orr_deviation));
    script->fits = true;
    script->other = other;
    script->played = g_memdup2(played, count * sizeof(*played));
    script->played_count = count;
    return script;
}

void orr_decision_log_free(struct orr_decision_log *script)
{
    if (!script)
        return;
    g_array_unref(script->deviations);
    g_free(script->played);
    g_free(script);
}

size_t orr_decision_log_left(const struct orr_decision_log *script)
{
    return script->played_count - script->next;
}

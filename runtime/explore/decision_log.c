/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/explore/decision_log.h"

/* Whether the next deviation belongs to the present decision. */
static bool has_come(const struct orr_decision_log *log)
{
    return log->next < log->replayed_count &&
           log->replayed[log->next].position == log->asked;
}

static unsigned replay(struct orr_decision_log *log,
                       const struct orr_decision *decision)
{
    struct orr_deviation deviation = log->replayed[log->next++];

    if (deviation.option < decision->count)
        return deviation.option;
    if (log->fits) {
        log->fits = false;
        log->misfit = deviation;
        log->misfit.count = decision->count;
        log->misfit.kind = decision->kind;
    }
    return 0;
}

static unsigned decide(struct orr_decider *decider,
                       const struct orr_decision *decision)
{
    struct orr_decision_log *log = (struct orr_decision_log *)decider;
    struct orr_deviation deviation = {
        .count = decision->count,
        .kind = decision->kind,
    };

    if (has_come(log))
        deviation.option = replay(log, decision);
    else if (log->other)
        deviation.option = log->other->decide(log->other, decision);
    deviation.position = log->asked++;
    log->ordered += decision->kind == ORR_DECIDE_ORDER;
    if (deviation.option > 0)
        g_array_append_val(log->deviations, deviation);
    return deviation.option;
}

static void step(struct orr_decider *decider,
                 const struct orr_footprint *before, const struct orr_due *due)
{
    struct orr_decider *other = ((struct orr_decision_log *)decider)->other;

    other->step(other, before, due);
}

static void in_vain(struct orr_decider *decider)
{
    struct orr_decider *other = ((struct orr_decision_log *)decider)->other;

    other->in_vain(other);
}

struct orr_decision_log *
orr_decision_log_new(const struct orr_deviation *replayed, size_t count,
                     struct orr_decider *other)
{
    struct orr_decision_log *log = g_new0(struct orr_decision_log, 1);

    for (size_t i = 1; i < count; i++)
        g_assert(replayed[i - 1].position < replayed[i].position);
    log->decider.decide = decide;
    if (other && other->step)
        log->decider.step = step;
    if (other && other->in_vain)
        log->decider.in_vain = in_vain;
    log->deviations = g_array_new(FALSE, FALSE, sizeof(struct orr_deviation));
    log->fits = true;
    log->other = other;
    log->replayed = g_memdup2(replayed, count * sizeof(*replayed));
    log->replayed_count = count;
    return log;
}

void orr_decision_log_free(struct orr_decision_log *log)
{
    if (!log)
        return;
    g_array_unref(log->deviations);
    g_free(log->replayed);
    g_free(log);
}

size_t orr_decision_log_left(const struct orr_decision_log *log)
{
    return log->replayed_count - log->next;
}

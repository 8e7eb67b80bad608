/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/engine/decision.h"

static unsigned ask(struct orr_decider *decider,
                    const struct orr_decision *decision)
{
    unsigned option;

    if (!decider || decision->count < 2)
        return 0;
    option = decider->decide(decider, decision);
    g_assert(option < decision->count);
    return option;
}

unsigned orr_decide(struct orr_decider *decider, enum orr_decision_kind kind,
                    unsigned count, const unsigned *actors)
{
    const struct orr_decision decision = {
        .kind = kind, .count = count, .actors = actors};

    return ask(decider, &decision);
}

unsigned orr_decide_order(struct orr_decider *decider, unsigned actor,
                          const struct orr_order *order)
{
    const unsigned actors[] = {actor, ORR_NO_ACTOR};
    const struct orr_decision decision = {
        .kind = ORR_DECIDE_ORDER, .count = 2, .actors = actors, .order = order};

    return ask(decider, &decision);
}

const char *orr_decision_name(enum orr_decision_kind kind)
{
    static const char *const names[ORR_DECISION_KINDS] = {
        [ORR_DECIDE_EVENT] = "event",       [ORR_DECIDE_WAKE] = "wake",
        [ORR_DECIDE_LOCK] = "lock",         [ORR_DECIDE_STEP] = "step",
        [ORR_DECIDE_VICTIM] = "victim",     [ORR_DECIDE_COPY] = "copy",
        [ORR_DECIDE_DURATION] = "duration", [ORR_DECIDE_ORDER] = "order",
        [ORR_DECIDE_GAP] = "gap",
    };

    return names[kind];
}

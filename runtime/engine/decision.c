/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/engine/decision.h"

unsigned orr_decide(struct orr_decider *decider, enum orr_decision_kind kind,
                    unsigned count, const unsigned *who)
{
    const struct orr_decision decision = {kind, count, who};
    unsigned option;

    if (!decider || count < 2)
        return 0;
    option = decider->decide(decider, &decision);
    g_assert(option < count);
    return option;
}

const char *orr_decision_name(enum orr_decision_kind kind)
{
    static const char *const names[ORR_DECISION_KINDS] = {
        [ORR_DECIDE_EVENT] = "event",       [ORR_DECIDE_WAKE] = "wake",
        [ORR_DECIDE_LOCK] = "lock",         [ORR_DECIDE_STEP] = "step",
        [ORR_DECIDE_VICTIM] = "victim",     [ORR_DECIDE_COPY] = "copy",
        [ORR_DECIDE_DURATION] = "duration",
    };

    return names[kind];
}

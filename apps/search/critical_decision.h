/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CRITICAL_H
#define ORR_CRITICAL_H

#include "apps/search/trial.h"

/*
 * The critical decision of a run that hangs: the last one at which something
 * else would have saved it. Until then nothing is lost; from then on, whatever
 * single decision is taken otherwise, it hangs. So the mistake is what follows
 * from that decision.
 *
 * That something else is taken means: all before is decided as in the run that
 * hangs, the decision itself otherwise, and all that follows by default.
 */
struct orr_critical {
    bool found;
    bool complete;          /* every decision behind it was tried */
    uint64_t position;      /* of the decision, from 0 */
    uint64_t decisions;     /* how many the run takes */
    struct orr_point point; /* what is decided there */
    unsigned other;         /* an option with which the run finishes */
};

/*
 * Looks for that of @token, whose run hangs, in so many runs that @trials has
 * @limit, at most.
 */
void orr_critical_find(struct orr_critical *critical, struct orr_trials *trials,
                       const struct orr_token *token, uint64_t limit);

#endif

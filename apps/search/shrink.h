/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SHRINK_H
#define ORR_SHRINK_H

#include "apps/search/critical_decision.h"

/*
 * The smallest run that hangs the same way as another one: with fewer tiles,
 * workers, tasks and decisions that are not the default. Whoever wants to
 * understand a hang wants that one.
 *
 * Whether less still hangs, only a run can tell. Tiles and workers are tried
 * from the fewest on, since what hangs with three need not hang with four;
 * tasks and decisions by halves, quarters and so on (delta debugging: Zeller,
 * Hildebrandt, Simplifying and isolating failure-inducing input, IEEE TSE 28,
 * 2002), each time as often as something could be left out. With fewer tiles
 * the decisions of the token fall on other points; so each case is tried with
 * them, without any and, if the token has some, with a few schedules of each
 * strategy.
 *
 * All that depends on the token and on how many runs are allowed alone.
 */

/* Runs, if nothing else is said; with a few dozen tasks, it is seconds. */
#define ORR_SHRINK_BUDGET 5000

/* How large a run is. */
struct orr_extent {
    uint64_t tiles; /* in each row */
    uint64_t tasks; /* not left out */
    unsigned gpus, cpus;
    uint64_t decisions; /* not the default */
};

struct orr_shrink {
    const char *command; /* that progress is told by, on a terminal */
    uint64_t budget;     /* runs, at most */

    struct orr_token token; /* the smallest so far; at first the one given */
    struct orr_extent before, after;
    struct orr_critical critical;
    bool complete; /* nothing was left untried for want of runs */

    /* Private. */
    struct orr_trials trials; /* its count is the runs so far */
    bool decides;             /* the token given has decisions */
    unsigned schedules;       /* of each strategy, that a case is tried with */
    uint64_t asked;           /* decisions of any kind that the run takes */
    int64_t shown_us;         /* when progress was told last */
};

/*
 * Shrinks @token, whose inputs have been checked. To be cleared, whatever is
 * returned. Fails with ORR_ERROR_VALUE if it does not hang, or otherwise than
 * it says.
 */
bool orr_shrink_perform(struct orr_shrink *shrink,
                        const struct orr_token *token, GError **error);
void orr_shrink_clear(struct orr_shrink *shrink);

#endif

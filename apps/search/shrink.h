/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SHRINK_H
#define ORR_SHRINK_H

#include "apps/output/progress_line.h"
#include "apps/search/critical_decision.h"

/*
 * Shrinks a run that hangs to the smallest one that hangs the same way, which
 * is easier to understand: with a smaller problem, fewer workers, tasks, and
 * decisions that are not the default.
 *
 * A smaller case is simulated to see whether it still hangs. Numbers of tiles
 * and workers are tried from the smallest on, because a case that hangs with
 * three workers need not hang with four. Tasks and decisions are removed by
 * halves, quarters and so on (delta debugging: Zeller, Hildebrandt, Simplifying
 * and isolating failure-inducing input, IEEE TSE 28, 2002), and all steps are
 * repeated until none removes anything. With fewer tiles, the decisions of the
 * token apply to other points of the run. So each case is tried with them,
 * without any and, if the token has some, with a few schedules of each
 * strategy. If more than a dozen tasks are left, a second search explores
 * smaller cases with many schedules and all workers. It also accepts a hang of
 * another kind, if the same mistake of a policy may cause both kinds.
 *
 * The result depends on the token and the number of runs only.
 */

/* Default number of runs. A run with a few dozen tasks takes about 1 ms. */
#define ORR_SHRINK_BUDGET 5000

/* The size of a run. */
struct orr_case_size {
    uint64_t scale; /* value of the option that sets the size of the problem;
                       for a shape, its largest count */
    uint64_t tasks; /* tasks that are not left out */
    unsigned gpus, cpus;
    uint64_t decisions; /* decisions that are not the default */
};

struct orr_shrink {
    const char *command; /* for messages */
    uint64_t budget;     /* runs, at most */

    struct orr_token token; /* the smallest so far; owned */
    struct orr_case_size before, after;
    struct orr_critical_decision critical;
    bool complete; /* the budget allowed to try everything */

    /* Private. */
    struct orr_token_runs runs; /* runs.count: runs so far */
    const char *scale; /* name of the option that sets the size; NULL: none */
    struct orr_shape shape; /* value of option @scale in the original token */
    uint64_t least_scale;   /* least value of option @scale */
    const char *axis;       /* see struct orr_app; or NULL */
    uint64_t
        submitted; /* tasks of the smallest run, including tasks left out */
    bool has_decisions;   /* the original token has decisions */
    unsigned schedules;   /* schedules of each strategy for each case */
    bool explores;        /* the second search has begun */
    bool looks_for_scale; /* the second search tries smaller problems, not fewer
                             tasks */
    bool is_large;  /* the last run has at least as many tasks as the smallest
                       one */
    uint64_t asked; /* decisions of the run, including defaults */
    struct orr_progress progress;
};

/*
 * Shrinks @token, whose inputs have been checked. Fails with ORR_ERROR_VALUE if
 * its run does not hang in the way that the token says. Clear @shrink in any
 * case.
 */
bool orr_shrink_perform(struct orr_shrink *shrink,
                        const struct orr_token *token, GError **error);
void orr_shrink_clear(struct orr_shrink *shrink);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DECISION_LOG_H
#define ORR_DECISION_LOG_H

#include <glib.h>

#include "runtime/engine/decision.h"

/*
 * The log of a schedule: the decisions of a run that were not the default, each
 * with its position in the sequence of all decisions. It suffices to replay the
 * run, and is mostly short.
 *
 * The log is a decider. It replays given deviations, leaves all other decisions
 * to another decider or to the defaults, and records the deviations of both.
 */
struct orr_deviation {
    uint64_t position; /* of the decision, from 0 */
    unsigned option;   /* not 0 */

    /* For the reader; replaying ignores them. */
    unsigned count; /* of options */
    enum orr_decision_kind kind;
};

struct orr_decision_log {
    struct orr_decider decider; /* first; for the run */

    /* Public. */
    uint64_t asked;              /* decisions so far, */
    uint64_t ordered;            /* and those that are ORR_DECIDE_ORDER */
    GArray *deviations;          /* struct orr_deviation */
    bool fits;                   /* all replayed options existed so far */
    struct orr_deviation misfit; /* if not: the first that did not, with the
                                    count and kind of the actual decision */

    /* Private. */
    struct orr_decider *other;
    struct orr_deviation *played; /* by position */
    size_t played_count;
    size_t next; /* to be replayed */
};

/*
 * @played: @count deviations, copied, by ascending position; NULL if none.
 * @other: makes all other decisions; borrowed; NULL: the defaults.
 *
 * A deviation whose option does not exist becomes the default.
 */
struct orr_decision_log *
orr_decision_log_new(const struct orr_deviation *played, size_t count,
                     struct orr_decider *other);

/* NULL is allowed. */
void orr_decision_log_free(struct orr_decision_log *log);

/* How many deviations have not been replayed yet. */
size_t orr_decision_log_left(const struct orr_decision_log *log);

#endif

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
    uint64_t position; /* number of the decision in the run, from 0 */
    unsigned option;   /* not 0 */

    /* For readers of the log; replaying ignores these two. */
    unsigned count; /* number of options */
    enum orr_decision_kind kind;
};

struct orr_decision_log {
    struct orr_decider decider; /* first; for the run */

    /* Public. */
    uint64_t asked;     /* number of decisions so far */
    uint64_t ordered;   /* how many of them were ORR_DECIDE_ORDER */
    GArray *deviations; /* struct orr_deviation */
    bool fits;          /* every replayed option existed so far */
    /* if not @fits: the first deviation whose option did not exist, with count
     * and kind of the actual decision */
    struct orr_deviation misfit;

    /* Private. */
    struct orr_decider *other;
    struct orr_deviation
        *replayed; /* deviations to replay, sorted by position */
    size_t replayed_count;
    size_t next; /* index in @replayed of the next one to replay */
};

/*
 * @replayed: @count deviations, copied, by ascending position; NULL if none.
 * @other: makes all other decisions; borrowed; NULL: the defaults.
 *
 * A deviation to an option that does not exist becomes the default.
 */
struct orr_decision_log *
orr_decision_log_new(const struct orr_deviation *replayed, size_t count,
                     struct orr_decider *other);

/* NULL is allowed. */
void orr_decision_log_free(struct orr_decision_log *log);

/* How many deviations have not been replayed yet. */
size_t orr_decision_log_left(const struct orr_decision_log *log);

#endif

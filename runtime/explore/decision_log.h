/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DECISION_LOG_H
#define ORR_DECISION_LOG_H

#include <glib.h>

#include "runtime/engine/decision.h"

/*
 * A schedule, written down: the decisions of a run that were not the default,
 * each with its place in the sequence of all that were asked for. That is all
 * it takes to have the run again, and most often it is short.
 *
 * A script is a decider. It plays back what was written down before, leaves
 * the rest to another decider, or to the defaults, and writes down what came
 * of both.
 */
struct orr_deviation {
    uint64_t position; /* of the decision, from 0 */
    unsigned option;   /* not 0 */

    /* For the reader; playing back ignores them. */
    unsigned count; /* of options that there were */
    enum orr_decision_kind kind;
};

struct orr_decision_log {
    struct orr_decider decider; /* first: what a run is given */

    /* To be read. */
    uint64_t asked;              /* decisions so far */
    GArray *deviations;          /* struct orr_deviation: what was decided */
    bool fits;                   /* what was played had options enough so far */
    struct orr_deviation misfit; /* if not: the first that had not, with what
                                    was asked instead */

    /* Private. */
    struct orr_decider *other;
    struct orr_deviation *played; /* by position */
    size_t played_count;
    size_t next; /* of them */
};

/*
 * @played: @count deviations, which are copied; their positions ascend. NULL
 * if @count is 0.
 * @other: decides all else; borrowed; NULL: the defaults.
 *
 * Where a deviation does not fit, the default is taken.
 */
struct orr_decision_log *
orr_decision_log_new(const struct orr_deviation *played, size_t count,
                     struct orr_decider *other);

/* NULL is allowed. */
void orr_decision_log_free(struct orr_decision_log *script);

/* How many deviations have not been played: the run ended before. */
size_t orr_decision_log_left(const struct orr_decision_log *script);

#endif

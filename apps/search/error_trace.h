/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ERROR_TRACE_H
#define ORR_ERROR_TRACE_H

#include "apps/trace/step_log.h"
#include "runtime/engine/decision.h"

/* A decision of a run. */
struct orr_decision_point {
    enum orr_decision_kind kind;
    unsigned count;  /* number of options */
    unsigned option; /* the option taken */
    unsigned first;  /* the worker that the default lets go on (struct
                        orr_decision.who), or ORR_NO_ACTOR */
    unsigned taken;  /* the worker that the option lets go on, or
                        ORR_NO_ACTOR */
    char *what;      /* what the option has the run do, a clause without a full
                        stop; NULL: it is the default */
};

/*
 * How a run came to its end, told as what its callers did, in order: both sides
 * of a race. Every decision that was not the default is there, and the steps
 * around it; what lies far from each of them, and from the end, is left out.
 */
struct orr_error_trace_line {
    uint64_t decision; /* its number, from 1; 0: a step that nobody decided */
    enum orr_decision_kind kind; /* of the decision */
    int64_t date;                /* ns since the first submission; of a decision
                                    that is no step, of the step that follows */
    uint64_t skipped;            /* so many steps are left out: no text */
    char *text;                  /* a clause without a full stop, owned */
};

/*
 * Returns the story: struct orr_error_trace_line. Free with g_array_unref().
 *
 * @log: the steps of the run; their moment is the number of decisions so far.
 *       The policy must still be loaded.
 * @points: struct orr_decision_point: all decisions.
 */
GArray *orr_error_trace_new(struct orr_step_log *log, const GArray *points);

#endif

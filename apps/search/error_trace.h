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
    unsigned first;  /* the actor that the default option chooses (struct
                        orr_decision.who), or ORR_NO_ACTOR */
    unsigned taken;  /* the actor that @option chooses, or ORR_NO_ACTOR */
    char *what; /* the effect of @option, a clause without a full stop; NULL: it
                   is the default */
};

/*
 * An error trace: the steps of all callers of a policy in order, so that both
 * sides of a race show. It has every decision other than the default, the steps
 * near each of them, and the last steps; gaps stand for the other steps.
 */
struct orr_error_trace_line {
    uint64_t
        decision; /* number of the decision, from 1; 0: the line is a step */
    enum orr_decision_kind kind; /* kind of the decision */
    int64_t date; /* ns since the first submission; for a decision, the date of
                     the step that executes it or follows it */
    uint64_t skipped; /* number of steps left out here; above 0, the line has no
                         text */
    char *text;       /* a clause without a full stop, owned */
};

/*
 * Returns the error trace: an array of struct orr_error_trace_line. Free with
 * g_array_unref().
 *
 * @log: the steps of the run; the moment of a step is the number of decisions
 * before it.
 *       The policy must still be loaded.
 * @points: struct orr_decision_point: all decisions.
 */
GArray *orr_error_trace_new(struct orr_step_log *log, const GArray *points);

#endif

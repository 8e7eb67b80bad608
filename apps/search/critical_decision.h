/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CRITICAL_DECISION_H
#define ORR_CRITICAL_DECISION_H

#include "apps/search/token_run.h"

/*
 * The critical decision of a run that hangs: the last decision for which
 * another option lets the run finish. If any single later decision is changed,
 * the run still hangs. The error is thus a consequence of this decision.
 *
 * In a run with one decision changed, earlier decisions are as in the run that
 * hangs, this one takes another option, and later ones take the default.
 */
struct orr_critical_decision {
    bool found;
    bool complete;                   /* every later decision was tried */
    uint64_t position;               /* of the decision, from 0 */
    uint64_t decisions;              /* number of decisions of the run */
    struct orr_decision_point point; /* the decision in the run that hangs */
    unsigned other;                  /* an option with which the run finishes */
    char *what;     /* the effect of option @other, a clause; NULL: it is the
                       default */
    GArray *points; /* struct orr_decision_point: all decisions of the run */
    GArray *error_trace; /* struct orr_error_trace_line (error_trace.h): error
                            trace of the run; NULL: it could not begin */
};

/*
 * Finds the critical decision of @token, whose run hangs. Stops early when
 * runs->count reaches @limit. Clear @critical in any case.
 */
void orr_critical_decision_find(struct orr_critical_decision *critical,
                                struct orr_token_runs *runs,
                                const struct orr_token *token, uint64_t limit);

/* A zeroed one is allowed. */
void orr_critical_decision_clear(struct orr_critical_decision *critical);

#endif

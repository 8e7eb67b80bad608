/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FAILURE_H
#define ORR_FAILURE_H

#include "apps/settings/settings.h"
#include "runtime/explore/decision_log.h"

/*
 * A way in which schedules fail to finish: they hang, or the policy misuses the
 * runtime. A failure describes the first schedule that fails in this way, and
 * counts all of them. Facts call them "hangs".
 */
struct orr_failure {
    const char *kind; /* kind of hang (hang.h), or of misuse by the policy
                         (error.h); static */
    enum orr_exit status;
    const char *strategy; /* strategy that made the schedule; static */
    uint64_t number;      /* number of the schedule */
    uint64_t count;       /* schedules of this kind */
    char *message;        /* the diagnosis in one line; owned */
    char **chain;         /* sentences of the diagnosis, NULL-terminated; empty
                             if it is no hang; owned */
    GArray *deviations;   /* struct orr_deviation: the decisions that differ
                             from the default; owned */
    uint64_t digest;      /* see struct orr_report */
    bool repeats; /* a second run with the same decisions fails in the same way
                   */
};

/*
 * Returns the failure of @run, which failed with @error: without strategy,
 * number and deviations, which the caller sets. Returns NULL if neither the
 * run hung nor the policy misused the runtime.
 */
struct orr_failure *orr_failure_new(struct orr_run *run, const GError *error);
void orr_failure_free(struct orr_failure *failure);

/*
 * Adds @failure, which is taken, to @failures. Only the first of each kind
 * stays in the array; the count of later ones is added to it.
 */
void orr_failure_add(GPtrArray *failures, struct orr_failure *failure);

/*
 * Runs the schedule of @failure again, with the resolved @scenario, and sets
 * failure->repeats.
 */
void orr_failure_check(struct orr_failure *failure,
                       const struct orr_scenario *scenario);

#endif

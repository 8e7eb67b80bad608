/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/failure.h"

#include <string.h>

#include "apps/simulation/simulate.h"
#include "models/base/error.h"
#include "runtime/diagnosis/hang.h"

struct orr_failure *orr_failure_new(struct orr_run *run, const GError *error)
{
    const struct orr_hang *hang = orr_run_hang(run);
    struct orr_failure *failure;

    if (!hang && !orr_error_policy_kind(error))
        return NULL;
    failure = g_new0(struct orr_failure, 1);
    failure->message = g_strdup(error->message);
    failure->digest = orr_run_report(run)->digest;
    failure->count = 1;
    if (hang) {
        failure->kind = orr_hang_kind_name(hang->kind);
        failure->chain = g_strdupv(hang->chain);
        failure->status =
            hang->livelock ? ORR_EXIT_LIVELOCKED : ORR_EXIT_STALLED;
    } else {
        failure->kind = orr_error_policy_kind(error);
        failure->chain = g_new0(char *, 1);
        failure->status = ORR_EXIT_FAILURE;
    }
    return failure;
}

void orr_failure_free(struct orr_failure *failure)
{
    if (!failure)
        return;
    g_free(failure->message);
    g_strfreev(failure->chain);
    if (failure->deviations)
        g_array_unref(failure->deviations);
    g_free(failure);
}

void orr_failure_add(GPtrArray *failures, struct orr_failure *failure)
{
    for (guint i = 0; i < failures->len; i++) {
        struct orr_failure *known = failures->pdata[i];

        if (strcmp(known->kind, failure->kind) == 0) {
            known->count += failure->count;
            orr_failure_free(failure);
            return;
        }
    }
    g_ptr_array_add(failures, failure);
}

void orr_failure_check(struct orr_failure *failure,
                       const struct orr_scenario *scenario)
{
    const GArray *deviations = failure->deviations;
    struct orr_decision_log *log = orr_decision_log_new(
        (const struct orr_deviation *)(void *)deviations->data, deviations->len,
        NULL);
    struct orr_scenario again = *scenario;
    g_autoptr(GError) error = NULL;
    struct orr_run *run = NULL;
    struct orr_failure *second = NULL;

    again.config.decider = &log->decider;
    orr_simulate_run(&again, scenario->config.sched, NULL, &run, &error);
    if (run && error)
        second = orr_failure_new(run, error);
    failure->repeats = second && strcmp(second->kind, failure->kind) == 0 &&
                       second->digest == failure->digest;
    orr_failure_free(second);
    orr_run_free(run);
    orr_decision_log_free(log);
}

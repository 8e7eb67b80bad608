/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/finding.h"

#include <string.h>

#include "apps/study/simulate.h"
#include "models/base/error.h"
#include "runtime/diagnosis/hang.h"

struct orr_finding *orr_finding_new(struct orr_run *run, const GError *error)
{
    const struct orr_hang *hang = orr_run_hang(run);
    struct orr_finding *finding;

    if (!hang && !orr_error_policy_kind(error))
        return NULL;
    finding = g_new0(struct orr_finding, 1);
    finding->message = g_strdup(error->message);
    finding->digest = orr_run_report(run)->digest;
    finding->count = 1;
    if (hang) {
        finding->kind = orr_hang_kind_name(hang->kind);
        finding->chain = g_strdupv(hang->chain);
        finding->status =
            hang->livelock ? ORR_EXIT_LIVELOCKED : ORR_EXIT_STALLED;
    } else {
        finding->kind = orr_error_policy_kind(error);
        finding->chain = g_new0(char *, 1);
        finding->status = ORR_EXIT_FAILURE;
    }
    return finding;
}

void orr_finding_free(struct orr_finding *finding)
{
    if (!finding)
        return;
    g_free(finding->message);
    g_strfreev(finding->chain);
    if (finding->deviations)
        g_array_unref(finding->deviations);
    g_free(finding);
}

void orr_finding_add(GPtrArray *findings, struct orr_finding *finding)
{
    for (guint i = 0; i < findings->len; i++) {
        struct orr_finding *known = findings->pdata[i];

        if (strcmp(known->kind, finding->kind) == 0) {
            known->count += finding->count;
            orr_finding_free(finding);
            return;
        }
    }
    g_ptr_array_add(findings, finding);
}

void orr_finding_check(struct orr_finding *finding,
                       const struct orr_settings *settings)
{
    const GArray *deviations = finding->deviations;
    struct orr_decision_log *log = orr_decision_log_new(
        (const struct orr_deviation *)(void *)deviations->data, deviations->len,
        NULL);
    struct orr_settings again = *settings;
    g_autoptr(GError) error = NULL;
    struct orr_run *run = NULL;
    struct orr_finding *second = NULL;

    again.decider = &log->decider;
    orr_simulate_run(&again, settings->sched, NULL, &run, &error);
    if (run && error)
        second = orr_finding_new(run, error);
    finding->repeats = second && strcmp(second->kind, finding->kind) == 0 &&
                       second->digest == finding->digest;
    orr_finding_free(second);
    orr_run_free(run);
    orr_decision_log_free(log);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Single schedules, and what is kept of them. */
#include <string.h>

#include "apps/report/facts.h"
#include "apps/search/exploration_private.h"
#include "apps/study/simulate.h"
#include "models/base/error.h"
#include "runtime/diagnosis/hang.h"

/* The kind of a finding that is not a hang. */
static const char policy_kind[] = "policy";

struct orr_batch *orr_batch_new(uint64_t first)
{
    struct orr_batch *batch = g_new0(struct orr_batch, 1);

    batch->first = first;
    batch->findings =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_finding_free);
    return batch;
}

void orr_batch_free(struct orr_batch *batch)
{
    g_ptr_array_unref(batch->findings);
    g_clear_pointer(&batch->facts, json_object_unref);
    g_clear_error(&batch->error);
    g_free(batch);
}

void orr_finding_free(struct orr_finding *finding)
{
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

/* What a run that ended with @error says; NULL if the run is not to blame. */
static struct orr_finding *find(struct orr_run *run, const GError *error)
{
    const struct orr_hang *hang = orr_run_hang(run);
    struct orr_finding *finding;

    if (!hang && !g_error_matches(error, ORR_ERROR, ORR_ERROR_POLICY))
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
        finding->kind = policy_kind;
        finding->chain = g_new0(char *, 1);
        finding->status = ORR_EXIT_FAILURE;
    }
    return finding;
}

/* Takes note of @run, which ended with @error or, if that is NULL, well. */
static bool note(struct orr_batch *batch, struct orr_run *run,
                 const GError *error, struct orr_decision_log *script)
{
    struct orr_finding *finding = error ? find(run, error) : NULL;

    if (error && !finding)
        return false;
    batch->orders[batch->count] = orr_run_report(run)->order;
    batch->hung[batch->count] = finding != NULL;
    batch->decisions = script->asked;
    if (finding) {
        finding->strategy = batch->strategies[batch->count];
        finding->number = batch->first + batch->count;
        finding->deviations = g_array_ref(script->deviations);
        orr_finding_add(batch->findings, finding);
    }
    batch->count++;
    return true;
}

/* The schedule that @script makes. */
static enum orr_exit simulate(const struct orr_exploration *exploration,
                              struct orr_decision_log *script,
                              struct orr_run **run, GError **error)
{
    struct orr_settings settings = *exploration->settings;

    settings.decider = &script->decider;
    return orr_simulate_run(&settings, exploration->sched, NULL, run, error);
}

bool orr_batch_run(struct orr_batch *batch,
                   const struct orr_exploration *exploration,
                   struct orr_decider *decider, const char *strategy)
{
    struct orr_decision_log *script = orr_decision_log_new(NULL, 0, decider);
    GError *error = NULL;
    struct orr_run *run = NULL;
    bool done;

    batch->strategies[batch->count] = strategy;
    batch->status = simulate(exploration, script, &run, &error);
    done = run && note(batch, run, error, script);
    if (done && batch->first + batch->count == 2)
        batch->facts =
            orr_facts_new(exploration->settings, orr_run_report(run), NULL, 0);
    if (done)
        g_clear_error(&error);
    batch->error = error;
    orr_run_free(run);
    orr_decision_log_free(script);
    return done;
}

void orr_finding_check(struct orr_finding *finding,
                       const struct orr_exploration *exploration)
{
    const GArray *deviations = finding->deviations;
    struct orr_decision_log *script = orr_decision_log_new(
        (const struct orr_deviation *)(void *)deviations->data, deviations->len,
        NULL);
    g_autoptr(GError) error = NULL;
    struct orr_run *run = NULL;
    struct orr_finding *again = NULL;

    simulate(exploration, script, &run, &error);
    if (run && error)
        again = find(run, error);
    finding->repeats = again && strcmp(again->kind, finding->kind) == 0 &&
                       again->digest == finding->digest;
    if (again)
        orr_finding_free(again);
    orr_run_free(run);
    orr_decision_log_free(script);
}

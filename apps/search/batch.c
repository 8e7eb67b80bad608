/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/batch.h"

#include "apps/facts/facts.h"
#include "apps/simulation/simulate.h"

struct orr_batch *orr_batch_new(uint64_t first)
{
    struct orr_batch *batch = g_new0(struct orr_batch, 1);

    batch->first = first;
    batch->interleavings = orr_interleavings_new();
    batch->failures =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_failure_free);
    return batch;
}

void orr_batch_free(struct orr_batch *batch)
{
    g_ptr_array_unref(batch->failures);
    g_clear_pointer(&batch->facts, json_object_unref);
    g_clear_error(&batch->error);
    orr_interleavings_free(batch->interleavings);
    g_free(batch);
}

/*
 * Adds the results of @run, which failed with @error (NULL: it finished).
 * Returns false if the run failed for another reason than a hang or a mistake
 * of the policy.
 */
static bool add_run(struct orr_batch *batch, struct orr_run *run,
                    const GError *error, struct orr_decision_log *log)
{
    struct orr_failure *failure = error ? orr_failure_new(run, error) : NULL;

    if (error && !failure)
        return false;
    batch->orders[batch->count] = orr_run_report(run)->order;
    batch->hung[batch->count] = failure != NULL;
    batch->decisions = log->asked - log->ordered;
    if (failure) {
        failure->strategy = batch->strategies[batch->count];
        failure->number = batch->first + batch->count;
        failure->deviations = g_array_ref(log->deviations);
        orr_failure_add(batch->failures, failure);
    }
    batch->count++;
    return true;
}

bool orr_batch_run(struct orr_batch *batch, const struct orr_scenario *scenario,
                   struct orr_decider *decider, const char *strategy)
{
    struct orr_decision_log *log = orr_decision_log_new(NULL, 0, decider);
    struct orr_scenario logged = *scenario;
    GError *error = NULL;
    struct orr_run *run = NULL;
    bool done;

    batch->strategies[batch->count] = strategy;
    logged.config.decider = &log->decider;
    batch->status = orr_simulate_run(
        &logged, scenario->config.sched,
        batch->is_plain ? NULL : orr_interleavings_begin(batch->interleavings),
        &run, &error);
    done = run && add_run(batch, run, error, log);
    if (done && batch->first + batch->count == 2)
        batch->facts = orr_facts_new(scenario, orr_run_report(run), NULL, 0);
    if (done)
        g_clear_error(&error);
    batch->error = error;
    orr_run_free(run);
    orr_decision_log_free(log);
    return done;
}

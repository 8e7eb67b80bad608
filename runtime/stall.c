/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Why nothing more happens although jobs are left. */
#include "runtime/run.h"
#include "runtime/worker.h"

static void describe_worker(GString *text, const struct orr_worker *worker)
{
    const struct orr_job *job = worker->fetching;

    if (!job) {
        if (worker->count > 0)
            g_string_append_printf(text, "; worker %s holds %u tasks",
                                   worker->name, worker->count);
        return;
    }
    g_string_append_printf(
        text,
        "; worker %s waits for the data of task %" G_GUINT64_FORMAT
        " (%s), %u of %u there",
        worker->name, job->id, job->name, worker->buffers_arrived,
        job->access_count);
}

char *orr_stall_describe(const struct orr_run *run)
{
    GString *text = g_string_new(NULL);
    uint64_t left = run->graph.submitted - run->graph.completed;
    unsigned held = 0;

    for (unsigned i = 0; i < run->worker_count; i++)
        held += run->workers[i]->count;
    g_string_append_printf(text,
                           "the run has stalled with %" G_GUINT64_FORMAT
                           " of %" G_GUINT64_FORMAT " tasks left",
                           left, run->graph.submitted);
    for (unsigned i = 0; i < run->worker_count; i++)
        describe_worker(text, run->workers[i]);
    if (held == 0)
        g_string_append_printf(text,
                               "; no worker has a task: policy %s holds them "
                               "while all workers sleep",
                               run->policy->name);
    return g_string_free(text, FALSE);
}

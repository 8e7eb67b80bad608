/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For functions of the application, while workers call them. */
#include <limits.h>

#include "runtime/arguments.h"
#include "runtime/executor/kernel.h"
#include "runtime/run.h"

void orr_kernel_takes(struct orr_run *run, int64_t ns)
{
    if (!run->app.called || !run->app.calls_kernel)
        orr_run_refuse(run, "orr_kernel_takes() is called in no kernel");
    else if (ns < 0 || ns > ORR_MAX_TOTAL_NS - run->kernels.brought_ns)
        orr_run_refuse(run,
                       "a kernel takes %" G_GINT64_FORMAT
                       " ns: expected 0 or more, and together with earlier "
                       "times at most 4e18",
                       ns);
    else {
        run->kernels.brought_ns += ns;
        orr_job_ending(run->app.called)->calls->takes = ns + 1;
    }
}

unsigned orr_run_acting_worker(const struct orr_run *run)
{
    const struct orr_actor *actor =
        run->app.collected ? run->engine.acting : NULL;

    return actor && actor->index != ORR_NO_WORKER ? actor->index : UINT_MAX;
}

bool orr_run_execution(const struct orr_run *run, unsigned *worker,
                       int64_t *started_ns, int64_t *ended_ns)
{
    const struct orr_job *job = run->app.called;
    const struct orr_job_calls *calls;

    if (!job || run->app.calls_kernel || job->kind != ORR_JOB_KERNEL)
        return false;
    calls = orr_job_ending(job)->calls;
    if (calls->worker == 0)
        return false;
    *worker = (unsigned)calls->worker - 1;
    *started_ns = calls->started;
    *ended_ns = calls->ended;
    return true;
}

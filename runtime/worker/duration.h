/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DURATION_H
#define ORR_DURATION_H

#include "runtime/run.h"

/*
 * What kernels take: the mean, a draw, or what a record says (switch
 * durations). Policies do not see it, they plan with calibrated means.
 *
 * Draws are keyed by (seed, task, class of the worker), so that the n-th gemm
 * is equally slow under every policy: common random numbers.
 */

/*
 * Sets what @kernel takes on each device, given what policies expect. @factor
 * is what each is multiplied by.
 */
void orr_duration_set(struct orr_run *run, struct orr_kernel *kernel,
                      const double factors[ORR_MAX_NODES]);

void orr_duration_clear(struct orr_kernel *kernel);

/*
 * Reads the record that @path names, for run->record. Fails as
 * orr_record_read(), and when none of its tasks is of a kernel of the
 * platform.
 */
bool orr_duration_read(struct orr_run *run, const char *path, GError **error);

/* Whether the record has @job, about to be submitted; else why not. */
bool orr_duration_check(const struct orr_run *run, const struct orr_job *job,
                        GError **error);

/* What the kernel of @job takes on @device, which starts it now. */
orr_time orr_duration_draw(struct orr_run *run, const struct orr_job *job,
                           unsigned device);

/* What it takes if the run's decider says so: @otherwise by default. Other
 * options are the quantiles of the histogram, or of a law that is assumed. */
orr_time orr_duration_decide(struct orr_run *run, const struct orr_job *job,
                             unsigned device, orr_time otherwise);

static inline orr_time
orr_duration_of(struct orr_run *run, const struct orr_job *job, unsigned device)
{
    orr_time duration = job->kernel->means[device];

    if (run->switches.durations != ORR_DURATIONS_MEAN)
        duration = orr_duration_draw(run, job, device);
    if (run->engine.decider)
        duration = orr_duration_decide(run, job, device, duration);
    return duration;
}

#endif

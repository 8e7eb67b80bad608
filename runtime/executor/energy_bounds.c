/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What bounds on the energy of a run need (models/bounds/bounds.h). */
#include <math.h>

#include "models/bounds/workload.h"
#include "runtime/executor/energy.h"
#include "runtime/executor/kernel.h"
#include "runtime/run.h"

static bool polls(const struct orr_run *run, unsigned device)
{
    return run->energy.polling && device == ORR_RAM;
}

/* What @device draws at least, whatever runs. Static power may be below idle
 * power. */
static orr_power base_of(const struct orr_run *run, unsigned device)
{
    const struct orr_meter *meter = &run->energy.meters[device];
    unsigned workers = MIN(run->worker_count, meter->cores);

    if (meter->off)
        return meter->levels.off;
    if (polls(run, device))
        return meter->levels.fixed + meter->poll_one * (orr_power)workers;
    return MIN(meter->levels.idle, meter->levels.fixed);
}

/* What a task of @kernel adds to that on @worker, J. Of the static power, which
 * is above the base, one core takes its share: at most all are busy. */
static double joules_on(const struct orr_run *run,
                        const struct orr_kernel *kernel,
                        const struct orr_worker *worker, double seconds)
{
    const struct orr_meter *meter = &run->energy.meters[worker->device];
    orr_time duration = orr_time_from_seconds(seconds);
    orr_power power = orr_energy_power_of(run, kernel, worker, duration);

    if (polls(run, worker->device))
        power -= meter->poll_one;
    else
        power += (meter->levels.fixed - base_of(run, worker->device)) /
                 (orr_power)meter->cores;
    return (double)orr_power_over(power, duration) / 1e21;
}

/* The least that a task of @kernel adds on the workers of @class; they take
 * @seconds at least. */
static double least_joules(const struct orr_run *run,
                           const struct orr_kernel *kernel, unsigned class,
                           double seconds)
{
    double least = INFINITY;

    for (unsigned w = 0; w < run->worker_count; w++) {
        const struct orr_worker *worker = run->workers[w];

        if (worker->device != class)
            continue;
        if (!kernel->joules)
            return joules_on(run, kernel, worker, seconds);
        for (size_t i = 0; i < kernel->implementations; i++) {
            size_t cost = w * (size_t)kernel->implementations + i;

            if (kernel->by_implementation[cost] != ORR_NEVER)
                least = fmin(least, kernel->joules[cost]);
        }
    }
    return least;
}

void orr_energy_add_workload(const struct orr_run *run,
                             struct orr_workload *workload)
{
    unsigned classes = workload->class_count;
    orr_power base = orr_energy_constant(run);

    if (!run->energy.known)
        return;
    for (unsigned d = 0; d < run->node_count; d++)
        base += base_of(run, d);
    workload->base_w = orr_power_to_watts(base);
    workload->joules = g_new0(double, (gsize)workload->kernel_count *classes);
    for (unsigned k = 1; k < workload->kernel_count; k++) {
        for (unsigned c = 0; c < classes; c++) {
            size_t i = (size_t)k * classes + c;

            if (isfinite(workload->seconds[i]))
                workload->joules[i] = least_joules(run, run->graph.kernels[k],
                                                   c, workload->seconds[i]);
        }
    }
}

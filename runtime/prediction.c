/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What policies expect, for programs. A task that is only imagined is a job
 * like any other, and gets the answers of worker/policy.c.
 */
#include <string.h>

#include "runtime/arguments.h"
#include "runtime/run.h"

/* Whether there is something to expect: a machine, and no error. */
static bool is_simulated(const struct orr_run *run)
{
    return !run->error && !run->capture;
}

/* The job of a task that is as @spec says, to be freed with orr_job_free(); or
 * NULL. */
static struct orr_job *imagine(struct orr_run *run,
                               const struct orr_task_spec *spec)
{
    struct orr_whole_spec copy;
    struct orr_task_spec *whole = &copy.spec;
    const char *task_name;
    struct orr_job *job;

    if (!is_simulated(run) || !orr_run_read_spec(run, spec, &copy) ||
        !orr_check_task(run, whole))
        return NULL;
    whole->name = NULL;
    if (whole->synchronises)
        return orr_run_imagine(run, whole);
    task_name = whole->kernel->task_name;
    job = orr_run_imagine(run, whole);
    whole->kernel->task_name = task_name; /* it has no such task yet */
    return job;
}

int64_t orr_task_expected_ns(struct orr_run *run,
                             const struct orr_task_spec *spec, unsigned worker,
                             unsigned implementation)
{
    struct orr_job *job = imagine(run, spec);
    orr_time expected = ORR_NEVER;

    if (!job)
        return -1;
    if (job->kind == ORR_JOB_KERNEL && worker < run->worker_count) {
        unsigned count;
        const orr_time *durations = orr_job_durations(run, job, &count);

        if (implementation < count)
            expected = durations[(size_t)worker * count + implementation];
    }
    orr_job_free(&run->graph, job);
    return expected == ORR_NEVER ? -1 : expected;
}

/* The kernel that stands, with its speed on @device, for others: "any" or, if
 * there is none, a GEMM; NULL: @platform models none. */
static const struct orr_flops *find_speed(const struct orr_platform *platform,
                                          enum orr_precision precision,
                                          unsigned device)
{
    static const char *const names[] = {"any", "gemm"};

    for (size_t n = 0; n < G_N_ELEMENTS(names); n++) {
        for (unsigned k = 0; k < platform->kernel_count; k++) {
            const struct orr_platform_kernel *kernel = &platform->kernels[k];
            const struct orr_flops *speed = orr_platform_flops(kernel, device);

            if (speed && kernel->precision == precision &&
                strcmp(kernel->name, names[n]) == 0)
                return speed;
        }
    }
    return NULL;
}

int64_t orr_run_flops_ns(const struct orr_run *run, unsigned worker,
                         enum orr_kernel_precision precision, double flops)
{
    const struct orr_flops *speed;
    double ns;

    if (!is_simulated(run) || worker >= run->worker_count || !(flops > 0) ||
        (unsigned)precision > ORR_DOUBLE_PRECISION)
        return 0;
    speed = find_speed(run->platform, (enum orr_precision)precision,
                       run->workers[worker]->device);
    ns = speed ? flops / orr_flops_speed(speed, flops) * 1e9 : 0;
    return ns > 1e15 ? 0 : (int64_t)(ns + 0.5) + (ns > 0 && ns < 0.5);
}

int64_t orr_task_expected_transfer_ns(struct orr_run *run,
                                      const struct orr_task_spec *spec,
                                      unsigned node)
{
    struct orr_job *job = orr_check_node(run, node) ? imagine(run, spec) : NULL;
    orr_time expected;

    if (!job)
        return -1;
    run->engine.effects |= ORR_EFFECT_RUNTIME;
    expected = job->kind == ORR_JOB_KERNEL
                   ? orr_job_transfer(&run->store, job, node)
                   : 0;
    orr_job_free(&run->graph, job);
    return expected;
}

int64_t orr_data_expected_transfer_ns(struct orr_run *run,
                                      const struct orr_data *data,
                                      unsigned node)
{
    if (!is_simulated(run) || !orr_check_data(run, data, ORR_R) ||
        !orr_check_node(run, node))
        return -1;
    run->engine.effects |= ORR_EFFECT_RUNTIME;
    return orr_data_load_time(&run->store, data, node);
}

unsigned orr_data_state(struct orr_run *run, const struct orr_data *data,
                        unsigned node)
{
    if (!is_simulated(run) || !orr_check_registered(run, data) ||
        !orr_check_node(run, node))
        return 0;
    run->engine.effects |= ORR_EFFECT_RUNTIME;
    uint32_t bit = 1u << node;
    return (data->valid & bit ? ORR_DATA_VALID : 0) |
           (data->allocated & bit ? ORR_DATA_ALLOCATED : 0) |
           (data->awaited & bit ? ORR_DATA_REQUESTED : 0) |
           (data->loading & bit ? ORR_DATA_LOADING : 0);
}

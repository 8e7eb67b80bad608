/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long kernels take on the workers of a run, and on which they can run. */
#include "models/rng.h"
#include "runtime/executor/duration.h"
#include "runtime/executor/kernel.h"
#include "runtime/run.h"

/* FNV-1a, to make a stream of draws out of names. */
static uint64_t hash(uint64_t state, const char *text)
{
    for (; *text; text++)
        state = (state ^ (unsigned char)*text) * 0x100000001b3u;
    return state;
}

/* The factor of one kernel and size on the device, or CPU worker, @number: see
 * perturb in orrery.h. */
static double draw_factor(const struct orr_run *run,
                          const struct orr_platform_kernel *model,
                          unsigned tile, unsigned number)
{
    uint64_t stream;
    double draw;

    stream = hash(0xcbf29ce484222325u, model->family);
    stream = hash(stream, "/");
    stream = hash(stream, model->name);
    stream = hash(stream, model->precision == ORR_SINGLE ? "/s" : "/d");
    draw = orr_rng_uniform(run->seed, stream, (uint64_t)tile << 32 | number);
    return 1 + run->kernels.perturb * (2 * draw - 1);
}

/* The factor of all workers of @device. */
static double factor_of(const struct orr_run *run,
                        const struct orr_kernel *kernel, unsigned device)
{
    if (run->kernels.perturb <= 0 ||
        (device == ORR_RAM && !run->kernels.perturb_by_device))
        return 1;
    return draw_factor(run, kernel->model, kernel->tile, device);
}

double orr_kernel_factor(const struct orr_run *run,
                         const struct orr_kernel *kernel, unsigned worker)
{
    unsigned device = run->workers[worker]->device;

    if (run->kernels.perturb > 0 && device == ORR_RAM &&
        !run->kernels.perturb_by_device)
        return draw_factor(run, kernel->model, kernel->tile,
                           ORR_MAX_NODES + worker - run->gpu_count);
    return factor_of(run, kernel, device);
}

/* Draws the factors of CPU workers, if each has its own. */
static void set_factors(const struct orr_run *run, struct orr_kernel *kernel)
{
    if (!kernel->factors)
        return;
    for (unsigned w = 0; w < run->worker_count; w++)
        kernel->factors[w] =
            w < run->gpu_count ? 1 : orr_kernel_factor(run, kernel, w);
}

/* The mean duration on @device by the platform or the task; ORR_NEVER: it
 * cannot run there. */
static orr_time mean_of(const struct orr_kernel *kernel, unsigned device)
{
    const struct orr_task_times *times = &kernel->given.times;
    int64_t given = device == ORR_RAM ? times->cpu_ns : times->gpu_ns;

    if (!kernel->given.timed)
        return orr_platform_duration(kernel->model, kernel->tile, device);
    return given > 0 ? given : ORR_NEVER;
}

/* The duration that policies expect of the kernel on a device in use. */
static orr_time expect(const struct orr_run *run,
                       const struct orr_kernel *kernel, unsigned device,
                       double factor)
{
    orr_time mean = mean_of(kernel, device);

    if (mean == ORR_NEVER || run->kernels.perturb <= 0)
        return mean;
    return MAX(1, orr_time_from_seconds(orr_time_to_seconds(mean) * factor));
}

bool orr_kernel_allows(const struct orr_kernel *kernel, unsigned worker)
{
    const uint8_t *bits = kernel->given.workers
                              ? g_bytes_get_data(kernel->given.workers, NULL)
                              : NULL;

    return !bits || bits[worker / 8] >> worker % 8 & 1;
}

static bool allows_device(const struct orr_run *run,
                          const struct orr_kernel *kernel, unsigned device)
{
    if (device != ORR_RAM)
        return orr_kernel_allows(kernel, device - 1);
    for (unsigned w = run->gpu_count; w < run->worker_count; w++) {
        if (orr_kernel_allows(kernel, w))
            return true;
    }
    return false;
}

/* Whether there are workers on @device, and @kernel may run on them. */
static bool is_used(const struct orr_run *run, const struct orr_kernel *kernel,
                    unsigned device)
{
    if (device <= run->gpu_count && !allows_device(run, kernel, device))
        return false;
    if (device == ORR_RAM)
        return run->worker_count > run->gpu_count &&
               kernel->where != ORR_WHERE_GPU;
    return device <= run->gpu_count && kernel->where != ORR_WHERE_CPU;
}

static void set_by_worker(const struct orr_run *run, struct orr_kernel *kernel)
{
    unsigned workers = run->worker_count;

    for (unsigned w = 0; w < workers; w++) {
        unsigned device = w < run->gpu_count ? w + 1 : ORR_RAM;
        orr_time time = kernel->durations[device];

        if (!orr_kernel_allows(kernel, w))
            time = ORR_NEVER;
        if (kernel->factors && time != ORR_NEVER)
            time = orr_duration_scale(time, kernel->factors[w]);
        kernel->by_worker[w] = time;
        kernel->by_worker[workers + w] = device == ORR_RAM ? time : ORR_NEVER;
    }
}

void orr_kernel_set_classes(struct orr_kernel *kernel, bool on_cpus,
                            bool on_gpus)
{
    const struct orr_run *run = kernel->run;

    if (on_cpus && !on_gpus && run->worker_count > run->gpu_count)
        kernel->only_worker = run->gpu_count;
    else if (on_gpus && !on_cpus && run->gpu_count == 1)
        kernel->only_worker = 0;
    else
        kernel->only_worker = ORR_NO_WORKER;
}

/* The classes do not depend on whether the run has CPU workers. */
static void find_classes(const struct orr_run *run, struct orr_kernel *kernel)
{
    bool on_cpus =
        kernel->where != ORR_WHERE_GPU && mean_of(kernel, ORR_RAM) != ORR_NEVER;
    bool on_gpus = false;

    for (unsigned d = 1; kernel->where != ORR_WHERE_CPU && d <= run->gpu_count;
         d++)
        on_gpus |= mean_of(kernel, d) != ORR_NEVER;
    orr_kernel_set_classes(kernel, on_cpus, on_gpus);
}

bool orr_kernel_set_durations(struct orr_run *run, struct orr_kernel *kernel)
{
    double factors[ORR_MAX_NODES];
    bool any = false;

    for (unsigned device = 0; device < run->node_count; device++) {
        bool used = is_used(run, kernel, device);

        factors[device] = factor_of(run, kernel, device);
        kernel->durations[device] =
            used ? expect(run, kernel, device, factors[device]) : ORR_NEVER;
        any |= kernel->durations[device] != ORR_NEVER;
        run->totals.report.modelled |=
            used && !kernel->given.timed &&
            orr_platform_flops(kernel->model, device);
    }
    set_factors(run, kernel);
    set_by_worker(run, kernel);
    find_classes(run, kernel);
    if (any)
        orr_duration_set(run, kernel, factors);
    return any;
}

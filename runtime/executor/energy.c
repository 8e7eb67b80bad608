/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/executor/energy.h"

#include <string.h>

#include "runtime/executor/kernel.h"
#include "runtime/run.h"

static bool refuse(GError **error, const struct orr_kernel *kernel,
                   const char *why)
{
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "kernel %s: %s",
                kernel->model->name, why);
    return false;
}

static bool check(const struct orr_run *run, const struct orr_kernel *kernel,
                  GError **error)
{
    if (!kernel || kernel->run != run) {
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                            kernel ? "the kernel is of another run"
                                   : "the kernel is NULL");
        return false;
    }
    if (!*kernel->model->family)
        return kernel->joules
                   ? refuse(error, kernel, "its costs are given twice")
                   : true;
    return refuse(error, kernel, "the platform has its costs");
}

/* The worker of a cost, for messages. */
static bool check_cost(const struct orr_kernel *kernel,
                       const struct orr_worker *worker,
                       const struct orr_cost *cost, GError **error)
{
    g_autofree char *joules = NULL;
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    if (cost->ns < 0) {
        joules = g_strdup_printf("its time on %s is below 0", worker->name);
        return refuse(error, kernel, joules);
    }
    if (cost->joules >= 0 && cost->joules <= ORR_MAX_JOULES)
        return true;
    g_ascii_formatd(text, sizeof(text), "%g", cost->joules);
    joules = g_strdup_printf("its energy on %s is %s: expected 0 to 1e9 J",
                             worker->name, text);
    return refuse(error, kernel, joules);
}

/* Whether the restriction of @kernel leaves it this worker. */
static bool is_allowed(const struct orr_kernel *kernel, unsigned device)
{
    return kernel->where == ORR_WHERE_ANY ||
           (kernel->where == ORR_WHERE_CPU) == (device == ORR_RAM);
}

/* Sets what each worker takes; the time of a device is that of its fastest
 * worker, of which bounds speak. */
static bool take_costs(struct orr_run *run, struct orr_kernel *kernel,
                       const struct orr_cost *costs, GError **error)
{
    bool any = false;

    for (unsigned device = 0; device < run->node_count; device++)
        kernel->durations[device] = ORR_NEVER;
    for (unsigned w = 0; w < run->worker_count; w++) {
        unsigned device = run->workers[w]->device;
        bool runs = costs[w].ns > 0 && is_allowed(kernel, device);
        orr_time *mean = &kernel->durations[device];

        if (!check_cost(kernel, run->workers[w], &costs[w], error))
            return false;
        kernel->by_worker[w] = runs ? costs[w].ns : ORR_NEVER;
        kernel->by_worker[run->worker_count + w] =
            device == ORR_RAM ? kernel->by_worker[w] : ORR_NEVER;
        if (w > run->gpu_count && runs != (*mean != ORR_NEVER))
            return refuse(error, kernel,
                          "some CPU workers can run it, and others cannot");
        *mean = MIN(*mean, kernel->by_worker[w]);
        any |= runs;
    }
    for (unsigned device = 0; device < run->node_count; device++) {
        kernel->means[device] = kernel->durations[device];
        kernel->means_s[device] = orr_time_to_seconds(kernel->means[device]);
    }
    return any || refuse(error, kernel, "no worker of this run can run it");
}

/* Without CPU workers, it is not known whether they could run the kernel. */
static void note_classes(const struct orr_run *run, struct orr_kernel *kernel)
{
    bool on_gpus = false;

    for (unsigned device = 1; device < run->node_count; device++)
        on_gpus |= kernel->durations[device] != ORR_NEVER;
    orr_kernel_set_classes(kernel,
                           run->worker_count == run->gpu_count ||
                               kernel->durations[ORR_RAM] != ORR_NEVER,
                           on_gpus);
}

static const double *host_joules(void *data, const struct orr_task *task)
{
    const struct orr_run *run = data;

    return orr_job_kernel(&run->graph, orr_job_of(task))->joules;
}

bool orr_kernel_set_costs(struct orr_run *run, struct orr_kernel *kernel,
                          void (*cost)(const void *data, unsigned worker,
                                       struct orr_cost *cost),
                          const void *data, GError **error)
{
    g_autofree struct orr_cost *costs = NULL;
    size_t spent = run->node_count * sizeof(orr_energy);

    if (!check(run, kernel, error))
        return false;
    kernel->brings_times = false;
    if (run->capture)
        return true;
    costs = g_new0(struct orr_cost, run->worker_count);
    for (unsigned w = 0; w < run->worker_count; w++)
        cost(data, w, &costs[w]);
    if (!take_costs(run, kernel, costs, error))
        return false;
    note_classes(run, kernel);
    kernel->spent = g_malloc0(spent + run->worker_count * sizeof(double));
    kernel->joules = (double *)((char *)kernel->spent + spent);
    for (unsigned w = 0; w < run->worker_count; w++)
        kernel->joules[w] = costs[w].joules;
    run->host.joules = host_joules;
    run->energy.known = true;
    return true;
}

/* What a kernel of @joules adds while it runs, pW. */
static orr_energy power_of(double joules, orr_time duration)
{
    return orr_energy_from_joules(joules) / (orr_energy)MAX(duration, 1);
}

/* A power that lasts no time is no peak. */
static void note_peak(struct orr_run *run)
{
    struct orr_run_energy *energy = &run->energy;

    if (run->engine.now > energy->since)
        energy->peak = MAX(energy->peak, energy->power);
    energy->since = run->engine.now;
}

void orr_energy_begin(struct orr_run *run, const struct orr_kernel *kernel,
                      const struct orr_worker *worker, orr_time duration)
{
    note_peak(run);
    run->energy.power += power_of(kernel->joules[worker->index], duration);
}

void orr_energy_end(struct orr_run *run, struct orr_kernel *kernel,
                    const struct orr_worker *worker, orr_time duration)
{
    double joules = kernel->joules[worker->index];

    note_peak(run);
    run->energy.power -= power_of(joules, duration);
    kernel->spent[worker->device] += orr_energy_from_joules(joules);
}

/* Adds @nj to the item called @name of @count items, which may be new; returns
 * how many there are then. */
static unsigned add_item(struct orr_energy_item *items, unsigned count,
                         const char *name, int64_t nj)
{
    unsigned i = 0;

    while (i < count && strcmp(items[i].name, name) != 0)
        i++;
    if (i == count)
        items[count++] = (struct orr_energy_item){.name = name};
    items[i].nj += nj;
    return count;
}

/* Rounds the joules of each kernel on each device once, so that all sums of
 * them are exact. */
static void sum_kernels(struct orr_run *run)
{
    struct orr_run_energy *energy = &run->energy;
    struct orr_energy_report *report = &energy->report;

    energy->kernels = g_renew(struct orr_energy_item, energy->kernels,
                              run->graph.kernel_count);
    energy->devices =
        g_renew(struct orr_energy_item, energy->devices, run->node_count + 1);
    for (unsigned k = 1; k < run->graph.kernel_count; k++) {
        const struct orr_kernel *kernel = run->graph.kernels[k];

        for (unsigned d = 0; kernel->spent && d < run->node_count; d++) {
            int64_t nj = orr_energy_to_nj(kernel->spent[d]);

            if (nj == 0)
                continue;
            report->dynamic_nj += nj;
            report->kernel_count = add_item(
                energy->kernels, report->kernel_count, kernel->model->name, nj);
            report->device_count =
                add_item(energy->devices, report->device_count,
                         orr_platform_device_name(run->platform, d), nj);
        }
    }
}

const struct orr_energy_report *orr_energy_sum(struct orr_run *run)
{
    struct orr_run_energy *energy = &run->energy;
    struct orr_energy_report *report = &energy->report;
    orr_power idle = orr_power_from_watts(run->weights.idle_power_w);
    orr_time makespan = MAX(run->report.makespan_ns, 0);

    if (!energy->known)
        return NULL;
    *report = (struct orr_energy_report){.total_nj = 0};
    sum_kernels(run);
    report->idle_nj = orr_energy_to_nj(orr_power_over(idle, makespan));
    if (report->idle_nj > 0)
        report->device_count = add_item(energy->devices, report->device_count,
                                        "machine", report->idle_nj);
    report->total_nj = report->dynamic_nj + report->idle_nj;
    report->peak_power_w = (double)(idle + energy->peak) / 1e12;
    report->devices = energy->devices;
    report->kernels = energy->kernels;
    return report;
}

void orr_energy_clear(struct orr_run *run)
{
    g_free(run->energy.devices);
    g_free(run->energy.kernels);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Energy. Each device in use has a meter. The begin and the end of a kernel
 * change the power of its device; so does a worker that begins or stops to
 * poll. Kernels with given costs add their joules instead. Energies are kept as
 * integers, so sums do not depend on their order.
 *
 * Below: the report at the end of a run, and the input of bounds on energy.
 */
#include "runtime/executor/energy.h"

#include <math.h>
#include <string.h>

#include "models/bounds/workload.h"
#include "runtime/executor/kernel.h"
#include "runtime/run.h"

/* Power in pW that @kernel adds on @device by the platform's figures if it
 * takes @duration. */
static orr_power platform_power(const struct orr_run *run,
                                const struct orr_kernel *kernel,
                                unsigned device, orr_time duration)
{
    const struct orr_meter *meter = &run->energy.meters[device];
    const struct orr_power_table *table = &run->platform->power[device];
    const struct orr_state_kernel *figures = orr_power_state_kernel(
        &table->states[table->current], kernel->model->name, kernel->tile);
    orr_power above =
        device == ORR_RAM ? 0 : meter->levels.idle - meter->levels.fixed;

    if (!figures || !(figures->watts > 0 || figures->kind))
        return orr_power_share(meter->levels.busy, meter->levels.fixed,
                               meter->cores);
    if (figures->kind == ORR_JOULES_NONE)
        return orr_power_share(orr_power_from_watts(figures->watts),
                               meter->levels.fixed, meter->cores);
    if (figures->kind == ORR_JOULES_TOTAL)
        above = -meter->levels.fixed;
    return (orr_power)(orr_energy_from_joules(figures->joules) /
                       MAX(duration, 1)) +
           above;
}

orr_power orr_energy_power_of(const struct orr_run *run,
                              const struct orr_kernel *kernel,
                              const struct orr_worker *worker,
                              orr_time duration)
{
    return run->platform->power
               ? platform_power(run, kernel, worker->device, duration)
               : 0;
}

/* Whether the power that @kernel adds depends on its duration. */
static bool has_joules(const struct orr_run *run,
                       const struct orr_kernel *kernel, unsigned device)
{
    const struct orr_power_table *table;
    const struct orr_state_kernel *figures;

    if (kernel->joules || !run->platform->power)
        return kernel->joules;
    table = &run->platform->power[device];
    figures = orr_power_state_kernel(&table->states[table->current],
                                     kernel->model->name, kernel->tile);
    return figures && figures->kind != ORR_JOULES_NONE;
}

/* Makes room for the joules of @kernel. */
static G_GNUC_NO_INLINE void begin_account(const struct orr_run *run,
                                           struct orr_kernel *kernel)
{
    unsigned devices = run->node_count;

    kernel->spent =
        g_malloc0(devices * (sizeof(orr_energy) + sizeof(orr_power)));
    kernel->adds = (orr_power *)(void *)(kernel->spent + devices);
    for (unsigned d = 0; d < devices; d++) {
        if (has_joules(run, kernel, d))
            kernel->adds[d] = -1;
        else if (run->platform->power)
            kernel->adds[d] = platform_power(run, kernel, d, 1);
    }
}

/* The joules that policies expect: the energy that a task adds on an idle GPU,
 * or on a host whose other cores are busy. */
static void expect_joules(const struct orr_run *run, struct orr_kernel *kernel)
{
    kernel->expected_joules = g_new0(double, run->worker_count);
    for (unsigned w = 0; w < run->worker_count; w++) {
        const struct orr_worker *worker = run->workers[w];
        const struct orr_meter *meter = &run->energy.meters[worker->device];
        orr_time duration = kernel->by_worker[w];
        orr_power power;

        if (duration == ORR_NEVER)
            continue;
        power = orr_energy_power_of(run, kernel, worker, duration);
        if (worker->device != ORR_RAM)
            power += meter->levels.fixed - meter->levels.idle;
        kernel->expected_joules[w] =
            (double)orr_power_over(power, duration) / 1e21;
    }
}

const double *orr_energy_expect(void *data, const struct orr_task *task)
{
    const struct orr_run *run = data;
    struct orr_kernel *kernel = orr_job_kernel(&run->graph, orr_job_of(task));

    if (kernel->joules || !run->energy.weighed)
        return kernel->joules;
    if (!kernel->expected_joules)
        expect_joules(run, kernel);
    return kernel->expected_joules;
}

static void init_meters(struct orr_run *run)
{
    static const struct orr_power_levels none;

    run->energy.meters = g_new(struct orr_meter, run->node_count);
    for (unsigned d = 0; d < run->node_count; d++) {
        unsigned cores = d == ORR_RAM ? run->platform->cores : 1;
        struct orr_power_levels levels = none;

        if (run->platform->power) {
            const struct orr_power_table *table = &run->platform->power[d];

            levels = orr_power_state_levels(&table->states[table->current]);
        }
        orr_meter_init(&run->energy.meters[d], &levels, cores, 0);
        orr_meter_set_off(&run->energy.meters[d], 0,
                          orr_platform_is_off(run->platform, d));
    }
}

static bool has_power(const struct orr_link_power *power)
{
    return power->idle > 0 || power->busy > 0 ||
           power->joules_per_message > 0 || power->joules_per_byte > 0;
}

void orr_energy_init(struct orr_run *run, bool polling, bool weighed)
{
    struct orr_run_energy *energy = &run->energy;
    const struct orr_platform *platform = run->platform;

    init_meters(run);
    energy->running = g_new0(struct orr_running, run->worker_count);
    energy->known = platform->power;
    energy->weighed = weighed && platform->power;
    energy->polling = polling && platform->power;
    for (unsigned l = 0; platform->power && l < platform->link_count; l++)
        energy->links |= has_power(&platform->links[l].power);
    if (energy->weighed)
        run->policy.host.joules = orr_energy_expect;
}

static void trace_power(struct orr_run *run, unsigned device)
{
    struct orr_trace_power power = {
        .date = run->engine.now - run->totals.first_submission,
        .device = device,
        .name = orr_platform_device_name(run->platform, device),
        .watts =
            orr_power_to_watts(orr_meter_power(&run->energy.meters[device])),
    };

    run->totals.calls.power(run->totals.trace, &power);
}

/* A power that lasts no time is no peak. */
static void update_peak(struct orr_run *run)
{
    struct orr_run_energy *energy = &run->energy;

    if (run->engine.now > energy->since)
        energy->peak = MAX(energy->peak, energy->power);
    energy->since = run->engine.now;
}

/* The power of @device has grown by @more, which may be negative. */
static void changed(struct orr_run *run, unsigned device, orr_power more)
{
    update_peak(run);
    run->energy.power += more;
    if (G_UNLIKELY(run->totals.trace && run->totals.calls.power))
        trace_power(run, device);
}

/* A worker of @device begins to poll or stops polling. Returns by how much the
 * power of the device grows; negative if it falls. */
static orr_power poll(const struct orr_run *run, unsigned device, bool begins)
{
    struct orr_meter *meter = &run->energy.meters[device];
    orr_power before;

    if (G_LIKELY(!run->energy.polling) || device != ORR_RAM)
        return 0;
    before = orr_meter_power(meter);
    if (begins)
        meter->polling++;
    else
        meter->polling--;
    return orr_meter_power(meter) - before;
}

void orr_energy_start(struct orr_run *run)
{
    struct orr_run_energy *energy = &run->energy;

    if (energy->polling)
        energy->meters[ORR_RAM].polling =
            MIN(run->worker_count, run->platform->cores);
    energy->since = run->engine.now;
    for (unsigned d = 0; d < run->node_count; d++) {
        energy->meters[d].since = run->engine.now;
        energy->power += orr_meter_power(&energy->meters[d]);
        if (energy->known && run->totals.trace && run->totals.calls.power)
            trace_power(run, d);
    }
}

/* Returns the power that @job adds on @worker by the given costs of its
 * @kernel. */
static orr_power begin_given(const struct orr_kernel *kernel,
                             const struct orr_job *job, unsigned worker,
                             orr_time duration, double *joules)
{
    *joules = kernel->joules[orr_job_cost(kernel, job, worker)];
    return (orr_power)MIN(orr_energy_from_joules(*joules) / MAX(duration, 1),
                          INT64_MAX / 4);
}

void orr_energy_begin(struct orr_run *run, const struct orr_job *job,
                      const struct orr_worker *worker, orr_time duration)
{
    struct orr_kernel *kernel = orr_job_kernel(&run->graph, job);
    struct orr_meter *meter = &run->energy.meters[worker->device];
    struct orr_running *running = &run->energy.running[worker->index];
    orr_power more;

    if (G_UNLIKELY(!kernel->spent))
        begin_account(run, kernel);
    running->power = kernel->adds[worker->device];
    if (running->power == -1)
        running->power =
            kernel->joules ? begin_given(kernel, job, worker->index, duration,
                                         &running->joules)
                           : orr_energy_power_of(run, kernel, worker, duration);
    running->since = run->engine.now;
    more = orr_meter_begin(meter, run->engine.now, running->power);
    changed(run, worker->device, more + poll(run, worker->device, false));
}

void orr_energy_end(struct orr_run *run, struct orr_kernel *kernel,
                    const struct orr_worker *worker)
{
    struct orr_meter *meter = &run->energy.meters[worker->device];
    const struct orr_running *running = &run->energy.running[worker->index];
    orr_energy spent =
        orr_power_over(running->power, run->engine.now - running->since);
    orr_power more = orr_meter_end(meter, run->engine.now, running->power);

    changed(run, worker->device, more + poll(run, worker->device, true));
    if (kernel->joules) { /* remainder of the division */
        orr_energy exact = orr_energy_from_joules(running->joules);

        orr_meter_add(meter, ORR_ENERGY_DYNAMIC, exact - spent);
        spent = exact;
    }
    kernel->spent[worker->device] += spent;
}

void orr_energy_copy(struct orr_run *run, const unsigned *links, unsigned count,
                     double bytes)
{
    for (unsigned i = 0; i < count; i++) {
        const struct orr_platform_link *link = &run->platform->links[links[i]];

        run->energy.copies +=
            orr_link_energy(&link->power, bytes, link->bytes_per_s);
    }
}

/* Filling struct orr_energy_report at the end of a run. */

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

/* Adds @nj to a device, which may be new. */
static void add_device(struct orr_run *run, const char *name, int64_t nj)
{
    struct orr_energy_report *report = &run->energy.report;

    if (nj != 0)
        report->device_count =
            add_item(run->energy.devices, report->device_count, name, nj);
}

/* Each kernel on each device, and each part of a device, is rounded once, so
 * that all sums of them are exact. */
static void sum_kernels(struct orr_run *run)
{
    struct orr_run_energy *energy = &run->energy;
    struct orr_energy_report *report = &energy->report;

    energy->kernels = g_renew(struct orr_energy_item, energy->kernels,
                              run->graph.kernel_count);
    for (unsigned k = 1; k < run->graph.kernel_count; k++) {
        const struct orr_kernel *kernel = run->graph.kernels[k];

        for (unsigned d = 0; kernel->spent && d < run->node_count; d++) {
            int64_t nj = orr_energy_to_nj(kernel->spent[d]);

            if (nj == 0)
                continue;
            report->dynamic_nj += nj;
            report->kernel_count = add_item(
                energy->kernels, report->kernel_count, kernel->model->name, nj);
            add_device(run, orr_platform_device_name(run->platform, d), nj);
        }
    }
}

static void sum_meters(struct orr_run *run)
{
    struct orr_energy_report *report = &run->energy.report;

    for (unsigned d = 0; d < run->node_count; d++) {
        struct orr_meter *meter = &run->energy.meters[d];
        int64_t fixed, idle, polling;

        orr_meter_advance(meter, run->totals.last_completion);
        fixed = orr_energy_to_nj(meter->parts[ORR_ENERGY_STATIC]);
        idle = orr_energy_to_nj(meter->parts[ORR_ENERGY_IDLE]);
        polling = orr_energy_to_nj(meter->parts[ORR_ENERGY_POLLING]);
        report->static_nj += fixed;
        report->idle_nj += idle;
        report->polling_nj += polling;
        add_device(run, orr_platform_device_name(run->platform, d),
                   fixed + idle + polling);
    }
}

static void add_idle(struct orr_run *run, const char *name, orr_power power,
                     orr_time makespan)
{
    int64_t nj = orr_energy_to_nj(orr_power_over(power, makespan));

    run->energy.report.idle_nj += nj;
    add_device(run, name, nj);
}

static orr_power off_power(const struct orr_run *run, unsigned device)
{
    const struct orr_power_table *table = &run->platform->power[device];

    return orr_power_from_watts(table->states[table->current].off_w);
}

static orr_power links_power(const struct orr_run *run)
{
    orr_power links = 0;

    for (unsigned l = 0; run->energy.links && l < run->platform->link_count;
         l++)
        links += run->platform->links[l].power.idle;
    return links;
}

orr_power orr_energy_constant(const struct orr_run *run)
{
    orr_power sum = orr_power_from_watts(run->policy.weights.idle_power_w) +
                    links_power(run);

    for (unsigned d = run->node_count;
         run->platform->power && d < run->platform->node_count; d++)
        sum += off_power(run, d);
    return sum;
}

static void sum_constants(struct orr_run *run, orr_time makespan)
{
    const struct orr_platform *platform = run->platform;

    for (unsigned d = run->node_count;
         platform->power && d < platform->node_count; d++)
        add_idle(run, orr_platform_device_name(platform, d), off_power(run, d),
                 makespan);
    add_idle(run, "links", links_power(run), makespan);
    add_idle(run, "machine",
             orr_power_from_watts(run->policy.weights.idle_power_w), makespan);
}

static bool is_nominal(const struct orr_platform *platform)
{
    for (unsigned d = 0; platform->power && d < platform->node_count; d++) {
        if (platform->power[d].nominal)
            return true;
    }
    return false;
}

const struct orr_energy_report *orr_energy_sum(struct orr_run *run)
{
    struct orr_run_energy *energy = &run->energy;
    struct orr_energy_report *report = &energy->report;
    orr_time makespan = MAX(run->totals.report.makespan_ns, 0);

    if (!energy->known)
        return NULL;
    *report = (struct orr_energy_report){.total_nj = 0};
    energy->devices = g_renew(struct orr_energy_item, energy->devices,
                              run->platform->node_count + 2);
    sum_kernels(run);
    sum_meters(run);
    sum_constants(run, makespan);
    report->copies_nj = orr_energy_to_nj(energy->copies);
    add_device(run, "links", report->copies_nj);
    report->total_nj = report->dynamic_nj + report->idle_nj +
                       report->static_nj + report->polling_nj +
                       report->copies_nj;
    report->peak_power_w =
        (double)(orr_energy_constant(run) + energy->peak) / 1e12;
    report->nominal = is_nominal(run->platform);
    report->devices = energy->devices;
    report->kernels = energy->kernels;
    return report;
}

void orr_energy_clear(struct orr_run *run)
{
    g_free(run->energy.devices);
    g_free(run->energy.kernels);
    g_free(run->energy.meters);
    g_free(run->energy.running);
}

/* Input of the bounds on the energy of a run (models/bounds/bounds.h). */

static bool polls(const struct orr_run *run, unsigned device)
{
    return run->energy.polling && device == ORR_RAM;
}

/* The least power that @device draws, whatever runs. Static power may be below
 * idle power. */
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

/* Joules that a task of @kernel adds to the base on @worker. The part of the
 * static power that is above the base is shared among the cores, since at most
 * all of them are busy. */
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

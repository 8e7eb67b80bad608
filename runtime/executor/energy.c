/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/executor/energy.h"

#include "runtime/executor/kernel.h"
#include "runtime/run.h"

/* What @kernel adds on @device, while it takes @duration, by the figures of the
 * platform; pW. */
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

/* Whether what @kernel adds depends on its duration. */
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

/* The joules that policies expect: what a task adds to an idle GPU, or to a
 * host of which other cores are busy. */
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
        run->host.joules = orr_energy_expect;
}

static void tell(struct orr_run *run, unsigned device)
{
    struct orr_trace_power power = {
        .date = run->engine.now - run->first_submission,
        .device = device,
        .name = orr_platform_device_name(run->platform, device),
        .watts =
            orr_power_to_watts(orr_meter_power(&run->energy.meters[device])),
    };

    run->trace->power(run->trace, &power);
}

/* A power that lasts no time is no peak. */
static void note_peak(struct orr_run *run)
{
    struct orr_run_energy *energy = &run->energy;

    if (run->engine.now > energy->since)
        energy->peak = MAX(energy->peak, energy->power);
    energy->since = run->engine.now;
}

/* The power of @device has grown by @more, which may be negative. */
static void changed(struct orr_run *run, unsigned device, orr_power more)
{
    note_peak(run);
    run->energy.power += more;
    if (G_UNLIKELY(run->trace && run->trace->power))
        tell(run, device);
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
        if (energy->known && run->trace && run->trace->power)
            tell(run, d);
    }
}

/* Returns what @job adds on @worker by the costs that are given for @kernel,
 * its kernel. */
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
    if (kernel->joules) { /* what the division has lost */
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

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
    if (kernel->joules)
        return (orr_power)MIN(
            orr_energy_from_joules(kernel->joules[worker->index]) /
                MAX(duration, 1),
            INT64_MAX / 4);
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

void orr_energy_begin(struct orr_run *run, struct orr_kernel *kernel,
                      const struct orr_worker *worker, orr_time duration)
{
    struct orr_meter *meter = &run->energy.meters[worker->device];
    struct orr_running *running = &run->energy.running[worker->index];
    orr_power more;

    if (G_UNLIKELY(!kernel->spent))
        begin_account(run, kernel);
    running->power = kernel->adds[worker->device];
    if (running->power == -1)
        running->power = orr_energy_power_of(run, kernel, worker, duration);
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
        orr_energy exact =
            orr_energy_from_joules(kernel->joules[worker->index]);

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

/* ---- costs that the application gives ---- */

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

/* What a perturbed run makes of a cost: the watts stay as they are. */
static void perturb(const struct orr_run *run, const struct orr_kernel *kernel,
                    unsigned worker, struct orr_cost *cost)
{
    double factor = orr_kernel_factor(run, kernel, worker);

    if (run->perturb <= 0 || cost->ns == 0)
        return;
    cost->ns = MAX(1, (int64_t)((double)cost->ns * factor + 0.5));
    cost->joules = MIN(cost->joules * factor, ORR_MAX_JOULES);
}

/* Sets what each worker takes; the time of a device is that of its fastest
 * worker, of which bounds speak. */
static bool take_costs(struct orr_run *run, struct orr_kernel *kernel,
                       struct orr_cost *costs, GError **error)
{
    bool any = false;

    kernel->factors = NULL;
    for (unsigned device = 0; device < run->node_count; device++)
        kernel->durations[device] = ORR_NEVER;
    for (unsigned w = 0; w < run->worker_count; w++) {
        unsigned device = run->workers[w]->device;
        bool runs = costs[w].ns > 0 && is_allowed(kernel, device);
        orr_time *mean = &kernel->durations[device];

        if (!check_cost(kernel, run->workers[w], &costs[w], error))
            return false;
        perturb(run, kernel, w, &costs[w]);
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

bool orr_kernel_set_costs(struct orr_run *run, struct orr_kernel *kernel,
                          void (*cost)(const void *data, unsigned worker,
                                       struct orr_cost *cost),
                          const void *data, GError **error)
{
    g_autofree struct orr_cost *costs = NULL;

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
    kernel->joules = g_new0(double, run->worker_count);
    for (unsigned w = 0; w < run->worker_count; w++)
        kernel->joules[w] = costs[w].joules;
    run->host.joules = orr_energy_expect;
    run->energy.known = true;
    return true;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a run has drawn, as its report has it. */
#include <string.h>

#include "runtime/executor/energy.h"
#include "runtime/executor/kernel.h"
#include "runtime/run.h"

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

        orr_meter_advance(meter, run->last_completion);
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
    orr_power sum =
        orr_power_from_watts(run->weights.idle_power_w) + links_power(run);

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
    add_idle(run, "machine", orr_power_from_watts(run->weights.idle_power_w),
             makespan);
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
    orr_time makespan = MAX(run->report.makespan_ns, 0);

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

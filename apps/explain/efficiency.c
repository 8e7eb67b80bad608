/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/explain/efficiency.h"

#include <math.h>

#include "apps/simulation/simulate.h"
#include "models/fit/scaling.h"
#include "models/import/mapping.h"

/* Returns the mean time of each kernel on the fastest class of workers on which
 * it ran. */
static double *find_work(const struct orr_observation *seen,
                         const struct orr_report *report)
{
    size_t kernels = orr_name_index_count(&seen->kernels);
    double *sums = g_new0(double, kernels *ORR_MAX_NODES + 1);
    double *counts = g_new0(double, kernels *ORR_MAX_NODES + 1);
    double *work = g_new(double, kernels + 1);

    for (guint i = 0; i < seen->tasks->len; i++) {
        const struct orr_seen_task *task = orr_seen_task(seen, i);
        size_t at = task->kernel * ORR_MAX_NODES +
                    report->workers[task->worker].memory_node;

        sums[at] += (double)(task->to - task->from);
        counts[at]++;
    }
    for (size_t k = 0; k < kernels; k++) {
        work[k] = G_MAXDOUBLE;
        for (size_t at = k * ORR_MAX_NODES; at < (k + 1) * ORR_MAX_NODES; at++)
            if (counts[at] > 0)
                work[k] = MIN(work[k], sums[at] / counts[at]);
    }
    g_free(sums);
    g_free(counts);
    return work;
}

/* Adds the member @name; null if @value is NAN. */
static void set(JsonObject *efficiency, const char *name, double value)
{
    if (isnan(value))
        json_object_set_null_member(efficiency, name);
    else
        json_object_set_double_member(efficiency, name, value);
}

/* Returns the worker of each task, and the order on each worker. Free with
 * orr_mapping_free(). */
static struct orr_mapping *make_mapping(const struct orr_observation *seen,
                                        const struct orr_report *report)
{
    struct orr_mapping *mapping = orr_mapping_new("the run");

    for (guint i = 0; i < seen->tasks->len; i++) {
        const struct orr_seen_task *task = orr_seen_task(seen, i);
        const struct orr_mapping_task one = {
            .number = task->order,
            .name = "",
            .worker = report->workers[task->worker].name,
            .start = task->from,
            .implementation = (uint16_t)task->implementation,
        };

        orr_mapping_add(mapping, &one);
    }
    return mapping;
}

/* Simulates the run on an ideal network. @mapping may be NULL. Sets *@most to
 * the longest computing time of a worker, ns. Returns the makespan in ns; NAN
 * if it hangs. */
static double run_ideal(const struct orr_scenario *scenario,
                        struct orr_mapping *mapping, double *most)
{
    g_autoptr(GError) error = NULL;
    struct orr_run *run = NULL;
    double makespan = NAN;

    *most = 0;
    if (orr_simulate_ideal(scenario, scenario->config.sched, mapping, &run,
                           &error) == ORR_EXIT_OK) {
        const struct orr_report *report = orr_run_report(run);

        for (unsigned i = 0; i < report->worker_count; i++)
            *most = MAX(*most, (double)report->workers[i].busy_ns);
        makespan = (double)report->makespan_ns;
    }
    orr_run_free(run);
    return makespan;
}

/* Sets the work of each worker, for load_balance_by_work (efficiency.h). */
static void sum_work(const struct orr_observation *seen,
                     const struct orr_report *report, double *works)
{
    double *work = find_work(seen, report);

    for (guint i = 0; i < seen->tasks->len; i++) {
        const struct orr_seen_task *task = orr_seen_task(seen, i);

        works[task->worker] += work[task->kernel];
    }
    g_free(work);
}

static void add_members(JsonObject *object, const struct orr_efficiency *times,
                        const struct orr_efficiency *works, double free)
{
    set(object, "load_balance", times->load_balance);
    set(object, "load_balance_by_work", works->load_balance);
    set(object, "communication", times->communication);
    set(object, "serialization", times->serialization);
    set(object, "transfer", times->transfer);
    set(object, "serialization_free", free);
    set(object, "parallel", times->parallel);
}

void orr_efficiency_add_facts(const struct orr_explanation *explanation,
                              const struct orr_report *report,
                              const struct orr_scenario *scenario,
                              JsonObject *facts)
{
    unsigned count = report->worker_count;
    double *times = g_new0(double, count);
    double *works = g_new0(double, count);
    struct orr_mapping *mapping = make_mapping(&explanation->seen, report);
    JsonObject *object = json_object_new();
    struct orr_efficiency by_time, by_work;
    double end = (double)explanation->end, most, free;

    for (unsigned i = 0; i < count; i++)
        times[i] = (double)explanation->breakdown.ns[i][ORR_COMPUTING];
    sum_work(&explanation->seen, report, works);
    orr_efficiency_init(&by_time, times, count, end,
                        run_ideal(scenario, mapping, &most));
    orr_efficiency_init(&by_work, works, count, end, end);
    free = run_ideal(scenario, NULL, &most);
    add_members(object, &by_time, &by_work, free > 0 ? most / free : free);
    json_object_set_object_member(facts, "efficiency", object);
    orr_mapping_free(mapping);
    g_free(works);
    g_free(times);
}

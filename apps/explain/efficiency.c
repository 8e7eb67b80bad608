/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/explain/efficiency.h"

#include <math.h>

#include "apps/study/simulate.h"
#include "models/import/mapping.h"

/* The mean time of each kernel on the class of workers on which it is shortest,
 * of those on which it ran. */
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

/* The mean of @count values over their maximum; 1 if all are 0. */
static double balance(const double *values, unsigned count)
{
    double sum = 0, most = 0;

    for (unsigned i = 0; i < count; i++) {
        sum += values[i];
        most = MAX(most, values[i]);
    }
    return most > 0 ? sum / (count * most) : 1;
}

/* Adds the member @name; null if @value is NAN. */
static void set(JsonObject *efficiency, const char *name, double value)
{
    if (isnan(value))
        json_object_set_null_member(efficiency, name);
    else
        json_object_set_double_member(efficiency, name, value);
}

/* Which task ran where, and in which order. Free with orr_mapping_free(). */
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
        };

        orr_mapping_add(mapping, &one);
    }
    return mapping;
}

/* Ser: the longest time that a worker computes over the makespan, on an ideal
 * network. @mapping may be NULL. NAN if the run hangs. */
static double serialization(const struct orr_settings *settings,
                            struct orr_mapping *mapping)
{
    struct orr_run *run = NULL;
    double ratio = NAN;

    if (orr_simulate_ideal(settings, settings->sched, mapping, &run, NULL) ==
        ORR_EXIT_OK) {
        const struct orr_report *report = orr_run_report(run);
        int64_t most = 0;

        for (unsigned i = 0; i < report->worker_count; i++)
            most = MAX(most, report->workers[i].busy_ns);
        ratio = report->makespan_ns > 0
                    ? (double)most / (double)report->makespan_ns
                    : 1;
    }
    orr_run_free(run);
    return ratio;
}

/* The factors that need runs on an ideal network. */
static void add_ideal(const struct orr_explanation *explanation,
                      const struct orr_report *report,
                      const struct orr_settings *settings, double communication,
                      JsonObject *efficiency)
{
    struct orr_mapping *mapping = make_mapping(&explanation->seen, report);
    double same = serialization(settings, mapping);

    orr_mapping_free(mapping);
    set(efficiency, "serialization", same);
    set(efficiency, "transfer", communication / same);
    set(efficiency, "serialization_free", serialization(settings, NULL));
}

void orr_efficiency_add_facts(const struct orr_explanation *explanation,
                              const struct orr_report *report,
                              const struct orr_settings *settings,
                              JsonObject *facts)
{
    const struct orr_observation *seen = &explanation->seen;
    unsigned count = report->worker_count;
    double *work = find_work(seen, report);
    double *times = g_new0(double, count);
    double *works = g_new0(double, count);
    JsonObject *efficiency = json_object_new();
    double sum = 0, most = 0, end = (double)explanation->end;
    double communication;

    for (guint i = 0; i < seen->tasks->len; i++) {
        const struct orr_seen_task *task = orr_seen_task(seen, i);

        works[task->worker] += work[task->kernel];
    }
    for (unsigned i = 0; i < count; i++) {
        times[i] = (double)explanation->breakdown.ns[i][ORR_COMPUTING];
        sum += times[i];
        most = MAX(most, times[i]);
    }
    communication = end > 0 ? most / end : 1;
    set(efficiency, "load_balance", balance(times, count));
    set(efficiency, "load_balance_by_work", balance(works, count));
    set(efficiency, "communication", communication);
    add_ideal(explanation, report, settings, communication, efficiency);
    set(efficiency, "parallel", end > 0 ? sum / (count * end) : 1);
    json_object_set_object_member(facts, "efficiency", efficiency);
    g_free(works);
    g_free(times);
    g_free(work);
}

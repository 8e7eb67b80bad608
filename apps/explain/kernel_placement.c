/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/explain/kernel_placement.h"

#include <math.h>

#include "apps/output/output.h"
#include "runtime/recording.h"
#include "runtime/run.h"

/* Numbers of tasks of a kernel on CPUs and on GPUs. */
struct split {
    uint64_t ran[2];
    double best[2];
};

static void count_ran(struct split *splits, const struct orr_observation *seen,
                      const struct orr_report *report)
{
    for (guint i = 0; i < seen->tasks->len; i++) {
        const struct orr_seen_task *task = orr_seen_task(seen, i);

        splits[task->kernel]
            .ran[report->workers[task->worker].memory_node > 0]++;
    }
}

/* Adds the tasks of kernel @k of @workload in the optimum. */
static void add_best(struct split *split, const struct orr_workload *workload,
                     unsigned k, const double *counts)
{
    for (unsigned c = 0; c < workload->class_count; c++)
        split->best[c > 0] += counts[k * workload->class_count + c];
}

/* Returns false if the optimum is not known. */
static bool find_best(struct split *splits, const struct orr_observation *seen,
                      const struct orr_run *run)
{
    struct orr_workload *workload = orr_run_counted_workload(
        run, (const uint32_t *)(void *)seen->counts->data, seen->counts->len);
    g_autofree double *counts =
        g_new0(double, (size_t)workload->kernel_count * workload->class_count);
    double least = orr_bound_area_counts(workload, counts);

    for (unsigned k = 0; k < seen->counts->len; k++) {
        uint32_t kernel = g_array_index(seen->numbered, uint32_t, k);

        if (kernel != ORR_SEEN_NONE)
            add_best(&splits[kernel], workload, k, counts);
    }
    orr_workload_free(workload);
    return isfinite(least);
}

static void set_best(JsonObject *object, const char *name, bool known,
                     double count)
{
    if (known)
        json_object_set_double_member(object, name, count);
    else
        json_object_set_null_member(object, name);
}

void orr_kernels_add_facts(const struct orr_explanation *explanation,
                           struct orr_run *run, JsonObject *facts)
{
    const struct orr_observation *seen = &explanation->seen;
    JsonArray *kernels = orr_output_add_array(facts, "kernels");
    struct split *splits =
        g_new0(struct split, orr_name_index_count(&seen->kernels) + 1);
    bool known = find_best(splits, seen, run);

    count_ran(splits, seen, orr_run_report(run));
    for (guint i = 0; i < orr_name_index_count(&seen->kernels); i++) {
        JsonObject *object = orr_output_add_object(kernels);

        orr_output_set_text(object, "name",
                            orr_name_index_at(&seen->kernels, i));
        json_object_set_int_member(object, "cpu_tasks",
                                   (gint64)splits[i].ran[0]);
        json_object_set_int_member(object, "gpu_tasks",
                                   (gint64)splits[i].ran[1]);
        set_best(object, "optimum_cpu_tasks", known, splits[i].best[0]);
        set_best(object, "optimum_gpu_tasks", known, splits[i].best[1]);
    }
    g_free(splits);
}

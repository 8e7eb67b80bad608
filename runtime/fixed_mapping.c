/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/fixed_mapping.h"

#include "models/import/mapping.h"
#include "models/import/record.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

bool orr_fixed_mapping_read(struct orr_run *run, const char *path,
                            GError **error)
{
    run->policy.mapping = run->policy.own_mapping =
        orr_mapping_read(path, error);
    if (run->policy.mapping)
        run->totals.report.sched_file = run->policy.mapping->path;
    return run->policy.mapping;
}

void orr_fixed_mapping_pass(struct orr_run *run, uint64_t number)
{
    if (!run->policy.unmapped_tasks)
        run->policy.unmapped_tasks = g_array_new(FALSE, FALSE, sizeof number);
    g_array_append_val(run->policy.unmapped_tasks, number);
}

/* The number of synchronising tasks submitted before @job. */
static unsigned passed_before(const struct orr_run *run,
                              const struct orr_job *job)
{
    const GArray *passed = run->policy.unmapped_tasks;
    unsigned low = 0;
    unsigned high = passed ? passed->len : 0;

    while (low < high) {
        unsigned middle = low + (high - low) / 2;

        if (g_array_index(passed, uint64_t, middle) < job->id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static unsigned find(const struct orr_run *run, const struct orr_job *job)
{
    uint64_t number = job->id;

    if (run->policy.mapping->by_rank)
        number -= passed_before(run, job);
    return orr_mapping_find(run->policy.mapping, number,
                            orr_job_name(&run->graph, job));
}

static unsigned host_assigned(void *data, const struct orr_task *task)
{
    return find(data, orr_job_of(task));
}

bool orr_fixed_mapping_begin(struct orr_run *run, GError **error)
{
    g_autofree const char **names = g_new(const char *, run->worker_count);

    for (unsigned w = 0; w < run->worker_count; w++)
        names[w] = run->workers[w]->name;
    run->policy.host.mapping = run->policy.mapping;
    run->policy.host.assigned = host_assigned;
    return orr_mapping_resolve(run->policy.mapping, names, run->worker_count,
                               error);
}

/* Whether @task of the file is @job. Its name may be the name of the task, of
 * its kernel, or of its kernel in StarPU. */
static bool is_same(const struct orr_run *run,
                    const struct orr_mapping_task *task,
                    const struct orr_job *job)
{
    const struct orr_record_task named = {.name = task->name};

    return run->policy.mapping->rows || !*task->name ||
           g_ascii_strcasecmp(task->name, orr_job_name(&run->graph, job)) ==
               0 ||
           orr_record_is(&named, orr_job_kernel(&run->graph, job)->model);
}

static unsigned worker_of(const struct orr_run *run, unsigned place)
{
    unsigned worker = 0;

    while (run->policy.mapping->first[worker + 1] <= place)
        worker++;
    return worker;
}

/* @implementation is not the first. */
static bool has_implementation(const struct orr_run *run,
                               const struct orr_job *job, unsigned worker,
                               unsigned implementation)
{
    const struct orr_kernel *kernel = orr_job_kernel(&run->graph, job);
    size_t first = (size_t)worker * kernel->implementations;

    return implementation < kernel->implementations &&
           kernel->by_implementation[first + implementation] != ORR_NEVER;
}

static bool refuse(struct orr_run *run, const struct orr_mapping_task *task,
                   const struct orr_job *job, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* @task NULL: the file lacks it. */
static bool refuse(struct orr_run *run, const struct orr_mapping_task *task,
                   const struct orr_job *job, const char *format, ...)
{
    g_autofree char *where = task ? orr_mapping_where(run->policy.mapping, task)
                                  : g_strdup(run->policy.mapping->path);
    g_autoptr(GString) text = g_string_new(where);
    va_list arguments;

    g_string_append_printf(text, ": task %" G_GUINT64_FORMAT " (%s) ",
                           (uint64_t)job->id, orr_job_name(&run->graph, job));
    va_start(arguments, format);
    g_string_append_vprintf(text, format, arguments);
    va_end(arguments);
    g_set_error_literal(&run->error, ORR_ERROR, ORR_ERROR_VALUE, text->str);
    return false;
}

bool orr_fixed_mapping_check(struct orr_run *run, struct orr_job *job)
{
    unsigned index = find(run, job);
    struct orr_mapping_task *task;
    const struct orr_worker *worker;

    if (index == ORR_MAPPING_NONE)
        return refuse(run, NULL, job, "has no worker in the mapping");
    task = &run->policy.mapping->tasks[index];
    worker = run->workers[worker_of(run, task->place)];
    if (task->submitted)
        return refuse(run, task, job,
                      "has the name of another one: a mapping by names needs "
                      "a name for each task");
    if (!is_same(run, task, job))
        return refuse(run, task, job, "is %s in the mapping", task->name);
    if (!orr_job_runs_on(run, job, worker->index))
        return refuse(run, task, job, "cannot run on %s", worker->name);
    if (task->implementation > 0 &&
        !has_implementation(run, job, worker->index, task->implementation))
        return refuse(run, task, job, "has no implementation %u on %s",
                      (unsigned)task->implementation, worker->name);
    task->submitted = true;
    return true;
}

void orr_fixed_mapping_blame(struct orr_run *run)
{
    const struct orr_mapping *mapping = run->policy.mapping;

    for (unsigned w = 0; w < run->worker_count; w++) {
        const struct orr_mapping_task *absent = NULL;
        g_autofree char *where = NULL;

        for (unsigned place = mapping->first[w]; place < mapping->first[w + 1];
             place++) {
            const struct orr_mapping_task *task =
                &mapping->tasks[mapping->order[place]];

            if (!task->submitted && !absent)
                absent = task;
            if (!task->submitted || !absent)
                continue;
            where = orr_mapping_where(mapping, absent);
            g_set_error(&run->error, ORR_ERROR, ORR_ERROR_VALUE,
                        "%s: %s waits for this task (%s), which the "
                        "application does not submit",
                        where, run->workers[w]->name, absent->name);
            return;
        }
    }
}

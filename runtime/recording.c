/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns the recorded jobs into a workload: kernels with their durations by
 * class of workers, tasks with predecessors and accesses, and data. Jobs are in
 * an order in which none awaits a later one, so predecessors have smaller
 * numbers. Successors, which the graph has, are reversed into predecessors in
 * two passes: the first counts, the second fills the array.
 */
#include "runtime/recording.h"

#include <math.h>

#include "models/base/sized.h"
#include "runtime/arguments.h"
#include "runtime/executor/duration.h"
#include "runtime/run.h"

struct orr_recording {
    uint64_t most;   /* tasks */
    GPtrArray *jobs; /* in an order in which none awaits a later one */
};

void orr_run_record(struct orr_run *run, uint64_t most)
{
    g_assert(!run->begun && !run->recording);
    run->recording = g_new0(struct orr_recording, 1);
    run->recording->jobs = g_ptr_array_new();
    run->recording->most = most;
    run->window.limits.shuts = 0;
}

bool orr_recording_is_full(const struct orr_run *run)
{
    return run->graph.submitted > run->recording->most;
}

void orr_recording_free(struct orr_recording *recording)
{
    if (!recording)
        return;
    g_ptr_array_unref(recording->jobs);
    g_free(recording);
}

void orr_recording_add(struct orr_run *run, struct orr_job *job)
{
    struct orr_job *collector;
    unsigned next = 0;

    if (job->kind == ORR_JOB_WONT_USE) {
        orr_job_free(&run->graph, job);
        return;
    }
    while ((collector = orr_graph_order(&run->graph, job, &next)))
        g_ptr_array_add(run->recording->jobs, collector);
    g_ptr_array_add(run->recording->jobs, job);
}

void orr_recording_add_end(struct orr_run *run, struct orr_job *end)
{
    end->awaited++;
    end->predecessors++;
    g_ptr_array_add(run->recording->jobs, end);
}

static struct orr_job *job_at(const struct orr_run *run, unsigned i)
{
    return g_ptr_array_index(run->recording->jobs, i);
}

/* Seconds that the fastest worker of @device takes on average. */
static double fastest(const struct orr_run *run,
                      const struct orr_kernel *kernel, unsigned device)
{
    double factor = 1;

    if (kernel->durations[device] == ORR_NEVER)
        return INFINITY;
    if (kernel->factors && device == ORR_RAM) {
        factor = kernel->factors[run->gpu_count];
        for (unsigned w = run->gpu_count; w < run->worker_count; w++)
            factor = fmin(factor, kernel->factors[w]);
    }
    return orr_time_to_seconds(
        orr_duration_scale(kernel->means[device], factor));
}

/* Kernels have the numbers of the graph; 0 takes no time. */
static void add_kernels(struct orr_workload *workload,
                        const struct orr_run *run)
{
    unsigned classes = run->node_count;

    workload->class_count = classes;
    workload->workers = g_new(unsigned, classes);
    workload->workers[ORR_RAM] = run->worker_count - run->gpu_count;
    for (unsigned c = 1; c < classes; c++)
        workload->workers[c] = 1;

    workload->kernel_count = run->graph.kernel_count;
    workload->seconds = g_new0(double, (gsize)workload->kernel_count *classes);
    for (unsigned k = 1; k < workload->kernel_count; k++) {
        const struct orr_kernel *kernel = run->graph.kernels[k];

        for (unsigned c = 0; c < classes; c++)
            workload->seconds[(size_t)k * classes + c] =
                fastest(run, kernel, c);
    }
}

/* orr_graph_next_successor(), where the only successor of a task with end
 * dependencies is the job that awaits them, and this has the successors of the
 * task. */
static struct orr_job *next_successor(const struct orr_run *run,
                                      const struct orr_job *job,
                                      const uint32_t **cursor)
{
    struct orr_job *end = job->has_ending ? orr_job_ending(job)->end : NULL;

    if (job->kind == ORR_JOB_END)
        job = orr_job_end_wait(job)->job;
    if (!end)
        return orr_graph_next_successor(&run->graph, job, cursor);
    if (*cursor)
        return NULL;
    *cursor = &end->place;
    return end;
}

/* Sorts the jobs topologically: with tags, a job may await a later one. Jobs in
 * a cycle, or that await a tag without a task, come last. */
static void sort_jobs(const struct orr_run *run)
{
    GPtrArray *jobs = run->recording->jobs;
    GPtrArray *sorted = g_ptr_array_new();

    for (unsigned i = 0; i < jobs->len; i++) {
        if (job_at(run, i)->awaited == 1)
            g_ptr_array_add(sorted, job_at(run, i));
    }
    for (unsigned i = 0; i < sorted->len; i++) {
        const struct orr_job *job = g_ptr_array_index(sorted, i);
        const uint32_t *cursor = NULL;
        struct orr_job *next;

        while ((next = next_successor(run, job, &cursor))) {
            if (--next->awaited == 1)
                g_ptr_array_add(sorted, next);
        }
    }
    for (unsigned i = 0; i < jobs->len; i++) {
        if (job_at(run, i)->awaited > 1)
            g_ptr_array_add(sorted, job_at(run, i));
        job_at(run, i)->awaited = job_at(run, i)->predecessors + 1;
    }
    run->recording->jobs = sorted;
    g_ptr_array_unref(jobs);
}

/*
 * Adds job @i to the predecessors of its successors, at next[successor]; before
 * there is an array of predecessors, only counts them. Edges to earlier jobs,
 * which are in cycles, are skipped.
 */
static void reverse_edges(struct orr_workload *workload,
                          const struct orr_run *run, GHashTable *numbers,
                          size_t *next, unsigned i)
{
    const struct orr_job *job = job_at(run, i);
    const uint32_t *cursor = NULL;
    const struct orr_job *later;

    while ((later = next_successor(run, job, &cursor))) {
        unsigned to = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, later));

        if (to <= i)
            continue;
        if (workload->predecessors)
            workload->predecessors[next[to]] = i;
        next[to]++;
    }
}

static void add_dependencies(struct orr_workload *workload,
                             const struct orr_run *run)
{
    unsigned count = workload->task_count;
    GHashTable *numbers = g_hash_table_new(NULL, NULL);
    size_t *first = g_new0(size_t, (gsize)count + 2);
    size_t *next = first + 1; /* by task: place of its next predecessor; in the
                                 end, the end of its predecessors */

    for (unsigned i = 0; i < count; i++)
        g_hash_table_insert(numbers, job_at(run, i), GUINT_TO_POINTER(i));
    for (unsigned i = 0; i < count; i++)
        reverse_edges(workload, run, numbers, next + 1, i);
    for (unsigned i = 1; i <= count; i++)
        next[i] += next[i - 1];
    workload->predecessors = g_new(unsigned, first[count + 1]);
    for (unsigned i = 0; i < count; i++)
        reverse_edges(workload, run, numbers, next, i);
    workload->first_predecessor = first;
    g_hash_table_unref(numbers);
}

/* Accesses of control jobs do not count. */
static unsigned access_count(const struct orr_job *job)
{
    return job->kind == ORR_JOB_KERNEL ? job->access_count : 0;
}

static void add_accesses(struct orr_workload *workload,
                         const struct orr_run *run)
{
    size_t end = 0;

    workload->first_access = g_new(size_t, (gsize)workload->task_count + 1);
    for (unsigned i = 0; i < workload->task_count; i++) {
        workload->first_access[i] = end;
        end += access_count(job_at(run, i));
    }
    workload->first_access[workload->task_count] = end;
    workload->accesses = g_new(struct orr_workload_access, end);
    for (unsigned i = 0; i < workload->task_count; i++) {
        const struct orr_job *job = job_at(run, i);

        for (unsigned a = 0; a < access_count(job); a++)
            workload->accesses[workload->first_access[i] + a] =
                (struct orr_workload_access){
                    .data = (unsigned)orr_access_data(&job->accesses[a])->id,
                    .reads = orr_access_mode(&job->accesses[a]) & ORR_R,
                    .writes = orr_access_mode(&job->accesses[a]) & ORR_W,
                };
    }
}

static void add_data(struct orr_workload *workload, const struct orr_run *run)
{
    workload->data_count = run->store.data->len;
    workload->data = g_new(struct orr_workload_data, run->store.data->len);
    for (unsigned d = 0; d < run->store.data->len; d++) {
        const struct orr_data *data = g_ptr_array_index(run->store.data, d);

        workload->data[d] = (struct orr_workload_data){
            .bytes = data->bytes,
            .placed = data->has_coordinates,
            .row = data->row,
            .column = data->column,
        };
    }
}

struct orr_workload *orr_run_workload(const struct orr_run *run)
{
    struct orr_workload *workload = g_new0(struct orr_workload, 1);

    g_assert(run->recording);
    if (run->graph.tags)
        sort_jobs(run);
    add_kernels(workload, run);
    orr_energy_add_workload(run, workload);
    workload->task_count = run->recording->jobs->len;
    workload->kernels = g_new(unsigned, workload->task_count);
    for (unsigned i = 0; i < workload->task_count; i++)
        workload->kernels[i] = job_at(run, i)->kernel;
    add_dependencies(workload, run);
    add_accesses(workload, run);
    add_data(workload, run);
    return workload;
}

struct orr_workload *orr_run_counted_workload(const struct orr_run *run,
                                              const uint32_t *counts,
                                              unsigned count)
{
    struct orr_workload *workload = g_new0(struct orr_workload, 1);
    unsigned next = 0;

    add_kernels(workload, run);
    g_assert(count <= workload->kernel_count);
    for (unsigned k = 0; k < count; k++)
        workload->task_count += counts[k];
    workload->kernels = g_new(unsigned, workload->task_count);
    for (unsigned k = 0; k < count; k++)
        for (uint32_t i = 0; i < counts[k]; i++)
            workload->kernels[next++] = k;
    return workload;
}

static void add_route(struct orr_supply *supply, const struct orr_run *run,
                      unsigned from, unsigned to)
{
    const struct orr_platform_route *route =
        orr_platform_route(run->platform, from, to);

    if (from == to || to == ORR_RAM || route->count == 0)
        return;
    supply->routes[supply->route_count++] = (struct orr_supply_route){
        .from = from,
        .to = to,
        .count = route->count,
        .links = route->links,
    };
}

/* Without contention, each route becomes a link of its own, as fast as its
 * slowest link. */
static void separate_routes(struct orr_supply *supply,
                            const struct orr_run *run)
{
    supply->own_links = g_new(unsigned, supply->route_count);
    supply->bytes_per_s =
        g_renew(double, supply->bytes_per_s, supply->route_count);
    for (unsigned r = 0; r < supply->route_count; r++) {
        struct orr_supply_route *route = &supply->routes[r];

        supply->bytes_per_s[r] = INFINITY;
        for (unsigned i = 0; i < route->count; i++)
            supply->bytes_per_s[r] =
                fmin(supply->bytes_per_s[r],
                     run->platform->links[route->links[i]].bytes_per_s);
        supply->own_links[r] = r;
        route->links = &supply->own_links[r];
        route->count = 1;
    }
    supply->link_count = supply->route_count;
}

struct orr_supply *orr_run_supply(const struct orr_run *run)
{
    struct orr_supply *supply = g_new0(struct orr_supply, 1);
    unsigned nodes = run->node_count;

    supply->node_count = nodes;
    supply->memory_bytes = g_new0(uint64_t, nodes);
    for (unsigned node = 1; node < nodes; node++)
        supply->memory_bytes[node] =
            orr_suballoc_capacity(run->store.memories[node].pool);
    supply->routes = g_new(struct orr_supply_route, (gsize)nodes * nodes);
    for (unsigned from = 0; from < nodes; from++) {
        for (unsigned to = 0; to < nodes; to++)
            add_route(supply, run, from, to);
    }
    supply->link_count = run->platform->link_count;
    supply->bytes_per_s = g_new(double, supply->link_count);
    for (unsigned l = 0; l < supply->link_count; l++)
        supply->bytes_per_s[l] = run->platform->links[l].bytes_per_s;
    if (!run->switches.network_full)
        separate_routes(supply, run);
    return supply;
}

void orr_run_keep_for_bounds(struct orr_run *run)
{
    if (run->begun || run->graph.submitted > 0)
        orr_run_refuse(run, "tasks are kept for bounds from the first on, or "
                            "not at all");
    else if (!run->recording && !run->capture)
        orr_run_record(run, ORR_BOUNDS_MAX_TASKS);
    run->app.collected = NULL;
}

/* Why there are no bounds; NULL: there are. */
static const char *why_unbounded(const struct orr_run *run)
{
    if (!run->recording)
        return "bounds need the tasks: call orr_run_keep_for_bounds() before "
               "they are submitted";
    if (orr_recording_is_full(run))
        return "bounds are computed of 2,000,000 tasks at most";
    if (run->switches.durations == ORR_DURATIONS_REPLAYED)
        return "no bounds are known with replayed durations";
    return NULL;
}

bool orr_run_bounds(struct orr_run *run, struct orr_bounds_report *bounds,
                    GError **error)
{
    const struct orr_sized *type =
        ORR_SIZED(orr_bounds_report, ORR_BOUNDS_REPORT_INIT);
    const char *why = why_unbounded(run);
    g_autofree char *wrong = NULL;
    struct orr_bounds_report report;
    struct orr_workload *workload;
    struct orr_supply *supply;
    struct orr_bounds all;

    if (!orr_run_wait(run, error))
        return false;
    if (why || !orr_sized_read(type, bounds, &report, &wrong)) {
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                            why ? why : wrong);
        return false;
    }
    workload = orr_run_workload(run);
    supply = orr_run_supply(run);
    orr_bounds_compute(&all, workload, supply);
    orr_supply_free(supply);
    orr_workload_free(workload);
    report = (struct orr_bounds_report){
        .area_s = all.area_s,
        .critical_path_s = all.critical_path_s,
        .mixed_s = all.mixed_s,
        .transfer_s = all.transfer_s,
        .least_j = all.energy.least_j,
        .area_j = all.energy.area_j,
        .idle_j = all.energy.idle_j,
    };
    orr_sized_write(type, bounds, &report);
    return true;
}

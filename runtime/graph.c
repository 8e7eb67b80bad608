/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/graph.h"

#include "runtime/commute.h"
#include "runtime/run.h"
#include "runtime/tags.h"

static size_t active_bytes(unsigned access_count)
{
    size_t bytes = offsetof(struct orr_active, watches) +
                   access_count * sizeof(struct orr_watch);

    return (bytes + ORR_CACHE_LINE - 1) / ORR_CACHE_LINE * ORR_CACHE_LINE;
}

void orr_graph_init(struct orr_graph *graph)
{
    for (unsigned n = 0; n <= ORR_MAX_ACCESSES; n++) {
        orr_pool_init(&graph->jobs[n], sizeof(struct orr_job) +
                                           n * sizeof(struct orr_job_access));
        orr_pool_init(&graph->active[n], active_bytes(n));
    }
    orr_successors_pool_init(&graph->batches);
    orr_pool_init(&graph->commuters, sizeof(struct orr_commuter));
    graph->tags = NULL;
    graph->glanced = orr_pool_take(&graph->active[0]);
    graph->live = 0;
    graph->submitted = 0;
    graph->completed = 0;
}

void orr_graph_clear(struct orr_graph *graph)
{
    for (unsigned n = 0; n <= ORR_MAX_ACCESSES; n++) {
        orr_pool_clear(&graph->jobs[n]);
        orr_pool_clear(&graph->active[n]);
    }
    orr_pool_clear(&graph->batches);
    orr_pool_clear(&graph->commuters);
    orr_tags_free(graph->tags);
}

struct orr_job *orr_job_new(struct orr_graph *graph, enum orr_job_kind kind,
                            unsigned access_count)
{
    struct orr_job *job = orr_pool_take(&graph->jobs[access_count]);

    job->kind = kind & 3;
    job->awaited = 1;
    job->declared_count = access_count & 15;
    graph->live++;
    return job;
}

void orr_job_free(struct orr_graph *graph, struct orr_job *job)
{
    graph->live--;
    if (job->active)
        orr_pool_give(&graph->active[job->access_count], job->active);
    orr_pool_give(&graph->jobs[job->declared_count], job);
}

static void introduce(struct orr_active *active, struct orr_job *job)
{
    active->task.job = job;
    active->task.id = job->id;
    active->task.priority = job->priority;
    active->task.kernel = job->kernel->model->name;
}

void orr_job_activate(struct orr_graph *graph, struct orr_job *job)
{
    struct orr_active *active =
        orr_pool_take_some(&graph->active[job->access_count],
                           offsetof(struct orr_active, push_order));

    introduce(active, job);
    job->active = active;
}

const struct orr_task *orr_job_glance(struct orr_graph *graph,
                                      struct orr_job *job)
{
    introduce(graph->glanced, job);
    return &graph->glanced->task;
}

/* See orr_job_set_accesses(): ORR_RW, ORR_W and ORR_R are in this order. */
static bool precedes(const struct orr_job_access *a,
                     const struct orr_job_access *b)
{
    if (a->mode != b->mode)
        return a->mode > b->mode;
    return a->data->id < b->data->id;
}

static struct orr_job_access *find(struct orr_job *job,
                                   const struct orr_data *data)
{
    for (unsigned i = 0; i < job->access_count; i++) {
        if (job->accesses[i].data == data)
            return &job->accesses[i];
    }
    return NULL;
}

/* Copies what is set of an access that is new. */
static void put(struct orr_job_access *to, const struct orr_job_access *from)
{
    to->data = from->data;
    to->mode = from->mode;
    to->group = from->group;
}

void orr_job_set_accesses(struct orr_job *job,
                          const struct orr_access *accesses, unsigned count)
{
    g_assert(count == job->declared_count);
    for (unsigned i = 0; i < count; i++) {
        struct orr_job_access *same = find(job, accesses[i].data);
        unsigned mode = accesses[i].mode;

        if (G_LIKELY(!(mode & ORR_COMMUTE)))
            job->modes |= (uint16_t)(mode << 2 * i);
        else
            g_assert(mode == (ORR_RW | ORR_COMMUTE));
        if (same) {
            same->mode |= mode & ORR_RW;
            same->group = same->mode | (same->group & mode & ORR_COMMUTE);
            continue;
        }
        job->accesses[job->access_count++] = (struct orr_job_access){
            .data = accesses[i].data,
            .mode = mode & ORR_RW,
            .group = (uint8_t)mode,
        };
    }

    /* By insertion: there are few, and most often already in order. */
    for (unsigned i = 1; i < job->access_count; i++) {
        struct orr_job_access moved = job->accesses[i];
        unsigned at = i;

        for (; at > 0 && precedes(&moved, &job->accesses[at - 1]); at--)
            put(&job->accesses[at], &job->accesses[at - 1]);
        put(&job->accesses[at], &moved);
    }
    for (unsigned i = 0; i < job->access_count; i++)
        job->accesses[i].index = (uint8_t)i;
}

static void add_edge(struct orr_graph *graph, struct orr_job *from,
                     struct orr_job *to)
{
    orr_graph_add_edge(graph, &from->successors, to);
}

static void list(struct orr_job_access *access)
{
    struct orr_accessors *accessors = &access->data->accessors;

    access->older = accessors->newest;
    access->newer = NULL;
    if (accessors->newest)
        accessors->newest->newer = access;
    accessors->newest = access;
    access->listed = true;
}

static void unlist(struct orr_job_access *access)
{
    if (!access->listed)
        return;
    access->listed = false;
    if (access->newer)
        access->newer->older = access->older;
    else
        access->data->accessors.newest = access->older;
    if (access->older)
        access->older->newer = access->newer;
}

/* Makes @job await every accessor of the group, the latest first, and end it.
 */
static void await_group(struct orr_graph *graph, struct orr_job *job,
                        struct orr_accessors *accessors)
{
    while (accessors->newest) {
        struct orr_job_access *member = accessors->newest;

        add_edge(graph, orr_access_job(member), job);
        unlist(member);
    }
    accessors->last_exclusive = job;
}

static struct orr_job *new_collector(struct orr_graph *graph,
                                     struct orr_job_access *access)
{
    struct orr_job *collector = orr_job_new(graph, ORR_JOB_COLLECT, 1);
    struct orr_access on = {.data = access->data, .mode = ORR_R};

    orr_job_set_accesses(collector, &on, 1);
    collector->priority = orr_access_job(access)->priority;
    return collector;
}

struct orr_job *orr_graph_order(struct orr_graph *graph,
                                struct orr_job_access *access)
{
    struct orr_data *data = access->data;
    struct orr_accessors *accessors = &data->accessors;
    bool joins = access->group == data->group &&
                 (access->group == ORR_R || access->group & ORR_COMMUTE);
    bool several = accessors->newest && accessors->newest->older;
    struct orr_job *collector = NULL;

    data->group = access->group;
    if (!joins && several && access->mode == ORR_W) {
        /* Nobody can join a job that only writes: it is its own collector. */
        await_group(graph, orr_access_job(access), accessors);
        return NULL;
    }
    if (!joins && several) {
        collector = new_collector(graph, access);
        await_group(graph, collector, accessors);
    } else if (!joins && accessors->newest) {
        accessors->last_exclusive = orr_access_job(accessors->newest);
        unlist(accessors->newest);
    }
    list(access);
    if (accessors->last_exclusive)
        add_edge(graph, accessors->last_exclusive, orr_access_job(access));
    return collector;
}

void orr_graph_retire(struct orr_job *job)
{
    for (unsigned i = 0; i < job->access_count; i++) {
        struct orr_job_access *access = &job->accesses[i];

        if (access->data->accessors.last_exclusive == job)
            access->data->accessors.last_exclusive = NULL;
        unlist(access);
    }
}

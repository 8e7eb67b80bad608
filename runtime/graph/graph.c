/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/graph/graph.h"

#include "runtime/graph/datum.h"

void orr_graph_init(struct orr_graph *graph)
{
    graph->arena = (struct orr_arena){0};
    for (unsigned n = 0; n < ORR_JOB_POOLS; n++)
        orr_pool_init_in(&graph->jobs[n],
                         sizeof(struct orr_job) +
                             (size_t)orr_job_pool_units(n) * ORR_JOB_UNIT,
                         &graph->arena);
    orr_pool_init_in(&graph->active, sizeof(struct orr_active), &graph->arena);
    orr_successors_pool_init(&graph->batches, &graph->arena);
    orr_pool_init(&graph->requesters, sizeof(struct orr_requester));
    graph->tags = NULL;
    graph->kernels = g_new0(struct orr_kernel *, 1);
    graph->kernel_count = 1;
    graph->peeked = orr_pool_take(&graph->active);
    graph->live = 0;
    graph->submitted = 0;
    graph->completed = 0;
    graph->synchronised = 0;
    graph->has_unordered = false;
}

void orr_graph_clear(struct orr_graph *graph)
{
    for (unsigned n = 0; n < ORR_JOB_POOLS; n++)
        orr_pool_clear(&graph->jobs[n]);
    orr_pool_clear(&graph->batches);
    orr_pool_clear(&graph->active);
    orr_pool_clear(&graph->requesters);
    orr_arena_clear(&graph->arena);
    g_clear_pointer(&graph->kernels, g_free);
}

uint32_t orr_graph_add_kernel(struct orr_graph *graph,
                              struct orr_kernel *kernel)
{
    uint32_t number = graph->kernel_count++;

    if ((number & (number - 1)) == 0)
        graph->kernels =
            g_renew(struct orr_kernel *, graph->kernels, (gsize)2 * number);
    graph->kernels[number] = kernel;
    return number;
}

void orr_graph_each_job(const struct orr_graph *graph,
                        void (*visit)(void *job, void *data), void *data)
{
    for (unsigned n = 0; n < ORR_JOB_POOLS; n++)
        orr_pool_each(&graph->jobs[n], visit, data);
}

struct task_search {
    uint64_t id;
    struct orr_job *found;
};

static void compare_task(void *object, void *data)
{
    struct orr_job *job = object;
    struct task_search *search = data;

    if (orr_job_is_task(job) && job->id == search->id)
        search->found = job;
}

struct orr_job *orr_graph_find_task(const struct orr_graph *graph, uint64_t id)
{
    struct task_search search = {.id = id};

    if (graph->live > 0)
        orr_graph_each_job(graph, compare_task, &search);
    return search.found;
}

static inline struct orr_access_link *link_of(struct orr_job_access *access)
{
    return (
        struct orr_access_link
            *)(access + orr_link_offsets[access->bits >> ORR_ACCESS_LINK & 31]);
}

/* The place of @access, which is one of @job. */
static inline uint32_t place_of(const struct orr_job *job,
                                const struct orr_job_access *access)
{
    return job->place +
           (uint32_t)((size_t)((const char *)access - (const char *)job) /
                      ORR_ARENA_WORD);
}

/* The link of the access at @place. */
static inline struct orr_access_link *link_at(const struct orr_graph *graph,
                                              uint32_t place)
{
    return link_of(orr_arena_at(&graph->arena, place));
}

static inline void join_group(const struct orr_graph *graph,
                              const struct orr_job *job,
                              struct orr_job_access *access,
                              struct orr_data *data)
{
    struct orr_access_link *link = link_of(access);
    uint32_t place = place_of(job, access), older = data->newest_access;

    link->newer = 0;
    link->older = older;
    if (older)
        link_at(graph, older)->newer = place;
    data->newest_access = place;
    access->bits |= ORR_ACCESS_LISTED;
}

static inline void leave_group(const struct orr_graph *graph,
                               struct orr_job_access *access)
{
    struct orr_access_link link = *link_of(access);

    access->bits &= ~(uint64_t)ORR_ACCESS_LISTED;
    if (link.newer)
        link_at(graph, link.newer)->older = link.older;
    else
        orr_access_data(access)->newest_access = link.older;
    if (link.older)
        link_at(graph, link.older)->newer = link.newer;
}

/* Makes @job await the whole group, the latest first, and closes the group. */
static void await_group(struct orr_graph *graph, struct orr_job *job,
                        struct orr_data *data)
{
    while (data->newest_access) {
        struct orr_job_access *member =
            orr_arena_at(&graph->arena, data->newest_access);

        orr_graph_add_edge(graph, &orr_access_job(member)->successors, job);
        leave_group(graph, member);
    }
    data->last_exclusive = job;
}

static struct orr_job *new_collector(struct orr_graph *graph,
                                     struct orr_job_access *access)
{
    struct orr_access on = {.data = orr_access_data(access), .mode = ORR_R};
    struct orr_job *collector = orr_job_new(graph, ORR_JOB_COLLECT, &on, 1);

    collector->priority = orr_access_job(access)->priority;
    return collector;
}

/*
 * @access does not join the group: one job, the new last exclusive one, stands
 * for all of it. Returns this job if it is a collector. Not inline, since the
 * frequent path would have to save registers for it.
 */
static G_GNUC_NO_INLINE struct orr_job *
close_group(struct orr_graph *graph, struct orr_job_access *access)
{
    struct orr_data *data = orr_access_data(access);
    struct orr_job_access *newest =
        orr_arena_at(&graph->arena, data->newest_access);
    struct orr_job *collector;

    if (!link_of(newest)->older) {
        data->last_exclusive = orr_access_job(newest);
        leave_group(graph, newest);
        return NULL;
    }
    if (orr_access_mode(access) == ORR_W) {
        /* A job that only writes is its own collector. */
        await_group(graph, orr_access_job(access), data);
        return NULL;
    }
    collector = new_collector(graph, access);
    await_group(graph, collector, data);
    return collector;
}

/* Makes @access wait for the earlier ones to @data. Returns a collecting job
 * that must be submitted before going on, or NULL. */
static inline struct orr_job *order(struct orr_graph *graph,
                                    struct orr_job *job,
                                    struct orr_job_access *access)
{
    struct orr_data *data = orr_access_data(access);
    unsigned group = orr_access_group(access);
    bool shared = orr_mode_is_shared(group);
    bool joins = shared && group == data->group;
    struct orr_job *collector = NULL;

    if (G_UNLIKELY(data->unordered))
        return NULL;
    data->group = (uint8_t)group;
    if (!joins && data->newest_access)
        collector = close_group(graph, access);
    if (data->last_exclusive && data->last_exclusive != job)
        orr_graph_add_edge(graph, &data->last_exclusive->successors, job);
    if (shared)
        join_group(graph, job, access, data);
    else
        data->last_exclusive = job;
    return collector;
}

/* Behind the last access of @job that implies an order. */
static inline struct orr_job_access *end_of(const struct orr_graph *graph,
                                            struct orr_job *job)
{
    const uint16_t *places;
    unsigned redux =
        G_UNLIKELY(graph->has_redux) ? orr_job_redux(graph, job, &places) : 0;

    return job->accesses + job->access_count + redux;
}

struct orr_job *orr_graph_order(struct orr_graph *graph, struct orr_job *job,
                                unsigned *next)
{
    struct orr_job_access *access = job->accesses + *next;
    struct orr_job_access *end = end_of(graph, job);
    struct orr_job *collector = NULL;

    if (G_UNLIKELY(job->unordered))
        return NULL;
    while (access < end && !collector)
        collector = order(graph, job, access++);
    *next = (unsigned)(access - job->accesses);
    return collector;
}

void orr_graph_retire(struct orr_graph *graph, struct orr_job *job)
{
    struct orr_job_access *end = end_of(graph, job);

    for (struct orr_job_access *access = job->accesses; access < end;
         access++) {
        if (orr_access_data(access)->last_exclusive == job)
            orr_access_data(access)->last_exclusive = NULL;
        if (access->bits & ORR_ACCESS_LISTED)
            leave_group(graph, access);
    }
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/graph/graph.h"

#include "runtime/run.h"

static size_t active_bytes(unsigned access_count)
{
    size_t bytes = offsetof(struct orr_active, watches) +
                   access_count * sizeof(struct orr_watch);

    return (bytes + ORR_CACHE_LINE - 1) / ORR_CACHE_LINE * ORR_CACHE_LINE;
}

void orr_graph_init(struct orr_graph *graph)
{
    for (unsigned n = 0; n <= ORR_JOB_MOST_UNITS; n++)
        orr_pool_init(&graph->jobs[n],
                      sizeof(struct orr_job) + (size_t)n * ORR_JOB_UNIT);
    for (unsigned n = 0; n <= ORR_MAX_ACCESSES; n++)
        orr_pool_init(&graph->active[n], active_bytes(n));
    orr_successors_pool_init(&graph->batches);
    orr_pool_init(&graph->commute_waiters, sizeof(struct orr_commute_waiter));
    graph->tags = NULL;
    graph->peeked = orr_pool_take(&graph->active[0]);
    graph->live = 0;
    graph->submitted = 0;
    graph->completed = 0;
}

void orr_graph_clear(struct orr_graph *graph)
{
    for (unsigned n = 0; n <= ORR_JOB_MOST_UNITS; n++)
        orr_pool_clear(&graph->jobs[n]);
    for (unsigned n = 0; n <= ORR_MAX_ACCESSES; n++)
        orr_pool_clear(&graph->active[n]);
    orr_pool_clear(&graph->batches);
    orr_pool_clear(&graph->commute_waiters);
}

void orr_job_free(struct orr_graph *graph, struct orr_job *job)
{
    graph->live--;
    if (job->activated)
        orr_pool_give(&graph->active[job->access_count], job->active);
    orr_pool_give(&graph->jobs[job->units], job);
}

void orr_graph_each_job(const struct orr_graph *graph,
                        void (*visit)(void *job, void *data), void *data)
{
    for (unsigned n = 0; n <= ORR_JOB_MOST_UNITS; n++)
        orr_pool_each(&graph->jobs[n], visit, data);
}

static void fill_task(struct orr_active *active, struct orr_job *job)
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

    fill_task(active, job);
    job->active = active;
    job->activated = true;
}

const struct orr_task *orr_job_peek(struct orr_graph *graph,
                                    struct orr_job *job)
{
    fill_task(graph->peeked, job);
    return &graph->peeked->task;
}

/* Whether several accesses of this mode may form a group. */
static bool is_shared(unsigned group)
{
    return (group & (ORR_W | ORR_COMMUTE)) != ORR_W;
}

/* See orr_job_new(). Modes come by descending value. */
static bool precedes(const struct orr_data *data, unsigned mode,
                     const struct orr_job_access *other)
{
    if (mode != other->mode)
        return mode > other->mode;
    return data->id < other->data->id;
}

static void copy_access(struct orr_job_access *to,
                        const struct orr_job_access *from)
{
    to->data = from->data;
    to->mode = from->mode;
    to->group = from->group;
}

/* Inserts an access into the sorted ones from @first to @end. */
static void insert(struct orr_job_access *first, struct orr_job_access *end,
                   struct orr_data *data, unsigned group)
{
    unsigned mode = group & ORR_RW;

    for (; end > first && precedes(data, mode, end - 1); end--)
        copy_access(end, end - 1);
    end->data = data;
    end->mode = (uint8_t)mode;
    end->group = (uint8_t)group;
}

/* Removes @access from those before @end. Returns its group. */
static unsigned remove_access(struct orr_job_access *access,
                              const struct orr_job_access *end)
{
    unsigned group = access->group;

    while (++access < end)
        copy_access(access - 1, access);
    return group;
}

static void set_accesses(struct orr_job *job, const struct orr_access *accesses,
                         unsigned count)
{
    struct orr_job_access *end = job->accesses;
    unsigned modes = 0;

    for (unsigned i = 0; i < count; i++) {
        struct orr_job_access *same = job->accesses;
        unsigned mode = accesses[i].mode;

        if (G_LIKELY(!(mode & ORR_COMMUTE)))
            modes |= mode << 2 * i;
        else
            g_assert(mode == (ORR_RW | ORR_COMMUTE));
        while (same < end && same->data != accesses[i].data)
            same++;
        if (same < end) {
            unsigned before = remove_access(same, end--);

            mode = ((mode | before) & ORR_RW) | (mode & before & ORR_COMMUTE);
        }
        insert(job->accesses, end++, accesses[i].data, mode);
    }
    job->modes = modes & UINT16_MAX;
    job->access_count = (uint8_t)(end - job->accesses);
}

/* Sets the positions of accesses and links, once the accesses are sorted. */
static void set_positions(struct orr_job *job)
{
    unsigned link = job->declared_count;

    for (unsigned i = 0; i < job->access_count; i++) {
        job->accesses[i].index = (uint8_t)i;
        job->accesses[i].link = (uint8_t)(link - i);
        link += is_shared(job->accesses[i].group);
    }
}

static inline struct orr_job *new_job(struct orr_graph *graph,
                                      enum orr_job_kind kind,
                                      const struct orr_access *accesses,
                                      unsigned count, bool named)
{
    unsigned units = count + named;
    struct orr_job *job;

    for (unsigned i = 0; i < count; i++)
        units += is_shared(accesses[i].mode);
    job = orr_pool_take(&graph->jobs[units]);
    job->awaited = 1;
    job->kind = kind & 3;
    job->named = named;
    job->declared_count = count & 15;
    job->units = units & 31;
    set_accesses(job, accesses, count);
    set_positions(job);
    graph->live++;
    return job;
}

struct orr_job *orr_job_new(struct orr_graph *graph, enum orr_job_kind kind,
                            const struct orr_access *accesses, unsigned count)
{
    return new_job(graph, kind, accesses, count, false);
}

/* The own name of @job, if it is named. */
static const char **name_of(const struct orr_job *job)
{
    return (const char **)&job->accesses[job->units - 1];
}

const char *orr_job_name(const struct orr_job *job)
{
    if (job->named)
        return *name_of(job);
    return job->kernel ? job->kernel->task_name : NULL;
}

const char *orr_spec_name(const struct orr_task_spec *spec)
{
    return spec->name && *spec->name ? spec->name : spec->kernel->model->name;
}

struct orr_job *orr_job_new_task(struct orr_graph *graph,
                                 const struct orr_task_spec *spec)
{
    struct orr_kernel *kernel = spec->kernel;
    const char *name = orr_spec_name(spec);
    struct orr_job *job;

    if (!kernel->task_name)
        kernel->task_name = name;
    job = new_job(graph, ORR_JOB_KERNEL, spec->accesses, spec->count,
                  name != kernel->task_name);
    if (job->named)
        *name_of(job) = name;
    job->kernel = kernel;
    job->priority = spec->priority;
    return job;
}

static struct orr_access_link *link_of(struct orr_job_access *access)
{
    return (struct orr_access_link *)(access + access->link);
}

static void join_group(struct orr_job_access *access)
{
    struct orr_accessors *accessors = &orr_access_data(access)->accessors;

    *link_of(access) = (struct orr_access_link){accessors->newest, NULL};
    if (accessors->newest)
        link_of(accessors->newest)->newer = access;
    accessors->newest = access;
    access->listed = true;
}

static void leave_group(struct orr_job_access *access)
{
    struct orr_access_link link = *link_of(access);

    access->listed = false;
    if (link.newer)
        link_of(link.newer)->older = link.older;
    else
        orr_access_data(access)->accessors.newest = link.older;
    if (link.older)
        link_of(link.older)->newer = link.newer;
}

/* Makes @job await the whole group, the latest first, and closes the group. */
static void await_group(struct orr_graph *graph, struct orr_job *job,
                        struct orr_accessors *accessors)
{
    while (accessors->newest) {
        struct orr_job_access *member = accessors->newest;

        orr_graph_add_edge(graph, &orr_access_job(member)->successors, job);
        leave_group(member);
    }
    accessors->last_exclusive = job;
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
    struct orr_accessors *accessors = &orr_access_data(access)->accessors;
    struct orr_job_access *newest = accessors->newest;
    struct orr_job *collector;

    if (!link_of(newest)->older) {
        accessors->last_exclusive = orr_access_job(newest);
        leave_group(newest);
        return NULL;
    }
    if (access->mode == ORR_W) {
        /* A job that only writes is its own collector. */
        await_group(graph, orr_access_job(access), accessors);
        return NULL;
    }
    collector = new_collector(graph, access);
    await_group(graph, collector, accessors);
    return collector;
}

struct orr_job *orr_graph_order(struct orr_graph *graph,
                                struct orr_job_access *access)
{
    struct orr_data *data = orr_access_data(access);
    struct orr_accessors *accessors = &data->accessors;
    struct orr_job *job = orr_access_job(access);
    bool shared = is_shared(access->group);
    bool joins = shared && access->group == data->group;
    struct orr_job *collector = NULL;

    data->group = access->group;
    if (!joins && accessors->newest)
        collector = close_group(graph, access);
    if (accessors->last_exclusive && accessors->last_exclusive != job)
        orr_graph_add_edge(graph, &accessors->last_exclusive->successors, job);
    if (shared)
        join_group(access);
    else
        accessors->last_exclusive = job;
    return collector;
}

void orr_graph_retire(struct orr_job *job)
{
    for (unsigned i = 0; i < job->access_count; i++) {
        struct orr_job_access *access = &job->accesses[i];

        if (orr_access_data(access)->accessors.last_exclusive == job)
            orr_access_data(access)->accessors.last_exclusive = NULL;
        if (access->listed)
            leave_group(access);
    }
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/graph/graph.h"

#include "runtime/run.h"

void orr_graph_init(struct orr_graph *graph)
{
    graph->arena = (struct orr_arena){0};
    for (unsigned n = 0; n <= ORR_JOB_MOST_UNITS; n++)
        orr_pool_init_in(&graph->jobs[n],
                         sizeof(struct orr_job) + (size_t)n * ORR_JOB_UNIT,
                         &graph->arena);
    orr_pool_init_in(&graph->active, sizeof(struct orr_active), &graph->arena);
    orr_successors_pool_init(&graph->batches, &graph->arena);
    orr_pool_init(&graph->commute_waiters, sizeof(struct orr_commute_waiter));
    graph->tags = NULL;
    graph->kernels = g_new0(struct orr_kernel *, 1);
    graph->kernel_count = 1;
    graph->peeked = orr_pool_take(&graph->active);
    graph->live = 0;
    graph->submitted = 0;
    graph->completed = 0;
}

void orr_graph_clear(struct orr_graph *graph)
{
    for (unsigned n = 0; n <= ORR_JOB_MOST_UNITS; n++)
        orr_pool_clear(&graph->jobs[n]);
    orr_pool_clear(&graph->batches);
    orr_pool_clear(&graph->active);
    orr_pool_clear(&graph->commute_waiters);
    orr_arena_clear(&graph->arena);
    g_clear_pointer(&graph->kernels, g_free);
}

uint32_t orr_graph_add_kernel(struct orr_graph *graph,
                              struct orr_kernel *kernel)
{
    uint32_t number = graph->kernel_count++;

    graph->kernels =
        g_renew(struct orr_kernel *, graph->kernels, graph->kernel_count);
    graph->kernels[number] = kernel;
    return number;
}

void orr_job_free(struct orr_graph *graph, struct orr_job *job)
{
    graph->live--;
    if (job->activated)
        orr_pool_give(&graph->active, job->active);
    orr_pool_give(&graph->jobs[job->units], job);
}

void orr_graph_each_job(const struct orr_graph *graph,
                        void (*visit)(void *job, void *data), void *data)
{
    for (unsigned n = 0; n <= ORR_JOB_MOST_UNITS; n++)
        orr_pool_each(&graph->jobs[n], visit, data);
}

static inline struct orr_task task_of(const struct orr_graph *graph,
                                      struct orr_job *job)
{
    return (struct orr_task){
        .job = job,
        .id = job->id,
        .priority = job->priority,
        .kernel = orr_job_kernel(graph, job)->model->name,
    };
}

void orr_job_activate(struct orr_graph *graph, struct orr_job *job)
{
    struct orr_active *active = orr_pool_take_some(&graph->active, 0);

    *active = (struct orr_active){.task = task_of(graph, job)};
    job->active = active;
    job->activated = true;
}

const struct orr_task *orr_job_peek(struct orr_graph *graph,
                                    struct orr_job *job)
{
    graph->peeked->task = task_of(graph, job);
    return &graph->peeked->task;
}

/* Whether several accesses of this mode may form a group. */
static bool is_shared(unsigned group)
{
    return (group & (ORR_W | ORR_COMMUTE)) != ORR_W;
}

/* An access on its way to its place. */
struct sorted {
    uint64_t key;  /* ascends in canonical order: see orr_job_new() */
    uint64_t bits; /* of the access, without what depends on its place */
};

static inline struct sorted sorted_of(const struct orr_access *access)
{
    uint64_t group = access->mode;
    uint64_t data = (uintptr_t)access->data;

    return (struct sorted){~group << 62 | access->data->id,
                           data << ORR_ACCESS_DATA | group};
}

static inline unsigned link_units(const struct orr_access *access)
{
    return is_shared(access->mode) ? ORR_LINK_UNITS : 0;
}

static inline void exchange(struct sorted *a, struct sorted *b)
{
    struct sorted before = *a;

    *a = *b;
    *b = before;
}

/* sort() for up to three accesses, as nearly all tasks have: without loops, so
 * that all stay in registers. */
static inline unsigned sort_few(const struct orr_access *accesses,
                                unsigned count, struct sorted *sorted)
{
    struct sorted first, second, third;
    unsigned units;

    if (count == 0)
        return 0;
    first = sorted_of(&accesses[0]);
    units = link_units(&accesses[0]);
    if (count > 1) {
        if (accesses[1].data == accesses[0].data)
            return UINT_MAX;
        second = sorted_of(&accesses[1]);
        units += link_units(&accesses[1]);
        if (second.key < first.key)
            exchange(&first, &second);
        sorted[1] = second;
    }
    if (count > 2) {
        if (accesses[2].data == accesses[0].data ||
            accesses[2].data == accesses[1].data)
            return UINT_MAX;
        third = sorted_of(&accesses[2]);
        units += link_units(&accesses[2]);
        if (third.key < second.key)
            exchange(&second, &third);
        if (second.key < first.key)
            exchange(&first, &second);
        sorted[1] = second;
        sorted[2] = third;
    }
    sorted[0] = first;
    return units;
}

/* Sorts @accesses. Returns how many units their links take; UINT_MAX if two are
 * to one datum. Not inline, as the compiler would unroll the loops. */
static G_GNUC_NO_INLINE unsigned sort(const struct orr_access *accesses,
                                      unsigned count, struct sorted *sorted)
{
    unsigned units = 0;

    for (unsigned i = 0; i < count; i++) {
        struct sorted access = sorted_of(&accesses[i]);
        unsigned place = i;

        for (unsigned k = 0; k < i; k++) {
            if (accesses[k].data == accesses[i].data)
                return UINT_MAX;
        }
        for (; place > 0 && sorted[place - 1].key > access.key; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = access;
        units += link_units(&accesses[i]);
    }
    return units;
}

static enum orr_access_mode merged_mode(unsigned a, unsigned b)
{
    return (enum orr_access_mode)(((a | b) & ORR_RW) | (a & b & ORR_COMMUTE));
}

/* Sets @merged to @accesses, of which those to one datum become one. Returns
 * how many are left. Not inline: hardly any task lists a datum twice. */
static G_GNUC_NO_INLINE unsigned merge(const struct orr_access *accesses,
                                       unsigned count,
                                       struct orr_access *merged)
{
    unsigned left = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned k = 0;

        while (k < left && merged[k].data != accesses[i].data)
            k++;
        if (k == left)
            merged[left++] = accesses[i];
        else
            merged[k].mode = merged_mode(merged[k].mode, accesses[i].mode);
    }
    return left;
}

/* Sets the accesses of @job, declared as @accesses, to the @count ones that are
 * @sorted. Not inline: see sort(). */
static G_GNUC_NO_INLINE void set_accesses(struct orr_job *job,
                                          const struct orr_access *accesses,
                                          const struct sorted *sorted,
                                          unsigned count)
{
    /* The index grows while the offset of the first link falls. */
    const unsigned next = (1u << ORR_ACCESS_INDEX) - (1u << ORR_ACCESS_LINK);
    unsigned place = (unsigned)job->declared_count << ORR_ACCESS_LINK;

    for (unsigned i = 0; i < count; i++, place += next) {
        uint64_t bits = sorted[i].bits | place;

        if (!(accesses[i].mode & ORR_COMMUTE))
            bits |= (uint64_t)accesses[i].mode << ORR_ACCESS_DECLARED;
        job->accesses[i].bits = bits;
        if (is_shared((unsigned)bits))
            place += ORR_LINK_UNITS << ORR_ACCESS_LINK;
    }
}

/* A job that is zero, but for its place. */
static inline struct orr_job *take_job(struct orr_pool *pool)
{
    bool was_freed = pool->free;
    struct orr_job *job = orr_pool_take_some(pool, 0);
    uint32_t place = was_freed ? job->place : orr_pool_last_place(pool);

    memset(job, 0, offsetof(struct orr_job, accesses));
    job->place = place;
    return job;
}

static inline struct orr_job *new_job(struct orr_graph *graph,
                                      enum orr_job_kind kind,
                                      const struct orr_access *accesses,
                                      unsigned count, bool named)
{
    struct sorted sorted[ORR_MAX_ACCESSES];
    struct orr_access merged[ORR_MAX_ACCESSES];
    unsigned left = count;
    unsigned links = G_LIKELY(count <= 3) ? sort_few(accesses, count, sorted)
                                          : sort(accesses, count, sorted);
    struct orr_job *job;

    if (G_UNLIKELY(links == UINT_MAX)) {
        left = merge(accesses, count, merged);
        links = sort(merged, left, sorted);
    }
    job = take_job(&graph->jobs[count + links + named]);
    job->awaited = 1;
    job->kind = kind & 3;
    job->named = named;
    job->declared_count = count & 15;
    job->units = (count + links + named) & 63;
    job->access_count = left & 15;
    set_accesses(job, accesses, sorted, left);
    for (; G_UNLIKELY(left < count); left++)
        job->accesses[left].bits = accesses[left].mode & ORR_COMMUTE
                                       ? 0
                                       : (uint64_t)accesses[left].mode
                                             << ORR_ACCESS_DECLARED;
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

const char *orr_job_name(const struct orr_graph *graph,
                         const struct orr_job *job)
{
    if (job->named)
        return *name_of(job);
    return job->kernel ? orr_job_kernel(graph, job)->task_name : NULL;
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
    job->kernel = kernel->number;
    job->priority = spec->priority;
    return job;
}

static struct orr_access_link *link_of(struct orr_job_access *access)
{
    return (struct orr_access_link *)(access +
                                      (access->bits >> ORR_ACCESS_LINK & 31));
}

/* The place of @access, which is one of @job. */
static inline uint32_t place_of(const struct orr_job *job,
                                const struct orr_job_access *access)
{
    return job->place +
           (uint32_t)(offsetof(struct orr_job, accesses) / ORR_ARENA_WORD) +
           orr_access_index(access);
}

/* The link of the access at @place. */
static inline struct orr_access_link *link_at(const struct orr_graph *graph,
                                              uint32_t place)
{
    return link_of(orr_arena_at(&graph->arena, place));
}

static inline void join_group(struct orr_job *job,
                              struct orr_job_access *access,
                              struct orr_accessors *accessors)
{
    struct orr_job_access *older = accessors->newest;
    struct orr_access_link *link = link_of(access);

    link->newer = 0;
    link->older = 0;
    if (older) {
        link->older = place_of(orr_access_job(older), older);
        link_of(older)->newer = place_of(job, access);
    }
    accessors->newest = access;
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
        orr_access_data(access)->accessors.newest =
            link.older ? orr_arena_at(&graph->arena, link.older) : NULL;
    if (link.older)
        link_at(graph, link.older)->newer = link.newer;
}

/* Makes @job await the whole group, the latest first, and closes the group. */
static void await_group(struct orr_graph *graph, struct orr_job *job,
                        struct orr_accessors *accessors)
{
    while (accessors->newest) {
        struct orr_job_access *member = accessors->newest;

        orr_graph_add_edge(graph, &orr_access_job(member)->successors, job);
        leave_group(graph, member);
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
        leave_group(graph, newest);
        return NULL;
    }
    if (orr_access_mode(access) == ORR_W) {
        /* A job that only writes is its own collector. */
        await_group(graph, orr_access_job(access), accessors);
        return NULL;
    }
    collector = new_collector(graph, access);
    await_group(graph, collector, accessors);
    return collector;
}

/* Makes @access wait for the earlier ones to @data. Returns a collecting job
 * that must be submitted before going on, or NULL. */
static inline struct orr_job *order(struct orr_graph *graph,
                                    struct orr_job *job,
                                    struct orr_job_access *access)
{
    struct orr_data *data = orr_access_data(access);
    struct orr_accessors *accessors = &data->accessors;
    unsigned group = orr_access_group(access);
    bool shared = is_shared(group);
    bool joins = shared && group == data->group;
    struct orr_job *collector = NULL;

    data->group = (uint8_t)group;
    if (!joins && accessors->newest)
        collector = close_group(graph, access);
    if (accessors->last_exclusive && accessors->last_exclusive != job)
        orr_graph_add_edge(graph, &accessors->last_exclusive->successors, job);
    if (shared)
        join_group(job, access, accessors);
    else
        accessors->last_exclusive = job;
    return collector;
}

struct orr_job *orr_graph_order(struct orr_graph *graph, struct orr_job *job,
                                unsigned *next)
{
    struct orr_job_access *access = job->accesses + *next;
    struct orr_job_access *end = job->accesses + job->access_count;
    struct orr_job *collector = NULL;

    while (access < end && !collector)
        collector = order(graph, job, access++);
    *next = (unsigned)(access - job->accesses);
    return collector;
}

void orr_graph_retire(struct orr_graph *graph, struct orr_job *job)
{
    for (unsigned i = 0; i < job->access_count; i++) {
        struct orr_job_access *access = &job->accesses[i];

        if (orr_access_data(access)->accessors.last_exclusive == job)
            orr_access_data(access)->accessors.last_exclusive = NULL;
        if (access->bits & ORR_ACCESS_LISTED)
            leave_group(graph, access);
    }
}

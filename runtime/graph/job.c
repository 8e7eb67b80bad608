/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How jobs are made, shown to policies, and freed. */
#include "runtime/graph/datum.h"
#include "runtime/graph/graph.h"
#include "runtime/graph/kernels.h"

const uint16_t orr_link_offsets[32] = {
    0,  1,  2,  3,  4,  5,  6,   7,   8,   9,    10,   11,  12,
    13, 14, 15, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};

/* An access on its way to its place. */
struct sorted {
    uint64_t key;  /* ascends in canonical order: see orr_job_new(). 1 bit: it
                      reduces; 30 bits: root; 2 bits: mode; 31 bits: id */
    uint64_t bits; /* bits of the access, without the bits that depend on its
                      place */
};

static inline struct sorted sorted_of(const struct orr_access *access)
{
    uint64_t mode = access->mode;
    uint64_t data = (uintptr_t)access->data;
    uint64_t root = access->data->root;
    uint64_t reduces = (mode & ORR_RW) == 0;

    return (struct sorted){reduces << 63 | root << 33 | (~mode & ORR_RW) << 31 |
                               access->data->id,
                           data << ORR_ACCESS_DATA | mode};
}

static inline unsigned link_units(const struct orr_access *access)
{
    return orr_mode_is_shared(access->mode) ? ORR_LINK_UNITS : 0;
}

static inline void exchange(struct sorted *a, struct sorted *b)
{
    struct sorted before = *a;

    *a = *b;
    *b = before;
}

/*
 * Sorts @accesses. Returns how many units their links take; UINT_MAX if two are
 * to one datum. For up to four, as nearly all tasks have: without loops, so
 * that all stay in registers.
 */
static inline unsigned sort_few(const struct orr_access *accesses,
                                unsigned count, struct sorted *sorted)
{
    struct sorted first, second, third, fourth;
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
    if (count > 3) {
        if (accesses[3].data == accesses[0].data ||
            accesses[3].data == accesses[1].data ||
            accesses[3].data == accesses[2].data)
            return UINT_MAX;
        fourth = sorted_of(&accesses[3]);
        units += link_units(&accesses[3]);
        if (fourth.key < third.key)
            exchange(&third, &fourth);
        if (third.key < second.key)
            exchange(&second, &third);
        if (second.key < first.key)
            exchange(&first, &second);
        sorted[1] = second;
        sorted[2] = third;
        sorted[3] = fourth;
    }
    sorted[0] = first;
    return units;
}

/* sort_few() for up to ORR_FEW_ACCESSES. */
static unsigned sort(const struct orr_access *accesses, unsigned count,
                     struct sorted *sorted)
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

/* The mode @mode, as it is kept for orr_job_mode(). */
static inline uint64_t declared_bits(unsigned mode)
{
    return mode & (ORR_COMMUTE | ORR_REDUX)
               ? 0
               : (uint64_t)mode << ORR_ACCESS_DECLARED;
}

/* Sets @access, of a job with few accesses, to @sorted; @declared is the access
 * declared at its place. @place packs the index of the access and the offset of
 * its link; returns the same for the next access: the index grows while the
 * offset of the first link falls. */
static inline unsigned set_access(struct orr_job_access *access,
                                  const struct sorted *sorted,
                                  const struct orr_access *declared,
                                  unsigned place)
{
    const unsigned next = (1u << ORR_ACCESS_INDEX) - (1u << ORR_ACCESS_LINK);
    bool shared = orr_mode_is_shared((unsigned)sorted->bits);

    access->bits = sorted->bits | place | declared_bits(declared->mode);
    return place + next + shared * (ORR_LINK_UNITS << ORR_ACCESS_LINK);
}

/* Sets the accesses of @job to the @count accesses in @sorted. @accesses are
 * the @declared accesses as declared. */
static void set_accesses(struct orr_job *job, const struct orr_access *accesses,
                         unsigned declared, const struct sorted *sorted,
                         unsigned count)
{
    unsigned place = declared << ORR_ACCESS_LINK;

    for (unsigned i = 0; i < count; i++)
        place = set_access(&job->accesses[i], &sorted[i], &accesses[i], place);
}

/* set_accesses() for up to four: see sort_few(). */
static inline void set_few(struct orr_job *job,
                           const struct orr_access *accesses,
                           const struct sorted *sorted, unsigned count)
{
    unsigned place = count << ORR_ACCESS_LINK;

    if (count > 0)
        place = set_access(&job->accesses[0], &sorted[0], &accesses[0], place);
    if (count > 1)
        place = set_access(&job->accesses[1], &sorted[1], &accesses[1], place);
    if (count > 2)
        place = set_access(&job->accesses[2], &sorted[2], &accesses[2], place);
    if (count > 3)
        set_access(&job->accesses[3], &sorted[3], &accesses[3], place);
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

/* A job of pool @pool, of which the accesses are not set. */
static inline struct orr_job *begin_job(struct orr_graph *graph,
                                        enum orr_job_kind kind, unsigned pool,
                                        unsigned count)
{
    struct orr_job *job = take_job(&graph->jobs[pool]);

    job->awaited = 1;
    job->kind = kind & 7;
    job->pool = pool & 31;
    job->access_count = count & UINT16_MAX;
    graph->live++;
    return job;
}

static int compare_data(const void *one, const void *other)
{
    const struct orr_access *a = one, *b = other;

    return (a->data->id > b->data->id) - (a->data->id < b->data->id);
}

static int compare_keys(const void *one, const void *other)
{
    const struct sorted *a = one, *b = other;

    return (a->key > b->key) - (a->key < b->key);
}

static enum orr_access_mode merged_mode(unsigned a, unsigned b)
{
    return (enum orr_access_mode)(((a | b) & ORR_RW) | (a & b & ORR_COMMUTE));
}

/* Merges the accesses to one datum in @accesses, which are sorted by data.
 * Returns how many are left. */
static unsigned merge(struct orr_access *accesses, unsigned count)
{
    unsigned left = 0;

    qsort(accesses, count, sizeof *accesses, compare_data);
    for (unsigned i = 0; i < count; i++) {
        struct orr_access *last = left > 0 ? &accesses[left - 1] : NULL;

        if (last && last->data == accesses[i].data)
            last->mode = merged_mode(last->mode, accesses[i].mode);
        else
            accesses[left++] = accesses[i];
    }
    return left;
}

/* The number of the least offset in orr_link_offsets[] that is at least
 * @units. */
static unsigned find_offset(unsigned units)
{
    unsigned number = 0;

    while (orr_link_offsets[number] < units)
        number++;
    return number;
}

/* set_accesses() of more than a few declared accesses, whose links have the
 * offset number @link: see orr_access_first(). */
static void set_many(struct orr_job *job, const struct orr_access *accesses,
                     unsigned link, const struct sorted *sorted, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t index =
            i < ORR_FEW_ACCESSES
                ? i
                : ORR_FEW_ACCESSES + MIN((unsigned)__builtin_ctz(i), 7);

        job->accesses[i].bits = sorted[i].bits | index << ORR_ACCESS_INDEX |
                                (uint64_t)link << ORR_ACCESS_LINK |
                                declared_bits(accesses[i].mode);
    }
}

/* The access that stands for @merged in a job. */
static struct sorted sorted_merged(const struct orr_graph *graph,
                                   const struct orr_access *merged)
{
    struct orr_access access = *merged;
    struct sorted sorted;

    if (access.mode == ORR_REDUX)
        access.mode = ORR_COMMUTE;
    sorted = sorted_of(&access);
    if (graph->has_unordered && access.mode != ORR_COMMUTE)
        sorted.key = access.data->id;
    return sorted;
}

static unsigned count_redux(const struct orr_access *accesses, unsigned count)
{
    unsigned redux = 0;

    for (unsigned i = 0; i < count; i++)
        redux += accesses[i].mode == ORR_REDUX;
    return redux;
}

/* new_job() of a task that is not as most: it has many accesses, lists a datum
 * twice, may have to wait for others while it holds data, or reduces. */
static G_GNUC_NO_INLINE struct orr_job *
new_unusual_job(struct orr_graph *graph, enum orr_job_kind kind,
                const struct orr_access *accesses, unsigned count,
                unsigned extras)
{
    g_autofree struct orr_access *merged =
        g_memdup2(accesses, count * sizeof *accesses);
    g_autofree struct sorted *sorted = g_new(struct sorted, count);
    unsigned left = merge(merged, count);
    unsigned redux = count_redux(accesses, count);
    bool is_declared = left < count || redux > 0;
    bool is_many = count > ORR_FEW_ACCESSES;
    unsigned link = find_offset(count);
    unsigned links = is_many ? orr_link_offsets[link] : 0;
    struct orr_job *job;

    for (unsigned i = 0; i < left; i++) {
        sorted[i] = sorted_merged(graph, &merged[i]);
        links += is_many ? 0 : link_units(&merged[i]);
    }
    qsort(sorted, left, sizeof *sorted, compare_keys);
    job = begin_job(graph, kind,
                    orr_job_find_pool(count + links + is_declared + extras),
                    left - redux);
    if (is_many)
        set_many(job, accesses, link, sorted, left);
    else
        set_accesses(job, accesses, count, sorted, left);
    for (unsigned i = left; i < count; i++)
        job->accesses[i].bits = declared_bits(accesses[i].mode);
    if (is_declared) {
        job->merged = true;
        *orr_job_declared(job) = count;
    }
    return job;
}

/* new_job() of a task with up to four accesses. NULL if two are to one datum.
 */
static inline struct orr_job *new_few_job(struct orr_graph *graph,
                                          enum orr_job_kind kind,
                                          const struct orr_access *accesses,
                                          unsigned count, unsigned extras)
{
    struct sorted sorted[4];
    unsigned links = sort_few(accesses, count, sorted);
    struct orr_job *job;

    if (G_UNLIKELY(links == UINT_MAX))
        return NULL;
    job = begin_job(graph, kind, count + links + extras, count);
    set_few(job, accesses, sorted, count);
    return job;
}

/* Apart, so that tasks with fewer accesses save no registers for a fourth. */
static G_GNUC_NO_INLINE struct orr_job *
new_job_of_four(struct orr_graph *graph, enum orr_job_kind kind,
                const struct orr_access *accesses, unsigned extras)
{
    return new_few_job(graph, kind, accesses, 4, extras);
}

/* new_job() of a task with many accesses, or that lists a datum twice. */
static G_GNUC_NO_INLINE struct orr_job *
new_larger_job(struct orr_graph *graph, enum orr_job_kind kind,
               const struct orr_access *accesses, unsigned count,
               unsigned extras)
{
    struct sorted sorted[ORR_FEW_ACCESSES];
    unsigned links = UINT_MAX;
    struct orr_job *job;

    if (count <= ORR_FEW_ACCESSES)
        links = sort(accesses, count, sorted);
    if (links == UINT_MAX)
        return new_unusual_job(graph, kind, accesses, count, extras);
    job = begin_job(graph, kind, count + links + extras, count);
    set_accesses(job, accesses, count, sorted, count);
    return job;
}

/* A new job with @extras more units: for its coordinates and its name. */
static inline struct orr_job *new_job(struct orr_graph *graph,
                                      enum orr_job_kind kind,
                                      const struct orr_access *accesses,
                                      unsigned count, unsigned extras)
{
    struct orr_job *job = NULL;

    if (G_UNLIKELY(graph->has_unordered && count > 1))
        return new_unusual_job(graph, kind, accesses, count, extras);
    if (G_LIKELY(count <= 3))
        job = new_few_job(graph, kind, accesses, count, extras);
    else if (count == 4)
        job = new_job_of_four(graph, kind, accesses, extras);
    if (G_UNLIKELY(!job))
        job = new_larger_job(graph, kind, accesses, count, extras);
    return job;
}

struct orr_job *orr_job_new(struct orr_graph *graph, enum orr_job_kind kind,
                            const struct orr_access *accesses, unsigned count)
{
    return new_job(graph, kind, accesses, count, 0);
}

struct orr_job *orr_job_new_release(struct orr_graph *graph)
{
    struct orr_job *job = orr_job_new(graph, ORR_JOB_COLLECT, NULL, 0);

    job->immediate = true;
    return job;
}

const char *orr_spec_name(const struct orr_task_spec *spec)
{
    if (spec->name && *spec->name)
        return spec->name;
    return spec->kernel ? spec->kernel->model->name : "synchronisation";
}

/* Whether a task of @spec has an ending. */
static inline bool has_ending(const struct orr_task_spec *spec)
{
    return spec->callback || spec->calls ||
           (spec->end_count | spec->end_releases) > 0;
}

enum { CALLS_UNITS = sizeof(struct orr_job_calls) / ORR_JOB_UNIT };

/* A new job of @kind with all attributes of @spec except its kernel. */
static inline struct orr_job *new_task(struct orr_graph *graph,
                                       enum orr_job_kind kind,
                                       const struct orr_task_spec *spec,
                                       const char *name, bool named)
{
    bool placed = spec->coordinate_count > 0;
    unsigned extras = (unsigned)named + placed +
                      (has_ending(spec) ? ORR_ENDING_UNITS : 0) +
                      (spec->calls ? CALLS_UNITS : 0);
    struct orr_job *job =
        G_UNLIKELY(graph->has_redux || spec->calls) && spec->count > 0
            ? new_unusual_job(graph, kind, spec->accesses, spec->count, extras)
            : new_job(graph, kind, spec->accesses, spec->count, extras);

    if (G_UNLIKELY(named || placed || has_ending(spec)))
        orr_job_set_extras(job, spec, named ? name : NULL);
    job->priority = spec->priority;
    return job;
}

struct orr_job *orr_job_new_task(struct orr_graph *graph,
                                 const struct orr_task_spec *spec)
{
    struct orr_kernel *kernel = spec->kernel;
    const char *name = orr_spec_name(spec);
    struct orr_job *job;

    if (G_UNLIKELY(spec->synchronises))
        return new_task(graph, ORR_JOB_SYNC, spec, name, true);
    if (!kernel->task_name)
        kernel->task_name = name;
    job =
        new_task(graph, ORR_JOB_KERNEL, spec, name, name != kernel->task_name);
    job->kernel = kernel->number;
    return job;
}

void orr_job_show(const struct orr_graph *graph, struct orr_job *job,
                  struct orr_task *task)
{
    task->job = job;
    task->id = job->id;
    task->priority = job->priority;
    task->kernel = orr_job_kernel(graph, job)->model->name;
}

void orr_job_activate(struct orr_graph *graph, struct orr_job *job)
{
    struct orr_active *active =
        orr_pool_take_some(&graph->active, sizeof(*active));

    orr_job_show(graph, job, &active->task);
    job->active = active;
    job->activated = true;
}

const struct orr_task *orr_job_peek(struct orr_graph *graph,
                                    struct orr_job *job)
{
    orr_job_show(graph, job, &graph->peeked->task);
    return &graph->peeked->task;
}

void orr_job_free(struct orr_graph *graph, struct orr_job *job)
{
    graph->live--;
    if (job->activated)
        orr_pool_give(&graph->active, job->active);
    orr_pool_give(&graph->jobs[job->pool], job);
}

/* The units behind the accesses of a job: name, coordinates and ending. */

/* The own name of @job, if it is named. */
static const char **name_of(const struct orr_job *job)
{
    return (const char **)&job
        ->accesses[orr_job_pool_units(job->pool) - job->merged - 1];
}

/* The coordinates of @job, if it is placed: their number in the lowest bits,
 * then 20 bits each. */
enum { COORDINATE_BITS = 20, COUNT_BITS = 4 };

static uint64_t *place_of(const struct orr_job *job)
{
    return (uint64_t *)&job->accesses[orr_job_pool_units(job->pool) -
                                      job->merged - job->named - 1];
}

struct orr_job_ending *orr_job_ending(const struct orr_job *job)
{
    return (struct orr_job_ending *)&job
        ->accesses[orr_job_pool_units(job->pool) - job->merged - job->named -
                   job->placed - ORR_ENDING_UNITS];
}

enum {
    END_WAIT_UNITS =
        (sizeof(struct orr_job_end_wait) + ORR_JOB_UNIT - 1) / ORR_JOB_UNIT
};

struct orr_job_end_wait *orr_job_end_wait(const struct orr_job *end)
{
    return (struct orr_job_end_wait *)end->accesses;
}

struct orr_job *orr_job_new_end(struct orr_graph *graph, struct orr_job *job,
                                unsigned releases)
{
    struct orr_job *end = begin_job(graph, ORR_JOB_END, END_WAIT_UNITS, 0);

    graph->live--;
    end->awaited += releases;
    end->immediate = true;
    *orr_job_end_wait(end) = (struct orr_job_end_wait){
        .job = job, .worker = ORR_NO_WORKER, .releases = releases};
    orr_job_ending(job)->end = end;
    return end;
}

void orr_job_free_end(struct orr_graph *graph, struct orr_job *end)
{
    orr_job_ending(orr_job_end_wait(end)->job)->end = NULL;
    graph->live++;
    orr_job_free(graph, end);
}

static uint64_t pack_coordinates(const struct orr_task_spec *spec)
{
    unsigned count = MIN(spec->coordinate_count, ORR_MAX_COORDINATES);
    uint64_t packed = count;

    for (unsigned i = 0; i < count; i++)
        packed |= (uint64_t)spec->coordinates[i]
                  << (COUNT_BITS + i * COORDINATE_BITS);
    return packed;
}

unsigned orr_job_coordinates(const struct orr_job *job,
                             unsigned coordinates[ORR_MAX_COORDINATES])
{
    uint64_t packed = job->placed ? *place_of(job) : 0;
    unsigned count = (unsigned)(packed & ((1 << COUNT_BITS) - 1));

    for (unsigned i = 0; i < count; i++)
        coordinates[i] =
            (unsigned)(packed >> (COUNT_BITS + i * COORDINATE_BITS)) &
            ORR_MAX_COORDINATE;
    return count;
}

const char *orr_job_name(const struct orr_graph *graph,
                         const struct orr_job *job)
{
    if (job->named)
        return *name_of(job);
    return job->kernel ? orr_job_kernel(graph, job)->task_name : NULL;
}

static void set_calls(struct orr_job *job, const struct orr_task_calls *given)
{
    struct orr_job_ending *ending = orr_job_ending(job);

    ending->calls = (struct orr_job_calls *)ending - 1;
    *ending->calls = (struct orr_job_calls){
        .call = {[ORR_CALL_PROLOGUE] = given->prologue,
                 [ORR_CALL_PROLOGUE_POP] = given->prologue_pop,
                 [ORR_CALL_EPILOGUE] = given->epilogue,
                 [ORR_CALL_KERNEL] = given->kernel}};
}

void orr_job_set_extras(struct orr_job *job, const struct orr_task_spec *spec,
                        const char *name)
{
    job->named = name != NULL;
    job->placed = spec->coordinate_count > 0;
    job->has_ending = has_ending(spec);
    if (name)
        *name_of(job) = name;
    if (job->placed)
        *place_of(job) = pack_coordinates(spec);
    if (!job->has_ending)
        return;
    *orr_job_ending(job) = (struct orr_job_ending){
        .callback = {spec->callback, spec->callback_data}};
    if (spec->calls)
        set_calls(job, spec->calls);
}

unsigned orr_job_redux(const struct orr_graph *graph, const struct orr_job *job,
                       const uint16_t **places)
{
    const struct orr_kernel *kernel = orr_job_kernel(graph, job);
    gsize size = 0;

    *places = kernel && kernel->given.redux
                  ? g_bytes_get_data(kernel->given.redux, &size)
                  : NULL;
    return (unsigned)(size / sizeof(**places));
}

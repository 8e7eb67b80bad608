/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/data.h"

#include <string.h>

#include "runtime/run.h"

void orr_data_pool_init(struct orr_pool *pool, unsigned node_count,
                        struct orr_arena *arena)
{
    size_t size =
        sizeof(struct orr_data) + node_count * sizeof(struct orr_replicate);

    /* Whole cache lines: the next datum begins with one, too. */
    orr_pool_init_in(
        pool, (size + ORR_CACHE_LINE - 1) / ORR_CACHE_LINE * ORR_CACHE_LINE,
        arena);
}

struct orr_data *orr_data_new(struct orr_pool *pool, unsigned node_count,
                              uint32_t id, uint64_t bytes)
{
    struct orr_data *data = orr_pool_take(pool);

    G_STATIC_ASSERT(offsetof(struct orr_data, post) == ORR_CACHE_LINE);
    G_STATIC_ASSERT(ORR_CACHE_LINE % sizeof(struct orr_replicate) == 0);
    g_assert((uintptr_t)data >> 48 == 0); /* see struct orr_job_access */
    data->id = (uint32_t)id;
    data->bytes = data->span_bytes = bytes;
    data->mode = ORR_R;
    for (unsigned node = 0; node < node_count; node++) {
        data->copies[node].data = data;
        data->copies[node].node = node & (ORR_MAX_NODES - 1);
    }
    data->valid = data->allocated = 1u << ORR_RAM;
    return data;
}

void orr_data_set_coordinates(struct orr_data *data, unsigned row,
                              unsigned column)
{
    if (!data)
        return;
    data->has_coordinates = true;
    data->row = row;
    data->column = column;
}

void orr_data_set_name(struct orr_data *data, const char *name)
{
    if (data)
        data->name = name && *name ? name : NULL;
}

/* The bytes that a reader of @data lacks on @node; a writer lacks only the
 * buffer. */
static struct orr_missing lack(const struct orr_data *data, unsigned node)
{
    uint32_t bit = 1u << node;
    uint64_t bytes = data->bytes;

    return (struct orr_missing){
        .invalid_bytes = data->valid & bit ? 0 : bytes,
        .unstarted_bytes = (data->valid | data->loading) & bit ? 0 : bytes,
        .unallocated_bytes = data->allocated & bit ? 0 : bytes,
    };
}

static void add_lack(struct orr_missing *missing, bool reads,
                     const struct orr_missing *change)
{
    missing->unallocated_bytes += change->unallocated_bytes;
    if (!reads)
        return;
    missing->invalid_bytes += change->invalid_bytes;
    missing->unstarted_bytes += change->unstarted_bytes;
}

/* The first task that watches @copy, or NULL. */
static inline struct orr_watch *first_watch(const struct orr_replicate *copy)
{
    struct orr_watch **watchers = copy->data->watchers;

    return G_UNLIKELY(watchers) ? watchers[copy->node] : NULL;
}

/* Tells the tasks that watch @copy, and the policy once until it asks, that
 * they lack so much more; differences wrap around. */
static G_GNUC_NO_INLINE void touch(struct orr_run *run,
                                   struct orr_replicate *copy,
                                   struct orr_missing change)
{
    run->engine.effects |= ORR_EFFECT_POLICY;
    for (struct orr_watch *watch = first_watch(copy); watch;
         watch = watch->next) {
        struct orr_watching *of = watch->of;

        add_lack(&of->missing, watch->reads, &change);
        if (!of->told) {
            of->told = true;
            orr_sched_touched(run->sched, &of->active->task);
        }
    }
}

/* The bytes of @copy become lacking, or are so no longer. */
static uint64_t change_of(const struct orr_replicate *copy, bool lacking)
{
    return lacking ? copy->data->bytes : -copy->data->bytes;
}

/* Changes the validity of @copy. */
static inline void flip_valid(struct orr_run *run, struct orr_replicate *copy)
{
    struct orr_missing change = {0};

    copy->data->valid ^= 1u << copy->node;
    if (!first_watch(copy))
        return;
    change.invalid_bytes = change_of(copy, !orr_replicate_is_valid(copy));
    if (!orr_replicate_is_loading(copy))
        change.unstarted_bytes = change.invalid_bytes;
    touch(run, copy, change);
}

void orr_replicate_note_buffer(struct orr_run *run, struct orr_replicate *copy)
{
    struct orr_missing change = {0};

    if (!first_watch(copy))
        return;
    change.unallocated_bytes =
        change_of(copy, !orr_replicate_is_allocated(copy));
    touch(run, copy, change);
}

void orr_replicate_flip_loading(struct orr_run *run, struct orr_replicate *copy)
{
    struct orr_missing change = {0};

    copy->data->loading ^= 1u << copy->node;
    if (!first_watch(copy) || orr_replicate_is_valid(copy))
        return;
    change.unstarted_bytes = change_of(copy, !orr_replicate_is_loading(copy));
    touch(run, copy, change);
}

void orr_replicate_release(struct orr_run *run, struct orr_replicate *copy)
{
    struct orr_data *data = copy->data;

    data->uses--;
    if (--copy->uses == 0) /* the end of a write frees all copies */
        orr_eviction_consider(
            run, data, data->mode == ORR_W ? UINT32_MAX : 1u << copy->node);
}

/* Makes @copy the only valid one; with an ideal network, all have its content
 * at once. Not inline, as the next one: most writers own their copies. */
static G_GNUC_NO_INLINE void own(struct orr_run *run,
                                 struct orr_replicate *copy)
{
    struct orr_data *data = copy->data;
    uint32_t others = data->valid & ~(1u << copy->node);

    if (run->instant_copies)
        return;
    for (; others; others &= others - 1)
        flip_valid(run, &data->copies[__builtin_ctz(others)]);
    if (!orr_replicate_is_valid(copy))
        flip_valid(run, copy);
    orr_eviction_consider(run, data, UINT32_MAX);
}

static G_GNUC_NO_INLINE void validate(struct orr_run *run,
                                      struct orr_replicate *copy)
{
    flip_valid(run, copy);
    orr_eviction_consider(run, copy->data, copy->data->valid);
}

void orr_replicate_grant(struct orr_run *run, struct orr_replicate *copy,
                         enum orr_access_mode mode)
{
    if (!(mode & ORR_W)) {
        if (!orr_replicate_is_valid(copy))
            validate(run, copy);
        return;
    }
    if (copy->buffer)
        orr_memory_dirtied(&run->memories[copy->node], copy->buffer);
    if (!orr_replicate_is_owner(copy))
        own(run, copy);
}

void orr_replicate_drop(struct orr_run *run, struct orr_replicate *copy)
{
    if (!orr_replicate_is_valid(copy))
        return;
    g_assert(!orr_replicate_is_owner(copy));
    flip_valid(run, copy);
}

/* Some copy is always valid. */
static unsigned last_resort(uint32_t valid)
{
    if (valid & 1u << ORR_RAM)
        return ORR_RAM;
    return 31u - (unsigned)__builtin_clz(valid);
}

/* The predicted duration of a copy of @bytes, which have @size: see
 * models/platform/bus.h. */
static orr_time predict(const struct orr_run *run,
                        const struct orr_data_size *size, uint64_t bytes,
                        unsigned from, unsigned to)
{
    if (size->predictions)
        return size->predictions[from * run->node_count + to];
    return orr_bus_predict(run->platform, run->switches.belief, run->gpu_count,
                           from, to, bytes);
}

/* See orr_data_source(). */
static unsigned find_source(const struct orr_run *run,
                            const struct orr_data_size *size, uint64_t bytes,
                            uint32_t valid, unsigned to)
{
    orr_time least = ORR_NEVER;
    unsigned best = ORR_MAX_NODES;

    for (uint32_t left = valid; left; left &= left - 1) {
        unsigned from = (unsigned)__builtin_ctz(left);
        orr_time time;

        if (!orr_route_is_direct(run, from, to))
            continue;
        time = predict(run, size, bytes, from, to);
        if (time == 0)
            return last_resort(valid);
        if (time < least) {
            least = time;
            best = from;
        }
    }
    return best != ORR_MAX_NODES ? best : last_resort(valid);
}

static orr_time find_time(const struct orr_run *run,
                          const struct orr_data_size *size, uint64_t bytes,
                          unsigned from, unsigned to)
{
    if (orr_route_is_direct(run, from, to))
        return predict(run, size, bytes, from, to);
    return predict(run, size, bytes, from, ORR_RAM) +
           predict(run, size, bytes, ORR_RAM, to);
}

static G_GNUC_NO_INLINE void fill_row(const struct orr_run *run,
                                      const struct orr_data_size *size,
                                      uint32_t valid,
                                      struct orr_source_row *row)
{
    row->known = true;
    for (unsigned to = 0; to < run->node_count; to++) {
        unsigned from = find_source(run, size, size->bytes, valid, to);

        row->nodes[to] = (uint8_t)from;
        row->times[to] =
            valid & 1u << to ? 0 : find_time(run, size, size->bytes, from, to);
    }
}

/* For data of a size with tables on machines with few nodes; else NULL. */
static const struct orr_source_row *find_row(const struct orr_run *run,
                                             const struct orr_data *data)
{
    const struct orr_data_size *size = &run->sizes[data->size];
    struct orr_source_row *row;

    if (!size->sources)
        return NULL;
    row = &size->sources[data->valid];
    if (!row->known)
        fill_row(run, size, data->valid, row);
    return row;
}

unsigned orr_data_source(const struct orr_run *run, const struct orr_data *data,
                         unsigned to)
{
    const struct orr_source_row *row = find_row(run, data);

    return row ? row->nodes[to]
               : find_source(run, &run->sizes[data->size], data->bytes,
                             data->valid, to);
}

orr_time orr_data_load_time(const struct orr_run *run,
                            const struct orr_data *data, unsigned node)
{
    return data->valid & 1u << node
               ? 0
               : find_time(run, &run->sizes[data->size], data->bytes,
                           orr_data_source(run, data, node), node);
}

static void set_mode(struct orr_run *run, struct orr_data *data,
                     enum orr_access_mode mode)
{
    bool relaxed = data->mode == ORR_W && mode == ORR_R;

    data->mode = (uint8_t)mode;
    if (relaxed)
        orr_eviction_consider(run, data, UINT32_MAX);
}

void orr_data_acquire(struct orr_run *run, struct orr_data *data,
                      enum orr_access_mode mode)
{
    set_mode(run, data, mode);
    data->users++;
}

void orr_data_write_back(struct orr_run *run, struct orr_data *data)
{
    struct orr_request_spec spec = {
        .data = data,
        .node = ORR_RAM,
        .mode = ORR_R,
        .level = ORR_IDLE,
    };

    if (data->users > 0 && data->mode == ORR_W) {
        data->wont_use = data->hint_pending = true;
        return;
    }
    data->wont_use = false;
    set_mode(run, data, ORR_R);
    if (!(data->valid & 1u << ORR_RAM))
        orr_request_submit(run, &spec);
}

void orr_data_bring(struct orr_run *run, struct orr_data *data, unsigned node,
                    bool idle)
{
    struct orr_request_spec spec = {
        .data = data,
        .node = node,
        .mode = ORR_R,
        .level = idle ? ORR_IDLE : ORR_PREFETCH,
    };
    uint32_t bit = 1u << node;

    if (data->users > 0 && data->mode == ORR_W) {
        data->prefetches |= bit;
        data->idle_prefetches =
            (data->idle_prefetches & ~bit) | (idle ? bit : 0);
        data->hint_pending = true;
        return;
    }
    set_mode(run, data, ORR_R);
    if (!(data->valid & bit))
        orr_request_submit(run, &spec);
}

/* Nobody writes @data any more. */
static G_GNUC_NO_INLINE void heed_hints(struct orr_run *run,
                                        struct orr_data *data)
{
    uint32_t nodes = data->prefetches;

    data->hint_pending = false;
    data->prefetches = 0;
    for (; nodes; nodes &= nodes - 1) {
        unsigned node = (unsigned)__builtin_ctz(nodes);

        orr_data_bring(run, data, node, data->idle_prefetches >> node & 1);
    }
    if (data->wont_use)
        orr_data_write_back(run, data);
}

void orr_data_release(struct orr_run *run, struct orr_data *data)
{
    data->users--;
    if (data->hint_pending && data->users == 0)
        heed_hints(run, data);
}

void orr_job_prefetch_cache_data(const struct orr_job *job)
{
    for (unsigned i = 0; i < job->access_count; i++) {
        const struct orr_data *data = orr_access_data(&job->accesses[i]);

        __builtin_prefetch(data);
        __builtin_prefetch(&data->lock);
    }
}

/* Adds the time to bring @data to each of @nodes. */
static G_GNUC_NO_INLINE void add_times(const struct orr_run *run,
                                       const struct orr_data *data,
                                       const struct orr_source_row *row,
                                       uint32_t nodes, orr_time *restrict times)
{
    const struct orr_data_size *size = &run->sizes[data->size];
    uint32_t left = nodes & ~(data->valid | data->awaited);

    for (; left; left &= left - 1) {
        unsigned to = (unsigned)__builtin_ctz(left);

        if (row)
            times[to] += row->times[to];
        else
            times[to] += find_time(
                run, size, data->bytes,
                find_source(run, size, data->bytes, data->valid, to), to);
    }
}

void orr_job_transfers(const struct orr_run *run, const struct orr_job *job,
                       uint32_t nodes, orr_time *restrict times)
{
    const struct orr_job_access *access = job->accesses;
    const struct orr_job_access *end = access + job->access_count;
    unsigned count = run->node_count;

    for (unsigned node = 0; node < count; node += 4)
        memset(&times[node], 0, 4 * sizeof *times);
    for (; access < end; access++) {
        const struct orr_data *data = orr_access_data(access);
        const struct orr_source_row *row;

        if (!(orr_access_mode(access) & ORR_R))
            continue;
        row = find_row(run, data);
        if (!row || data->awaited) {
            add_times(run, data, row, nodes, times);
            continue;
        }
        /* Beyond the last node, too: so it takes few instructions. */
        for (unsigned node = 0; node < count; node += 4) {
            for (unsigned n = 0; n < 4; n++)
                times[node + n] += row->times[node + n];
        }
    }
}

orr_time orr_job_transfer(const struct orr_run *run, const struct orr_job *job,
                          unsigned node)
{
    orr_time times[ORR_MAX_NODES];

    orr_job_transfers(run, job, 1u << node, times);
    return times[node];
}

void orr_active_missing(struct orr_active *active, unsigned node,
                        struct orr_missing *missing)
{
    const struct orr_job *job;

    if (active->watching && active->watching->node == node) {
        *missing = active->watching->missing;
        active->watching->told = false;
        return;
    }
    job = active->task.job;
    *missing = (struct orr_missing){0};
    for (unsigned i = 0; i < job->access_count; i++) {
        struct orr_missing more =
            lack(orr_access_data(&job->accesses[i]), node);

        add_lack(missing, orr_access_mode(&job->accesses[i]) & ORR_R, &more);
    }
}

/* @of watches the copy of @data, too. */
static void add_watch(struct orr_run *run, struct orr_watching *of,
                      struct orr_data *data, bool reads)
{
    struct orr_watch *watch = orr_pool_take_some(&run->watches, 0);
    struct orr_watch **first;

    if (!data->watchers)
        data->watchers = orr_pool_take(&run->watchers);
    first = &data->watchers[of->node];
    *watch = (struct orr_watch){of, of->watches, *first, first, reads};
    of->watches = watch;
    if (watch->next)
        watch->next->link = &watch->next;
    *first = watch;
}

struct orr_missing orr_job_watch(struct orr_run *run, struct orr_job *job,
                                 unsigned node)
{
    struct orr_watching *watching;

    orr_job_unwatch(run, job);
    watching = orr_pool_take_some(&run->watchings, 0);
    job->active->watching = watching;
    *watching = (struct orr_watching){
        .active = job->active,
        .node = (uint8_t)node,
    };
    for (unsigned i = 0; i < job->access_count; i++) {
        struct orr_data *data = orr_access_data(&job->accesses[i]);
        struct orr_missing more = lack(data, node);
        bool reads = orr_access_mode(&job->accesses[i]) & ORR_R;

        add_lack(&watching->missing, reads, &more);
        add_watch(run, watching, data, reads);
    }
    return watching->missing;
}

void orr_job_unwatch(struct orr_run *run, struct orr_job *job)
{
    struct orr_watching *watching = job->active->watching;
    struct orr_watch *watch = watching ? watching->watches : NULL;

    if (!watching)
        return;
    job->active->watching = NULL;
    while (watch) {
        struct orr_watch *next = watch->next_access;

        *watch->link = watch->next;
        if (watch->next)
            watch->next->link = watch->link;
        orr_pool_give(&run->watches, watch);
        watch = next;
    }
    orr_pool_give(&run->watchings, watching);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Data and the states of their copies. The state of all copies of a datum is
 * kept in masks of nodes (valid, allocated, loading, ...), so that most
 * questions need no replicate. A function that changes a mask also updates the
 * tasks that watch the copy: the missing bytes of a task are the sum over its
 * accesses.
 */
#include "runtime/data/data.h"

#include <string.h>

#include "runtime/data/store.h"
#include "sched/host.h"

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
    data->id = data->root = id;
    data->bytes = data->span_bytes = bytes;
    data->mode = ORR_R;
    for (unsigned node = 0; node < node_count; node++) {
        data->copies[node].data = data;
        data->copies[node].node = node & (ORR_MAX_NODES - 1);
    }
    data->valid = data->allocated = 1u << ORR_RAM;
    return data;
}

const char *orr_data_set_matrix(struct orr_data *data, const char *matrix)
{
    GHashTable **roots = &data->store->matrices;
    gpointer name, root;

    if (!*roots)
        *roots = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    data->root = data->id;
    if (g_hash_table_lookup_extended(*roots, matrix, &name, &root)) {
        data->root = GPOINTER_TO_UINT(root);
        return name;
    }
    name = g_strdup(matrix);
    g_hash_table_insert(*roots, name, GUINT_TO_POINTER(data->id));
    return name;
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
    if (!data)
        return;
    data->name = name && *name ? orr_data_set_matrix(data, name) : NULL;
    if (!data->name)
        data->root = data->id;
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

/* Adds @change to the missing bytes of the tasks that watch @copy (differences
 * wrap around), and notifies the policy, once until it asks. */
static G_GNUC_NO_INLINE void touch(struct orr_store *store,
                                   struct orr_replicate *copy,
                                   struct orr_missing change)
{
    store->engine->effects |= ORR_EFFECT_POLICY;
    for (struct orr_watch *watch = first_watch(copy); watch;
         watch = watch->next) {
        struct orr_watching *of = watch->of;

        add_lack(&of->missing, watch->reads, &change);
        if (!of->notified) {
            of->notified = true;
            orr_sched_touched(*store->sched, &of->active->task);
        }
    }
}

/* By how much the missing bytes change when the bytes of @copy become missing,
 * or cease to be. */
static uint64_t change_of(const struct orr_replicate *copy, bool lacking)
{
    return lacking ? copy->data->bytes : -copy->data->bytes;
}

/* Changes the validity of @copy. */
static inline void flip_valid(struct orr_store *store,
                              struct orr_replicate *copy)
{
    struct orr_missing change = {0};

    copy->data->valid ^= 1u << copy->node;
    if (!first_watch(copy))
        return;
    change.invalid_bytes = change_of(copy, !orr_replicate_is_valid(copy));
    if (!orr_replicate_is_loading(copy))
        change.unstarted_bytes = change.invalid_bytes;
    touch(store, copy, change);
}

void orr_replicate_buffer_changed(struct orr_store *store,
                                  struct orr_replicate *copy)
{
    struct orr_missing change = {0};

    if (!first_watch(copy))
        return;
    change.unallocated_bytes =
        change_of(copy, !orr_replicate_is_allocated(copy));
    touch(store, copy, change);
}

void orr_replicate_flip_loading(struct orr_store *store,
                                struct orr_replicate *copy)
{
    struct orr_missing change = {0};

    copy->data->loading ^= 1u << copy->node;
    if (!first_watch(copy) || orr_replicate_is_valid(copy))
        return;
    change.unstarted_bytes = change_of(copy, !orr_replicate_is_loading(copy));
    touch(store, copy, change);
}

void orr_replicate_release(struct orr_store *store, struct orr_replicate *copy)
{
    struct orr_data *data = copy->data;

    data->uses--;
    if (--copy->uses == 0) /* the end of a write frees all copies */
        orr_eviction_consider(
            store, data, data->mode == ORR_W ? UINT32_MAX : 1u << copy->node);
}

/* Makes @copy the only valid one; with an ideal network, all have its content
 * at once. Not inline, as the next one: most writers own their copies. */
static G_GNUC_NO_INLINE void own(struct orr_store *store,
                                 struct orr_replicate *copy)
{
    struct orr_data *data = copy->data;
    uint32_t others = data->valid & ~(1u << copy->node);

    if (store->instant_copies || data->scratch)
        return;
    for (; others; others &= others - 1)
        flip_valid(store, &data->copies[__builtin_ctz(others)]);
    if (!orr_replicate_is_valid(copy))
        flip_valid(store, copy);
    orr_eviction_consider(store, data, UINT32_MAX);
}

/* The content of @copy has arrived, unless there was none: see
 * orr_request_submit(). */
static G_GNUC_NO_INLINE void validate(struct orr_store *store,
                                      struct orr_replicate *copy,
                                      enum orr_access_mode mode)
{
    if (!(mode & ORR_R))
        return;
    flip_valid(store, copy);
    orr_eviction_consider(store, copy->data, copy->data->valid);
}

void orr_replicate_grant(struct orr_store *store, struct orr_replicate *copy,
                         enum orr_access_mode mode)
{
    if (!(mode & ORR_W)) {
        if (!orr_replicate_is_valid(copy))
            validate(store, copy, mode);
        return;
    }
    if (copy->buffer && !copy->data->temporary)
        orr_memory_dirtied(&store->memories[copy->node], copy->buffer);
    if (!orr_replicate_is_owner(copy))
        own(store, copy);
}

void orr_replicate_drop(struct orr_store *store, struct orr_replicate *copy)
{
    if (!orr_replicate_is_valid(copy))
        return;
    g_assert(!orr_replicate_is_owner(copy));
    flip_valid(store, copy);
}

void orr_data_deinit(struct orr_store *store, struct orr_data *data)
{
    if (store->instant_copies)
        return;
    for (uint32_t left = data->valid; left; left &= left - 1)
        flip_valid(store, &data->copies[__builtin_ctz(left)]);
    for (unsigned node = 1; node < store->node_count; node++) {
        if (data->copies[node].buffer)
            orr_memory_cleaned(&store->memories[node],
                               data->copies[node].buffer);
    }
    orr_eviction_consider(store, data, UINT32_MAX);
}

static void set_mode(struct orr_store *store, struct orr_data *data,
                     enum orr_access_mode mode)
{
    bool relaxed = data->mode == ORR_W && mode == ORR_R;

    data->mode = (uint8_t)mode;
    if (relaxed)
        orr_eviction_consider(store, data, UINT32_MAX);
}

void orr_data_hold(struct orr_store *store, struct orr_data *data,
                   enum orr_access_mode mode)
{
    set_mode(store, data, mode);
    data->users++;
}

void orr_data_write_back(struct orr_store *store, struct orr_data *data)
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
    set_mode(store, data, ORR_R);
    if (!(data->valid & 1u << ORR_RAM) && !data->temporary)
        orr_request_submit(store, &spec);
}

void orr_data_bring(struct orr_store *store, struct orr_data *data,
                    unsigned node, bool idle)
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
    set_mode(store, data, ORR_R);
    if (!(data->valid & bit))
        orr_request_submit(store, &spec);
}

/* The last write of @data has ended: acts on pending hints. */
static G_GNUC_NO_INLINE void heed_hints(struct orr_store *store,
                                        struct orr_data *data)
{
    uint32_t nodes = data->prefetches;

    data->hint_pending = false;
    data->prefetches = 0;
    for (; nodes; nodes &= nodes - 1) {
        unsigned node = (unsigned)__builtin_ctz(nodes);

        orr_data_bring(store, data, node, data->idle_prefetches >> node & 1);
    }
    if (data->wont_use)
        orr_data_write_back(store, data);
}

void orr_data_let_go(struct orr_store *store, struct orr_data *data)
{
    data->users--;
    if (data->hint_pending && data->users == 0)
        heed_hints(store, data);
}

void orr_job_prefetch_cache_data(const struct orr_job *job)
{
    for (unsigned i = 0; i < job->access_count; i++) {
        const struct orr_data *data = orr_access_data(&job->accesses[i]);

        __builtin_prefetch(data);
        __builtin_prefetch(&data->lock);
    }
}

void orr_active_missing(struct orr_active *active, unsigned node,
                        struct orr_missing *missing)
{
    const struct orr_job *job;

    if (active->watching && active->watching->node == node) {
        *missing = active->watching->missing;
        active->watching->notified = false;
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
static void add_watch(struct orr_store *store, struct orr_watching *of,
                      struct orr_data *data, bool reads)
{
    struct orr_watch *watch = orr_pool_take_some(&store->watches, 0);
    struct orr_watch **first;

    if (!data->watchers)
        data->watchers = orr_pool_take(&store->watchers);
    first = &data->watchers[of->node];
    *watch = (struct orr_watch){of, of->watches, *first, first, reads};
    of->watches = watch;
    if (watch->next)
        watch->next->link = &watch->next;
    *first = watch;
}

struct orr_missing orr_job_watch(struct orr_store *store, struct orr_job *job,
                                 unsigned node)
{
    struct orr_watching *watching;

    orr_job_unwatch(store, job);
    watching = orr_pool_take_some(&store->watchings, 0);
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
        add_watch(store, watching, data, reads);
    }
    return watching->missing;
}

void orr_job_unwatch(struct orr_store *store, struct orr_job *job)
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
        orr_pool_give(&store->watches, watch);
        watch = next;
    }
    orr_pool_give(&store->watchings, watching);
}

char *orr_data_describe(const struct orr_data *data)
{
    if (data->has_coordinates)
        return g_strdup_printf("%s(%u,%u)", data->name ? data->name : "A",
                               data->row, data->column);
    if (data->name)
        return g_strdup(data->name);
    return g_strdup_printf("data handle %u", data->id);
}

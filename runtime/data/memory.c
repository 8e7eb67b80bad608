/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The list of buffers of a GPU. It is a ring: the head @end stands between the
 * newest and the oldest buffer. Each buffer has a place, a number that ascends
 * along the list, so that two buffers can be compared without walking. A buffer
 * that moves to the front or the back gets the next number of that range.
 *
 * Three marks divide the list: @first_dirty (buffers before it are clean or set
 * aside), @unpassed (eviction has passed the buffers before it), and the
 * buffers that a driver which makes room has in hand (@evicted, @next).
 *
 * Cleaning: once fewer than ORR_MINIMUM_CLEAN % of the buffers are clean, idle
 * write-backs are requested from the oldest dirty buffer on, until TARGET_CLEAN
 * % are clean (StarPU, memalloc.c).
 */
#include "runtime/data/memory.h"

#include "runtime/data/store.h"
#include "runtime/data/victim.h"

/* The percentage of clean buffers that write-backs aim at
 * (STARPU_TARGET_CLEAN_BUFFERS). */
#define TARGET_CLEAN 10

/* Places before the first dirty buffer get numbers far below all other places,
 * so that both ranges can grow. */
static int64_t last_place(struct orr_memory *memory, bool front)
{
    return front ? INT64_MIN / 2 + memory->front_places++
                 : memory->back_places++;
}

uint64_t orr_memory_usable(uint64_t card_bytes)
{
    const uint64_t mib = (uint64_t)1 << 20;
    uint64_t whole = card_bytes / mib;

    return (uint64_t)((double)whole * 0.9) * mib;
}

void orr_memory_init(struct orr_memory *memory)
{
    struct orr_buffer *end;

    orr_pool_init(&memory->buffer_pool, sizeof(struct orr_buffer));
    end = orr_pool_take(&memory->buffer_pool);
    end->older = end->newer = end;
    end->place = INT64_MAX;
    memory->end = memory->first_dirty = memory->unpassed = end;
    orr_eviction_init(memory);
}

bool orr_memory_is_at(const struct orr_memory *memory,
                      const struct orr_place *place)
{
    const struct orr_replicate *copy = place->copy;

    return copy && copy->data->allocated & 1u << memory->node &&
           copy->buffer->place == place->place;
}

/* Whether @buffer is still at @place. */
static bool is_of(const struct orr_place *place,
                  const struct orr_buffer *buffer)
{
    return buffer->copy == place->copy && buffer->place == place->place;
}

/* Gives @buffer a number of the front, without moving it. */
static void renumber(struct orr_memory *memory, struct orr_buffer *buffer)
{
    int64_t place = last_place(memory, true);

    if (is_of(&memory->evicted, buffer))
        memory->evicted.place = place;
    if (is_of(&memory->next, buffer))
        memory->next.place = place;
    buffer->place = place;
}

/* Cleaning continues at @buffer: buffers before it belong to the front. */
static void pass_until(struct orr_memory *memory, struct orr_buffer *buffer)
{
    while (memory->first_dirty != buffer) {
        renumber(memory, memory->first_dirty);
        memory->first_dirty = memory->first_dirty->newer;
    }
}

/* Sets the number of listed buffers. */
static void set_count(struct orr_memory *memory, unsigned count)
{
    memory->buffers = count;
    memory->least_clean_buffers = count * ORR_MINIMUM_CLEAN / 100;
}

/* Links @buffer between the one before @place and @place. */
static inline void link_before(struct orr_buffer *buffer,
                               struct orr_buffer *place)
{
    struct orr_buffer *before = place->older;

    buffer->older = before;
    buffer->newer = place;
    before->newer = buffer;
    place->older = buffer;
}

static inline void cut_out(struct orr_buffer *buffer)
{
    buffer->older->newer = buffer->newer;
    buffer->newer->older = buffer->older;
}

static void insert_before(struct orr_memory *memory, struct orr_buffer *buffer,
                          struct orr_buffer *place)
{
    link_before(buffer, place);
    set_count(memory, memory->buffers + 1);
    if (buffer->clean)
        memory->clean_buffers++;
}

/* Makes @buffer the newest one. */
static void place_newest(struct orr_memory *memory, struct orr_buffer *buffer)
{
    bool front = memory->first_dirty == memory->end && buffer->clean;

    buffer->place = last_place(memory, front);
    if (memory->first_dirty == memory->end && !buffer->clean)
        memory->first_dirty = buffer;
    if (memory->unpassed == memory->end)
        memory->unpassed = buffer;
}

void orr_memory_add(struct orr_memory *memory, struct orr_replicate *copy,
                    struct orr_block block)
{
    struct orr_buffer *buffer = orr_pool_take_some(&memory->buffer_pool, 0);

    *buffer = (struct orr_buffer){.copy = copy, .block = block, .clean = true};
    copy->buffer = buffer;
    copy->data->allocated |= 1u << copy->node;
    insert_before(memory, buffer, memory->end);
    place_newest(memory, buffer);
}

/* @buffer leaves its place: marks that refer to it move to the next buffer. */
static inline void leave(struct orr_memory *memory,
                         const struct orr_buffer *buffer)
{
    if (buffer == memory->first_dirty)
        memory->first_dirty = buffer->newer;
    if (buffer == memory->unpassed)
        memory->unpassed = buffer->newer;
}

static void unlist(struct orr_memory *memory, struct orr_buffer *buffer)
{
    leave(memory, buffer);
    cut_out(buffer);
    set_count(memory, memory->buffers - 1);
    if (buffer->clean)
        memory->clean_buffers--;
}

struct orr_block orr_memory_remove(struct orr_memory *memory,
                                   struct orr_replicate *copy)
{
    struct orr_buffer *buffer = copy->buffer;
    struct orr_block block = buffer->block;

    copy->data->allocated &= ~(1u << copy->node);
    copy->data->passed &= ~(1u << copy->node);
    copy->buffer = NULL;
    orr_eviction_remove(memory, buffer);
    unlist(memory, buffer);
    orr_pool_give(&memory->buffer_pool, buffer);
    return block;
}

void orr_memory_add_spare(struct orr_memory *memory,
                          const struct orr_data *data, struct orr_block block)
{
    struct orr_spare *spare = g_new(struct orr_spare, 1);

    *spare = (struct orr_spare){.next = memory->spares,
                                .bytes = data->bytes,
                                .span_bytes = data->span_bytes,
                                .block = block};
    memory->spares = spare;
}

void orr_memory_spare(struct orr_memory *memory, struct orr_replicate *copy)
{
    orr_memory_add_spare(memory, copy->data, orr_memory_remove(memory, copy));
    memory->full_bytes = 0;
    memory->refused = NULL;
}

static bool suits(const struct orr_spare *spare, const struct orr_data *data)
{
    return !data || (spare->bytes == data->bytes &&
                     spare->span_bytes == data->span_bytes);
}

bool orr_memory_take_spare(struct orr_memory *memory,
                           const struct orr_data *data, struct orr_spare *taken)
{
    struct orr_spare **link = &memory->spares;
    struct orr_spare *spare;

    while (*link && !suits(*link, data))
        link = &(*link)->next;
    spare = *link;
    if (!spare)
        return false;
    *link = spare->next;
    *taken = *spare;
    g_free(spare);
    return true;
}

static void trace_eviction(struct orr_store *store,
                           const struct orr_replicate *copy, bool makes_room)
{
    const struct orr_trace_eviction record = {
        .date = store->engine->now - store->totals->first_submission,
        .memory_node = copy->node,
        .datum = orr_data_traced(copy->data),
        .memory = orr_platform_node_name(store->platform, copy->node),
        .makes_room = makes_room,
    };

    store->totals->calls.eviction(store->totals->trace, &record);
}

void orr_memory_notify_freed(struct orr_store *store,
                             const struct orr_replicate *copy, bool makes_room)
{
    if (G_UNLIKELY(store->victims))
        orr_victims_evicted(store, copy);
    if (store->totals->trace && store->totals->calls.eviction)
        trace_eviction(store, copy, makes_room);
}

void orr_data_drop_copies(struct orr_store *store, struct orr_data *data,
                          unsigned kept)
{
    for (unsigned node = 1; node < store->node_count; node++) {
        struct orr_replicate *copy = &data->copies[node];

        if (!copy->buffer || node == kept)
            continue;
        orr_memory_spare(&store->memories[node], copy);
        orr_replicate_buffer_changed(store, copy);
        orr_memory_notify_freed(store, copy, false);
        /* Requests that lacked memory may start. */
        if (!orr_memory_is_idle(&store->memories[node]))
            orr_store_wake(store, node);
    }
}

void orr_memory_clear_spares(struct orr_memory *memory)
{
    struct orr_spare spare;

    while (orr_memory_take_spare(memory, NULL, &spare))
        ;
}

/* Has the effect of orr_memory_remove() and orr_memory_add(), but keeps the
 * counts. Called at each access. */
void orr_memory_used(struct orr_memory *memory, struct orr_replicate *copy)
{
    struct orr_buffer *buffer = copy->buffer;

    if (!buffer)
        return;
    leave(memory, buffer);
    cut_out(buffer);
    link_before(buffer, memory->end);
    place_newest(memory, buffer);
    copy->data->passed &=
        ~(1u << memory->node); /* eviction has yet to pass it */
    orr_eviction_remove(memory, buffer);
}

void orr_memory_set_aside(struct orr_memory *memory, struct orr_replicate *copy)
{
    struct orr_buffer *buffer = copy->buffer;

    unlist(memory, buffer);
    buffer->clean = true;
    insert_before(memory, buffer, memory->first_dirty);
    buffer->place = last_place(memory, true);
    copy->data->passed |= 1u << memory->node;
    orr_eviction_moved(memory, buffer);
}

/* Whether @buffer is being evicted, or checked next, by a driver that makes
 * room. */
static bool is_in_hand(const struct orr_memory *memory,
                       const struct orr_buffer *buffer)
{
    return buffer != memory->end &&
           (is_of(&memory->evicted, buffer) || is_of(&memory->next, buffer));
}

/* Requests the write-back of one dirty buffer. Returns false if it has to be
 * tried again later. */
static bool clean(struct orr_store *store, struct orr_memory *memory,
                  struct orr_buffer *buffer)
{
    struct orr_data *data = buffer->copy->data;
    struct orr_request_spec spec = {
        .data = data,
        .node = ORR_RAM,
        .mode = ORR_R,
        .level = ORR_IDLE,
    };

    if (buffer->clean)
        return true;
    if (is_in_hand(memory, buffer->newer) ||
        orr_spinlock_is_held(&data->lock, store->engine))
        return false;
    if (data->mode == ORR_W && data->invalidated)
        return true; /* its content will be invalidated */
    if (data->mode == ORR_W && data->uses > 0)
        return false;
    buffer->clean = true;
    memory->clean_buffers++;
    if (!(data->valid & 1u << ORR_RAM))
        orr_request_submit(store, &spec);
    return true;
}

void orr_memory_tidy_up(struct orr_store *store, struct orr_memory *memory)
{
    struct orr_buffer *buffer = memory->first_dirty;
    bool skipped = false;

    while (buffer != memory->end &&
           memory->clean_buffers < memory->buffers * TARGET_CLEAN / 100) {
        struct orr_buffer *next = buffer->newer;

        if (next != memory->end)
            __builtin_prefetch(next->copy->data);
        if (!clean(store, memory, buffer))
            skipped = true;
        if (next == memory->end || !skipped)
            pass_until(memory, next);
        buffer = next;
    }
}

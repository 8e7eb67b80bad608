/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/eviction.h"

#include "runtime/engine/decision.h"
#include "runtime/run.h"

void orr_eviction_clear(struct orr_eviction_list *list)
{
    for (unsigned owner = 0; owner < 2; owner++) {
        for (unsigned expected = 0; expected < 2; expected++)
            orr_heap_clear(&list->heaps[owner][expected]);
    }
}

/* Whether a copy of @data is being written, so that all must stay. */
static bool is_written(const struct orr_data *data)
{
    return data->mode == ORR_W && (data->invalidated || data->uses > 0);
}

/* Whether @copy may be evicted for a task that waits. */
static bool is_free(const struct orr_replicate *copy)
{
    return copy->allocated && copy->uses == 0 && !is_written(copy->data);
}

bool orr_eviction_may_go(const struct orr_replicate *copy, unsigned level)
{
    return (level == ORR_FETCH || copy->expected == 0) && is_free(copy);
}

static struct orr_heap *heap_for(struct orr_memory *memory,
                                 const struct orr_replicate *copy)
{
    return &memory->evictable
                .heaps[copy->state == ORR_OWNER][copy->expected > 0];
}

static void put(struct orr_memory *memory, struct orr_buffer *buffer)
{
    buffer->candidates = heap_for(memory, buffer->copy);
    if (buffer->copy->expected == 0)
        memory->refused = NULL;
    orr_heap_push(buffer->candidates, &buffer->candidate, buffer->place, 0);
}

void orr_eviction_forget(struct orr_buffer *buffer)
{
    if (orr_heap_holds(&buffer->candidate))
        orr_heap_remove(buffer->candidates, &buffer->candidate);
}

void orr_eviction_moved(struct orr_buffer *buffer)
{
    if (orr_heap_holds(&buffer->candidate))
        orr_heap_update(buffer->candidates, &buffer->candidate, buffer->place,
                        0);
}

/* Puts @copy into its heap unless it is pinned. */
static void consider(struct orr_memory *memory, struct orr_replicate *copy)
{
    struct orr_buffer *buffer = copy->buffer;

    if (copy->uses > 0)
        return;
    if (orr_heap_holds(&buffer->candidate)) {
        if (buffer->candidates == heap_for(memory, copy))
            return;
        orr_eviction_forget(buffer);
    }
    put(memory, buffer);
}

void orr_eviction_consider(struct orr_run *run, struct orr_data *data)
{
    uint32_t nodes = data->buffers & run->full_nodes;

    if (!nodes || is_written(data))
        return;
    for (; nodes; nodes &= nodes - 1) {
        unsigned node = (unsigned)__builtin_ctz(nodes);

        consider(&run->memories[node], &data->copies[node]);
    }
}

void orr_eviction_consider_copy(struct orr_run *run, struct orr_replicate *copy)
{
    if (copy->data->mode == ORR_W)
        orr_eviction_consider(run, copy->data);
    else if (copy->data->buffers & run->full_nodes & 1u << copy->node)
        consider(&run->memories[copy->node], copy);
}

static void activate(struct orr_run *run, struct orr_memory *memory)
{
    struct orr_buffer *buffer = memory->oldest;

    memory->evictable.active = true;
    run->full_nodes |= 1u << memory->node;
    for (; buffer; buffer = buffer->newer) {
        if (is_free(buffer->copy))
            put(memory, buffer);
    }
}

static struct orr_buffer *buffer_of(struct orr_heap_item *item)
{
    return (struct orr_buffer *)((char *)item -
                                 offsetof(struct orr_buffer, candidate));
}

/* The first candidate of one heap; removes those that are so no longer. */
static struct orr_buffer *first(struct orr_memory *memory, bool owner,
                                bool expected)
{
    struct orr_heap *heap = &memory->evictable.heaps[owner][expected];

    while (heap->count > 0) {
        const struct orr_heap_entry *entry = orr_heap_first(heap);
        struct orr_buffer *buffer = buffer_of(entry->item);
        bool fits = is_free(buffer->copy);

        if (fits && heap_for(memory, buffer->copy) == heap) {
            if (entry->key == buffer->place)
                return buffer;
            orr_heap_update(heap, &buffer->candidate, buffer->place, 0);
            continue;
        }
        orr_eviction_forget(buffer);
        if (fits)
            put(memory, buffer);
    }
    return NULL;
}

static struct orr_buffer *earlier(struct orr_buffer *a, struct orr_buffer *b)
{
    if (!a || !b)
        return a ? a : b;
    return a->place < b->place ? a : b;
}

static struct orr_buffer *find(struct orr_memory *memory, bool owner,
                               unsigned level)
{
    struct orr_buffer *buffer = first(memory, owner, false);

    if (level == ORR_FETCH)
        buffer = earlier(buffer, first(memory, owner, true));
    return buffer;
}

/* The request that needs a buffer. */
struct need {
    const struct orr_engine *engine;
    uint64_t bytes; /* of the datum; 0: any buffer will do, even one that holds
                       the only valid copy */
    unsigned level;
};

/* An eviction does not wait for the lock of a datum. */
static bool is_locked(const struct orr_engine *engine,
                      const struct orr_replicate *copy)
{
    return orr_spinlock_is_held(&copy->data->lock, engine);
}

static bool serves(const struct orr_replicate *copy, const struct need *need)
{
    return (need->bytes == 0 ||
            (copy->state != ORR_OWNER && copy->data->bytes == need->bytes)) &&
           orr_eviction_may_go(copy, need->level) &&
           !is_locked(need->engine, copy);
}

/* The first buffer that serves, from @buffer on. */
static struct orr_buffer *scan(struct orr_buffer *buffer,
                               const struct need *need)
{
    while (buffer && !serves(buffer->copy, need))
        buffer = buffer->newer;
    return buffer;
}

/* A decider chooses among this many first candidates. */
enum { CHOICES = 4 };

static struct orr_buffer *choose(const struct orr_run *run,
                                 struct orr_buffer *from,
                                 const struct need *need)
{
    struct orr_buffer *buffer = scan(from, need);
    struct orr_buffer *buffers[CHOICES] = {NULL};
    unsigned count = 0;

    for (; buffer && count < CHOICES; buffer = scan(buffer->newer, need))
        buffers[count++] = buffer;
    return buffers[orr_decide(run->engine.decider, ORR_DECIDE_VICTIM, count,
                              NULL)];
}

struct orr_buffer *orr_eviction_find_clean(struct orr_run *run,
                                           struct orr_memory *memory,
                                           uint64_t bytes, unsigned level)
{
    const struct need need = {&run->engine, bytes, level};
    struct orr_buffer *buffer;

    if (!memory->evictable.active)
        activate(run, memory);
    if (run->engine.decider)
        return choose(run, memory->oldest, &need);
    buffer = find(memory, false, level);
    if (buffer && (buffer->copy->data->bytes != bytes ||
                   is_locked(need.engine, buffer->copy)))
        return scan(memory->oldest, &need);
    return buffer;
}

static struct orr_buffer *find_any(struct orr_run *run,
                                   struct orr_memory *memory, unsigned level)
{
    if (!memory->evictable.active)
        activate(run, memory);
    return earlier(find(memory, false, level), find(memory, true, level));
}

struct orr_buffer *orr_eviction_find_any(struct orr_run *run,
                                         struct orr_memory *memory,
                                         struct orr_buffer *from,
                                         unsigned level)
{
    const struct need need = {&run->engine, 0, level};
    struct orr_buffer *buffer;

    if (!from)
        from = memory->oldest;
    if (run->engine.decider)
        return choose(run, from, &need);
    buffer = find_any(run, memory, level);
    if (buffer &&
        (buffer->place < from->place || is_locked(need.engine, buffer->copy)))
        return scan(from, &need);
    return buffer;
}

bool orr_eviction_has_any(struct orr_run *run, struct orr_memory *memory,
                          unsigned level)
{
    return find_any(run, memory, level) != NULL;
}

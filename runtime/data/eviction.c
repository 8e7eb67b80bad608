/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/eviction.h"

#include "runtime/engine/decision.h"
#include "runtime/run.h"

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

static struct orr_candidates *list_for(struct orr_memory *memory,
                                       const struct orr_replicate *copy)
{
    return &memory->evictable
                .lists[copy->state == ORR_OWNER][copy->expected > 0];
}

/*
 * The candidate before the place of @buffer, or NULL. Searches from both ends:
 * a buffer enters the list either soon after its use, or after its write-back
 * as one of the oldest.
 */
static struct orr_buffer *find_older(const struct orr_candidates *list,
                                     const struct orr_buffer *buffer)
{
    struct orr_buffer *low = list->oldest, *high = list->newest;

    while (high && high->place > buffer->place) {
        if (low->place > buffer->place)
            return low->older_candidate;
        high = high->older_candidate;
        low = low->newer_candidate;
    }
    return high;
}

static void enlist(struct orr_candidates *list, struct orr_buffer *buffer)
{
    struct orr_buffer *older = find_older(list, buffer);
    struct orr_buffer *newer = older ? older->newer_candidate : list->oldest;

    buffer->candidates = list;
    buffer->older_candidate = older;
    buffer->newer_candidate = newer;
    *(older ? &older->newer_candidate : &list->oldest) = buffer;
    *(newer ? &newer->older_candidate : &list->newest) = buffer;
}

static void put(struct orr_memory *memory, struct orr_buffer *buffer)
{
    if (buffer->copy->expected == 0)
        memory->refused = NULL;
    enlist(list_for(memory, buffer->copy), buffer);
}

void orr_eviction_forget(struct orr_buffer *buffer)
{
    struct orr_candidates *list = buffer->candidates;
    struct orr_buffer *older = buffer->older_candidate;
    struct orr_buffer *newer = buffer->newer_candidate;

    if (!list)
        return;
    *(older ? &older->newer_candidate : &list->oldest) = newer;
    *(newer ? &newer->older_candidate : &list->newest) = older;
    buffer->candidates = NULL;
}

void orr_eviction_reorder(struct orr_buffer *buffer)
{
    struct orr_candidates *list = buffer->candidates;

    orr_eviction_forget(buffer);
    enlist(list, buffer);
}

/* Puts @copy into its list unless it is pinned. */
static void consider(struct orr_memory *memory, struct orr_replicate *copy)
{
    struct orr_buffer *buffer = copy->buffer;

    if (copy->uses > 0)
        return;
    if (buffer->candidates == list_for(memory, copy))
        return;
    orr_eviction_forget(buffer);
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

/* The first candidate of one list; removes those that are so no longer. */
static struct orr_buffer *first(struct orr_memory *memory, bool owner,
                                bool expected)
{
    struct orr_candidates *list = &memory->evictable.lists[owner][expected];
    struct orr_buffer *buffer;

    while ((buffer = list->oldest)) {
        bool fits = is_free(buffer->copy);

        if (fits && list_for(memory, buffer->copy) == list)
            break;
        orr_eviction_forget(buffer);
        if (fits)
            put(memory, buffer);
    }
    return buffer;
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

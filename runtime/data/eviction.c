/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Eviction candidates: lists of evictable buffers in the order of the node's
 * list (memory.c). pass() walks from orr_memory.unpassed on and lists the
 * candidates that it meets. search() takes the oldest first candidate of the
 * lists that serve; only if these have none does it pass further buffers.
 *
 * Invariant: a buffer that was passed and is evictable is in the list of its
 * kind. A buffer in a list may no longer be evictable, which first() finds out.
 */
#include "runtime/data/eviction.h"

#include "runtime/data/store.h"
#include "runtime/engine/decision.h"

/* Whether @copy, which has a buffer, may be evicted for a task that waits. */
static bool is_free(const struct orr_replicate *copy)
{
    return copy->uses == 0 && !orr_data_is_written(copy->data);
}

bool orr_eviction_may_go(const struct orr_replicate *copy, unsigned level)
{
    return (level == ORR_FETCH || copy->expected == 0) &&
           orr_replicate_is_allocated(copy) && is_free(copy);
}

/* The number of the list for @copy. */
static unsigned kind_of(const struct orr_replicate *copy)
{
    return (orr_replicate_is_owner(copy) ? 2u : 0) + (copy->expected > 0);
}

/* Masks of the lists, one bit each. all_kinds(): lists whose buffers may be
 * evicted for @level; clean_kinds(): of these, the lists of buffers that do not
 * hold the only valid copy. */
static unsigned all_kinds(unsigned level)
{
    return level == ORR_FETCH ? 15 : 5;
}

static unsigned clean_kinds(unsigned level)
{
    return level == ORR_FETCH ? 3 : 1;
}

static inline struct orr_buffer *buffer_of(struct orr_candidate *candidate)
{
    return (struct orr_buffer *)((char *)candidate -
                                 offsetof(struct orr_buffer, candidate));
}

void orr_eviction_init(struct orr_memory *memory)
{
    for (unsigned kind = 0; kind < ORR_CANDIDATE_KINDS; kind++) {
        struct orr_candidate *list = &memory->candidates[kind];

        *list = (struct orr_candidate){list, list};
    }
}

/*
 * The candidate before the place of @buffer, or @list. Searches from both ends:
 * a buffer enters the list either soon after its use, or after its write-back
 * as one of the oldest.
 */
static struct orr_candidate *find_older(const struct orr_candidate *list,
                                        const struct orr_buffer *buffer)
{
    struct orr_candidate *low = list->newer, *high = list->older;

    while (high != list && buffer_of(high)->place > buffer->place) {
        if (buffer_of(low)->place > buffer->place)
            return low->older;
        high = high->older;
        low = low->newer;
    }
    return high;
}

static void enlist(struct orr_memory *memory, struct orr_buffer *buffer,
                   unsigned kind)
{
    struct orr_candidate *older = find_older(&memory->candidates[kind], buffer);
    struct orr_candidate *newer = older->newer;

    buffer->list = (uint8_t)(kind + 1);
    buffer->candidate = (struct orr_candidate){older, newer};
    older->newer = newer->older = &buffer->candidate;
    memory->filled |= 1u << kind;
}

void orr_eviction_unlist(struct orr_memory *memory, struct orr_buffer *buffer)
{
    struct orr_candidate *older = buffer->candidate.older;
    struct orr_candidate *newer = buffer->candidate.newer;

    g_assert(buffer->list > 0);
    older->newer = newer;
    newer->older = older;
    if (older == newer) /* nothing is left but the head */
        memory->filled &= ~(1u << (buffer->list - 1u));
    buffer->list = 0;
}

void orr_eviction_moved(struct orr_memory *memory, struct orr_buffer *buffer)
{
    orr_eviction_remove(memory, buffer);
    if (buffer->place >= memory->unpassed->place)
        buffer->copy->data->passed &= ~(1u << memory->node);
    else if (is_free(buffer->copy))
        enlist(memory, buffer, kind_of(buffer->copy));
}

/* @buffer may be evicted unless it is pinned. */
static inline void consider(struct orr_store *store, struct orr_memory *memory,
                            struct orr_buffer *buffer)
{
    const struct orr_replicate *copy = buffer->copy;
    uint32_t node = 1u << memory->node;
    unsigned kind;

    if (copy->uses > 0)
        return;
    if (copy->expected == 0) {
        memory->refused = NULL;
        store->refused_nodes &= ~node;
    }
    if (!(copy->data->passed & node))
        return;
    kind = kind_of(copy);
    if (buffer->list == kind + 1)
        return;
    orr_eviction_remove(memory, buffer);
    enlist(memory, buffer, kind);
}

void orr_eviction_reconsider(struct orr_store *store, struct orr_data *data,
                             uint32_t nodes)
{
    for (; nodes; nodes &= nodes - 1) {
        unsigned node = (unsigned)__builtin_ctz(nodes);

        consider(store, &store->memories[node], data->copies[node].buffer);
    }
}

/* Passes buffers until one is a candidate of one of @kinds, and returns it; or
 * NULL. It is newer than all that were passed before. */
static struct orr_buffer *pass(struct orr_memory *memory, unsigned kinds)
{
    struct orr_buffer *buffer;

    while ((buffer = memory->unpassed) != memory->end) {
        unsigned kind;

        memory->unpassed = buffer->newer;
        buffer->copy->data->passed |= 1u << memory->node;
        if (!is_free(buffer->copy))
            continue;
        kind = kind_of(buffer->copy);
        enlist(memory, buffer, kind);
        if (kinds & 1u << kind)
            return buffer;
    }
    return NULL;
}

/* The first candidate of list @kind. Removes buffers before it that may no
 * longer be evicted. */
static struct orr_buffer *first(struct orr_memory *memory, unsigned kind)
{
    const struct orr_candidate *list = &memory->candidates[kind];

    while (list->newer != list) {
        struct orr_buffer *buffer = buffer_of(list->newer);
        bool fits = is_free(buffer->copy);

        if (fits && kind_of(buffer->copy) == kind)
            return buffer;
        orr_eviction_unlist(memory, buffer);
        if (fits)
            enlist(memory, buffer, kind_of(buffer->copy));
    }
    return NULL;
}

static struct orr_buffer *earlier(struct orr_buffer *a, struct orr_buffer *b)
{
    if (!a || !b)
        return a ? a : b;
    return a->place < b->place ? a : b;
}

/* The first candidate in the lists @kinds. */
static G_GNUC_NO_INLINE struct orr_buffer *search(struct orr_memory *memory,
                                                  unsigned kinds)
{
    struct orr_buffer *found = NULL;
    unsigned left;

    /* A list may be filled from the one before it. */
    for (unsigned done = 0; (left = memory->filled & kinds & ~done);
         done |= left & -left)
        found = earlier(found, first(memory, (unsigned)__builtin_ctz(left)));
    return found ? found : pass(memory, kinds);
}

/* As search(). Often there is nothing. */
static inline struct orr_buffer *find(struct orr_memory *memory, unsigned kinds)
{
    return memory->filled & kinds || memory->unpassed != memory->end
               ? search(memory, kinds)
               : NULL;
}

/* The request that needs a buffer. */
struct need {
    const struct orr_engine *engine;
    /* the datum that needs a buffer; NULL: any buffer will do, even one that
     * holds the only valid copy */
    const struct orr_data *data;
    unsigned level;
};

/* An eviction does not wait for the lock of a datum. */
static bool is_locked(const struct orr_engine *engine,
                      const struct orr_replicate *copy)
{
    return orr_spinlock_is_held(&copy->data->lock, engine);
}

/* Whether a buffer of @a can be reused for @b: the bytes of both in a GPU are
 * equal, and so are their bytes in RAM (StarPU, matrix_interface.c,
 * alloc_footprint_matrix_interface_crc32() and
 * alloc_compare_matrix_interface()). */
static bool is_alike(const struct orr_data *a, const struct orr_data *b)
{
    return a->bytes == b->bytes && a->span_bytes == b->span_bytes;
}

bool orr_eviction_fits(const struct orr_replicate *copy,
                       const struct orr_data *data)
{
    return !orr_replicate_is_owner(copy) && is_alike(copy->data, data);
}

static bool serves(const struct orr_replicate *copy, const struct need *need)
{
    return (!need->data || orr_eviction_fits(copy, need->data)) &&
           orr_eviction_may_go(copy, need->level) &&
           !is_locked(need->engine, copy);
}

/* The first buffer that serves, from @buffer on, which may be NULL. */
static struct orr_buffer *scan(const struct orr_memory *memory,
                               struct orr_buffer *buffer,
                               const struct need *need)
{
    while (buffer && !serves(buffer->copy, need))
        buffer = orr_memory_newer(memory, buffer);
    return buffer;
}

/* A decider chooses among this many first candidates. */
enum { CHOICES = 4 };

static struct orr_buffer *choose(const struct orr_store *store,
                                 const struct orr_memory *memory,
                                 struct orr_buffer *from,
                                 const struct need *need)
{
    struct orr_buffer *buffer = scan(memory, from, need);
    struct orr_buffer *buffers[CHOICES] = {NULL};
    unsigned count = 0;

    while (buffer && count < CHOICES) {
        buffers[count++] = buffer;
        buffer = scan(memory, orr_memory_newer(memory, buffer), need);
    }
    return buffers[orr_decide(store->engine->decider, ORR_DECIDE_VICTIM, count,
                              NULL)];
}

struct orr_buffer *orr_eviction_find_clean(struct orr_store *store,
                                           struct orr_memory *memory,
                                           const struct orr_data *data,
                                           unsigned level)
{
    const struct need need = {store->engine, data, level};
    struct orr_buffer *buffer;

    if (store->engine->decider)
        return choose(store, memory, orr_memory_oldest(memory), &need);
    buffer = find(memory, clean_kinds(level));
    if (buffer && (!is_alike(buffer->copy->data, data) ||
                   is_locked(need.engine, buffer->copy)))
        return scan(memory, orr_memory_oldest(memory), &need);
    return buffer;
}

struct orr_buffer *orr_eviction_find_any(struct orr_store *store,
                                         struct orr_memory *memory,
                                         struct orr_buffer *from,
                                         unsigned level)
{
    const struct need need = {store->engine, NULL, level};
    struct orr_buffer *buffer;

    if (!from)
        from = orr_memory_oldest(memory);
    if (store->engine->decider)
        return choose(store, memory, from, &need);
    buffer = find(memory, all_kinds(level));
    if (buffer &&
        (buffer->place < from->place || is_locked(need.engine, buffer->copy)))
        return scan(memory, from, &need);
    return buffer;
}

bool orr_eviction_has_any(struct orr_memory *memory, unsigned level)
{
    return find(memory, all_kinds(level)) != NULL;
}

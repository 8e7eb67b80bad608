/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EVICTION_H
#define ORR_EVICTION_H

#include "runtime/data/data.h"

/*
 * The buffers of a GPU that may be evicted, the least recently used first.
 *
 * The reference walks its list of buffers each time. Here a walk continues
 * where the last walk ended (orr_memory.unpassed). Each buffer that it passes
 * and that may be evicted, a candidate, enters one of four lists, in the same
 * order. The lists separate buffers that hold the only valid copy of their
 * datum, and buffers that were prefetched for tasks to come. A passed buffer
 * enters its list when it becomes evictable; a buffer that may no longer be
 * evicted leaves it when it is found first. A buffer that is used moves behind
 * the walk, to the end, and needs no list.
 */
struct orr_memory;

enum { ORR_CANDIDATE_KINDS = 4 };

/* Whether a copy of @data is being written, so that all must stay. */
static inline bool orr_data_is_written(const struct orr_data *data)
{
    return data->mode == ORR_W && (data->invalidated || data->uses > 0);
}

/* Private to orr_eviction_consider() of store.h: some copies of @data on @nodes
 * (one bit each) have become evictable, or no longer hold the only valid copy.
 * All other changes are found when a buffer is sought. */
void orr_eviction_reconsider(struct orr_store *store, struct orr_data *data,
                             uint32_t nodes);

/* @buffer, which was passed, has moved to another place in the list of @memory.
 */
void orr_eviction_moved(struct orr_memory *memory, struct orr_buffer *buffer);

/* Empties the lists of @memory. */
void orr_eviction_init(struct orr_memory *memory);

/* Private to orr_eviction_remove(). */
void orr_eviction_unlist(struct orr_memory *memory, struct orr_buffer *buffer);

/* @buffer is no candidate until it is considered or passed again. */
static inline void orr_eviction_remove(struct orr_memory *memory,
                                       struct orr_buffer *buffer)
{
    if (buffer->list)
        orr_eviction_unlist(memory, buffer);
}

/*
 * Whether the buffer of @copy may be evicted for a request of @level (enum
 * orr_level): it is not pinned, its datum is not being written, and, unless a
 * task waits (ORR_FETCH), it was not prefetched for a task to come (StarPU,
 * starpu_data_can_evict()). The functions below also skip locked data.
 */
bool orr_eviction_may_go(const struct orr_replicate *copy, unsigned level);

/*
 * The first buffer that @data can reuse at once, or NULL. Such a buffer does
 * not hold the only valid copy of its datum. The datum has the size of @data,
 * in a GPU and in RAM.
 */
struct orr_buffer *orr_eviction_find_clean(struct orr_store *store,
                                           struct orr_memory *memory,
                                           const struct orr_data *data,
                                           unsigned level);

/* Whether @data can reuse the buffer of @copy at once: it does not hold the
 * only valid copy, and is of the same size, in a GPU and in RAM. */
bool orr_eviction_fits(const struct orr_replicate *copy,
                       const struct orr_data *data);

/* The first evictable buffer, from @from or, if NULL, the oldest on; it may
 * have to be written back. NULL if there is none. */
struct orr_buffer *orr_eviction_find_any(struct orr_store *store,
                                         struct orr_memory *memory,
                                         struct orr_buffer *from,
                                         unsigned level);

/* Whether there is one, locked or not. */
bool orr_eviction_has_any(struct orr_memory *memory, unsigned level);

#endif

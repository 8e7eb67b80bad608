/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EVICTION_H
#define ORR_EVICTION_H

#include "runtime/data/data.h"

/*
 * The buffers of a GPU that may be evicted, the least recently used first.
 *
 * The reference walks its list of buffers each time. Here candidates are in
 * lists of their own, in the same order; there is one for each combination of:
 * the buffer holds the only valid copy or not; it was prefetched for tasks to
 * come or not. A buffer enters its list when it becomes evictable; one that may
 * no longer be evicted is removed when it is found first. The lists are empty
 * until the memory has been full once.
 */
struct orr_memory;

/* Zero-initialised is empty. */
struct orr_candidates {
    struct orr_buffer *oldest, *newest;
};

struct orr_eviction_list {
    bool active;                       /* memory has been full once */
    struct orr_candidates lists[2][2]; /* [is owner][is expected] */
};

/* Copies of @data may have become evictable. */
void orr_eviction_consider(struct orr_run *run, struct orr_data *data);

/* @copy is no longer pinned; that concerns other copies only after a write. */
void orr_eviction_consider_copy(struct orr_run *run,
                                struct orr_replicate *copy);

/* Private: puts @buffer, whose place has changed, in order. */
void orr_eviction_reorder(struct orr_buffer *buffer);

/* @buffer has moved to another place in the list of its memory. */
static inline void orr_eviction_moved(struct orr_buffer *buffer)
{
    if (buffer->candidates)
        orr_eviction_reorder(buffer);
}

/* @buffer is about to be freed. */
void orr_eviction_forget(struct orr_buffer *buffer);

/*
 * Whether the buffer of @copy may be evicted for a request of @level (enum
 * orr_level): it is not pinned, its datum is not being written, and, unless a
 * task waits (ORR_FETCH), it was not prefetched for a task to come (StarPU,
 * starpu_data_can_evict()). The functions below also skip locked data.
 */
bool orr_eviction_may_go(const struct orr_replicate *copy, unsigned level);

/* The first buffer of @bytes that another datum can reuse at once, since it
 * does not hold the only valid copy; or NULL. */
struct orr_buffer *orr_eviction_find_clean(struct orr_run *run,
                                           struct orr_memory *memory,
                                           uint64_t bytes, unsigned level);

/* The first evictable buffer, from @from or, if NULL, the oldest on; it may
 * have to be written back. NULL if there is none. */
struct orr_buffer *orr_eviction_find_any(struct orr_run *run,
                                         struct orr_memory *memory,
                                         struct orr_buffer *from,
                                         unsigned level);

/* Whether there is one, locked or not. */
bool orr_eviction_has_any(struct orr_run *run, struct orr_memory *memory,
                          unsigned level);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EVICTION_H
#define ORR_EVICTION_H

#include "runtime/data/data.h"

/*
 * Which buffers of a GPU may go to make room, in the order in which they
 * should: the least recently used first.
 *
 * The reference walks its list of buffers each time. Here candidates are in
 * heaps by place in that list, one heap for each kind: whether the buffer
 * holds the only valid copy, and whether tasks are expected that it was
 * prefetched for. A buffer is put into its heap when something makes it
 * evictable; when something makes it unfit, that is noticed when it comes up.
 * Until memory is first full nobody asks, and nothing is kept.
 */
struct orr_memory;

struct orr_eviction_list {
    bool active;                 /* memory has been full once */
    struct orr_heap heaps[2][2]; /* [is owner][is expected] */
};

void orr_eviction_clear(struct orr_eviction_list *list);

/* Something changed in favour of evicting copies of @data. */
void orr_eviction_consider(struct orr_run *run, struct orr_data *data);

/* The same, where it is @copy that nobody uses any more: while nobody writes,
 * that is nothing to the others. */
void orr_eviction_consider_copy(struct orr_run *run,
                                struct orr_replicate *copy);

/* @buffer, a candidate perhaps, has another place in the list. */
void orr_eviction_moved(struct orr_buffer *buffer);

/* @buffer is about to go. */
void orr_eviction_forget(struct orr_buffer *buffer);

/*
 * Whether the buffer of @copy may go, for a need at @level (enum orr_level):
 * nobody uses it, nobody writes the datum anywhere, and, unless a task waits,
 * no task is expected that it was prefetched for (StarPU,
 * starpu_data_can_evict()). The two below also leave alone what is locked.
 */
bool orr_eviction_may_go(const struct orr_replicate *copy, unsigned level);

/*
 * The first buffer that can be handed over at once to another datum of
 * @bytes: its content is not the only valid copy. NULL if there is none.
 */
struct orr_buffer *orr_eviction_find_clean(struct orr_run *run,
                                           struct orr_memory *memory,
                                           uint64_t bytes, unsigned level);

/*
 * The first buffer, of those from @from on, that may go at all,
 * written back first if need be. @from is NULL for all.
 */
struct orr_buffer *orr_eviction_find_any(struct orr_run *run,
                                         struct orr_memory *memory,
                                         struct orr_buffer *from,
                                         unsigned level);

/* Whether there is one, though it may be locked at this date. */
bool orr_eviction_has_any(struct orr_run *run, struct orr_memory *memory,
                          unsigned level);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MEMORY_H
#define ORR_MEMORY_H

#include "runtime/data/eviction.h"
#include "runtime/data/queues.h"
#include "runtime/engine/actor.h"

/*
 * A memory node: the buffers that it holds, in the order in which they should
 * go, and the requests that its driver handles.
 *
 * Buffers of a GPU are kept from the least to the most recently used. Those
 * that nobody will use for a while (orr_data_wont_use()) are put before the
 * first dirty one. Clean buffers have a valid copy in RAM, or will soon: when
 * they become rare, dirty ones are written back in the background (StarPU,
 * memalloc.c). RAM is unlimited and keeps no such list.
 */
/* Where a buffer was in the list. */
struct orr_place {
    struct orr_replicate *copy; /* or NULL */
    int64_t place;
};

struct orr_memory {
    unsigned node;
    bool peer;                 /* copies directly from other GPUs */
    struct orr_suballoc *pool; /* NULL for RAM */
    struct orr_pool buffer_pool;
    struct orr_buffer *oldest, *newest;
    struct orr_buffer *first_dirty; /* where cleaning is to go on */
    unsigned buffers;
    unsigned clean_buffers;
    int64_t front_places, back_places; /* given so far */
    struct orr_eviction_list evictable;
    bool reclaiming;             /* somebody is making room: */
    struct orr_place evicted;    /* it evicts this buffer, */
    struct orr_place next;       /* and will look at this one then */
    struct orr_request *refused; /* the last prefetch that found no room, as
                                    long as it would find none again */
    struct orr_queues queues;
};

/* Lists the buffer at @block that @copy just got, as clean and most recently
 * used. */
void orr_memory_add(struct orr_memory *memory, struct orr_replicate *copy,
                    struct orr_block block);

/* Forgets the buffer of @copy. Returns where it was. */
struct orr_block orr_memory_remove(struct orr_memory *memory,
                                   struct orr_replicate *copy);

/* The buffer of @copy was used, or is about to be. */
void orr_memory_used(struct orr_memory *memory, struct orr_replicate *copy);

/* The content of @copy was written, and RAM has no valid copy. */
void orr_memory_dirtied(struct orr_memory *memory, struct orr_replicate *copy);

/* Nobody will use @copy for a while, and its write-back is on its way. */
void orr_memory_set_aside(struct orr_memory *memory,
                          struct orr_replicate *copy);

/* The place of @buffer, or of none. */
static inline struct orr_place orr_memory_place(const struct orr_buffer *buffer)
{
    return buffer ? (struct orr_place){buffer->copy, buffer->place}
                  : (struct orr_place){NULL, 0};
}

/* Whether the buffer that was at @place is there still. */
bool orr_memory_is_at(const struct orr_memory *memory,
                      const struct orr_place *place);

/* Below this share of clean buffers, dirty ones are written back (StarPU,
 * STARPU_MINIMUM_CLEAN_BUFFERS), percent. */
#define ORR_MINIMUM_CLEAN 5

/* Whether the following would do nothing. */
static inline bool orr_memory_is_tidy(const struct orr_memory *memory)
{
    return !memory->first_dirty ||
           memory->clean_buffers >= memory->buffers * ORR_MINIMUM_CLEAN / 100;
}

/* Private. */
void orr_memory_tidy_up(struct orr_run *run, struct orr_memory *memory);

/* Asks for write-backs if clean buffers have become rare. */
static inline void orr_memory_tidy(struct orr_run *run,
                                   struct orr_memory *memory)
{
    if (!orr_memory_is_tidy(memory))
        orr_memory_tidy_up(run, memory);
}

/*
 * A procedure's frame: gives @copy a buffer. Takes time when the driver must
 * allocate, and more when buffers must first be written back. Writes whether
 * it succeeded into @done, which outlives the frame.
 */
void orr_memory_allocate(struct orr_actor *actor, struct orr_worker *worker,
                         struct orr_replicate *copy, enum orr_level level,
                         bool *done);

#endif

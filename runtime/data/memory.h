/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MEMORY_H
#define ORR_MEMORY_H

#include "runtime/data/eviction.h"
#include "runtime/data/queues.h"
#include "runtime/engine/actor.h"

/*
 * A memory node: its buffers, in order of eviction, and the requests that its
 * driver handles.
 *
 * Buffers of a GPU are listed from the least to the most recently used. Buffers
 * that will not be used for a while (orr_data_wont_use()) come before the first
 * dirty buffer. Clean buffers have a valid copy in RAM, or will soon: when they
 * become rare, dirty ones are written back in the background (StarPU,
 * memalloc.c). RAM is unlimited and lists no buffers.
 */
struct orr_worker;

/* Where a buffer was in the list. */
struct orr_place {
    struct orr_replicate *copy; /* or NULL */
    int64_t place;
};

struct orr_spare;

struct orr_memory {
    unsigned node;
    struct orr_actor *driver;  /* NULL for RAM, which all workers drive */
    struct orr_suballoc *pool; /* NULL for RAM */
    struct orr_pool buffer_pool;
    struct orr_buffer *end; /* closes the list of buffers to a ring: its newer
                               is the oldest, and its place after all others */
    /* buffer at which cleaning continues; or @end */
    struct orr_buffer *first_dirty;
    unsigned buffers;
    /* rare below @least_clean_buffers: ORR_MINIMUM_CLEAN */
    unsigned clean_buffers;
    unsigned least_clean_buffers;
    int64_t front_places, back_places; /* numbers of places used so far */
    struct orr_buffer *unpassed; /* the first that eviction has not passed; or
                                    @end */
    unsigned filled;             /* lists with candidates, one bit each */
    struct orr_candidate candidates[ORR_CANDIDATE_KINDS]; /* eviction.c */
    /* the buffer that a driver is evicting to make room */
    struct orr_place evicted;
    struct orr_place next; /* the buffer that the evicting driver checks next */
    struct orr_request *refused; /* the last prefetch that found no room;
                                    NULL once it might find some */
    uint64_t full_bytes; /* a buffer of this size was tried in vain, and none
                            has been freed since; 0: unknown */
    struct orr_spare *spares; /* newest first */
    struct orr_queues queues;
};

/* Prepares the lists of @memory, which is zeroed. */
void orr_memory_init(struct orr_memory *memory);

/* The bytes that the runtime uses of a card with @card_bytes: 90 % of its whole
 * MiB (StarPU, driver_cuda.c). */
uint64_t orr_memory_usable(uint64_t card_bytes);

/* The least recently used buffer; the next more recently used buffer after
 * @buffer. NULL if there is none. */
static inline struct orr_buffer *
orr_memory_oldest(const struct orr_memory *memory)
{
    return memory->end->newer != memory->end ? memory->end->newer : NULL;
}

static inline struct orr_buffer *
orr_memory_newer(const struct orr_memory *memory,
                 const struct orr_buffer *buffer)
{
    return buffer->newer != memory->end ? buffer->newer : NULL;
}

/* Gives @copy the buffer at @block: clean, and most recently used. */
void orr_memory_add(struct orr_memory *memory, struct orr_replicate *copy,
                    struct orr_block block);

/* Removes the buffer of @copy. Returns its block. */
struct orr_block orr_memory_remove(struct orr_memory *memory,
                                   struct orr_replicate *copy);

/*
 * Buffers of data that were unregistered: they stay allocated, and the next
 * data of the same size get them at no cost (StarPU, the cache of memalloc.c).
 * They are freed before anything is evicted.
 */
struct orr_spare {
    struct orr_spare *next;
    uint64_t bytes, span_bytes; /* as of struct orr_data */
    struct orr_block block;
};

/* Keeps the buffer of @data at @block, which they have lost, as a spare. */
void orr_memory_add_spare(struct orr_memory *memory,
                          const struct orr_data *data, struct orr_block block);

/* The datum of @copy is unregistered, or has lost its content: removes its
 * buffer, and keeps it as a spare. */
void orr_memory_spare(struct orr_memory *memory, struct orr_replicate *copy);

/* Removes the newest spare buffer that suits @data, or the newest of all if
 * @data is NULL, and sets *@taken to it. Returns false if there is none. */
bool orr_memory_take_spare(struct orr_memory *memory,
                           const struct orr_data *data,
                           struct orr_spare *taken);

/* Notifies the eviction policy and the trace that @copy has lost its buffer, to
 * make room for another one or not. */
void orr_memory_notify_freed(struct orr_store *store,
                             const struct orr_replicate *copy, bool makes_room);

/* Drops the copies of @data on all GPUs but @kept. Each memory keeps the buffer
 * as a spare. */
void orr_data_drop_copies(struct orr_store *store, struct orr_data *data,
                          unsigned kept);

/* Frees the list. */
void orr_memory_clear_spares(struct orr_memory *memory);

/* Makes the buffer of @copy the most recently used. */
void orr_memory_used(struct orr_memory *memory, struct orr_replicate *copy);

/* @buffer has no content that RAM lacks. */
static inline void orr_memory_cleaned(struct orr_memory *memory,
                                      struct orr_buffer *buffer)
{
    memory->clean_buffers += !buffer->clean;
    buffer->clean = true;
}

/* @buffer was written: RAM has no valid copy. */
static inline void orr_memory_dirtied(struct orr_memory *memory,
                                      struct orr_buffer *buffer)
{
    memory->clean_buffers -= buffer->clean;
    buffer->clean = false;
}

/* @copy will not be used for a while; its write-back has been requested. */
void orr_memory_set_aside(struct orr_memory *memory,
                          struct orr_replicate *copy);

/* The place of @buffer, which may be NULL. */
static inline struct orr_place orr_memory_place(const struct orr_buffer *buffer)
{
    return buffer ? (struct orr_place){buffer->copy, buffer->place}
                  : (struct orr_place){NULL, 0};
}

/* Whether the buffer that was at @place is still there. */
bool orr_memory_is_at(const struct orr_memory *memory,
                      const struct orr_place *place);

/* Below this percentage of clean buffers, dirty ones are written back
 * (STARPU_MINIMUM_CLEAN_BUFFERS). */
#define ORR_MINIMUM_CLEAN 5

/* Whether clean buffers are not rare. */
static inline bool orr_memory_is_tidy(const struct orr_memory *memory)
{
    return memory->first_dirty == memory->end ||
           memory->clean_buffers >= memory->least_clean_buffers;
}

/* Whether a node has obviously nothing to do: no copy has ended, and no request
 * may start. */
static inline bool orr_memory_is_idle(const struct orr_memory *memory)
{
    return orr_queues_are_idle(&memory->queues) && orr_memory_is_tidy(memory);
}

/* Private to orr_memory_tidy(). */
void orr_memory_tidy_up(struct orr_store *store, struct orr_memory *memory);

/* Requests write-backs if clean buffers have become rare. */
static inline void orr_memory_tidy(struct orr_store *store,
                                   struct orr_memory *memory)
{
    if (!orr_memory_is_tidy(memory))
        orr_memory_tidy_up(store, memory);
}

#endif

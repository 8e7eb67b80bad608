/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SUCCESSORS_H
#define ORR_SUCCESSORS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/engine/pool.h"

/*
 * The jobs that wait for another to end, first come, first served. They are
 * given by their places in the arena of the graph (pool.h).
 *
 * Of a million jobs most have one successor, some have hundreds. A single
 * successor takes no memory of its own; several are in batches of one cache
 * line each, so that the jobs of a batch can be loaded ahead together. The
 * batches are in the same arena.
 */
#define ORR_BATCH_JOBS 13

/* Private. */
struct orr_batch {
    /* place of the next batch; the last batch refers to the first */
    _Alignas(ORR_CACHE_LINE) uint32_t next;
    uint16_t taken, count; /* numbers of jobs taken out and put in */
    uint32_t place;
    uint32_t jobs[ORR_BATCH_JOBS];
};

/* Zero-initialised is none. */
struct orr_successors {
    uint32_t bits; /* the only one, or ORR_IN_BATCHES and the last batch */
};

#define ORR_IN_BATCHES ((uint32_t)1 << 31)

/* Prepares @batches, the pool for all successors of a graph. */
void orr_successors_pool_init(struct orr_pool *batches,
                              struct orr_arena *arena);

/* Iterates: returns where the one after @at is, the first if @at is NULL, or
 * NULL after the last. The successors must not change meanwhile. */
const uint32_t *orr_successors_next(const struct orr_successors *some,
                                    const struct orr_pool *batches,
                                    const uint32_t *at);

/* Whether @job is one of the successors. */
bool orr_successors_has(const struct orr_successors *some,
                        const struct orr_pool *batches, uint32_t job);

static inline struct orr_batch *
orr_successors_last_batch(const struct orr_successors *successors,
                          const struct orr_pool *batches)
{
    return successors->bits & ORR_IN_BATCHES
               ? orr_arena_at(batches->arena,
                              successors->bits & ~ORR_IN_BATCHES)
               : NULL;
}

/* Private: the parts of the two below that are rare: a batch is added, or
 * freed.
 */
void orr_successors_grow(struct orr_successors *successors,
                         struct orr_pool *batches, uint32_t job);
void orr_successors_drop_first(struct orr_successors *successors,
                               struct orr_pool *batches);

static inline void orr_successors_add(struct orr_successors *successors,
                                      struct orr_pool *batches, uint32_t job)
{
    struct orr_batch *last = orr_successors_last_batch(successors, batches);

    if (!successors->bits)
        successors->bits = job;
    else if (last && last->count < ORR_BATCH_JOBS)
        last->jobs[last->count++] = job;
    else
        orr_successors_grow(successors, batches, job);
}

/* Private: loads the jobs of @batch, which will soon be taken, into the cache.
 */
static inline void orr_batch_prefetch_cache(const struct orr_batch *batch,
                                            const struct orr_pool *batches)
{
    for (unsigned i = batch->taken; i < batch->count; i++)
        __builtin_prefetch(orr_arena_at(batches->arena, batch->jobs[i]), 1);
}

/* Removes and returns the first; 0 if there is none. */
static inline uint32_t orr_successors_take(struct orr_successors *successors,
                                           struct orr_pool *batches)
{
    struct orr_batch *last = orr_successors_last_batch(successors, batches);
    struct orr_batch *first;
    uint32_t job;

    if (!last) {
        job = successors->bits;
        successors->bits = 0;
        return job;
    }
    first = orr_arena_at(batches->arena, last->next);
    job = first->jobs[first->taken++];
    if (first->taken == first->count)
        orr_successors_drop_first(successors, batches);
    return job;
}

/* Loads the first successors, which will soon be taken, into the cache: one
 * @step, 0 to 2, with each of three calls. */
static inline void
orr_successors_prefetch_cache(const struct orr_successors *successors,
                              const struct orr_pool *batches, unsigned step)
{
    const struct orr_batch *last =
        orr_successors_last_batch(successors, batches);
    const struct orr_batch *first;

    if (!last) {
        __builtin_prefetch(orr_arena_at(batches->arena, successors->bits), 1);
        return;
    }
    if (step == 0) {
        __builtin_prefetch(last);
        return;
    }
    first = orr_arena_at(batches->arena, last->next);
    if (step == 1)
        __builtin_prefetch(first);
    else
        orr_batch_prefetch_cache(first, batches);
}

#endif

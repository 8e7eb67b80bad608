/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SUCCESSORS_H
#define ORR_SUCCESSORS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/engine/pool.h"

/*
 * The jobs that wait for another to end, first come, first served.
 *
 * Of a million jobs most have one successor, others hundreds. A single one
 * takes no memory of its own; more are in batches of one cache line each, so
 * that the next can be loaded ahead.
 */
struct orr_job;

#define ORR_BATCH_JOBS 6

/* Private. */
struct orr_batch {
    _Alignas(ORR_CACHE_LINE) struct orr_batch *next; /* of the last: the first
                                                      */
    uint32_t taken, count;                           /* of the jobs */
    struct orr_job *jobs[ORR_BATCH_JOBS];
};

/* Zero-initialised is none. */
struct orr_successors {
    union {
        struct orr_job *only; /* or NULL */
        uintptr_t bits;       /* the last batch, plus one */
    };
};

/* Prepares @batches, the pool for all successors of a graph. */
void orr_successors_pool_init(struct orr_pool *batches);

/* Iterates: returns the place after @place, the first if @place is NULL, or
 * NULL after the last. The successors must not change meanwhile. */
struct orr_job *const *orr_successors_next(const struct orr_successors *some,
                                           struct orr_job *const *place);

/* Whether @job is among them. */
bool orr_successors_has(const struct orr_successors *some,
                        const struct orr_job *job);

static inline struct orr_batch *
orr_successors_last_batch(const struct orr_successors *successors)
{
    return successors->bits & 1 ? (struct orr_batch *)(successors->bits - 1)
                                : NULL;
}

/* Private: the parts of the two below that are rare: a batch is added, or
 * freed.
 */
void orr_successors_grow(struct orr_successors *successors,
                         struct orr_pool *batches, struct orr_job *job);
void orr_successors_drop_first(struct orr_successors *successors,
                               struct orr_pool *batches);

static inline void orr_successors_add(struct orr_successors *successors,
                                      struct orr_pool *batches,
                                      struct orr_job *job)
{
    struct orr_batch *last = orr_successors_last_batch(successors);

    if (!successors->only)
        successors->only = job;
    else if (last && last->count < ORR_BATCH_JOBS)
        last->jobs[last->count++] = job;
    else
        orr_successors_grow(successors, batches, job);
}

/* Removes and returns the first; NULL if there is none. */
static inline struct orr_job *
orr_successors_take(struct orr_successors *successors, struct orr_pool *batches)
{
    struct orr_batch *last = orr_successors_last_batch(successors);
    struct orr_batch *first;
    struct orr_job *job;

    if (!last) {
        job = successors->only;
        successors->only = NULL;
        return job;
    }
    first = last->next;
    job = first->jobs[first->taken++];
    if (first->taken < first->count)
        __builtin_prefetch(first->jobs[first->taken], 1);
    else
        orr_successors_drop_first(successors, batches);
    return job;
}

/* Loads the first successor, which will soon be taken, into the cache: one
 * @step, 0 to 2, with each of three calls. */
static inline void
orr_successors_prefetch_cache(const struct orr_successors *successors,
                              unsigned step)
{
    const struct orr_batch *last = orr_successors_last_batch(successors);

    if (!last) {
        __builtin_prefetch(successors->only, 1);
        return;
    }
    if (step == 0) {
        __builtin_prefetch(last);
        return;
    }
    __builtin_prefetch(last->next);
    if (step > 1)
        __builtin_prefetch(last->next->jobs[0], 1);
}

#endif

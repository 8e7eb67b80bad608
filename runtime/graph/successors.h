/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SUCCESSORS_H
#define ORR_SUCCESSORS_H

#include <stdint.h>

#include "runtime/engine/pool.h"

/*
 * The jobs that wait for another to end, the first to come first.
 *
 * There is a million jobs, and most have one successor, others hundreds. A
 * single one takes no memory of its own; more are in batches of one cache line
 * each, so that who comes next can be fetched ahead.
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

/* Gets @batches ready for all successors of a graph. */
void orr_successors_pool_init(struct orr_pool *batches);

void orr_successors_add(struct orr_successors *successors,
                        struct orr_pool *batches, struct orr_job *job);

/* Takes the first away; NULL if there is none. */
struct orr_job *orr_successors_take(struct orr_successors *successors,
                                    struct orr_pool *batches);

/*
 * The successors one by one: where the one after *@place is, or the first if
 * @place is NULL; NULL after the last. None may come or go meanwhile.
 */
struct orr_job *const *orr_successors_next(const struct orr_successors *some,
                                           struct orr_job *const *place);

static inline struct orr_batch *
orr_successors_last_batch(const struct orr_successors *successors)
{
    return successors->bits & 1 ? (struct orr_batch *)(successors->bits - 1)
                                : NULL;
}

/*
 * The successors are about to be taken: has the first of them brought into
 * the cache, one step with each of three calls, from 0 on.
 */
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/graph/successors.h"

void orr_successors_pool_init(struct orr_pool *batches, struct orr_arena *arena)
{
    orr_pool_init_in(batches, sizeof(struct orr_batch), arena);
}

/* Adds a batch behind @last, which may be NULL. */
static struct orr_batch *add_batch(struct orr_successors *successors,
                                   struct orr_pool *batches,
                                   struct orr_batch *last)
{
    bool was_freed = batches->free;
    struct orr_batch *batch =
        orr_pool_take_some(batches, offsetof(struct orr_batch, place));

    if (!was_freed)
        batch->place = orr_pool_last_place(batches);
    batch->next = last ? last->next : batch->place;
    if (last)
        last->next = batch->place;
    successors->bits = ORR_IN_BATCHES | batch->place;
    return batch;
}

void orr_successors_grow(struct orr_successors *successors,
                         struct orr_pool *batches, uint32_t job)
{
    struct orr_batch *last = orr_successors_last_batch(successors, batches);
    uint32_t only = successors->bits;

    if (last) {
        last = add_batch(successors, batches, last);
    } else {
        last = add_batch(successors, batches, NULL);
        last->jobs[last->count++] = only;
    }
    last->jobs[last->count++] = job;
}

void orr_successors_drop_first(struct orr_successors *successors,
                               struct orr_pool *batches)
{
    struct orr_batch *last = orr_successors_last_batch(successors, batches);
    struct orr_batch *first = orr_arena_at(batches->arena, last->next);

    if (first == last) {
        successors->bits = 0;
    } else {
        const struct orr_batch *second =
            orr_arena_at(batches->arena, first->next);

        last->next = first->next;
        orr_batch_prefetch_cache(second, batches);
        __builtin_prefetch(orr_arena_at(batches->arena, second->next));
    }
    orr_pool_give(batches, first);
}

const uint32_t *orr_successors_next(const struct orr_successors *some,
                                    const struct orr_pool *batches,
                                    const uint32_t *at)
{
    const struct orr_batch *last = orr_successors_last_batch(some, batches);
    const struct orr_batch *batch;

    if (!last)
        return at || !some->bits ? NULL : &some->bits;
    if (!at) {
        batch = orr_arena_at(batches->arena, last->next);
        return &batch->jobs[batch->taken];
    }
    /* Batches begin with a cache line. */
    batch = (const struct orr_batch *)((uintptr_t)at &
                                       ~(uintptr_t)(ORR_CACHE_LINE - 1));
    if (++at < batch->jobs + batch->count)
        return at;
    if (batch == last)
        return NULL;
    batch = orr_arena_at(batches->arena, batch->next);
    return batch->jobs;
}

bool orr_successors_has(const struct orr_successors *some,
                        const struct orr_pool *batches, uint32_t job)
{
    const uint32_t *at = NULL;

    do {
        at = orr_successors_next(some, batches, at);
    } while (at && *at != job);
    return at;
}

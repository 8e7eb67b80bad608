/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/graph/successors.h"

void orr_successors_pool_init(struct orr_pool *batches)
{
    orr_pool_init(batches, sizeof(struct orr_batch));
}

/* Adds a batch behind @last, which may be NULL. */
static struct orr_batch *add_batch(struct orr_successors *successors,
                                   struct orr_pool *batches,
                                   struct orr_batch *last)
{
    struct orr_batch *batch =
        orr_pool_take_some(batches, offsetof(struct orr_batch, jobs));

    batch->next = last ? last->next : batch;
    if (last)
        last->next = batch;
    successors->bits = (uintptr_t)batch + 1;
    return batch;
}

void orr_successors_grow(struct orr_successors *successors,
                         struct orr_pool *batches, struct orr_job *job)
{
    struct orr_batch *last = orr_successors_last_batch(successors);
    struct orr_job *only = successors->only;

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
    struct orr_batch *last = orr_successors_last_batch(successors);
    struct orr_batch *first = last->next;

    if (first == last) {
        successors->only = NULL;
    } else {
        last->next = first->next;
        __builtin_prefetch(first->next->next);
    }
    orr_pool_give(batches, first);
}

struct orr_job *const *orr_successors_next(const struct orr_successors *some,
                                           struct orr_job *const *place)
{
    const struct orr_batch *last = orr_successors_last_batch(some);
    const struct orr_batch *batch;

    if (!last)
        return place || !some->only ? NULL : &some->only;
    if (!place)
        return &last->next->jobs[last->next->taken];
    /* Batches begin with a cache line. */
    batch = (const struct orr_batch *)((uintptr_t)place &
                                       ~(uintptr_t)(ORR_CACHE_LINE - 1));
    if (++place < batch->jobs + batch->count)
        return place;
    return batch == last ? NULL : batch->next->jobs;
}

bool orr_successors_has(const struct orr_successors *some,
                        const struct orr_job *job)
{
    struct orr_job *const *place = NULL;

    do {
        place = orr_successors_next(some, place);
    } while (place && *place != job);
    return place;
}

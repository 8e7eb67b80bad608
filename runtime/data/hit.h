/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HIT_H
#define ORR_HIT_H

#include "runtime/data/memory.h"
#include "runtime/data/request.h"

/*
 * A hit: an access that a task prefetches or fetches, and that needs no
 * request, since the datum is there already. Most accesses are hits, so what
 * they need is inline.
 */

/* Whether an access of @mode to @copy is a hit. A task that fetches the datum
 * to write it waits for the requests that are under way. */
static inline bool orr_hit_is(const struct orr_replicate *copy, unsigned mode,
                              enum orr_level level)
{
    bool is_awaited = mode & ORR_W && copy->data->incoming > 0;

    return orr_replicate_is_valid(copy) ? !is_awaited || level != ORR_FETCH
                                        : !(mode & ORR_R) && !is_awaited &&
                                              orr_replicate_is_allocated(copy);
}

/* Private: the rare parts of orr_hit(). */
void orr_hit_grant_write(struct orr_run *run, struct orr_job_access *access,
                         struct orr_replicate *copy, enum orr_level level);
void orr_hit_cancel_requests(struct orr_job_access *access,
                             const struct orr_replicate *copy);

/* @access hits @copy in @memory: grants it, and makes the buffer the most
 * recently used. For a prefetch, the task is one more that will come for it. */
static inline void orr_hit(struct orr_run *run, struct orr_memory *memory,
                           struct orr_job_access *access,
                           struct orr_replicate *copy, enum orr_level level)
{
    if (orr_access_mode(access) & ORR_W)
        orr_hit_grant_write(run, access, copy, level);
    if (G_UNLIKELY(orr_access_is_requested(access)))
        orr_hit_cancel_requests(access, copy);
    if (level == ORR_PREFETCH && memory->node != ORR_RAM)
        copy->expected++;
    orr_memory_used(memory, copy);
}

#endif

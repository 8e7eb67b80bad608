/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ACCESS_HIT_H
#define ORR_ACCESS_HIT_H

#include "runtime/data/memory.h"
#include "runtime/data/request.h"

/*
 * A hit: an access that a task prefetches or fetches, and that needs no
 * request, since the datum is there already. Most accesses are hits, so the
 * functions for them are inline.
 */

/* Whether an access of @mode to @data on @node is a hit. Reads only the datum,
 * not its copy there, which may miss every cache. A task that fetches the datum
 * to write it waits for the requests that are under way. */
static inline bool orr_access_is_hit(const struct orr_data *data, unsigned node,
                                     unsigned mode, enum orr_level level)
{
    bool is_awaited = mode & ORR_W && data->awaited;

    return data->valid & 1u << node
               ? !is_awaited || level != ORR_FETCH
               : !(mode & ORR_R) && !is_awaited && data->allocated & 1u << node;
}

/* Private: the rare parts of orr_access_hit(). */
void orr_access_hit_grant_write(struct orr_store *store,
                                struct orr_job_access *access,
                                struct orr_replicate *copy,
                                enum orr_level level);
void orr_access_hit_cancel_requests(struct orr_job_access *access,
                                    const struct orr_replicate *copy);

/* @access hits @copy in @memory: grants it, and makes the buffer the most
 * recently used. A prefetch adds the task to the expected uses of the copy. */
static inline void orr_access_hit(struct orr_store *store,
                                  struct orr_memory *memory,
                                  struct orr_job_access *access,
                                  struct orr_replicate *copy,
                                  enum orr_level level)
{
    if (orr_access_mode(access) & ORR_W)
        orr_access_hit_grant_write(store, access, copy, level);
    if (G_UNLIKELY(orr_access_is_requested(access)))
        orr_access_hit_cancel_requests(access, copy);
    if (level == ORR_PREFETCH && memory->node != ORR_RAM)
        copy->expected++;
    orr_memory_used(memory, copy);
}

#endif

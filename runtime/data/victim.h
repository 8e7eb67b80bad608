/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_VICTIM_H
#define ORR_VICTIM_H

#include "runtime/data/data.h"
#include "runtime/graph/future.h"
#include "sched/evict_host.h"
#include "sched/guard/evict_guard.h"

/*
 * The eviction policy of a run (sched/evict.h), if the runtime does not evict
 * itself (eviction.h), and its notifications. Also records the run for an
 * eviction policy of a later run (future.h).
 */
struct orr_memory;

struct orr_victims {
    const struct orr_evict_ops *ops; /* NULL: the runtime evicts itself */
    /* instance of @ops; NULL: the runtime evicts itself */
    struct orr_evict *evict;
    struct orr_evict_host host;
    struct orr_evict_guard *guard; /* guard of the evictor's plug-in, or NULL */
    struct orr_guard *calls;       /* guard of its calls, or NULL */
    struct orr_future *future;     /* borrowed; or NULL */
    GArray *candidates;            /* struct orr_evict_candidate; scratch */
    GPtrArray *copies;             /* by candidate: its struct orr_replicate */
};

/* Starts the eviction policy, after the policy of the run has begun. */
void orr_victims_begin(struct orr_store *store);
void orr_victims_free(struct orr_victims *victims);

/*
 * Asks the eviction policy which copy in @memory to evict so that @data can be
 * loaded there at @level (enum orr_level); NULL: none. Sets *@fits to whether
 * @data can reuse the buffer at once.
 */
struct orr_replicate *orr_victim_choose(struct orr_store *store,
                                        struct orr_memory *memory,
                                        const struct orr_data *data,
                                        unsigned level, bool *fits);

/* Notifies the eviction policy that the copy has got, or lost, its buffer. */
void orr_victims_loaded(const struct orr_store *store,
                        const struct orr_replicate *copy);
void orr_victims_evicted(const struct orr_store *store,
                         const struct orr_replicate *copy);

/* Notifies the eviction policy that the kernel of @job starts on @node. */
void orr_victims_started(const struct orr_store *store,
                         const struct orr_job *job, unsigned node);

#endif

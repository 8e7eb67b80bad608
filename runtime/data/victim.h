/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_VICTIM_H
#define ORR_VICTIM_H

#include "runtime/data/data.h"
#include "runtime/graph/future.h"
#include "sched/evict/evict_host.h"
#include "sched/guard/evict_guard.h"

/*
 * The eviction policy of a run (sched/evict.h), if it is not the runtime's own
 * (eviction.h), and what it is told. Also records what an eviction policy of a
 * later run wants to know (future.h).
 */
struct orr_memory;

struct orr_victims {
    const struct orr_evict_ops *ops; /* NULL: the runtime evicts itself */
    struct orr_evict *evict;         /* the same */
    struct orr_evict_host host;
    struct orr_evict_guard *guard; /* of a plug-in, or NULL */
    struct orr_guard *calls;       /* its own guard, or NULL */
    struct orr_future *future;     /* borrowed; or NULL */
    GArray *candidates;            /* struct orr_evict_candidate; scratch */
    GPtrArray *copies;             /* struct orr_replicate *: theirs */
};

/* Finds the eviction policy of @config, and sets run->victims unless nothing is
 * to be done. Before the policy of the run begins. */
bool orr_victims_find(struct orr_run *run, const struct orr_config *config,
                      GError **error);

/* Starts it, after the policy of the run has begun. */
void orr_victims_begin(struct orr_run *run);
void orr_victims_free(struct orr_victims *victims);

/*
 * The copy on @memory whose buffer goes so that @data can be loaded there at
 * @level (enum orr_level), by the choice of the policy; NULL: none. Sets *@fits
 * to whether @data can reuse its buffer at once.
 */
struct orr_replicate *orr_victim_choose(struct orr_run *run,
                                        struct orr_memory *memory,
                                        const struct orr_data *data,
                                        unsigned level, bool *fits);

/* The copy has got, or lost, its buffer. */
void orr_victims_loaded(const struct orr_run *run,
                        const struct orr_replicate *copy);
void orr_victims_evicted(const struct orr_run *run,
                         const struct orr_replicate *copy);

/* The kernel of @job starts on @node. */
void orr_victims_started(const struct orr_run *run, const struct orr_job *job,
                         unsigned node);

#endif

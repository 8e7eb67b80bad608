/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DM_FAMILY_H
#define ORR_DM_FAMILY_H

#include "sched/queue/priority_fifo.h"
#include "sched/queue/priority_sums.h"
#include "sched/queue/ready.h"

/*
 * What dm, dmda, dmdap, dmdar, dmdas and dmdasd have in common: each ready task
 * is given at once to the worker on which it should end first, and waits in
 * that worker's queue, its data being prefetched meanwhile (StarPU,
 * deque_modeling_policy_data_aware.c; Augonnet, Clet-Ortega, Thibault,
 * Namyst, Data-Aware Task Scheduling on Multi-Accelerator based Platforms,
 * ICPADS 2010).
 *
 * For each worker the policy keeps when its planned work starts and how long
 * it is. A task would end there at
 *
 *     end = max(start + length, now + transfer) + duration
 *
 * and goes where  (end - least end) + transfer  is least; without data
 * awareness the transfer terms are zero. Ties go to the lowest number.
 */
struct orr_dm_traits {
    bool data_aware; /* reckons with transfers */
    bool ready;      /* workers take the task that lacks the fewest bytes */
    bool sorted;     /* queues are in order of priority */
    bool overtakes;  /* only work that is as urgent comes before a task */
};

struct orr_dm {
    const struct orr_dm_traits *traits;
    unsigned workers;
    uint32_t nodes;             /* of the workers, a bit each */
    struct orr_dm_lane **lanes; /* by worker */
};

/* What is planned for one worker. */
struct orr_dm_lane {
    orr_time start;                   /* when the work in the queue can start */
    orr_time length;                  /* of the work in the queue */
    orr_time pipeline;                /* of the tasks popped and not ended */
    struct orr_task *oldest, *newest; /* the queue, first come first served */
    struct orr_priority_fifo urgent;  /* the queue, if only sorted */
    uint64_t arrivals;                /* in that queue */
    struct orr_ready ready;           /* the queue of the others */
    struct orr_priority_sums ladder;  /* what is in it, if they overtake */
};

/* A policy of the family is a name and its traits: its init calls this. */
void orr_dm_init(struct orr_sched *sched, const struct orr_dm_traits *traits);

void orr_dm_fini(struct orr_sched *sched);
void orr_dm_place(struct orr_sched *sched, struct orr_task *task);
void orr_dm_push(struct orr_sched *sched, struct orr_task *task);
struct orr_task *orr_dm_pop(struct orr_sched *sched, unsigned worker);
void orr_dm_started(struct orr_sched *sched, struct orr_task *task,
                    unsigned worker);
void orr_dm_done(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker);
void orr_dm_touched(struct orr_sched *sched, struct orr_task *task);

/* The members of struct orr_sched_ops that are the same for all. */
#define ORR_DM_OPS                                                             \
    .state_size = sizeof(struct orr_dm), .prefetches = true,                   \
    .lane_size = sizeof(struct orr_dm_lane), .fini = orr_dm_fini,              \
    .place = orr_dm_place, .push = orr_dm_push, .pop = orr_dm_pop,             \
    .started = orr_dm_started, .done = orr_dm_done, .touched = orr_dm_touched

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DM_FAMILY_H
#define ORR_DM_FAMILY_H

#include "sched/policy/fitness.h"
#include "sched/queue/priority_fifo.h"
#include "sched/queue/priority_sums.h"
#include "sched/queue/ready.h"

struct orr_sched_planning;

/*
 * The common part of dm, dmda, dmdap, dmdar, dmdas and dmdasd. Each ready task
 * is assigned at once to the worker on which it is predicted to end first. It
 * waits in the queue of that worker while its data are prefetched (StarPU,
 * deque_modeling_policy_data_aware.c; Augonnet, Clet-Ortega, Thibault,
 * Namyst, Data-Aware Task Scheduling on Multi-Accelerator based Platforms,
 * ICPADS 2010).
 *
 * For each worker the policy keeps the start and the length of its planned
 * work. The predicted end of a task there is
 *
 *     end = max(start + length, now + transfer) + duration
 *
 * The task is assigned to the worker with the least  (end - least end) +
 * transfer. Without data awareness, transfer is zero. On ties, the worker with
 * the lowest number is chosen.
 *
 * With data awareness, ends and transfers may have weights, and known joules
 * count, too (fitness.h). The plan itself counts times only. If a kernel has
 * several implementations, each is compared on each worker; the first one wins
 * ties.
 */
struct orr_dm_traits {
    bool data_aware; /* predicted ends include transfers */
    bool ready;      /* workers pop the task that lacks the fewest bytes */
    bool sorted;     /* queues are ordered by priority */
    bool overtakes;  /* predictions count only work of at least the priority of
                        the task */
};

struct orr_dm {
    const struct orr_dm_traits *traits;
    unsigned workers;
    struct orr_weights weights;
    uint32_t nodes;                 /* mask of the nodes of all workers */
    struct orr_dm_lane **lanes;     /* by worker */
    struct orr_prospect *prospects; /* by worker and, on it, implementation;
                                       scratch */
};

/* The planned work of one worker. */
struct orr_dm_lane {
    orr_time start;                   /* when the work in the queue can start */
    orr_time length;                  /* of the work in the queue */
    orr_time pipeline;                /* length of tasks popped, not ended */
    struct orr_task *oldest, *newest; /* queue unless sorted or ready: FIFO */
    struct orr_priority_fifo sorted;  /* queue if sorted, not ready */
    uint64_t arrivals;                /* number of tasks ever put into sorted */
    struct orr_ready ready;           /* queue if ready */
    struct orr_priority_sums sums;    /* of the queue, if overtakes */
};

/* A policy of the family is a name and its traits. Its init calls this. */
void orr_dm_init(struct orr_sched *sched, const struct orr_dm_traits *traits);

void orr_dm_fini(struct orr_sched *sched);
void orr_dm_place(struct orr_sched *sched, struct orr_task *task);
void orr_dm_push(struct orr_sched *sched, struct orr_task *task);
struct orr_task *orr_dm_pop(struct orr_sched *sched, unsigned worker);
void orr_dm_bypassed(struct orr_sched *sched, struct orr_task *task,
                     unsigned worker);
void orr_dm_started(struct orr_sched *sched, struct orr_task *task,
                    unsigned worker);
void orr_dm_done(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker);
void orr_dm_touched(struct orr_sched *sched, struct orr_task *task);

/* Its steps, for lock-step (queueing.h). */
extern const struct orr_sched_planning orr_dm_planning;

/* Members of struct orr_sched_ops that all policies of the family share. */
#define ORR_DM_OPS                                                             \
    .state_size = sizeof(struct orr_dm), .prefetches = true,                   \
    .lane_size = sizeof(struct orr_dm_lane), .fini = orr_dm_fini,              \
    .place = orr_dm_place, .push = orr_dm_push, .pop = orr_dm_pop,             \
    .bypassed = orr_dm_bypassed, .started = orr_dm_started,                    \
    .done = orr_dm_done, .touched = orr_dm_touched

#endif

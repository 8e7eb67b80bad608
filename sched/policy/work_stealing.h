/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WORK_STEALING_H
#define ORR_WORK_STEALING_H

#include "sched/policy/queueing.h"
#include "sched/queue/groups.h"

/*
 * The common part of ws and lws: each worker has a queue, and a worker whose
 * queue is empty steals from another (StarPU, work_stealing_policy.c; Blumofe,
 * Leiserson, Scheduling multithreaded computations by work stealing, JACM
 * 46(5), 1999).
 *
 * A task joins the queue of the worker that ended its last predecessor, as its
 * data are there. Tasks released by the application go to all workers in turn.
 * A worker pops the oldest task of the highest priority in its queue; a thief
 * steals the newest of these. The victim is the first worker, in the order of
 * the thief, that has tasks and is busy: an idle worker will pop its tasks
 * itself.
 *
 * A theft takes a while in StarPU, though no simulated time passes here. A
 * second thief at the same victim and date still sees the stolen task, gets
 * nothing, and tries again a little later. A third one is not affected.
 *
 * ws tries victims in turn, from where the last search stopped. lws tries
 * victims on its own socket first, always from the start; if all workers are on
 * one socket, it is the same as ws.
 */
struct orr_ws {
    struct orr_groups groups;
    uint64_t arrivals;
    unsigned last_dealt; /* the last worker that got a task in turn */
};

/* Tasks of one group, in both orders. */
struct orr_ws_queue {
    struct orr_heap oldest; /* by priority, then oldest first */
    struct orr_heap newest; /* by priority, then newest first */
};

struct orr_ws_lane {
    struct orr_ws_queue *queues; /* by group */
    unsigned queue_count;
    size_t tasks; /* in all queues */
    bool busy;    /* its last attempt to pop a task succeeded */
    orr_time
        stolen_at;   /* date of the last theft; -1 once a second thief came */
    unsigned next;   /* worker to begin the next search with */
    unsigned *order; /* victims in order; NULL: all workers, from @next on */
};

void orr_ws_init(struct orr_sched *sched);

/* Makes workers prefer victims on their own socket. */
void orr_ws_prefer_near(struct orr_sched *sched);

void orr_ws_fini(struct orr_sched *sched);
void orr_ws_push(struct orr_sched *sched, struct orr_task *task);
struct orr_task *orr_ws_pop(struct orr_sched *sched, unsigned worker);

extern const struct orr_sched_steal orr_ws_steal;

/* The members of struct orr_sched_ops that ws and lws share. */
#define ORR_WS_OPS                                                             \
    .state_size = sizeof(struct orr_ws),                                       \
    .lane_size = sizeof(struct orr_ws_lane), .priorities = true,               \
    .fini = orr_ws_fini, .push = orr_ws_push, .pop = orr_ws_pop

#endif

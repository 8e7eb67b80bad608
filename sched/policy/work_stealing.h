/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WORK_STEALING_H
#define ORR_WORK_STEALING_H

#include "sched/policy/queueing.h"
#include "sched/queue/groups.h"

/*
 * What ws and lws have in common: each worker has a queue of its own, and one
 * that has run dry steals from another (StarPU, work_stealing_policy.c;
 * Blumofe, Leiserson, Scheduling multithreaded computations by work stealing,
 * JACM 46(5), 1999).
 *
 * A task joins the queue of the worker whose task released it, as its data
 * are there; those that the application releases are dealt out in turn. A
 * worker takes the most urgent task of its queue, the oldest first. A thief
 * takes the newest of the most urgent tasks of its victim: the first in its
 * order of victims that has tasks and is busy, for a worker that is not will
 * take them itself.
 *
 * A thief stays at its victim for a while, though no time passes. The next one
 * who comes at the same date does not see yet what has gone, leaves
 * empty-handed and comes back a little later; the one after finds the way
 * free.
 *
 * ws looks at victims in turn, each time from where it stopped the last time.
 * lws looks at those on its own socket first, always from the start; where
 * all workers are on one socket it does as ws does.
 */
struct orr_ws {
    struct orr_groups groups;
    uint64_t arrivals;
    unsigned last_dealt; /* worker */
};

/* Tasks that the same workers can run, in both orders. */
struct orr_ws_shelf {
    struct orr_heap oldest; /* most urgent first, then oldest */
    struct orr_heap newest; /* most urgent first, then newest */
};

struct orr_ws_lane {
    struct orr_ws_shelf *shelves; /* by group */
    unsigned shelf_count;
    size_t tasks;    /* on all shelves */
    bool busy;       /* its last attempt to pop a task succeeded */
    orr_time robbed; /* when it last was, by a thief who is still there */
    unsigned next;   /* place among @victims, or worker, to begin with */
    unsigned *order; /* of victims; NULL: all workers in turn */
};

void orr_ws_init(struct orr_sched *sched);

/* Has victims of a worker's own socket come first. */
void orr_ws_prefer_near(struct orr_sched *sched);

void orr_ws_fini(struct orr_sched *sched);
void orr_ws_push(struct orr_sched *sched, struct orr_task *task);
struct orr_task *orr_ws_pop(struct orr_sched *sched, unsigned worker);

extern const struct orr_sched_steal orr_ws_steal;

/* The members of struct orr_sched_ops that are the same for both. */
#define ORR_WS_OPS                                                             \
    .state_size = sizeof(struct orr_ws),                                       \
    .lane_size = sizeof(struct orr_ws_lane), .priorities = true,               \
    .fini = orr_ws_fini, .push = orr_ws_push, .pop = orr_ws_pop

#endif

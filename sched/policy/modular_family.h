/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MODULAR_FAMILY_H
#define ORR_MODULAR_FAMILY_H

#include "sched/policy/fitness.h"
#include "sched/policy/queueing.h"
#include "sched/queue/priority_fifo.h"
#include "sched/queue/ready.h"

/*
 * The common part of modular-heft and modular-heft2. Ready tasks wait in one
 * queue, by priority. The first one is assigned to the worker on which it is
 * predicted to end first, as in the dm family, but only while the queue of that
 * worker is short. If it is full, all tasks wait, and the decision is repeated
 * when a worker has popped a task (StarPU, component_mct.c, component_heft.c,
 * component_prio.c, component_worker.c).
 *
 * If all workers share a memory, data are prefetched at the push, else when the
 * task is assigned (component_sched.c:
 * starpu_sched_component_prefetch_on_node()).
 *
 * So most decisions are late, with fresh predictions. Predicted ends are
 *
 *     end = max(plan + length of the queue, now + transfer) + duration
 *
 * where plan is the end of the worker's popped tasks, and duration is for the
 * fastest implementation of the kernel. As in StarPU, a worker that pops first
 * drops its plan of earlier popped tasks: decisions about waiting tasks at that
 * moment count it as idle.
 */
struct orr_modular_traits {
    unsigned candidates; /* number of tasks of equal priority to compare; the
                            one that would end first is assigned */
};

struct orr_modular {
    unsigned workers;
    unsigned candidates; /* as in the traits; 1 with one worker */
    unsigned limit;      /* largest number of tasks in a worker's queue */
    uint32_t nodes;      /* mask of the nodes of all workers */
    bool one_memory;     /* all workers share one: push prefetches data */
    struct orr_weights weights;
    struct orr_modular_lane **lanes;  /* by worker */
    struct orr_prospect *prospects;   /* by worker; scratch */
    orr_time *durations;              /* by worker; scratch */
    double *joules;                   /* by worker; scratch */
    struct orr_priority_fifo waiting; /* ready tasks without a worker */
    struct orr_priority_fifo ready;   /* in lock-step with several candidates:
                                         pushed tasks not in @waiting yet */
    uint64_t arrivals;                /* number of tasks pushed */
};

/* One worker. */
struct orr_modular_lane {
    struct orr_ready queue; /* tasks assigned to it */
    unsigned queued;        /* number of tasks in @queue */
    orr_time length;        /* of the tasks in @queue */
    orr_time start;         /* when the next popped task can start */
    orr_time popped;        /* length of tasks popped, not started */
    orr_time pipeline;      /* length of tasks started, not ended */
};

/* A policy of the family is a name and its traits. Its init calls this. */
void orr_modular_init(struct orr_sched *sched,
                      const struct orr_modular_traits *traits);

void orr_modular_fini(struct orr_sched *sched);
void orr_modular_push(struct orr_sched *sched, struct orr_task *task);
struct orr_task *orr_modular_pop(struct orr_sched *sched, unsigned worker);
void orr_modular_started(struct orr_sched *sched, struct orr_task *task,
                         unsigned worker);
void orr_modular_done(struct orr_sched *sched, struct orr_task *task,
                      unsigned worker);
void orr_modular_touched(struct orr_sched *sched, struct orr_task *task);

/* Its steps, for lock-step (queueing.h). */
extern const struct orr_sched_late orr_modular_late;

/* Members of struct orr_sched_ops that all policies of the family share. */
#define ORR_MODULAR_OPS                                                        \
    .state_size = sizeof(struct orr_modular),                                  \
    .lane_size = sizeof(struct orr_modular_lane), .priorities = true,          \
    .prefetches = true, .pop_prefetches = true, .fini = orr_modular_fini,      \
    .push = orr_modular_push, .pop = orr_modular_pop,                          \
    .started = orr_modular_started, .done = orr_modular_done,                  \
    .touched = orr_modular_touched

#endif

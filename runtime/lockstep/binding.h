/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BINDING_H
#define ORR_BINDING_H

#include "runtime/lockstep/moves.h"

/*
 * How tasks are bound to workers under a policy that binds them late
 * (sched/policy/queueing.h), in lock-step. In StarPU, such a policy is a tree
 * of components, most of which have a lock: a queue of ready tasks
 * (component_prio.c), the choice of a worker (component_perfmodel_select.c,
 * component_mct.c, component_heft.c), and for each worker a queue, the choice
 * of an implementation (component_best_implementation.c) and the worker itself
 * (component_worker.c).
 */

const struct orr_sched_late *orr_late(const struct moves *moves);

/* What the acting worker, or the application, predicts for each worker. */
orr_time *orr_late_transfers(const struct moves *moves);

/* Whether all workers share a memory. Then the data of a task are prefetched
 * when it is pushed, else once it is bound (component_sched.c:
 * starpu_sched_component_prefetch_on_node()). */
bool orr_late_prefetches_at_push(const struct moves *moves);

/* Predicts copies of the data of moves->job to @worker, under their locks.
 * Returns false if it has to wait for one; the move is to be made again. */
bool orr_late_predict(struct orr_actor *actor, struct moves *moves,
                      const struct orr_worker *worker);

/* Calls: bind ready tasks, or those that wait in the second queue, one after
 * the other, until the queue of a worker is full or none is left. */
enum orr_next orr_bind_ready(struct orr_actor *actor, struct moves *moves);
enum orr_next orr_bind_waiting(struct orr_actor *actor, struct moves *moves);

#endif

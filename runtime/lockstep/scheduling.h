/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SCHEDULING_H
#define ORR_SCHEDULING_H

#include "runtime/worker/worker.h"

/*
 * Pushes, pops, steals and wake-ups in lock-step, operation by operation, for
 * policies that describe how they queue tasks (sched/policy/queueing.h; StarPU,
 * sched_policies/, workers.c, driver_common.c: _starpu_get_worker_task()).
 *
 * All these functions call. The targets of their pointers must outlive the
 * frame.
 */

/*
 * @actor pushes @job, a kernel that has become ready. A shared queue is pushed
 * to under its lock; then the pusher tries the workers that can run the task,
 * until it has woken one. The queue of a worker is pushed to under the lock of
 * that worker's state; then the pusher wakes all workers.
 */
void orr_pushing_call(struct orr_actor *actor, struct orr_run *run,
                      struct orr_job *job);

/*
 * @worker, with the actor @actor, pops a task if the policy has one. It closes
 * its state; takes a task from the shared queue or from its own queue, or
 * steals one; and, under the lock of its state, goes to sleep unless it got a
 * task or was woken meanwhile. Sets *@found to whether there is something to
 * do.
 */
void orr_popping_call(struct orr_actor *actor, struct orr_worker *worker,
                      bool *found);

/*
 * @worker has an empty queue and tries to steal a task. It tries the lock of
 * its own state, then the lock of its victim's state, which must be open. If a
 * lock is taken or the state closed, the attempt fails: the worker sleeps for 1
 * us and wakes itself, so that it tries again. Sets *@task to the task, if any.
 */
void orr_steal_call(struct orr_actor *actor, struct orr_worker *worker,
                    struct orr_task **task);

/*
 * Worker @by (NULL: @actor is no worker) signals @worker, unless @worker is
 * about to pop in any case. Sets *@woken to true if it was the first to wake
 * @worker, or if no wake-up was needed.
 */
void orr_waking_call(struct orr_actor *actor, struct orr_worker *by,
                     struct orr_worker *worker, bool *woken);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SCHEDULING_H
#define ORR_SCHEDULING_H

#include "runtime/worker/worker.h"

/*
 * Pushes, pops, steals and wake-ups in lock-step, operation by operation, for
 * policies in which all workers share a queue under one lock, or each worker
 * has one and they steal from each other (StarPU, eager_central_policy.c,
 * eager_central_priority_policy.c, work_stealing_policy.c, workers.c,
 * driver_common.c: _starpu_get_worker_task()).
 *
 * All of these call; what they are given a pointer to outlives the frame.
 */

/*
 * @actor pushes @job, a kernel that has become ready. Into a shared queue,
 * under its lock; then the pusher looks at one worker after the other that can
 * run the task, until it has woken one. Into the queue of one worker, under the
 * lock of that worker's state; then it wakes all.
 */
void orr_pushing_call(struct orr_actor *actor, struct orr_run *run,
                      struct orr_job *job);

/*
 * @worker, whose actor is @actor, pops a task if the policy has one: it says
 * that it is in a scheduling operation; takes a task out of the shared queue,
 * or out of its own, or else steals one; and, under the lock of its state, goes
 * to sleep unless it was given one or woken meanwhile. Sets *@found to whether
 * there is something to do.
 */
void orr_popping_call(struct orr_actor *actor, struct orr_worker *worker,
                      bool *found);

/*
 * @worker, which has no task of its own, tries to steal one. It tries the lock
 * of its own state, then that of its victim, which must be open. Where a lock
 * is taken the attempt fails at once: it sleeps for 1 us, and has told itself
 * not to fall asleep for lack of a task, so that it comes back. Sets *@task to
 * what it gets, if anything.
 */
void orr_steal_call(struct orr_actor *actor, struct orr_worker *worker,
                    struct orr_task **task);

/*
 * Worker @by, NULL if that is none, looks whether to wake @worker, and signals
 * it unless it is about to pop anyway. Sets *@woken to whether it was the first
 * to wake it, or need not.
 */
void orr_waking_call(struct orr_actor *actor, struct orr_worker *by,
                     struct orr_worker *worker, bool *woken);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POPPING_H
#define ORR_POPPING_H

#include "runtime/worker/worker.h"

/*
 * In a run by rounds (turns.h): asking the policy for a task, operation by
 * operation. A worker says that it is in a scheduling operation; takes what is
 * in the queue that all share, under its lock (StarPU, eager_central_policy.c,
 * eager_central_priority_policy.c: pop_task), or in its own, or else robs
 * another (theft.h); and, under the lock of its state, goes to sleep unless it
 * was given something or woken meanwhile (driver_common.c:
 * _starpu_get_worker_task()).
 *
 * Calls: @worker, whose actor @actor is, pops a task if the policy has one, as
 * orr_worker_pop() would. Sets *@found, which outlives the frame, to whether
 * there is something to do.
 */
void orr_popping_call(struct orr_actor *actor, struct orr_worker *worker,
                      bool *found);

#endif

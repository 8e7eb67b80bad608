/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STEAL_H
#define ORR_STEAL_H

#include "runtime/worker/worker.h"

/*
 * In a run by rounds (turns.h): how a worker that has no task of its own robs
 * another, operation by operation (StarPU, work_stealing_policy.c:
 * ws_pop_task()).
 *
 * It tries the lock of its own state, then that of its victim, which must be
 * relaxed (state.h). Where a lock is taken the attempt fails at once: it
 * sleeps for 1 us, and has told itself not to fall asleep for lack of a task,
 * so that it comes back.
 *
 * Calls: sets *@task, which outlives the frame, to what @worker gets, if
 * anything.
 */
void orr_steal_call(struct orr_actor *actor, struct orr_worker *worker,
                    struct orr_task **task);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PUSHING_H
#define ORR_PUSHING_H

#include "runtime/graph/graph.h"

/*
 * In a run by rounds (turns.h): pushing a task and waking somebody, operation
 * by operation.
 *
 * Where all workers share a queue, that has one lock; then the pusher looks at
 * one worker after the other that can run the task, until one has been woken
 * (StarPU, eager_central_policy.c, eager_central_priority_policy.c: push_task).
 * Where each worker has a queue, the lock is that of the receiver's state, and
 * all workers are woken (work_stealing_policy.c: ws_push_task).
 *
 * Calls: @actor pushes @job, which is a kernel that has become ready.
 */
struct orr_actor;
struct orr_run;

void orr_pushing_call(struct orr_actor *actor, struct orr_run *run,
                      struct orr_job *job);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WORKER_STATE_H
#define ORR_WORKER_STATE_H

#include "runtime/worker/worker.h"

/*
 * In a run by rounds (turns.h): the state of a worker that others look at when
 * they have a task for it, and who may look.
 *
 * It has a lock, worker->lock. Nobody else may look at it while the worker is
 * in the middle of a scheduling operation, unless it has said for the time
 * being that it does not mind, and is "relaxed": as it does wherever it waits
 * for another's lock, lest two of them wait for each other. Who finds it not to
 * be gives the lock back and waits until it is. (StarPU, workers.h:
 * _starpu_worker_enter_sched_op(), _relax_on(), _relax_off(); workers.c:
 * _starpu_worker_lock().)
 *
 * All calls; to be returned from a procedure.
 */

/* Whether @worker is relaxed from now on: three operations to relax, a lock
 * taken, those told who wait, the lock given; two to end that. Nothing where
 * there is no worker. */
enum orr_next orr_worker_state_relax(struct orr_actor *actor,
                                     struct orr_worker *worker, bool relaxed);

/* Ends a look at @worker that was in vain, whose lock @actor holds: goes on
 * where it is, with the lock, once @worker is relaxed. */
enum orr_next orr_worker_state_await(struct orr_actor *actor,
                                     struct orr_worker *worker);

/* Calls nothing: those who wait to look at @worker, whose lock is held, queue
 * for it. */
void orr_worker_state_tell(struct orr_worker *worker);

#endif

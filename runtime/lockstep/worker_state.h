/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WORKER_STATE_H
#define ORR_WORKER_STATE_H

#include "runtime/worker/worker.h"

/*
 * The state of a worker, which other actors inspect when they have a task for
 * it, and the rule that says when they may.
 *
 * The state has a lock (orr_worker_state_lock()). During a scheduling operation
 * of the worker the state is closed: an actor that takes the lock and finds the
 * state closed gives the lock back and waits until the state opens. A worker
 * opens its state while it waits for the lock of another worker, to avoid a
 * deadlock. (StarPU, workers.h: _starpu_worker_enter_sched_op(),
 * _starpu_worker_relax_on(), _starpu_worker_relax_off(); workers.c:
 * _starpu_worker_lock().)
 */

/* In a procedure: opens or closes the state of @worker. To open takes three
 * operations (lock, signal, unlock), to close two. NULL: does nothing. */
enum orr_next orr_worker_state_set_open(struct orr_actor *actor,
                                        struct orr_worker *worker, bool open);

/* The same, appended to the pending operations. */
void orr_worker_state_append(struct orr_engine *engine,
                             struct orr_worker *worker, bool open);

/* In a procedure: @actor, which holds the lock of the state, unlocks it, and
 * continues with the lock held once the state is open. */
enum orr_next orr_worker_state_await_open(struct orr_actor *actor,
                                          struct orr_worker *worker);

/* Opens the state without an operation. The lock of the state must be held. */
void orr_worker_state_open(struct orr_worker *worker);

/* The actors that wait for the state to open queue for its lock, which is
 * held. */
void orr_worker_state_notify(struct orr_worker *worker);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WORKER_LOCKS_H
#define ORR_WORKER_LOCKS_H

#include "runtime/worker/concurrent.h"
#include "sched/host.h"

/*
 * The locks of workers that a concurrent policy uses (orr_sched_relax() of
 * sched.h). In StarPU, the state of a worker is closed to others while it is in
 * push or pop and not relaxed; another worker that locks it waits until the
 * state is open (workers.h: _starpu_worker_lock()). That is as if the worker
 * held its own lock meanwhile, and so it is here, in the plain interleaving. In
 * lock-step, the state is runtime/lockstep/worker_state.h.
 */

/* Makes the locks of the workers, for a policy with worker_locks. */
void orr_worker_locks_begin(struct orr_run *run);
void orr_worker_locks_end(struct orr_run *run);

/* In the coroutine of @caller, when its call begins and when it has returned:
 * takes its own lock, and gives it back. */
void orr_worker_locks_enter(struct orr_caller *caller);
void orr_worker_locks_leave(struct orr_caller *caller);

extern const struct orr_worker_lock_ops orr_policy_worker_lock_ops;

#endif

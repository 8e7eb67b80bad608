/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WAKING_H
#define ORR_WAKING_H

#include "runtime/worker/worker.h"

/*
 * In a run by rounds (turns.h): looking whether to wake a worker, a dozen
 * operations (StarPU, workers.c: starpu_wake_worker_relax_light(),
 * starpu_wake_worker_locked()).
 *
 * Calls: worker @by, NULL if that is no worker, looks at @worker, and signals
 * it unless it is about to pop anyway. Sets *@woken, which outlives the frame,
 * to whether it was the first to wake it, or need not.
 */
void orr_waking_call(struct orr_actor *actor, struct orr_worker *by,
                     struct orr_worker *worker, bool *woken);

/* In a procedure: signals @worker, whose lock is held; a turn for the signal,
 * and more if it sleeps. */
enum orr_next orr_waking_signal(struct orr_actor *actor,
                                struct orr_worker *worker);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HELPER_H
#define ORR_HELPER_H

#include "runtime/worker/worker.h"

/*
 * In a run by rounds (turns.h): those who tell that a kernel has ended. In the
 * reference what carries out the kernels of a GPU is an actor of its own, which
 * wakes the worker, operation by operation, as workers do among themselves
 * (StarPU, simgrid.c: task_execute()).
 */
void orr_helper_call(struct orr_worker *worker);

/* Frees those that there have been in @run. */
void orr_helpers_clear(struct orr_run *run);

#endif

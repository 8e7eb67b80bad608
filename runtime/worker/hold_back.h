/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HOLD_BACK_H
#define ORR_HOLD_BACK_H

#include "runtime/worker/concurrent.h"

/*
 * Callers of a concurrent policy that a decider holds back at an operation on a
 * lock, so that other actors run first. On a real machine, the operating
 * system takes the core away from a thread, for any time.
 */

/*
 * To be called before and after each operation on locks, and each wake-up: asks
 * the run's decider how long the caller is held back (ORR_DECIDE_STEP). Without
 * a decider, and outside of calls, it does nothing.
 *
 * @verb, @object: the operation, for people: "acquires lock", "queue".
 */
void orr_hold_back_before(struct orr_run *run, const char *verb,
                          const char *object);
void orr_hold_back_after(struct orr_run *run, const char *verb,
                         const char *object);

/* A task has ended: those that waited for that go on. */
void orr_hold_back_task_ended(struct orr_run *run);

/* Nothing else can happen in @run: one that is held back goes on. Returns false
 * if there is none. */
bool orr_hold_back_stalled(struct orr_run *run);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ACCESSES_H
#define ORR_ACCESSES_H

#include "runtime/races/detector.h"
#include "runtime/worker/concurrent.h"

/*
 * The accesses to memory of a concurrent policy.
 *
 * A policy that is compiled with -fsanitize=thread, but linked without it,
 * calls functions with names that begin with __tsan_ at each access. The
 * program provides them (tsan.c). Thus data races between callers are found
 * (races/detector.h); a race ends the run unless races are ignored. A decider
 * may preempt the caller before each atomic access, and before each plain
 * access that no lock protects.
 *
 * The runtime orders calls, too: a wake-up comes before the pop that follows
 * it, the end of a task before the push of its successors, and the submission
 * of a task before its push. It is assumed that each access takes effect at
 * once for all: no weak memory.
 */
struct orr_run;
struct orr_job;

/* To be called at each switch between coroutines: from now on the coroutine of
 * @caller runs in this thread; NULL: none. */
void orr_accesses_enter(struct orr_caller *caller);

/* The caller accesses @bytes at @address, from @code. @flags: ORR_ACCESS_... */
void orr_accesses_record(const void *address, size_t bytes, unsigned flags,
                         const void *code);

/* orr_accesses_atomic(): an atomic access follows. Depending on its memory
 * order, acquire, release or both are called after it. */
void orr_accesses_atomic(const void *address, size_t bytes, bool writes,
                         const void *code);
void orr_accesses_acquire(const void *address);
void orr_accesses_release(const void *address);

/* The policy frees @bytes at @address. */
void orr_accesses_discard(const void *address, size_t bytes);

/* Order between calls, which the runtime creates. These functions do nothing
 * until an access has been recorded. */
void orr_accesses_acquire_lock(struct orr_caller *caller, const void *lock);
void orr_accesses_release_lock(struct orr_caller *caller, const void *lock);
void orr_accesses_woken(struct orr_run *run, const void *worker);
void orr_accesses_call(struct orr_caller *caller);
void orr_accesses_submitted(struct orr_run *run, const struct orr_job *job);
void orr_accesses_ended(struct orr_run *run, unsigned index,
                        struct orr_job *job);
/* @end, of kind ORR_JOB_END, no longer awaits the work of its task. */
void orr_accesses_awaited(struct orr_run *run, unsigned index,
                          struct orr_job *end);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GUARD_H
#define ORR_GUARD_H

#include "sched/host.h"

/*
 * A guard protects the runtime from a plug-in. It is a policy that passes every
 * call on to the plug-in, and detects these errors:
 *
 *   - the call crashes (orr_guard_catch_signals());
 *   - pop returns a task that was popped before, that the worker cannot run, or
 *     that was never pushed (any pointer is safe: it is looked up in a table);
 *   - the plug-in calls a function of sched.h with a worker or memory node that
 *     does not exist, or with a task that it does not hold.
 *
 * The error names policy, function, task and worker. The wrong result is
 * ignored, and the plug-in is not called any more: the guard has no task for
 * any worker, so that the run ends.
 */
struct orr_guard;

/*
 * Guards the table @ops of the plug-in @file (or NULL), in a run whose host is
 * @host. The first error is stored in *@error. All are borrowed; the host may
 * be filled later. Free with orr_guard_free(), after the policy.
 */
struct orr_guard *orr_guard_new(const struct orr_sched_ops *ops,
                                const char *file,
                                const struct orr_sched_host *host,
                                GError **error);
void orr_guard_free(struct orr_guard *guard);

/* The policy to run in place of the plug-in, and the host to run it with. The
 * original host has to be filled before the latter is called. */
const struct orr_sched_ops *orr_guard_policy(const struct orr_guard *guard);
const struct orr_sched_host *orr_guard_host(struct orr_guard *guard);

/*
 * A call that a coroutine makes (runtime/engine/coroutine.h) may be suspended,
 * and resumed later in any thread. orr_guard_leave() is to be called before
 * that, and returns the current call; orr_guard_enter() is to be called
 * afterwards with this call. The guard may be NULL.
 */
struct orr_guard_call *orr_guard_leave(struct orr_guard *guard);
void orr_guard_enter(struct orr_guard *guard, struct orr_guard_call *call);

/*
 * Restores the thread's alternate stack for signals, which calls replace by one
 * of the guard. To be called before the run returns to its caller. NULL is
 * allowed.
 */
void orr_guard_rest(struct orr_guard *guard);

/*
 * From now on, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT in a guarded call
 * end that call instead of the process. Elsewhere they have their default
 * effect. To be called by the program, not by a library, while there is only
 * one thread.
 *
 * A plug-in can still do harm: it may never return, or overwrite memory of
 * others, so that something else crashes later.
 */
void orr_guard_catch_signals(void);

#endif

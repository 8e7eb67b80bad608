/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GUARD_H
#define ORR_GUARD_H

#include "sched/host.h"

/*
 * A guard stands between the runtime and a policy that others wrote. It is a
 * policy itself, which passes every call on, and looks at what comes of it:
 *
 *   - the call crashes (orr_guard_catch_signals());
 *   - pop returns a task twice, one that the worker cannot run, or what is no
 *     task that the policy was given. It need not point to anything: it is
 *     looked up, not looked at;
 *   - the policy asks the runtime for what there is not: a worker or memory
 *     beyond the last, the data of a task that it does not hold.
 *
 * That is an error that names policy, function, task and worker. What the
 * policy said is not obeyed, and from then on it is not called any more and
 * has no task for anybody, so that the run comes to its end.
 */
struct orr_guard;

/*
 * Guards @ops, from @file (which may be NULL), in a run whose host is @host;
 * what goes wrong first is put into *@error. All are borrowed; the host may
 * be filled later. Free with orr_guard_free(), after the policy.
 */
struct orr_guard *orr_guard_new(const struct orr_sched_ops *ops,
                                const char *file,
                                const struct orr_sched_host *host,
                                GError **error);
void orr_guard_free(struct orr_guard *guard);

/* The policy to run instead of the one that is guarded, and the host that it
 * is to have, once the other is filled. */
const struct orr_sched_ops *orr_guard_policy(const struct orr_guard *guard);
const struct orr_sched_host *orr_guard_host(struct orr_guard *guard);

/*
 * A call that another stack than the thread's makes
 * (runtime/engine/coroutine.h) may be left, and gone on with later, in the same
 * thread or another. Around that: returns the call, and makes it the one under
 * way again. NULL is allowed.
 */
struct orr_guard_call *orr_guard_leave(struct orr_guard *guard);
void orr_guard_enter(struct orr_guard *guard, struct orr_guard_call *call);

/*
 * Calls need an alternate stack for signals, which belongs to the thread. It is
 * set when it is needed, and taken away by this: to be called before others
 * than the run have the thread again. NULL is allowed.
 */
void orr_guard_rest(struct orr_guard *guard);

/*
 * From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT end a call of a
 * policy that is guarded, and not the process. Elsewhere they do what they do
 * by default. How the process handles signals is for the program to decide,
 * and not for a library: to be called while there is one thread.
 *
 * A policy can still do harm: it may never return, or overwrite what is not
 * its own, so that something else crashes later.
 */
void orr_guard_catch_signals(void);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_GUEST_H
#define ORR_STARPU_GUEST_H

#include <sched/sched.h>

#include <starpu_task.h>

/*
 * A run of an application that is none of StarPU's interface, with a policy of
 * that interface: the policy is a guest there. A session is begun for it, so
 * that StarPU's functions know the machine; tasks and data handles stand for
 * the ones of the run. One session can exist at a time. In a program, the
 * policy sees tasks of the runtime, such as merges of a reduction, in the same
 * way.
 */

/* Begins such a session, unless a program has one. */
void sp_guest_begin(struct orr_sched *sched);
void sp_guest_end(void);

/* Whether there is one. */
bool sp_guest_exists(void);

/* The task that stands for @ready; it is freed when it has run. */
struct starpu_task *sp_guest_task(struct orr_task *ready);

#endif

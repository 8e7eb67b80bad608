/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COROUTINE_H
#define ORR_COROUTINE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A function with a stack of its own, which can be left in the middle and
 * gone on with later: code that is not written as procedures of an actor (see
 * actor.h), a policy with locks, can be made to wait.
 *
 * Switching costs some ten ns and no system call. A page without access lies
 * under the stack, so that one that overflows is noticed. A coroutine belongs
 * to the thread that resumes it. One that is freed while it waits is forgotten,
 * with what its function had allocated.
 */
struct orr_coroutine;

#define ORR_COROUTINE_STACK ((size_t)262144) /* bytes: 256 KiB */

/* Free with orr_coroutine_free(). */
struct orr_coroutine *orr_coroutine_new(void (*body)(void *arg), void *arg);
void orr_coroutine_free(struct orr_coroutine *coroutine);

/* Starts @coroutine, or goes on with it, until it yields or ends. */
void orr_coroutine_resume(struct orr_coroutine *coroutine);

/* Whether its function has returned. */
bool orr_coroutine_ended(const struct orr_coroutine *coroutine);

/* In @coroutine: goes back to who resumed it. */
void orr_coroutine_yield(struct orr_coroutine *coroutine);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COROUTINE_H
#define ORR_COROUTINE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A function with a stack of its own that can be suspended in the middle and
 * resumed later. It lets code wait that is not written as procedures of an
 * actor (actor.h): a policy with locks.
 *
 * A switch takes some ten ns and no system call. A page without access under
 * the stack catches overflows. A coroutine belongs to the thread that resumes
 * it. To free a suspended one leaks what its function had allocated.
 */
struct orr_coroutine;

/* Enough for functions of a policy: 256 KiB. */
#define ORR_COROUTINE_STACK ((size_t)262144)

/* @stack: bytes of its stack, whole pages. Memory is only used for the pages
 * that it touches. Free with orr_coroutine_free(). */
struct orr_coroutine *orr_coroutine_new(void (*body)(void *arg), void *arg,
                                        size_t stack);
void orr_coroutine_free(struct orr_coroutine *coroutine);

/* Whether @address lies in the stack of @coroutine. */
bool orr_coroutine_holds(const struct orr_coroutine *coroutine,
                         const void *address);

/* Starts or resumes @coroutine, until it yields or ends. */
void orr_coroutine_resume(struct orr_coroutine *coroutine);

/* Whether its function has returned. */
bool orr_coroutine_ended(const struct orr_coroutine *coroutine);

/* In @coroutine: returns to the caller of orr_coroutine_resume(). */
void orr_coroutine_yield(struct orr_coroutine *coroutine);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ERROR_H
#define ORR_ERROR_H

#include <glib.h>
#include <stdarg.h>

/*
 * Errors caused from outside the program: by a file, an option, or a graph
 * that cannot be scheduled. Misuse of an interface is a bug instead, which
 * g_assert() catches.
 *
 * A message is one line, names the fault, and starts with "file:line: " when a
 * file is to blame. It does not start with a capital or end with a dot.
 */
#define ORR_ERROR orr_error_quark()
GQuark orr_error_quark(void);

enum orr_error {
    ORR_ERROR_IO,         /* a file cannot be read or written */
    ORR_ERROR_SYNTAX,     /* ill-formed input */
    ORR_ERROR_VALUE,      /* well-formed but meaningless, e.g. a speed of 0 */
    ORR_ERROR_UNKNOWN,    /* no policy, kernel, size or platform of that name */
    ORR_ERROR_STALLED,    /* tasks are left, but no events */
    ORR_ERROR_LIVELOCKED, /* events still occur, but tasks no longer end */
    ORR_ERROR_POLICY,     /* a policy violates its contract */
    ORR_ERROR_APP, /* an application in a plug-in violates its contract */

    /* Kinds of ORR_ERROR_POLICY; see orr_error_policy_kind(). */
    ORR_ERROR_POLICY_CRASH,    /* a call crashes, or ends the program */
    ORR_ERROR_POLICY_OVERDUE,  /* a call does not return */
    ORR_ERROR_POLICY_TWICE,    /* pop returns a task twice */
    ORR_ERROR_POLICY_WORKER,   /* a worker gets a task that it cannot run */
    ORR_ERROR_POLICY_RACE,     /* two accesses to memory are not ordered */
    ORR_ERROR_POLICY_CHECK,    /* orr_check() failed */
    ORR_ERROR_POLICY_STARVED,  /* a task waits while a worker sleeps */
    ORR_ERROR_POLICY_PRIORITY, /* a less urgent task comes first */
};

/* The kind of @error, if a policy is to blame: "policy", "crash", "no-return",
 * "given-twice", "wrong-worker", "data-race", "check", "starvation",
 * "priority"; static. NULL: another error. */
const char *orr_error_policy_kind(const GError *error);

/* Sets @error to "PATH:LINE: " and the message; without "LINE:" if @line is 0.
 */
void orr_error_set_at(GError **error, enum orr_error code, const char *path,
                      unsigned line, const char *format, va_list arguments)
    G_GNUC_PRINTF(5, 0);

/* Appends to the message of *@error, unless @error or *@error is NULL. */
void orr_error_append(GError **error, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

#endif

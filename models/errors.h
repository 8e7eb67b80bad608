/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ERRORS_H
#define ORR_ERRORS_H

#include <glib.h>
#include <models/api.h>

ORR_BEGIN_DECLS

/*
 * Errors caused from outside the program: by a file, an option, or a graph
 * that cannot be scheduled. Included by orrery.h; its functions set them:
 *
 *     if (!orr_run_wait(run, &error) &&
 *         g_error_matches(error, ORR_ERROR, ORR_ERROR_STOPPED))
 *
 * A message is one line, names the fault, and starts with "file:line: " when a
 * file is to blame. It does not start with a capital or end with a dot.
 */
#define ORR_ERROR orr_error_quark()
ORR_API GQuark orr_error_quark(void);

/* Later versions of the library have more. */
enum orr_error {
    ORR_ERROR_IO,         /* a file cannot be read or written */
    ORR_ERROR_SYNTAX,     /* ill-formed input */
    ORR_ERROR_VALUE,      /* well-formed but meaningless, e.g. a speed of 0 */
    ORR_ERROR_UNKNOWN,    /* no policy, kernel, size or platform of that name */
    ORR_ERROR_STALLED,    /* tasks are left, but no events */
    ORR_ERROR_LIVELOCKED, /* events still occur, but tasks no longer end */
    ORR_ERROR_POLICY,     /* a policy violates its contract */
    ORR_ERROR_APP, /* an application in a plug-in violates its contract */

    /* Kinds of ORR_ERROR_POLICY. */
    ORR_ERROR_POLICY_CRASH,    /* a call crashes, or ends the program */
    ORR_ERROR_POLICY_OVERDUE,  /* a call does not return */
    ORR_ERROR_POLICY_TWICE,    /* pop returns a task twice */
    ORR_ERROR_POLICY_WORKER,   /* a worker gets a task that it cannot run */
    ORR_ERROR_POLICY_RACE,     /* two accesses to memory are not ordered */
    ORR_ERROR_POLICY_CHECK,    /* orr_check() failed */
    ORR_ERROR_POLICY_STARVED,  /* a task waits while a worker sleeps */
    ORR_ERROR_POLICY_PRIORITY, /* a less urgent task comes first */

    ORR_ERROR_STOPPED /* the program has stopped the run:
                         orr_config_set_progress() */
};

ORR_END_DECLS

#endif

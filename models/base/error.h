/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ERROR_H
#define ORR_ERROR_H

#include <glib.h>

/*
 * Errors that come from outside the program: a file, an option, a graph that
 * cannot be scheduled. Misuse of an interface is a bug, caught by g_assert().
 *
 * Messages are one line, name the culprit, and start with "file:line: " when
 * a file is to blame. They neither start with a capital nor end with a dot.
 */
#define ORR_ERROR orr_error_quark()
GQuark orr_error_quark(void);

enum orr_error {
    ORR_ERROR_IO,         /* a file cannot be read or written */
    ORR_ERROR_SYNTAX,     /* ill-formed input */
    ORR_ERROR_VALUE,      /* well-formed but meaningless, e.g. a speed of 0 */
    ORR_ERROR_UNKNOWN,    /* no policy, kernel, size or platform of that name */
    ORR_ERROR_STALLED,    /* tasks are left and nothing will ever happen */
    ORR_ERROR_LIVELOCKED, /* tasks are left and none will ever end */
    ORR_ERROR_POLICY,     /* a policy does what its contract forbids */
};

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_ERROR_H
#define ORR_STARPU_ERROR_H

#include <glib.h>

/*
 * Errors end the program, as most functions of StarPU's interface cannot
 * report them. What the program has printed is written first; then comes
 * "PROGRAM: CALL: MESSAGE" on the standard error, and the exit status is 1.
 * @call: the function that the program has called: "starpu_task_submit()".
 */
G_NORETURN void sp_fail(const char *call, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/* Below a command of orrery, sends it the message, and ends the program. NULL:
 * the program prints its messages itself. */
extern void (*sp_fail_hook)(const char *message);

/* sp_fail() with the message of @error, which is freed. */
G_NORETURN void sp_fail_error(const char *call, GError *error);

/* Ends the program: "PROGRAM: NAME() is not simulated
 * (docs/STARPU.md#SECTION)". */
G_NORETURN void sp_refuse(const char *name, const char *section);

/* A line "PROGRAM: MESSAGE" on the standard error. The program continues. */
void sp_warn(const char *format, ...) G_GNUC_PRINTF(1, 2);

#endif

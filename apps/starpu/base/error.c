/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Functions that the program registered for its exit might call StarPU's
 * interface again, so they are not called. */
G_NORETURN static void end_program(void)
{
    fflush(NULL);
    _exit(EXIT_FAILURE);
}

void (*sp_fail_hook)(const char *message);

static void print_message(const char *message)
{
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, message);
}

void sp_fail(const char *call, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *message = g_strdup_printf("%s: %s", call, text);
    if (sp_fail_hook)
        sp_fail_hook(message);
    print_message(message);
    end_program();
}

void sp_fail_error(const char *call, GError *error)
{
    sp_fail(call, "%s", error->message);
}

void sp_refuse(const char *name, const char *section)
{
    g_autofree char *message = g_strdup_printf(
        "%s() is not simulated (docs/STARPU.md#%s)", name, section);
    if (sp_fail_hook)
        sp_fail_hook(message);
    print_message(message);
    end_program();
}

void sp_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    print_message(text);
}

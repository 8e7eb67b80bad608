/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/message.h"

#include <stdarg.h>
#include <stdio.h>

#include "models/base/error.h"

enum orr_exit orr_exit_of(const GError *error)
{
    return g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE)
               ? ORR_EXIT_USAGE
               : ORR_EXIT_FAILURE;
}

enum orr_exit orr_exit_of_name(const GError *error)
{
    return g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN)
               ? ORR_EXIT_USAGE
               : ORR_EXIT_FAILURE;
}

static void G_GNUC_PRINTF(2, 0)
    print_line(const char *prefix, const char *format, va_list args)
{
    g_autofree char *text = g_strdup_vprintf(format, args);

    /* Names from files and arguments may hold any character. */
    for (char *c = text; *c; c++) {
        if (g_ascii_iscntrl(*c))
            *c = '?';
    }
    fprintf(stderr, "%s%s\n", prefix, text);
}

void orr_message_print(const char *command, const char *format, ...)
{
    g_autofree char *prefix =
        g_strdup_printf("orrery%s%s: ", *command ? " " : "", command);
    va_list args;

    va_start(args, format);
    print_line(prefix, format, args);
    va_end(args);
}

void orr_message_detail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_line("", format, args);
    va_end(args);
}

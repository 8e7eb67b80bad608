/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/message.h"

#include <stdarg.h>
#include <stdio.h>

void orr_message_print(const char *command, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = g_strdup_vprintf(format, args);
    va_end(args);
    /* A culprit quoted from outside may hold anything. */
    for (char *c = text; *c; c++) {
        if (g_ascii_iscntrl(*c))
            *c = '?';
    }
    fprintf(stderr, "orrery%s%s: %s\n", *command ? " " : "", command, text);
    g_free(text);
}

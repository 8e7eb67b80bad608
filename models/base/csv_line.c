/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/csv_line.h"

#include <string.h>

/* Removes the quotes of the field that begins at @text. Returns its end, or
 * NULL if the closing quote is missing. */
static char *unquote(char *text)
{
    char *to = text;

    for (char *from = text + 1; *from; from++) {
        if (*from == '"' && *++from != '"') {
            *to = '\0';
            return from;
        }
        *to++ = *from;
    }
    return NULL;
}

bool orr_csv_split(char *line, GPtrArray *fields)
{
    char *at = line;

    g_ptr_array_set_size(fields, 0);
    for (;;) {
        char *end = *at == '"' ? unquote(at) : at + strcspn(at, ",");

        if (!end || (*end && *end != ','))
            return false;
        g_ptr_array_add(fields, at);
        if (*end == '\0')
            return true;
        *end = '\0';
        at = end + 1;
    }
}

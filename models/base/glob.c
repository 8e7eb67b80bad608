/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/glob.h"

#include <glib.h>

bool orr_glob_matches(const char *pattern, const char *text)
{
    const char *star = NULL;  /* the latest star of the pattern */
    const char *taken = text; /* end of the text that the star matches */

    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            taken = text;
        } else if (*pattern == '?') {
            pattern++;
            text = g_utf8_next_char(text);
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            /* Let the latest star match one more byte. Earlier stars need not
             * change. */
            pattern = star + 1;
            text = ++taken;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

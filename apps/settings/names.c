/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/names.h"

#include <glib.h>
#include <string.h>

enum { LONGEST = 32 }; /* longer names are not compared */

/*
 * Edit distance with insertions, deletions, substitutions and swaps of
 * neighbours: "optimal string alignment", Boytsov, ACM JEA 16, 2011, section
 * 2.2.
 */
static size_t distance(const char *a, const char *b)
{
    size_t d[LONGEST + 1][LONGEST + 1];
    size_t rows = strlen(a);
    size_t columns = strlen(b);

    for (size_t i = 0; i <= rows; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= columns; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= rows; i++) {
        for (size_t j = 1; j <= columns; j++) {
            size_t change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

            d[i][j] = MIN(MIN(d[i - 1][j], d[i][j - 1]) + 1, change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = MIN(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[rows][columns];
}

const char *orr_names_nearest(const char *const *names, const char *text)
{
    size_t length = strlen(text);
    size_t best = length / 3 + 1;
    const char *nearest = NULL;

    if (length > LONGEST)
        return NULL;
    for (; *names; names++) {
        size_t d = strlen(*names) > LONGEST ? best : distance(*names, text);

        if (d < best) {
            best = d;
            nearest = *names;
        }
    }
    return nearest;
}

char *orr_names_hint(const char *const *names, const char *text,
                     const char *prefix)
{
    const char *nearest = orr_names_nearest(names, text);

    return nearest ? g_strdup_printf(" (did you mean '%s%s'?)", prefix, nearest)
                   : g_strdup("");
}

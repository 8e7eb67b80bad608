/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/names.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"

enum {
    LONGEST = 32,     /* longer names are not compared */
    MOST_LISTED = 100 /* in a message */
};

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

/* A copy of @text in lower case, without blanks around it. */
static char *plain(const char *text)
{
    g_autofree char *copy = g_strdup(text);

    return g_ascii_strdown(g_strstrip(copy), -1);
}

bool orr_name_matches(const char *name, const char *text)
{
    g_autofree char *a = plain(name);
    g_autofree char *b = plain(text);

    return strcmp(a, b) == 0;
}

bool orr_names_find(const char *what, const char *const *names,
                    const char *text, size_t *index, GError **error)
{
    for (size_t i = 0; names[i]; i++) {
        if (!orr_name_matches(names[i], text))
            continue;
        *index = i;
        return true;
    }
    orr_names_fail(what, names, text, error);
    return false;
}

/* "a, b, c"; of many names, only the first and the number of the rest. */
static char *list_names(const char *const *names)
{
    GString *list = g_string_new(NULL);
    size_t count = 0;

    for (; names[count]; count++) {
        if (count < MOST_LISTED)
            g_string_append_printf(list, "%s%s", count > 0 ? ", " : "",
                                   names[count]);
    }
    if (count > MOST_LISTED)
        g_string_append_printf(list, " and %zu more", count - MOST_LISTED);
    return g_string_free(list, FALSE);
}

void orr_names_fail(const char *what, const char *const *names,
                    const char *text, GError **error)
{
    g_autofree char *quoted = orr_quote(text);
    g_autofree char *hint = orr_names_hint(names, text, "");
    g_autofree char *list = list_names(names);

    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "unknown %s %s%s; there are: %s", what, quoted, hint,
                *list ? list : "none");
}

const char *orr_names_nearest(const char *const *names, const char *text)
{
    g_autofree char *typed = plain(text);
    size_t length = strlen(typed);
    size_t best = length / 3 + 1;
    const char *nearest = NULL;

    if (length > LONGEST)
        return NULL;
    for (; *names; names++) {
        g_autofree char *name = plain(*names);
        size_t d = strlen(name) > LONGEST ? best : distance(name, typed);

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

    return nearest && strcmp(nearest, text) != 0
               ? g_strdup_printf(" (did you mean '%s%s'?)", prefix, nearest)
               : g_strdup("");
}

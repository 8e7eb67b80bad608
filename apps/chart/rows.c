/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/chart/rows.h"

#include <string.h>

#include "apps/chart/rows_private.h"
#include "models/base/error.h"
#include "models/base/input.h"
#include "models/base/names.h"
#include "models/base/units.h"

/* The first bytes of a SQLite file, with the 0 at its end. */
static const char magic[] = "SQLite format 3";

/* Sets *@is whether @path is a SQLite file. What is no regular file cannot be
 * one, and is read only once. */
static bool look(const char *path, bool *is, GError **error)
{
    struct orr_input_limits limits = orr_input_limits(ORR_INPUT_PEEK);
    struct orr_input *input;
    const char *text;
    size_t size;
    bool good;

    *is = false;
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return true;
    limits.bytes = G_MAXUINT64;
    input = orr_input_open(path, &limits, error);
    if (!input)
        return false;
    good = orr_input_peek(input, &text, &size, error);
    *is = good && size >= sizeof(magic) &&
          memcmp(text, magic, sizeof(magic)) == 0;
    orr_input_close(input);
    return good;
}

struct orr_rows *orr_rows_open(const char *path, GError **error)
{
    struct orr_rows *rows = g_new0(struct orr_rows, 1);
    bool is_db;

    rows->path = orr_input_show_path(path);
    rows->names = g_ptr_array_new_with_free_func(g_free);
    if (look(path, &is_db, error) &&
        (is_db ? orr_rows_open_db : orr_rows_open_csv)(rows, path, error))
        return rows;
    orr_rows_close(rows);
    return NULL;
}

void orr_rows_close(struct orr_rows *rows)
{
    if (!rows)
        return;
    if (rows->kind)
        rows->kind->close(rows);
    g_ptr_array_unref(rows->names);
    g_free(rows->path);
    g_free(rows->columns);
    g_free(rows->fields);
    g_free(rows);
}

const char *const *orr_rows_names(const struct orr_rows *rows)
{
    return (const char *const *)rows->names->pdata;
}

bool orr_rows_fail(const struct orr_rows *rows, GError **error,
                   const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    orr_error_set_at(error, ORR_ERROR_SYNTAX, rows->path, rows->line, format,
                     arguments);
    va_end(arguments);
    return false;
}

bool orr_rows_find(const struct orr_rows *rows, const char *name, guint *column,
                   GError **error)
{
    const char *const *names = orr_rows_names(rows);
    guint found = 0;

    for (guint i = 0; names[i]; i++) {
        if (strcmp(names[i], name) != 0)
            continue;
        if (found++ == 0)
            *column = i;
    }
    if (found > 1) {
        g_autofree char *quoted = orr_quote(name);

        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s: there are several columns %s", rows->path, quoted);
        return false;
    }
    if (found == 0) {
        orr_names_fail("column", names, name, error);
        g_prefix_error(error, "%s: ", rows->path);
    }
    return found == 1;
}

bool orr_rows_select(struct orr_rows *rows, const guint *columns, guint count,
                     GError **error)
{
    rows->columns = g_memdup2(columns, count * sizeof(*columns));
    rows->fields = g_new0(const char *, count + 1);
    rows->count = count;
    return rows->kind->select(rows, error);
}

bool orr_rows_next(struct orr_rows *rows, const char *const **fields,
                   GError **error)
{
    *fields = NULL;
    if (!rows->kind->next(rows, error))
        return false;
    if (!rows->ended)
        *fields = rows->fields;
    return true;
}

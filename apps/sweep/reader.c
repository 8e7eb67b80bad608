/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/sweep/reader.h"

#include <string.h>

#include "apps/sweep/database.h"
#include "apps/sweep/store.h"
#include "apps/sweep/store_head.h"
#include "models/base/error.h"
#include "models/base/input.h"

struct orr_reader {
    struct orr_database database;
    struct orr_identity identity;
    GArray *columns;
    sqlite3_stmt *rows;
};

static bool refuse(const struct orr_reader *reader, const char *why,
                   GError **error)
{
    g_autofree char *shown = orr_input_show_path(reader->database.path);

    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", shown, why);
    return false;
}

/* Adds the column that @row describes: name, type, and whether it is the last
 * one. */
static void add_column(GArray *columns, sqlite3_stmt *row)
{
    const char *name = (const char *)sqlite3_column_text(row, 0);
    const char *type = (const char *)sqlite3_column_text(row, 1);
    struct orr_column column = {
        .name = g_strdup(name ? name : ""),
        .type = g_strcmp0(type, "INTEGER") == 0 ? ORR_COLUMN_INTEGER
                : g_strcmp0(type, "REAL") == 0  ? ORR_COLUMN_REAL
                                                : ORR_COLUMN_TEXT,
        .source = columns->len <= ORR_COLUMN_STATE
                      ? (enum orr_column_source)columns->len
                      : ORR_COLUMN_FACT,
    };

    g_array_append_val(columns, column);
}

/* Reads the columns of the table of runs. */
static bool read_columns(struct orr_reader *reader, GError **error)
{
    sqlite3_stmt *row = orr_database_prepare(
        &reader->database, "SELECT name, type FROM pragma_table_info('run')",
        error);
    GError *reason = NULL;

    reader->columns = orr_columns_empty();
    while (row && orr_database_step(&reader->database, row, &reason))
        add_column(reader->columns, row);
    sqlite3_finalize(row);
    if (!reason)
        return row;
    g_propagate_error(error, reason);
    return false;
}

/* Whether the table of runs was created by exactly the statement that this
 * program uses. Then reading it evaluates no expression of the file. */
static bool check_table(struct orr_reader *reader, GError **error)
{
    return read_columns(reader, error) &&
           (orr_store_has_runs(&reader->database, reader->columns) ||
            refuse(reader, "has no table of runs of ours", error));
}

static bool open_reader(struct orr_reader *reader, const char *path,
                        GError **error)
{
    bool is_new;

    if (!orr_database_open(&reader->database, path, false, error) ||
        !orr_store_head_look(&reader->database, &is_new, error))
        return false;
    if (is_new)
        return refuse(reader, "has no results", error);
    if (!orr_database_check(&reader->database, error) ||
        !orr_store_head_read(&reader->database, &reader->identity, error) ||
        !check_table(reader, error))
        return false;
    reader->rows = orr_database_prepare(
        &reader->database, "SELECT * FROM run ORDER BY point, replica", error);
    return reader->rows;
}

struct orr_reader *orr_reader_open(const char *path, GError **error)
{
    struct orr_reader *reader = g_new0(struct orr_reader, 1);

    if (open_reader(reader, path, error))
        return reader;
    orr_reader_close(reader);
    return NULL;
}

void orr_reader_close(struct orr_reader *reader)
{
    if (!reader)
        return;
    sqlite3_finalize(reader->rows);
    orr_database_close(&reader->database);
    orr_identity_clear(&reader->identity);
    g_clear_pointer(&reader->columns, g_array_unref);
    g_free(reader);
}

const struct orr_identity *orr_reader_identity(const struct orr_reader *reader)
{
    return &reader->identity;
}

GArray *orr_reader_columns(const struct orr_reader *reader)
{
    return reader->columns;
}

sqlite3_stmt *orr_reader_row(const struct orr_reader *reader)
{
    return reader->rows;
}

bool orr_reader_next(struct orr_reader *reader, GError **error)
{
    return orr_database_step(&reader->database, reader->rows, error);
}

enum orr_value_kind orr_reader_kind(const struct orr_reader *reader,
                                    unsigned column)
{
    switch (sqlite3_column_type(reader->rows, (int)column)) {
    case SQLITE_INTEGER:
        return ORR_VALUE_INTEGER;
    case SQLITE_FLOAT:
        return ORR_VALUE_REAL;
    case SQLITE_TEXT:
        return ORR_VALUE_TEXT;
    default:
        return ORR_VALUE_NONE;
    }
}

int64_t orr_reader_integer(const struct orr_reader *reader, unsigned column)
{
    return sqlite3_column_int64(reader->rows, (int)column);
}

double orr_reader_real(const struct orr_reader *reader, unsigned column)
{
    return sqlite3_column_double(reader->rows, (int)column);
}

const char *orr_reader_text(const struct orr_reader *reader, unsigned column)
{
    const char *text =
        (const char *)sqlite3_column_text(reader->rows, (int)column);

    return text && g_utf8_validate(text, -1, NULL) ? text : "?";
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/sweep/reader.h"

#include <string.h>

#include "apps/sweep/database.h"
#include "apps/sweep/store_head.h"
#include "models/base/error.h"
#include "models/base/input.h"

struct orr_reader {
    struct orr_database database;
    struct orr_identity identity;
    char *schema;
    sqlite3_stmt *rows;
};

static bool refuse(const struct orr_reader *reader, const char *why,
                   GError **error)
{
    g_autofree char *shown = orr_input_show_path(reader->database.path);

    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", shown, why);
    return false;
}

/*
 * Whether the table of runs is one that the program makes: it begins and ends
 * as that does, and no column is computed.
 */
static bool check_table(struct orr_reader *reader, GError **error)
{
    sqlite3_stmt *hidden;
    bool good;

    reader->schema = orr_store_table_sql(&reader->database, "run");
    if (!reader->schema ||
        !g_str_has_prefix(reader->schema, ORR_STORE_RUN_BEGIN) ||
        !g_str_has_suffix(reader->schema, ORR_STORE_RUN_END))
        return refuse(reader, "has no table of runs", error);
    hidden = orr_database_prepare(
        &reader->database,
        "SELECT 1 FROM pragma_table_xinfo('run') WHERE hidden <> 0", error);
    if (!hidden)
        return false;
    good = !orr_database_step(&reader->database, hidden, error);
    sqlite3_finalize(hidden);
    return good || refuse(reader, "has another table of runs", error);
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
    g_free(reader->schema);
    g_free(reader);
}

const struct orr_identity *orr_reader_identity(const struct orr_reader *reader)
{
    return &reader->identity;
}

const char *orr_reader_schema(const struct orr_reader *reader)
{
    return reader->schema;
}

unsigned orr_reader_columns(const struct orr_reader *reader)
{
    return (unsigned)sqlite3_column_count(reader->rows);
}

const char *orr_reader_name(const struct orr_reader *reader, unsigned column)
{
    return sqlite3_column_name(reader->rows, (int)column);
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

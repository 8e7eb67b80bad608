/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows of the table "run" of SQLite files. */
#include "apps/chart/rows_private.h"
#include "apps/sweep/database.h"
#include "models/base/input.h"

/* Instructions of SQLite between two looks at the clock. */
enum { STEPS = 100000 };

struct db {
    struct orr_database database;
    sqlite3_stmt *rows;
    gint64 end; /* us: the monotonic time at which reading ends */
};

/* Whether reading takes too long, as a hostile file may make it. */
static int watch(void *data)
{
    const struct db *db = data;

    return g_get_monotonic_time() > db->end;
}

static bool read_names(struct orr_rows *rows, GError **error)
{
    struct db *db = rows->state;
    sqlite3_stmt *names = orr_database_prepare(
        &db->database, "SELECT name FROM pragma_table_info('run')", error);
    GError *reason = NULL;

    if (!names)
        return false;
    while (orr_database_step(&db->database, names, &reason))
        g_ptr_array_add(rows->names,
                        g_strdup((const char *)sqlite3_column_text(names, 0)));
    sqlite3_finalize(names);
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    if (rows->names->len == 0)
        return orr_rows_fail(rows, error,
                             "it has no table run; is it a campaign?");
    g_ptr_array_add(rows->names, NULL);
    return true;
}

/* Appends a name in quotation marks. */
static void append_name(GString *query, const char *name)
{
    g_string_append_c(query, '"');
    for (; *name; name++) {
        if (*name == '"')
            g_string_append_c(query, '"');
        g_string_append_c(query, *name);
    }
    g_string_append_c(query, '"');
}

static bool has_name(const struct orr_rows *rows, const char *name)
{
    return g_strv_contains((const char *const *)rows->names->pdata, name);
}

static bool select_columns(struct orr_rows *rows, GError **error)
{
    struct db *db = rows->state;
    g_autoptr(GString) query = g_string_new("SELECT ");

    for (guint i = 0; i < rows->count; i++) {
        g_string_append(query, i > 0 ? ", " : "");
        append_name(query, rows->names->pdata[rows->columns[i]]);
    }
    g_string_append(query, " FROM run");
    if (has_name(rows, "point") && has_name(rows, "replica"))
        g_string_append(query, " ORDER BY point, replica");
    db->rows = orr_database_prepare(&db->database, query->str, error);
    return db->rows;
}

static bool next_row(struct orr_rows *rows, GError **error)
{
    struct db *db = rows->state;
    GError *reason = NULL;

    rows->ended = !orr_database_step(&db->database, db->rows, &reason);
    if (reason)
        g_propagate_error(error, reason);
    if (rows->ended)
        return !reason;
    for (guint i = 0; i < rows->count; i++) {
        const char *text = (const char *)sqlite3_column_text(db->rows, (int)i);

        rows->fields[i] = text ? text : "";
    }
    return true;
}

static void close_db(struct orr_rows *rows)
{
    struct db *db = rows->state;

    sqlite3_finalize(db->rows);
    orr_database_close(&db->database);
    g_free(db);
}

static const struct orr_rows_kind kind = {
    .select = select_columns,
    .next = next_row,
    .close = close_db,
};

bool orr_rows_open_db(struct orr_rows *rows, const char *path, GError **error)
{
    struct db *db = g_new0(struct db, 1);

    rows->kind = &kind;
    rows->state = db;
    db->end =
        g_get_monotonic_time() + (gint64)ORR_INPUT_WHOLE_S * G_USEC_PER_SEC;
    if (!orr_database_open(&db->database, path, false, error))
        return false;
    sqlite3_progress_handler(db->database.handle, STEPS, watch, db);
    return read_names(rows, error);
}

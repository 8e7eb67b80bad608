/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads a table of runs, row by row, from CSV or SQLite. Each kind of file has
 * three functions: select the columns, read the next row, close. The first
 * bytes of a file decide its kind.
 */
#include "apps/chart/rows.h"

#include <string.h>

#include "apps/sweep/database.h"
#include "models/base/csv_line.h"
#include "models/base/error.h"
#include "models/base/input.h"
#include "models/base/names.h"
#include "models/base/units.h"

/* Functions that read one kind of table. */
struct rows_kind {
    bool (*select)(struct orr_rows *rows, GError **error);
    /* Sets rows->fields, or rows->ended. */
    bool (*next)(struct orr_rows *rows, GError **error);
    void (*close)(struct orr_rows *rows);
};

struct orr_rows {
    const struct rows_kind *kind;
    char *path;          /* for messages */
    unsigned line;       /* line of the last row; 0: the file has no lines */
    GPtrArray *names;    /* char *, of the columns, NULL-terminated; owned */
    guint *columns;      /* indices of the selected columns */
    guint count;         /* number of selected columns */
    const char **fields; /* [count] */
    bool ended;
    void *state; /* private state of the reader; owned */
};

/* Rows of CSV files. */

/* Limit on the size of a file, far above a campaign of 10^8 points. */
#define MAX_BYTES (UINT64_C(1) << 40)

struct csv {
    struct orr_input *input;
    GString *row;
    GPtrArray *fields;
    unsigned next; /* line number after the last row */
};

/* Reads a row that is not empty. */
static bool read_row(struct orr_rows *rows, GError **error)
{
    struct csv *csv = rows->state;
    GError *reason = NULL;
    unsigned lines;

    do {
        rows->line = csv->next;
        rows->ended = !orr_csv_read(csv->input, csv->row, &lines, &reason);
        csv->next += rows->ended ? 0 : lines;
    } while (!rows->ended && csv->row->len == 0);
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    if (rows->ended)
        return true;
    if (strlen(csv->row->str) != csv->row->len)
        return orr_rows_fail(rows, error, "a row has a character of code 0");
    return orr_csv_split(csv->row->str, csv->fields) ||
           orr_rows_fail(rows, error, "a quoted field does not end");
}

static bool select_columns_csv(struct orr_rows *rows, GError **error)
{
    (void)rows;
    (void)error;
    return true;
}

static bool next_row_csv(struct orr_rows *rows, GError **error)
{
    struct csv *csv = rows->state;
    guint columns = rows->names->len - 1;

    if (!read_row(rows, error) || rows->ended)
        return rows->ended;
    if (csv->fields->len != columns)
        return orr_rows_fail(rows, error, "fields: %u, not %u",
                             csv->fields->len, columns);
    for (guint i = 0; i < rows->count; i++)
        rows->fields[i] = csv->fields->pdata[rows->columns[i]];
    return true;
}

static void close_csv(struct orr_rows *rows)
{
    struct csv *csv = rows->state;

    orr_input_close(csv->input);
    g_string_free(csv->row, TRUE);
    g_ptr_array_unref(csv->fields);
    g_free(csv);
}

static const struct rows_kind csv_kind = {
    .select = select_columns_csv,
    .next = next_row_csv,
    .close = close_csv,
};

/* Opens the CSV file @path: sets kind, names and state, or fails. */
static bool orr_rows_open_csv(struct orr_rows *rows, const char *path,
                              GError **error)
{
    struct orr_input_limits limits = orr_input_limits(MAX_BYTES);
    struct orr_input *input = orr_input_open(path, &limits, error);
    struct csv *csv;

    if (!input)
        return false;
    csv = g_new(struct csv, 1);
    *csv = (struct csv){
        .input = input,
        .row = g_string_new(NULL),
        .fields = g_ptr_array_new(),
        .next = 1,
    };
    rows->kind = &csv_kind;
    rows->state = csv;
    if (!read_row(rows, error))
        return false;
    if (rows->ended)
        return orr_rows_fail(rows, error, "there are no columns");
    if (csv->fields->len > ORR_ROWS_MAX_COLUMNS)
        return orr_rows_fail(rows, error, "there are more than %d columns",
                             ORR_ROWS_MAX_COLUMNS);
    for (guint i = 0; i < csv->fields->len; i++)
        g_ptr_array_add(rows->names,
                        g_utf8_make_valid(csv->fields->pdata[i], -1));
    g_ptr_array_add(rows->names, NULL);
    return true;
}

/* Rows of the table "run" of SQLite files. */

/* Instructions of SQLite between two checks of the clock. */
enum { STEPS = 100000 };

struct db {
    struct orr_database database;
    sqlite3_stmt *rows;
    gint64 end; /* monotonic time after which reading fails, us */
};

/* Stops a query that takes too long; a hostile file may cause that. */
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

static bool select_columns_db(struct orr_rows *rows, GError **error)
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

static bool next_row_db(struct orr_rows *rows, GError **error)
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

static const struct rows_kind db_kind = {
    .select = select_columns_db,
    .next = next_row_db,
    .close = close_db,
};

static bool orr_rows_open_db(struct orr_rows *rows, const char *path,
                             GError **error)
{
    struct db *db = g_new0(struct db, 1);

    rows->kind = &db_kind;
    rows->state = db;
    db->end =
        g_get_monotonic_time() + (gint64)ORR_INPUT_WHOLE_S * G_USEC_PER_SEC;
    if (!orr_database_open(&db->database, path, false, error))
        return false;
    sqlite3_progress_handler(db->database.handle, STEPS, watch, db);
    return read_names(rows, error);
}

/* The first bytes of a SQLite file, with the 0 at its end. */
static const char magic[] = "SQLite format 3";

/* Sets *@is to whether @path is a SQLite file. A pipe cannot be one, and is not
 * opened, as it can be read only once. */
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

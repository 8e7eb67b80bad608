/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The results file of a campaign. One connection, guarded by a mutex, inserts
 * rows of all threads into an open transaction, which is committed once in a
 * while: a commit waits for the disk. The statement that creates the table of
 * runs is a function of the columns alone, so a reader can compare it with the
 * statement stored in the file.
 */
#include "apps/sweep/store.h"

#include <string.h>

#include "apps/output/exact.h"
#include "apps/sweep/store_head.h"
#include "models/base/error.h"
#include "models/base/input.h"

struct orr_store {
    struct orr_database database;
    const GArray *columns; /* borrowed */
    GMutex mutex;          /* guards all below, and the database */
    sqlite3_stmt *insert;
    bool begun;          /* a transaction has begun */
    gint64 committed_us; /* end of the last transaction; monotonic clock */
};

/* Appends the definition of @column, of which @strict leaves the check of types
 * to the table. */
static void append_column(GString *sql, const struct orr_column *column,
                          bool strict)
{
    static const char *const types[] = {"INTEGER", "REAL", "TEXT"};
    static const char *const held[] = {"integer", "real", "text"};
    bool needed = column->source <= ORR_COLUMN_STATE;
    char *name = sqlite3_mprintf("\"%w\"", column->name);

    g_string_append_printf(sql, "%s %s%s", name, types[column->type],
                           needed ? " NOT NULL" : "");
    if (!strict)
        g_string_append_printf(sql, " CHECK (typeof(%s) IN ('%s'%s))", name,
                               held[column->type], needed ? "" : ", 'null'");
    g_string_append(sql, ", ");
    sqlite3_free(name);
}

static char *make_schema(const GArray *columns, bool strict)
{
    GString *sql = g_string_new("CREATE TABLE run (");

    for (guint i = 0; i < columns->len; i++)
        append_column(sql, &g_array_index(columns, struct orr_column, i),
                      strict);
    g_string_append_printf(sql, "PRIMARY KEY (point, replica)) %sWITHOUT ROWID",
                           strict ? "STRICT, " : "");
    return g_string_free(sql, FALSE);
}

char *orr_store_schema(const GArray *columns)
{
    return make_schema(columns, false);
}

bool orr_store_has_runs(const struct orr_database *database,
                        const GArray *columns)
{
    g_autofree char *schema = make_schema(columns, false);
    g_autofree char *strict = make_schema(columns, true);

    return orr_store_has_table(database, "run", schema, strict);
}

/* Makes the tables. */
static bool create(struct orr_store *store, const struct orr_identity *identity,
                   GError **error)
{
    g_autofree char *run = orr_store_schema(store->columns);

    return orr_database_execute(&store->database, ORR_STORE_APPLICATION,
                                error) &&
           orr_database_execute(&store->database, ORR_STORE_CAMPAIGN, error) &&
           orr_database_execute(&store->database, run, error) &&
           orr_store_head_write(&store->database, identity, error);
}

/* Drops the tables of an older campaign. */
static bool empty(struct orr_store *store, GError **error)
{
    return orr_database_execute(&store->database, "DROP TABLE IF EXISTS run",
                                error) &&
           orr_database_execute(&store->database,
                                "DROP TABLE IF EXISTS campaign", error);
}

static bool refuse(struct orr_store *store, const char *why, GError **error)
{
    g_autofree char *shown = orr_input_show_path(store->database.path);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s: %s", shown, why);
    return false;
}

/* Whether the file is intact, and belongs to this campaign and shard. */
static bool check(struct orr_store *store, const struct orr_identity *identity,
                  GError **error)
{
    struct orr_identity other = {0};
    bool good =
        orr_database_check(&store->database, error) &&
        orr_store_head_read(&store->database, &other, error) &&
        orr_identity_check(identity, &other, store->database.path, error);

    if (good && (other.shard.index != identity->shard.index ||
                 other.shard.count != identity->shard.count))
        good = refuse(store, "holds another shard", error);
    if (good && !orr_store_has_runs(&store->database, store->columns))
        good = refuse(store, "has another table of runs", error);
    orr_identity_clear(&other);
    return good;
}

/* Creates the tables, or checks that the file holds this campaign. */
static bool begin(struct orr_store *store, const struct orr_identity *identity,
                  bool restart, GError **error)
{
    bool is_new;

    if (!orr_store_head_look(&store->database, &is_new, error))
        return false;
    if (is_new)
        return create(store, identity, error);
    if (restart)
        return empty(store, error) && create(store, identity, error);
    if (check(store, identity, error))
        return true;
    if (error && g_error_matches(*error, ORR_ERROR, ORR_ERROR_VALUE))
        orr_error_append(error,
                         "; --restart begins anew, or choose another --output");
    return false;
}

static bool prepare(struct orr_store *store, GError **error)
{
    GString *sql = g_string_new("INSERT INTO run VALUES (?");

    for (guint i = 1; i < store->columns->len; i++)
        g_string_append(sql, ", ?");
    g_string_append_c(sql, ')');
    store->insert = orr_database_prepare(&store->database, sql->str, error);
    g_string_free(sql, TRUE);
    return store->insert;
}

/* Opens the file and locks it for as long as it is open. */
static bool open_store(struct orr_store *store, const char *path,
                       const struct orr_identity *identity, bool restart,
                       GError **error)
{
    struct orr_database *database = &store->database;

    if (!orr_database_open(database, path, true, error) ||
        !orr_database_execute(database, "BEGIN EXCLUSIVE", error))
        return false;
    if (begin(store, identity, restart, error) &&
        orr_database_execute(database, "COMMIT", error))
        return prepare(store, error);
    sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

struct orr_store *orr_store_open(const char *path,
                                 const struct orr_identity *identity,
                                 const GArray *columns, bool restart,
                                 GError **error)
{
    struct orr_store *store = g_new0(struct orr_store, 1);

    store->columns = columns;
    store->committed_us = g_get_monotonic_time();
    g_mutex_init(&store->mutex);
    if (open_store(store, path, identity, restart, error))
        return store;
    orr_store_close(store, NULL);
    return NULL;
}

/* Rolls back the transaction after a failed write: its rows are lost. */
static void roll_back(struct orr_store *store)
{
    sqlite3_exec(store->database.handle, "ROLLBACK", NULL, NULL, NULL);
    store->begun = false;
}

bool orr_store_commit(struct orr_store *store, gint64 interval_us,
                      GError **error)
{
    gint64 now_us = g_get_monotonic_time();
    bool done = true;

    g_mutex_lock(&store->mutex);
    if (store->begun && now_us - store->committed_us >= interval_us) {
        done = orr_database_execute(&store->database, "COMMIT", error);
        if (!done)
            roll_back(store);
        store->begun = false;
        store->committed_us = g_get_monotonic_time();
    }
    g_mutex_unlock(&store->mutex);
    return done;
}

bool orr_store_close(struct orr_store *store, GError **error)
{
    bool done;

    if (!store)
        return true;
    done = orr_store_commit(store, 0, error);
    sqlite3_finalize(store->insert);
    orr_database_close(&store->database);
    g_mutex_clear(&store->mutex);
    g_free(store);
    return done;
}

bool orr_store_list(struct orr_store *store,
                    bool (*seen)(uint64_t point, uint64_t replica, bool failed,
                                 void *data, GError **error),
                    void *data, GError **error)
{
    sqlite3_stmt *rows = orr_database_prepare(
        &store->database, "SELECT point, replica, state = 'failed' FROM run",
        error);
    GError *reason = NULL;
    bool good = rows;

    while (good && orr_database_step(&store->database, rows, &reason))
        good = seen((uint64_t)sqlite3_column_int64(rows, 0),
                    (uint64_t)sqlite3_column_int64(rows, 1),
                    sqlite3_column_int(rows, 2), data, error);
    sqlite3_finalize(rows);
    if (!reason)
        return good;
    g_propagate_error(error, reason);
    return false;
}

bool orr_store_count(struct orr_store *store, uint64_t *rows)
{
    sqlite3_stmt *count = orr_database_prepare(
        &store->database, "SELECT count(*) FROM run", NULL);
    bool done = count && orr_database_step(&store->database, count, NULL);

    if (done)
        *rows = (uint64_t)sqlite3_column_int64(count, 0);
    sqlite3_finalize(count);
    return done;
}

static void bind_text(sqlite3_stmt *insert, int place, const char *text)
{
    if (text)
        sqlite3_bind_text(insert, place, text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(insert, place);
}

static void bind_number(sqlite3_stmt *insert, int place,
                        enum orr_column_type type, const char *text)
{
    if (type == ORR_COLUMN_INTEGER)
        sqlite3_bind_int64(insert, place, g_ascii_strtoll(text, NULL, 10));
    else if (type == ORR_COLUMN_REAL)
        sqlite3_bind_double(insert, place, g_ascii_strtod(text, NULL));
    else
        bind_text(insert, place, text);
}

static void bind_fact(sqlite3_stmt *insert, int place,
                      enum orr_column_type type, JsonObject *facts,
                      const char *name)
{
    JsonNode *node = facts ? json_object_get_member(facts, name) : NULL;
    GType held = node && JSON_NODE_HOLDS_VALUE(node)
                     ? json_node_get_value_type(node)
                     : G_TYPE_NONE;

    if (held == G_TYPE_NONE) {
        sqlite3_bind_null(insert, place);
    } else if (type == ORR_COLUMN_TEXT) {
        g_autofree char *text = orr_exact_format(node, "");

        bind_text(insert, place, text);
    } else if (type == ORR_COLUMN_REAL) {
        sqlite3_bind_double(insert, place, json_node_get_double(node));
    } else {
        sqlite3_bind_int64(insert, place,
                           held == G_TYPE_BOOLEAN ? json_node_get_boolean(node)
                                                  : json_node_get_int(node));
    }
}

static void bind(const struct orr_store *store, const struct orr_store_row *row)
{
    sqlite3_stmt *insert = store->insert;
    unsigned key = 0;

    for (guint i = 0; i < store->columns->len; i++) {
        const struct orr_column *column =
            &g_array_index(store->columns, struct orr_column, i);
        int place = (int)i + 1;

        switch (column->source) {
        case ORR_COLUMN_POINT:
            sqlite3_bind_int64(insert, place, (sqlite3_int64)row->point);
            break;
        case ORR_COLUMN_REPLICA:
            sqlite3_bind_int64(insert, place, (sqlite3_int64)row->replica);
            break;
        case ORR_COLUMN_STATE:
            bind_text(insert, place, row->error ? "failed" : "done");
            break;
        case ORR_COLUMN_KEY:
            bind_number(insert, place, column->type, row->values[key++]);
            break;
        case ORR_COLUMN_FACT:
            bind_fact(insert, place, column->type, row->facts, column->name);
            break;
        case ORR_COLUMN_ERROR:
            bind_text(insert, place, row->error);
            break;
        }
    }
}

/* Begins a transaction unless there is one. */
static bool begin_transaction(struct orr_store *store, GError **error)
{
    if (!store->begun &&
        !orr_database_execute(&store->database, "BEGIN IMMEDIATE", error))
        return false;
    store->begun = true;
    return true;
}

/* Executes the insert statement, whose parameters are bound. */
static bool insert(struct orr_store *store, GError **error)
{
    if (sqlite3_step(store->insert) == SQLITE_DONE) {
        sqlite3_reset(store->insert);
        return true;
    }
    orr_database_fail(&store->database, error);
    sqlite3_reset(store->insert);
    roll_back(store);
    return false;
}

bool orr_store_put(struct orr_store *store, const struct orr_store_row *row,
                   GError **error)
{
    bool done;

    g_mutex_lock(&store->mutex);
    done = begin_transaction(store, error);
    if (done) {
        bind(store, row);
        done = insert(store, error);
    }
    g_mutex_unlock(&store->mutex);
    return done;
}

/* Whether column @i of the rows @a and @b has equal values. */
static bool is_same(sqlite3_stmt *a, sqlite3_stmt *b, int i)
{
    int bytes = sqlite3_column_bytes(a, i);

    if (sqlite3_column_type(a, i) != sqlite3_column_type(b, i))
        return false;
    if (sqlite3_column_type(a, i) == SQLITE_NULL)
        return true;
    return bytes == sqlite3_column_bytes(b, i) &&
           memcmp(sqlite3_column_text(a, i), sqlite3_column_text(b, i),
                  (size_t)bytes) == 0;
}

/* Whether @row equals @own, the row of the store. */
static bool compare(const struct orr_store *store, sqlite3_stmt *own,
                    sqlite3_stmt *row, GError **error)
{
    for (guint i = 0; i < store->columns->len; i++) {
        const char *name =
            g_array_index(store->columns, struct orr_column, i).name;

        if (strcmp(name, ORR_COLUMN_WALL) == 0 || is_same(own, row, (int)i))
            continue;
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "has another %s of point %" G_GINT64_FORMAT
                    ", replica %" G_GINT64_FORMAT " than a file before it",
                    name, (gint64)sqlite3_column_int64(row, 0),
                    (gint64)sqlite3_column_int64(row, 1));
        return false;
    }
    return true;
}

static bool look_up(const struct orr_store *store, sqlite3_stmt *row,
                    GError **error)
{
    sqlite3_stmt *own = orr_database_prepare(
        &store->database, "SELECT * FROM run WHERE point = ? AND replica = ?",
        error);
    bool same;

    if (!own)
        return false;
    sqlite3_bind_int64(own, 1, sqlite3_column_int64(row, 0));
    sqlite3_bind_int64(own, 2, sqlite3_column_int64(row, 1));
    same = orr_database_step(&store->database, own, error) &&
           compare(store, own, row, error);
    sqlite3_finalize(own);
    return same;
}

bool orr_store_copy(struct orr_store *store, sqlite3_stmt *row, bool is_there,
                    GError **error)
{
    if (is_there)
        return look_up(store, row, error);
    if (!begin_transaction(store, error))
        return false;
    for (int i = 0; i < (int)store->columns->len; i++)
        sqlite3_bind_value(store->insert, i + 1, sqlite3_column_value(row, i));
    return insert(store, error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/sweep/store_head.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/input.h"

static bool refuse(const struct orr_database *database, GError **error)
{
    g_autofree char *shown = orr_input_show_path(database->path);

    g_set_error(error, ORR_ERROR, ORR_ERROR_IO,
                "%s: is not a file of 'orrery sweep'", shown);
    return false;
}

/* Sets *@number to the first column of the first row that @sql returns. */
static bool read_number(const struct orr_database *database, const char *sql,
                        int64_t *number, GError **error)
{
    sqlite3_stmt *statement = orr_database_prepare(database, sql, error);
    bool found = statement && orr_database_step(database, statement, error);

    if (found)
        *number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return found;
}

bool orr_store_head_look(const struct orr_database *database, bool *is_new,
                         GError **error)
{
    static const char ours[] = ORR_STORE_APPLICATION;
    int64_t application, tables;

    if (!read_number(database, "PRAGMA application_id", &application, error) ||
        !read_number(database, "SELECT count(*) FROM sqlite_schema", &tables,
                     error))
        return false;
    *is_new = application == 0 && tables == 0;
    return *is_new ||
           application == g_ascii_strtoll(strchr(ours, '=') + 1, NULL, 10) ||
           refuse(database, error);
}

bool orr_store_head_write(const struct orr_database *database,
                          const struct orr_identity *identity, GError **error)
{
    sqlite3_stmt *insert = orr_database_prepare(
        database, "INSERT INTO campaign VALUES (?, ?, ?, ?, ?, ?, ?)", error);
    const char *const texts[] = {identity->settings, identity->digest,
                                 identity->version, identity->platforms,
                                 identity->files};
    bool done;

    if (!insert)
        return false;
    for (int i = 0; i < (int)G_N_ELEMENTS(texts); i++)
        sqlite3_bind_text(insert, i + 1, texts[i], -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(insert, 6, identity->shard.index);
    sqlite3_bind_int64(insert, 7, identity->shard.count);
    done = sqlite3_step(insert) == SQLITE_DONE;
    if (!done)
        orr_database_fail(database, error);
    sqlite3_finalize(insert);
    return done;
}

char *orr_store_table_sql(const struct orr_database *database, const char *name)
{
    sqlite3_stmt *statement = orr_database_prepare(
        database,
        "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
        NULL);
    char *sql = NULL;

    if (!statement)
        return NULL;
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_TRANSIENT);
    if (orr_database_step(database, statement, NULL))
        sql = g_strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return sql;
}

bool orr_store_has_table(const struct orr_database *database, const char *name,
                         const char *sql, const char *strict)
{
    g_autofree char *own = orr_store_table_sql(database, name);

    return g_strcmp0(own, sql) == 0 || g_strcmp0(own, strict) == 0;
}

/* Returns column @i of the row; "" for none. Free with g_free(). */
static char *take_text(sqlite3_stmt *row, int i)
{
    const char *text = (const char *)sqlite3_column_text(row, i);

    return g_strdup(text && g_utf8_validate(text, -1, NULL) ? text : "");
}

static bool take_row(sqlite3_stmt *row, struct orr_identity *identity)
{
    g_autofree char *digest = take_text(row, 1);
    int64_t shard = sqlite3_column_int64(row, 5);
    int64_t shards = sqlite3_column_int64(row, 6);

    identity->settings = take_text(row, 0);
    identity->version = take_text(row, 2);
    identity->platforms = take_text(row, 3);
    identity->files = take_text(row, 4);
    identity->shard = (struct orr_shard){(unsigned)shard, (unsigned)shards};
    orr_identity_finish(identity);
    return strcmp(digest, identity->digest) == 0 && shard >= 0 &&
           shard < shards && shards <= ORR_SHARDS_MAX;
}

bool orr_store_head_read(const struct orr_database *database,
                         struct orr_identity *identity, GError **error)
{
    sqlite3_stmt *row;
    GError *reason = NULL;
    bool good;

    *identity = (struct orr_identity){0};
    if (!orr_store_has_table(database, "campaign", ORR_STORE_CAMPAIGN,
                             ORR_STORE_CAMPAIGN_STRICT))
        return refuse(database, error);
    row = orr_database_prepare(database, "SELECT * FROM campaign", error);
    if (!row)
        return false;
    good = orr_database_step(database, row, &reason) && take_row(row, identity);
    sqlite3_finalize(row);
    if (reason)
        g_propagate_error(error, reason);
    else if (!good)
        refuse(database, error);
    return good;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DATABASE_H
#define ORR_DATABASE_H

#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>

/*
 * SQLite, for files that may be hostile, and on file systems of clusters: no
 * trusted schema, triggers or views; a rollback journal, as WAL needs shared
 * memory; and a lock held until the file is closed, so that a file has one
 * user.
 *
 * Errors are ORR_ERROR_IO and begin with the path.
 */
struct orr_database {
    sqlite3 *handle;
    char *path;  /* as given; owned */
    bool writes; /* opened to write */
};

/*
 * Opens the file @path: to write, making it if it is not there, or to read.
 * Fails if it is not a regular file or not a database. Returns false with
 * @error; close @database in any case.
 */
bool orr_database_open(struct orr_database *database, const char *path,
                       bool writes, GError **error);
void orr_database_close(struct orr_database *database);

/* Sets @error to the error that the last call reported. */
void orr_database_fail(const struct orr_database *database, GError **error);

/* Runs the statement @sql; ignores rows that it returns. */
bool orr_database_execute(struct orr_database *database, const char *sql,
                          GError **error);

/* Prepares @sql. NULL with @error. Free with sqlite3_finalize(). */
sqlite3_stmt *orr_database_prepare(const struct orr_database *database,
                                   const char *sql, GError **error);

/*
 * Steps @statement. Returns whether there is a row; false at the end, and with
 * @error.
 */
bool orr_database_step(const struct orr_database *database,
                       sqlite3_stmt *statement, GError **error);

/* Whether the file is intact, by PRAGMA quick_check. */
bool orr_database_check(const struct orr_database *database, GError **error);

#endif

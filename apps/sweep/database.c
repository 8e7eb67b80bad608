/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/sweep/database.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "models/base/error.h"
#include "models/base/input.h"

/* Limits on the work that a hostile file can cause in SQLite. */
enum {
    LONGEST_VALUE = 16 << 20, /* bytes of a value or a row */
    LONGEST_SQL = 1 << 20,
    MOST_COLUMNS = 1000,
};

#define NO_LOCKS                                                               \
    "the file system refuses locks; write to a local disk, and copy the file " \
    "when all is done"

/*
 * Whether the file system of @path supports no locks, such as NFS without a
 * lock daemon: ENOLCK, which SQLite reports as a lock of another process. Call
 * it only while this process holds no lock on @path, as closing a file drops
 * all its locks.
 */
static bool refuses_locks(const char *path)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool refuses;

    if (file < 0)
        return false;
    refuses = fcntl(file, F_GETLK, &lock) != 0 && errno == ENOLCK;
    close(file);
    return refuses;
}

/* Whether the file has STRICT tables, as earlier versions made them, and this
 * SQLite is too old for them. */
static bool needs_strict(const struct orr_database *database)
{
    return sqlite3_libversion_number() < 3037000 &&
           strstr(sqlite3_errmsg(database->handle), "STRICT");
}

/* Returns advice to the user about error @code; NULL: none. */
static const char *explain(const struct orr_database *database, int code)
{
    switch (code) {
    case SQLITE_IOERR_LOCK:
    case SQLITE_IOERR_UNLOCK:
    case SQLITE_IOERR_RDLOCK:
    case SQLITE_IOERR_CHECKRESERVEDLOCK:
        return NO_LOCKS;
    case SQLITE_IOERR_WRITE:
        return "cannot be written: the disk has an error, or a limit on the "
               "size of files is reached";
    default:
        break;
    }
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return refuses_locks(database->path) ? NO_LOCKS
                                             : "another process uses it";
    case SQLITE_NOLFS:
    case SQLITE_PROTOCOL:
        return NO_LOCKS;
    case SQLITE_NOTADB:
        return "is no SQLite database";
    case SQLITE_CORRUPT:
        if (needs_strict(database))
            return "has STRICT tables, which need SQLite 3.37 or later";
        return "the database is damaged; to begin anew, remove the file";
    case SQLITE_FULL:
        return "the disk is full";
    case SQLITE_READONLY:
        return "cannot be written";
    case SQLITE_CANTOPEN:
        return "cannot be opened: is its folder there, and may you write "
               "there?";
    default:
        return NULL;
    }
}

static void set_error(const struct orr_database *database, const char *why,
                      const char *more, GError **error)
{
    g_autofree char *shown = orr_input_show_path(database->path);

    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s%s%s", shown, why,
                more ? ": " : "", more ? more : "");
}

void orr_database_fail(const struct orr_database *database, GError **error)
{
    int code = sqlite3_extended_errcode(database->handle);
    int reason = sqlite3_system_errno(database->handle);
    const char *why = explain(database, code);
    bool system = reason != 0 && (code & 0xff) != SQLITE_BUSY &&
                  (code & 0xff) != SQLITE_NOTADB &&
                  (code & 0xff) != SQLITE_CORRUPT;

    set_error(database, why ? why : sqlite3_errmsg(database->handle),
              system && !why ? g_strerror(reason) : NULL, error);
}

/* Whether @path is a regular file or does not exist. */
static bool check_kind(const struct orr_database *database, bool writes,
                       GError **error)
{
    struct stat status;

    if (stat(database->path, &status) == 0) {
        if (S_ISREG(status.st_mode))
            return true;
        set_error(database, "is not a regular file", NULL, error);
        return false;
    }
    if (errno == ENOENT && writes)
        return true;
    set_error(database, g_strerror(errno), NULL, error);
    return false;
}

static void harden(sqlite3 *handle)
{
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, LONGEST_SQL);
    sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, MOST_COLUMNS);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
}

bool orr_database_open(struct orr_database *database, const char *path,
                       bool writes, GError **error)
{
    /* A relative name gets "./": SQLite would interpret "file:..." and
     * ":memory:". */
    g_autofree char *place = g_path_is_absolute(path)
                                 ? g_strdup(path)
                                 : g_strconcat("./", path, NULL);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                (writes ? SQLITE_OPEN_CREATE : 0);

    *database = (struct orr_database){.path = g_strdup(path)};
    if (!check_kind(database, writes, error))
        return false;
    if (sqlite3_open_v2(place, &database->handle, flags, NULL) != SQLITE_OK) {
        orr_database_fail(database, error);
        return false;
    }
    harden(database->handle);
    database->writes = writes;
    return orr_database_execute(database, "PRAGMA trusted_schema = OFF",
                                error) &&
           orr_database_execute(database, "PRAGMA cell_size_check = ON",
                                error) &&
           orr_database_execute(database, "PRAGMA mmap_size = 0", error) &&
           orr_database_execute(database, "PRAGMA locking_mode = EXCLUSIVE",
                                error) &&
           (!writes || orr_database_execute(
                           database, "PRAGMA journal_mode = TRUNCATE", error));
}

void orr_database_close(struct orr_database *database)
{
    /* Writing ends: let SQLite delete the journal when the file is closed. */
    if (database->writes)
        sqlite3_exec(database->handle, "PRAGMA journal_mode = DELETE", NULL,
                     NULL, NULL);
    sqlite3_close(database->handle);
    database->handle = NULL;
    g_clear_pointer(&database->path, g_free);
}

bool orr_database_execute(struct orr_database *database, const char *sql,
                          GError **error)
{
    if (sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    orr_database_fail(database, error);
    return false;
}

sqlite3_stmt *orr_database_prepare(const struct orr_database *database,
                                   const char *sql, GError **error)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) ==
        SQLITE_OK)
        return statement;
    orr_database_fail(database, error);
    return NULL;
}

bool orr_database_step(const struct orr_database *database,
                       sqlite3_stmt *statement, GError **error)
{
    int code = sqlite3_step(statement);

    if (code != SQLITE_ROW && code != SQLITE_DONE)
        orr_database_fail(database, error);
    return code == SQLITE_ROW;
}

bool orr_database_check(const struct orr_database *database, GError **error)
{
    sqlite3_stmt *statement =
        orr_database_prepare(database, "PRAGMA quick_check(1)", error);
    GError *reason = NULL;
    bool good = false;

    if (!statement)
        return false;
    if (orr_database_step(database, statement, &reason))
        good = g_strcmp0((const char *)sqlite3_column_text(statement, 0),
                         "ok") == 0;
    if (reason)
        g_propagate_error(error, reason);
    else if (!good)
        set_error(database, "the database is damaged",
                  (const char *)sqlite3_column_text(statement, 0), error);
    sqlite3_finalize(statement);
    return good;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STORE_HEAD_H
#define ORR_STORE_HEAD_H

#include "apps/sweep/database.h"
#include "apps/sweep/identity.h"

/* The table "campaign" of a results file (store.h), and the marks that identify
 * such a file. */

/* SQLite's application_id: the bytes "orry". */
#define ORR_STORE_APPLICATION "PRAGMA application_id = 1869771385"

/*
 * The statement that makes the table campaign. CHECK holds the types of values,
 * as a STRICT table would, which needs SQLite 3.37; long-lived systems have
 * 3.34.
 */
#define ORR_STORE_CAMPAIGN                                                     \
    "CREATE TABLE campaign ("                                                  \
    "settings TEXT NOT NULL CHECK (typeof(settings) = 'text'), "               \
    "digest TEXT NOT NULL CHECK (typeof(digest) = 'text'), "                   \
    "version TEXT NOT NULL CHECK (typeof(version) = 'text'), "                 \
    "platforms TEXT NOT NULL CHECK (typeof(platforms) = 'text'), "             \
    "files TEXT NOT NULL CHECK (typeof(files) = 'text'), "                     \
    "shard INTEGER NOT NULL CHECK (typeof(shard) = 'integer'), "               \
    "shards INTEGER NOT NULL CHECK (typeof(shards) = 'integer'))"

/* As files of earlier versions have it. */
#define ORR_STORE_CAMPAIGN_STRICT                                              \
    "CREATE TABLE campaign (settings TEXT NOT NULL, digest TEXT NOT NULL, "    \
    "version TEXT NOT NULL, platforms TEXT NOT NULL, files TEXT NOT NULL, "    \
    "shard INTEGER NOT NULL, shards INTEGER NOT NULL) STRICT"

/*
 * Sets *@is_new to whether the file is empty. Fails with ORR_ERROR_IO if it is
 * not a database, or a database of another program.
 */
bool orr_store_head_look(const struct orr_database *database, bool *is_new,
                         GError **error);

/* Write and read the row of the table campaign. Clear the @identity that was
 * read. */
bool orr_store_head_write(const struct orr_database *database,
                          const struct orr_identity *identity, GError **error);
bool orr_store_head_read(const struct orr_database *database,
                         struct orr_identity *identity, GError **error);

/* Whether the table @name exists and was created by the statement @sql, or by
 * @strict, its form in earlier versions. */
bool orr_store_has_table(const struct orr_database *database, const char *name,
                         const char *sql, const char *strict);

/* Returns the statement that created the table @name; NULL: no such table. Free
 * with g_free(). */
char *orr_store_table_sql(const struct orr_database *database,
                          const char *name);

#endif

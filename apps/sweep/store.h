/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STORE_H
#define ORR_STORE_H

#include <json-glib/json-glib.h>

#include "apps/sweep/columns.h"
#include "apps/sweep/database.h"
#include "apps/sweep/identity.h"

/*
 * The file of a campaign: a SQLite database with the tables
 *
 *   campaign  one row: settings (the text of the campaign, campaign.h), digest,
 *             version, platforms and files with their digests, and shard,
 *             shards: the number of this shard and how many there are (0 of 1:
 *             all)
 *   run       one row for each run that has ended, with the columns of
 *             columns.h; the key is (point, replica)
 *
 * If the process or the machine stops, a row is complete or absent: SQLite
 * writes transactions. Rows are written by one process, from any of its
 * threads.
 */
struct orr_store;

/* How a run ended. */
struct orr_store_row {
    uint64_t point, replica;
    char *const *values; /* values of the keys, as text */
    JsonObject *facts;   /* facts of the run (apps/facts/facts.h); or NULL */
    const char *error;   /* why the run failed; NULL: it finished */
};

/*
 * Opens the file @path to continue the campaign @identity, whose runs have
 * @columns. Begins the campaign if the file does not exist or is empty, or if
 * @restart and the file belongs to some campaign. All are borrowed. Returns
 * NULL with ORR_ERROR_IO, or with ORR_ERROR_VALUE and the reason if the file
 * belongs to another campaign. Free with orr_store_close().
 */
struct orr_store *orr_store_open(const char *path,
                                 const struct orr_identity *identity,
                                 const GArray *columns, bool restart,
                                 GError **error);

/* Ends the transaction, if there is one, and frees @store, which may be NULL.
 * Returns false, with @error, if rows of the last transaction are lost. */
bool orr_store_close(struct orr_store *store, GError **error);

/* Calls @seen for each row. Returns false if @seen does, which ends the list,
 * or if a row cannot be read; both with @error. */
bool orr_store_list(struct orr_store *store,
                    bool (*seen)(uint64_t point, uint64_t replica, bool failed,
                                 void *data, GError **error),
                    void *data, GError **error);

/* Sets *@rows to the number of rows. Returns whether they could be counted. */
bool orr_store_count(struct orr_store *store, uint64_t *rows);

/*
 * Adds a row that the store lacks. It is on the disk after orr_store_commit().
 * If either function fails, the rows added since the last commit are lost; rows
 * may still be added. May be called by any thread.
 */
bool orr_store_put(struct orr_store *store, const struct orr_store_row *row,
                   GError **error);

/*
 * Copies @row of a table with the same columns (reader.h) into the store. If
 * @is_there, the store has a row of this point and replica: then only compares
 * the two, and fails with ORR_ERROR_VALUE if they differ in more than the real
 * time of the simulation.
 */
bool orr_store_copy(struct orr_store *store, sqlite3_stmt *row, bool is_there,
                    GError **error);

/*
 * Writes the rows added so far to the disk if the last commit was at least
 * @interval_us ago. May be called by any thread.
 */
bool orr_store_commit(struct orr_store *store, gint64 interval_us,
                      GError **error);

/* Returns the SQL statement that creates the table run. Free with g_free(). */
char *orr_store_schema(const GArray *columns);

/* Whether the table "run" was created by the statement for @columns, as
 * orr_store_schema() returns it, or as earlier versions had it (STRICT). */
bool orr_store_has_runs(const struct orr_database *database,
                        const GArray *columns);

#endif

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
 *             version, platforms and files with their digests, and which shard
 *             of how many it is (0 of 1: all)
 *   run       one row for each run that has ended, with the columns of
 *             columns.h; the key is (point, replica)
 *
 * A row is there, complete, or not at all, whenever the process or the machine
 * stops; SQLite sees to that. Rows are written by one process, from any of its
 * threads.
 */
struct orr_store;

/* How a run ended. */
struct orr_store_row {
    uint64_t point, replica;
    char *const *values; /* of the keys, as text */
    JsonObject *facts;   /* of the run (apps/facts/facts.h); or NULL */
    const char *error;   /* why it failed; NULL: it did not */
};

/*
 * Opens the file @path to go on with the campaign @identity, whose runs have
 * @columns, or to begin it: if there is no such file, if it is empty, or if
 * @restart and the file is one of a campaign. All are borrowed. Fails with
 * ORR_ERROR_IO, or with ORR_ERROR_VALUE and the reason if the file is that of
 * another campaign. Returns NULL then. Free with orr_store_close().
 */
struct orr_store *orr_store_open(const char *path,
                                 const struct orr_identity *identity,
                                 const GArray *columns, bool restart,
                                 GError **error);

/* Ends the transaction, if there is one, and frees @store, which may be NULL.
 * Returns false, with @error, if rows of the last transaction are lost. */
bool orr_store_close(struct orr_store *store, GError **error);

/* Calls @seen for each row there is. Stops, and returns false, when it does,
 * or with @error. */
bool orr_store_list(struct orr_store *store,
                    bool (*seen)(uint64_t point, uint64_t replica, bool failed,
                                 void *data, GError **error),
                    void *data, GError **error);

/* Sets *@rows to how many there are. Returns whether they could be counted. */
bool orr_store_count(struct orr_store *store, uint64_t *rows);

/*
 * Adds a row, which is not there yet. It is on the disk after
 * orr_store_commit(). After a failure, as of that function, the rows since the
 * last one are lost, and others may follow. May be called by any thread.
 */
bool orr_store_put(struct orr_store *store, const struct orr_store_row *row,
                   GError **error);

/*
 * Adds @row, of a table with the same columns (reader.h). If @is_there, it
 * compares instead: fails with ORR_ERROR_VALUE if the row of this point and
 * replica differs in more than the real time of the simulation.
 */
bool orr_store_copy(struct orr_store *store, sqlite3_stmt *row, bool is_there,
                    GError **error);

/*
 * Puts the rows added so far on the disk, if the last time is at least
 * @interval_us ago. May be called by any thread.
 */
bool orr_store_commit(struct orr_store *store, gint64 interval_us,
                      GError **error);

/* Returns the statement that makes the table run. Free with g_free(). */
char *orr_store_schema(const GArray *columns);

#endif

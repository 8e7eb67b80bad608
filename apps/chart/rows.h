/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ROWS_H
#define ORR_ROWS_H

#include <glib.h>
#include <stdbool.h>

/*
 * Reads tables of runs, a row at a time: a CSV file whose first row names the
 * columns (RFC 4180), or the table "run" of a SQLite file, by point and
 * replica. The content of the file decides which of them it is. Files are not
 * trusted: reading takes bounded time and memory.
 *
 * Errors begin with the path and, in a CSV file, the line.
 */
struct orr_rows;

#define ORR_ROWS_MAX_COLUMNS 2000

/* Opens @path. Close with orr_rows_close(), where NULL is allowed. Returns NULL
 * with ORR_ERROR_IO or ORR_ERROR_SYNTAX. */
struct orr_rows *orr_rows_open(const char *path, GError **error);
void orr_rows_close(struct orr_rows *rows);

/* Returns the names of the columns, NULL-terminated; owned by @rows. */
const char *const *orr_rows_names(const struct orr_rows *rows);

/* Sets *@column to the index of the column @name. Fails with ORR_ERROR_UNKNOWN,
 * and names the nearest, or with ORR_ERROR_VALUE if there are several. */
bool orr_rows_find(const struct orr_rows *rows, const char *name, guint *column,
                   GError **error);

/* Selects the @count columns that orr_rows_next() returns. Call it once. */
bool orr_rows_select(struct orr_rows *rows, const guint *columns, guint count,
                     GError **error);

/*
 * Reads the next row. Sets *@fields to the texts of the selected columns ("":
 * no value), valid until the next call; to NULL at the end.
 */
bool orr_rows_next(struct orr_rows *rows, const char *const **fields,
                   GError **error);

/* Fails with "path:line: " and the message, for the last row that was read. */
bool orr_rows_fail(const struct orr_rows *rows, GError **error,
                   const char *format, ...) G_GNUC_PRINTF(3, 4);

#endif

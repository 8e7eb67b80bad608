/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_READER_H
#define ORR_READER_H

#include <sqlite3.h>

#include "apps/sweep/columns.h"
#include "apps/sweep/identity.h"

/* Reads the file of a campaign (store.h), which may be hostile. */
struct orr_reader;

/* Opens the file @path, and checks that it is intact and belongs to a campaign.
 * Returns NULL with @error. Free with orr_reader_close(), which allows NULL. */
struct orr_reader *orr_reader_open(const char *path, GError **error);
void orr_reader_close(struct orr_reader *reader);

/* The identity stored in the file; borrowed. */
const struct orr_identity *orr_reader_identity(const struct orr_reader *reader);

/* The columns, struct orr_column: point, replica and state first, error last.
 * Borrowed. */
GArray *orr_reader_columns(const struct orr_reader *reader);

/* Moves to the next row, in the order of points and replicas. Returns false
 * after the last one and, with @error, if the file cannot be read. */
bool orr_reader_next(struct orr_reader *reader, GError **error);

/*
 * The value of a column in the current row: its kind, and the value as a number
 * or text. Text is valid until the next row; bytes that are not UTF-8 are
 * replaced.
 */
enum orr_value_kind {
    ORR_VALUE_NONE,
    ORR_VALUE_INTEGER,
    ORR_VALUE_REAL,
    ORR_VALUE_TEXT
};
enum orr_value_kind orr_reader_kind(const struct orr_reader *reader,
                                    unsigned column);
int64_t orr_reader_integer(const struct orr_reader *reader, unsigned column);
double orr_reader_real(const struct orr_reader *reader, unsigned column);
const char *orr_reader_text(const struct orr_reader *reader, unsigned column);

/* The current row, for orr_store_copy(); borrowed. */
sqlite3_stmt *orr_reader_row(const struct orr_reader *reader);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CSV_LINE_H
#define ORR_CSV_LINE_H

#include <stdio.h>

#include "models/base/input.h"

/*
 * Rows of comma-separated values, as RFC 4180 says: a field in quotation marks
 * may hold commas, line breaks and, doubled, quotation marks.
 */

/*
 * Reads a row of @input into @row, without the end of its last line ("\n" or
 * "\r\n"); sets *@lines to the number of its lines. A row that does
 * not end within ORR_INPUT_MAX_LINE is cut after a line: orr_csv_split()
 * refuses it.
 *
 * Returns false at the end of the file and, with @error, if reading failed.
 */
bool orr_csv_read(struct orr_input *input, GString *row, unsigned *lines,
                  GError **error);

/*
 * Cuts @row into fields. Overwrites @row; @fields is set to texts within it.
 *
 * Returns false if a quoted field does not end.
 */
bool orr_csv_split(char *row, GPtrArray *fields);

/* Writes one field, in quotation marks if it needs them. Bytes that are not
 * UTF-8 become U+FFFD. */
void orr_csv_put(FILE *file, const char *text);

#endif

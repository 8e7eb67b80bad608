/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CSV_LINE_H
#define ORR_CSV_LINE_H

#include <glib.h>
#include <stdbool.h>

/*
 * Cuts @line into fields as RFC 4180 says, except that fields cannot hold line
 * breaks. Overwrites @line; @fields is set to texts within it.
 *
 * Returns false if a quoted field does not end.
 */
bool orr_csv_split(char *line, GPtrArray *fields);

#endif

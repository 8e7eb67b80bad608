/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CSV_H
#define ORR_CSV_H

#include <json-glib/json-glib.h>

/*
 * Comma-separated values on the standard output, from JSON: RFC 4180 but for
 * the line ends. Objects within objects are spread over columns
 * "outer.inner"; arrays of objects over "outer.NAME.inner", where NAME is
 * their member "name" or, for want of it, a number from 0; an array of text
 * is one field, separated by semicolons.
 */

/* A line of column names and one for each of @rows, objects of like members. */
void orr_csv_print_rows(JsonArray *rows);

/* A line "key,value" and one for each fact of @object. */
void orr_csv_print_pairs(JsonObject *object);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CSV_H
#define ORR_CSV_H

#include <json-glib/json-glib.h>
#include <stdio.h>

/*
 * Prints JSON as comma-separated values on the standard output: RFC 4180, but
 * lines end in a newline only. The columns of an object inside an object are
 * called "outer.inner". The columns of an array of objects are called
 * "outer.NAME.inner", where NAME is the member "name" of the element or, if it
 * has none, its index from 0. An array of text is one field, separated by
 * semicolons.
 */

/* Prints a line of column names and a line for each of @rows, which are
 * objects with the same members. */
void orr_csv_print_rows(JsonArray *rows);

/* Prints a line "key,value" and a line for each member of @object. */
void orr_csv_print_pairs(JsonObject *object);

#endif

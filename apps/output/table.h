/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TABLE_H
#define ORR_TABLE_H

/*
 * A table of text in aligned columns. Cells are added row by row, from left
 * to right, the titles first.
 */
struct orr_table;

/*
 * @alignment: 'l' or 'r' for each column. Capitals mark the leading columns
 * that identify a row, such as size and policy; without capitals, the first
 * column does. Free with orr_table_free().
 */
struct orr_table *orr_table_new(const char *alignment);
void orr_table_free(struct orr_table *table);

/* Adds @text as the next cell: taken, and freed with g_free(). */
void orr_table_take(struct orr_table *table, char *text);

/* Adds a copy of @text as the next cell. */
void orr_table_add(struct orr_table *table, const char *text);

/*
 * Replaces three or more consecutive rows that differ only in the number at the
 * end of their first cell, from CPU7 to CPU37, by one row "CPU7-37": many
 * workers may have done nothing.
 */
void orr_table_fold(struct orr_table *table);

/*
 * Prints the complete rows to the standard output, without trailing blanks, in
 * lines of 80 columns. Text in a last column is broken at blanks. A table that
 * is still wider is printed in blocks, each of which begins with the columns
 * that name the rows.
 */
void orr_table_print(const struct orr_table *table);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HTML_COLUMNS_H
#define ORR_HTML_COLUMNS_H

#include <glib.h>
#include <json-glib/json-glib.h>
#include <stdint.h>

/*
 * Columns of numbers, packed for a page. The bytes, before compression with
 * gzip and encoding in base64:
 *
 *   4 bytes   N, the length of the description, little-endian
 *   N bytes   a description: JSON in UTF-8
 *   the rest  all columns, little-endian, each from a multiple of 8 bytes on
 *
 * The description has, anywhere in it, objects that each describe a column:
 * "type", "at" (bytes from the beginning of the rest), "count".
 *
 *   "u32" "i32" "u8" "f32"  numbers
 *   "i64"                   integers; with "of", the name of a column beside
 *                           it, their differences to that; with "step", the
 *                           differences to the number before, from 0 on
 */
struct orr_html_columns {
    GByteArray *bytes;
};

void orr_html_columns_init(struct orr_html_columns *columns);
void orr_html_columns_clear(struct orr_html_columns *columns);

/* Adds @count numbers as the member @name of @table. */
void orr_html_add_u32(struct orr_html_columns *columns, JsonObject *table,
                      const char *name, const uint32_t *numbers, size_t count);
void orr_html_add_i32(struct orr_html_columns *columns, JsonObject *table,
                      const char *name, const int32_t *numbers, size_t count);
void orr_html_add_u8(struct orr_html_columns *columns, JsonObject *table,
                     const char *name, const uint8_t *numbers, size_t count);
void orr_html_add_f32(struct orr_html_columns *columns, JsonObject *table,
                      const char *name, const float *numbers, size_t count);

/* A column of integers that are written as differences. */
struct orr_html_i64 {
    const char *name;
    size_t count;
    const int64_t *numbers;
    const char *of; /* name of the column from which differences are taken */
    const int64_t *base; /* numbers of that column; NULL: differences to the
                            number before */
};

void orr_html_add_i64(struct orr_html_columns *columns, JsonObject *table,
                      const struct orr_html_i64 *column);

/* Returns the columns with @description, compressed, in base64; free with
 * g_free(). */
char *orr_html_columns_pack(const struct orr_html_columns *columns,
                            JsonObject *description);

#endif

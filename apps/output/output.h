/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_OUTPUT_H
#define ORR_OUTPUT_H

#include <json-glib/json-glib.h>
#include <stdbool.h>

/*
 * Results are built once, as JSON, and every format is made from that, so
 * that they hold the same facts. Names of members end in their unit ("_s",
 * "_bytes"), from which text knows how to show them to people.
 */
enum orr_format { ORR_FORMAT_TEXT, ORR_FORMAT_JSON, ORR_FORMAT_CSV };

/* "text", "json" or "csv"; else ORR_ERROR_VALUE. */
bool orr_format_parse(const char *text, enum orr_format *format,
                      GError **error);

/*
 * What people read for the member @name holding @node: "yes", "3.69 MB",
 * "12, 14"; "-" for nothing. To be freed with g_free().
 */
char *orr_output_value(const char *name, JsonNode *node);

/*
 * What people read for @name itself: "gpu memory" for "gpu_memory_bytes". To
 * be freed with g_free().
 */
char *orr_output_title(const char *name);

/* Prints @rows, an array of objects that have the same members. */
void orr_output_rows(JsonArray *rows, enum orr_format format);

/* Prints @object as JSON. */
void orr_output_object(JsonObject *object);

/* Adds to @object, the array @name of no elements, to be filled; borrowed. */
JsonArray *orr_output_add_array(JsonObject *object, const char *name);

/* Adds to @array an object without members, to be filled; borrowed. */
JsonObject *orr_output_add_object(JsonArray *array);

/* Sets the member @name to @text, or to null if that is NULL. */
void orr_output_set_text(JsonObject *object, const char *name,
                         const char *text);

/*
 * Writes out what is left of the standard output and closes it. Returns false
 * if any of it could not be written, with the reason in errno if known, else
 * 0.
 */
bool orr_output_close(void);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_OUTPUT_H
#define ORR_OUTPUT_H

#include <json-glib/json-glib.h>
#include <stdbool.h>

#include "apps/output/json.h"

/*
 * Results are built once, as JSON, and every format is made from that, so that
 * all formats have the same facts. Names of members end in their unit ("_s",
 * "_bytes"), which determines how text shows the values.
 */
enum orr_format { ORR_FORMAT_TEXT, ORR_FORMAT_JSON, ORR_FORMAT_CSV };

/* Parses "text", "json" or "csv"; otherwise fails with ORR_ERROR_VALUE. */
bool orr_format_parse(const char *text, enum orr_format *format,
                      GError **error);

/*
 * Returns the value @node of the member @name as readable text: "yes", "3.69
 * MB", "12, 14"; "-" for null. Free with g_free().
 */
char *orr_output_value(const char *name, JsonNode *node);

/*
 * Returns the name of a member as readable text: "gpu memory" for
 * "gpu_memory_bytes". Free with g_free().
 */
char *orr_output_title(const char *name);

/* Prints @rows, an array of objects with the same members. */
void orr_output_rows(JsonArray *rows, enum orr_format format);

/* Print @object as JSON; the second function with @part (json.h). */
void orr_output_object(JsonObject *object);
void orr_output_object_with(JsonObject *object,
                            const struct orr_json_part *part);

/* Adds an empty array called @name to @object and returns it; borrowed. */
JsonArray *orr_output_add_array(JsonObject *object, const char *name);

/* Adds an empty object to @array and returns it; borrowed. */
JsonObject *orr_output_add_object(JsonArray *array);

/* Sets the member @name to @text, or to null if @text is NULL. */
void orr_output_set_text(JsonObject *object, const char *name,
                         const char *text);

/*
 * Flushes and closes the standard output. Returns false if any of the output
 * could not be written, with the reason in errno (0: not known).
 */
bool orr_output_close(void);

#endif

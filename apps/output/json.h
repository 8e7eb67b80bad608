/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_JSON_H
#define ORR_JSON_H

#include <json-glib/json-glib.h>

/*
 * Prints @node on the standard output. In contrast to json-glib's generator,
 * numbers have no more digits than needed (0.1, not 0.10000000000000001), and
 * the output does not depend on the version of json-glib.
 */
void orr_json_print(JsonNode *node);

/* As orr_json_print() without the final newline, for a part of a larger text:
 * lines after the first are indented by @indent more levels. */
void orr_json_put(JsonNode *node, int indent);

/*
 * A member given as text: a list of thousands of objects costs ten times more
 * if it is built of JSON nodes. The object has null in its place.
 */
struct orr_json_part {
    const char *name;
    const char *text; /* JSON, whose lines after the first are indented */
};

/* As orr_json_print(), of an object with @part. */
void orr_json_print_with(JsonNode *node, const struct orr_json_part *part);

/* Appends @value as a string of JSON; NULL: null. */
void orr_json_append(GString *text, const char *value);

#endif

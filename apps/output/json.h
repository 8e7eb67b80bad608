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

/* The same without the end of the last line, for a part of a larger text: lines
 * after the first are indented @indent times more. */
void orr_json_put(JsonNode *node, int indent);

#endif

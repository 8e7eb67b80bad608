/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_JSON_H
#define ORR_JSON_H

#include <json-glib/json-glib.h>

/*
 * Prints @node on the standard output, as json-glib's generator would but for
 * two things: numbers have no more digits than they need (0.1, not
 * 0.10000000000000001), and the bytes do not depend on json-glib's version.
 */
void orr_json_print(JsonNode *node);

#endif

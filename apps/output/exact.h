/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXACT_H
#define ORR_EXACT_H

#include <json-glib/json-glib.h>

/*
 * Returns the value of @node as text without loss of digits, for programs:
 * "true", "3686400", the shortest decimal that reads back as the same double.
 * The elements of an array are joined by @separator: "12;14" for ";". Null is
 * the empty text. Free with g_free().
 */
char *orr_exact_format(JsonNode *node, const char *separator);

/* Appends the shortest decimal that reads back as @value. */
void orr_exact_append(GString *text, double value);

#endif

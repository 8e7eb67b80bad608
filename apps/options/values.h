/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_VALUES_H
#define ORR_VALUES_H

#include "apps/options/option.h"
#include "runtime/config/values.h"

/*
 * Parsers of the values of options, for the parse member of struct orr_option.
 * They fail with ORR_ERROR_VALUE.
 */

/*
 * Adds @text, borrowed, to the GPtrArray * of texts, NULL-terminated, which is
 * made if it is NULL; the empty text is an error. Free the array with
 * g_ptr_array_unref().
 */
bool orr_value_texts(const struct orr_option *option, const char *text,
                     void *member, GError **error);

/* As orr_value_texts(), of texts "COLUMN=VALUE". */
bool orr_value_conditions(const struct orr_option *option, const char *text,
                          void *member, GError **error);

/* Returns what orr_value_texts() read, NULL-terminated; NULL: nothing. */
const char *const *orr_value_list(const GPtrArray *texts);

/* Sets a const char * to @text, borrowed: a line of text in UTF-8, without
 * control characters, that fits into a platform file. The empty text is an
 * error. */
bool orr_value_line(const struct orr_option *option, const char *text,
                    void *member, GError **error);

/* Parses "text", "json" or "csv" into an enum orr_format. */
bool orr_value_format(const struct orr_option *option, const char *text,
                      void *member, GError **error);

#endif

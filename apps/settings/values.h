/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_VALUES_H
#define ORR_VALUES_H

#include "apps/settings/option.h"

/*
 * Values that options of several commands take: readers for the parse member
 * of struct orr_option. All fail with ORR_ERROR_VALUE.
 */

/* A count from option->min to option->max, into a uint64_t. */
bool orr_value_count(const struct orr_option *option, const char *text,
                     void *member, GError **error);

/* The same into an int, which must have room for option->max. */
bool orr_value_int(const struct orr_option *option, const char *text,
                   void *member, GError **error);

/* Anything but nothing, into a const char *: borrowed from the arguments. */
bool orr_value_text(const struct orr_option *option, const char *text,
                    void *member, GError **error);

/* "text", "json" or "csv", into an enum orr_format. */
bool orr_value_format(const struct orr_option *option, const char *text,
                      void *member, GError **error);

/* Sets a bool to true: for an option without a value. */
bool orr_value_true(const struct orr_option *option, const char *text,
                    void *member, GError **error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_VALUES_H
#define ORR_VALUES_H

#include "apps/options/option.h"

/*
 * Parsers of the values of options, for the parse member of struct orr_option.
 * They fail with ORR_ERROR_VALUE.
 */

/* Parses a count from option->min to option->max into a uint64_t. */
bool orr_value_count(const struct orr_option *option, const char *text,
                     void *member, GError **error);

/* Parses a count from option->min to option->max, at most INT_MAX, into an int.
 */
bool orr_value_int(const struct orr_option *option, const char *text,
                   void *member, GError **error);

/* A window of submission; see struct orr_config. */
struct orr_window {
    uint64_t most; /* 0 without a least one: no window */
    int64_t least; /* -1: none */
};

static inline bool orr_window_is_set(const struct orr_window *window)
{
    return window->most > 0 || window->least >= 0;
}

/* Parses "N" or "MIN:MAX" into a struct orr_window. */
bool orr_value_window(const struct orr_option *option, const char *text,
                      void *member, GError **error);

/* Sets a const char * to @text, borrowed; the empty text is an error. */
bool orr_value_text(const struct orr_option *option, const char *text,
                    void *member, GError **error);

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

/* What --perturb draws; see struct orr_config. */
struct orr_perturbation {
    double share; /* 0: nothing */
    bool by_device;
};

/* Parses "X", "X:worker" or "X:device" into a struct orr_perturbation; X is a
 * decimal number from 0 to below 1, with or without an exponent. */
bool orr_value_perturbation(const struct orr_option *option, const char *text,
                            void *member, GError **error);

/* Parses a number of seconds into a double: 0, or 0.1 to option->max. */
bool orr_value_seconds(const struct orr_option *option, const char *text,
                       void *member, GError **error);

/* Parses a time above 0, with a unit, into an orr_time. */
bool orr_value_time(const struct orr_option *option, const char *text,
                    void *member, GError **error);

/* Parses a decimal number from 0 to option->max into a double. */
bool orr_value_weight(const struct orr_option *option, const char *text,
                      void *member, GError **error);

/* Sets a bool to true: for an option without a value. */
bool orr_value_true(const struct orr_option *option, const char *text,
                    void *member, GError **error);

#endif

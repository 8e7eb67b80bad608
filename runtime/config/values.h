/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CONFIG_VALUES_H
#define ORR_CONFIG_VALUES_H

#include "runtime/config/options.h"

/*
 * Parsers of the values of options, for the parse member of struct orr_option.
 * They fail with ORR_ERROR_VALUE or ORR_ERROR_UNKNOWN.
 */

/* Fails with ORR_ERROR_VALUE: "@text, quoted, @what". */
void orr_value_refuse(const char *text, const char *what, GError **error);

/* Parses a count from option->min to option->max into a uint64_t. */
bool orr_value_count(const struct orr_option *option, const char *text,
                     void *member, GError **error);

/* Parses a count from option->min to option->max, at most INT_MAX, into an int.
 */
bool orr_value_int(const struct orr_option *option, const char *text,
                   void *member, GError **error);

/* Parses a size of at least option->min bytes into a uint64_t. */
bool orr_value_bytes(const struct orr_option *option, const char *text,
                     void *member, GError **error);

/* Limits of submission. */
struct orr_window {
    uint64_t most; /* submission waits while this many submitted tasks are not
                      complete; 0 without a least one: never. With the model
                      quirks, internal tasks count, too: see docs/MODELS.md */
    int64_t least; /* -1: none. Otherwise, as in StarPU: once more than @most
                      tasks are not complete, submission waits until this many
                      or fewer are; at most @most */
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

/* Sets a const char * to @text, borrowed: buckets (sched/policy/bucket_plan.h).
 */
bool orr_value_buckets(const struct orr_option *option, const char *text,
                       void *member, GError **error);

/* Random changes of the durations of kernels. */
struct orr_perturbation {
    double share;   /* multiplies the duration of each kernel, at each size on
                       each   worker, by a factor of its own in 1 +- this, which
                       policies   know; 0 <= share < 1 */
    bool by_device; /* a factor for each device, not for each worker: CPU
                       workers are equal, as with StarPU's performance models */
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

/* Lists of texts, NULL-terminated and owned; NULL: no text. The first takes
 * @text. */
void orr_texts_append(const char *const **list, char *text);
const char *const *orr_texts_copy(const char *const *list);
void orr_texts_free(const char *const *list);

/* Appends "NAME=VALUE,..." to the models in a const char *, which it allocates.
 */
bool orr_value_models(const struct orr_option *option, const char *text,
                      void *member, GError **error);
bool orr_value_durations(const struct orr_option *option, const char *text,
                         void *member, GError **error);

/* These append copies to a const char *const *, NULL-terminated and owned:
 * restrictions of kernels, and changes of the platform. */
bool orr_value_where(const struct orr_option *option, const char *text,
                     void *member, GError **error);
bool orr_value_change(const struct orr_option *option, const char *text,
                      void *member, GError **error);
bool orr_value_states(const struct orr_option *option, const char *text,
                      void *member, GError **error);

#endif

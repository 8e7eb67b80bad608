/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APP_VALUES_H
#define ORR_APP_VALUES_H

#include "runtime/config/shape.h"

/* The values of an application's options, beyond orrery_app.h. */

struct orr_app_values *orr_app_values_copy(const struct orr_app_values *values);

const struct orr_app *orr_app_values_app(const struct orr_app_values *values);

/* The option of @app called by the first @length bytes of @name, or NULL. */
const struct orr_app_option *orr_app_option(const struct orr_app *app,
                                            const char *name, size_t length);

/*
 * Gives option @name the value @text ("" for a flag). Fails with
 * ORR_ERROR_VALUE or ORR_ERROR_UNKNOWN; the message quotes @text, but does not
 * name the option, which must exist.
 */
bool orr_app_values_give(struct orr_app_values *values, const char *name,
                         const char *text, GError **error);

/*
 * Complete the values once all given ones are set: the others get their
 * presets, then the application checks all. May be called again after further
 * values were set. The third function is both.
 */
bool orr_app_values_preset(struct orr_app_values *values, GError **error);
bool orr_app_values_check(struct orr_app_values *values, GError **error);
bool orr_app_values_complete(struct orr_app_values *values, GError **error);

/* The remark of the application on completed values, borrowed; or NULL. */
const char *orr_app_values_remark(const struct orr_app_values *values);

/* The value of @name, a count or a shape; a count has one dimension. */
struct orr_shape orr_app_values_shape(const struct orr_app_values *values,
                                      const char *name);
void orr_app_values_set_shape(struct orr_app_values *values, const char *name,
                              const struct orr_shape *shape);

/* Returns the value of @option as text: "20", "20x10", "single"; NULL: a
 * text or a shape that is not set. Free with g_free(). */
char *orr_app_values_format(const struct orr_app_values *values,
                            const struct orr_app_option *option);

#endif

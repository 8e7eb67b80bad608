/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRAMS_H
#define ORR_PROGRAMS_H

#include "runtime/config/app_values.h"

/* The built-in applications: tables of orrery_app.h. */

/* All applications, sorted by name; NULL-terminated. */
extern const struct orr_app *const orr_apps[];

/*
 * Returns the application called @name, as typed (models/base/names.h). NULL
 * and ORR_ERROR_UNKNOWN, with all names, if there is none.
 */
const struct orr_app *orr_app_builtin(const char *name, GError **error);

/* Returns the @i-th application, by name, or NULL past the last. */
const struct orr_app *orr_app_at(size_t i);

/* The number of tasks; NAN: not known. */
double orr_app_tasks(const struct orr_app_values *values);

/*
 * Returns whether the number of tasks is within the limits of a run (run.h), so
 * that larger problems are refused before the simulation. @has_window: a window
 * limits the tasks in flight. Otherwise fails with ORR_ERROR_VALUE.
 */
bool orr_app_check_tasks(const struct orr_app_values *values, bool has_window,
                         GError **error);

/* The value of the count @axis, or the geometric mean of a shape; 0 if @axis is
 * NULL. */
uint64_t orr_app_size(const struct orr_app_values *values, const char *axis);

/* The value of @axis as text: "20", "40x10"; "0" if @axis is NULL. Free with
 * g_free(). */
char *orr_app_size_text(const struct orr_app_values *values, const char *axis);

/* The title of the count @axis for a plot, borrowed; "" if it is NULL. */
const char *orr_app_axis_title(const struct orr_app *app, const char *axis);

/* The floating-point operations; NAN: not known. */
double orr_app_flops(const struct orr_app_values *values);

/* The operations if the value of the axis were @size; NAN: not known. */
double orr_app_flops_at(const struct orr_app_values *values, uint64_t size);

extern const struct orr_app orr_app_cholesky;
extern const struct orr_app orr_app_gemm;
extern const struct orr_app orr_app_lu;
extern const struct orr_app orr_app_qr;

#endif

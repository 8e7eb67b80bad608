/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/programs/programs.h"

#include <math.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "runtime/run.h"

const struct orr_app *orr_app_at(size_t i)
{
    size_t count = 0;

    while (orr_apps[count])
        count++;
    return i < count ? orr_apps[i] : NULL;
}

const struct orr_app *orr_app_builtin(const char *name, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    size_t i;

    for (i = 0; orr_apps[i]; i++)
        g_ptr_array_add(names, (gpointer)orr_apps[i]->name);
    g_ptr_array_add(names, NULL);
    return orr_names_find("application", (const char *const *)names->pdata,
                          name, &i, error)
               ? orr_apps[i]
               : NULL;
}

double orr_app_tasks(const struct orr_app_values *values)
{
    const struct orr_app *app = orr_app_values_app(values);

    return app->tasks ? app->tasks(values) : NAN;
}

bool orr_app_check_tasks(const struct orr_app_values *values, bool has_window,
                         GError **error)
{
    const char *name = orr_app_values_app(values)->name;
    double tasks = orr_app_tasks(values);

    if (tasks > ORR_MAX_TASKS) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s has %.4g tasks; at most %.4g can be simulated", name,
                    tasks, ORR_MAX_TASKS);
        return false;
    }
    if (!has_window && tasks > ORR_MAX_IN_FLIGHT) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s has %.4g tasks; more than %.4g can only be simulated "
                    "with a submission window",
                    name, tasks, ORR_MAX_IN_FLIGHT);
        return false;
    }
    return true;
}

uint64_t orr_app_size(const struct orr_app_values *values, const char *axis)
{
    struct orr_shape shape = {0};

    if (axis)
        shape = orr_app_values_shape(values, axis);
    return orr_shape_mean(&shape);
}

char *orr_app_size_text(const struct orr_app_values *values, const char *axis)
{
    struct orr_shape shape = {1, {0}};

    if (axis)
        shape = orr_app_values_shape(values, axis);
    return orr_shape_format(&shape);
}

const char *orr_app_axis_title(const struct orr_app *app, const char *axis)
{
    bool has_title = app->axis_title && g_strcmp0(axis, app->axis) == 0;

    if (!axis)
        return "";
    return has_title ? app->axis_title : axis;
}

double orr_app_flops(const struct orr_app_values *values)
{
    const struct orr_app *app = orr_app_values_app(values);

    return app->flops ? app->flops(values) : NAN;
}

/* Sets the count or shape @axis so that its size becomes @size. */
static void set_size(struct orr_app_values *values, const char *axis,
                     uint64_t size)
{
    struct orr_shape shape = orr_app_values_shape(values, axis);

    orr_shape_scale(&shape, orr_shape_mean(&shape), size, 0);
    orr_app_values_set_shape(values, axis, &shape);
}

double orr_app_flops_at(const struct orr_app_values *values, uint64_t size)
{
    const struct orr_app *app = orr_app_values_app(values);
    struct orr_app_values *other = orr_app_values_copy(values);
    double flops;

    if (app->axis)
        set_size(other, app->axis, size);
    flops = orr_app_flops(other);
    orr_app_values_free(other);
    return flops;
}

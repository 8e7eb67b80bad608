/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/programs/app.h"

#include <limits.h>
#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/units.h"
#include "models/platform/switches.h"

static const char *const where_names[] = {
    [ORR_WHERE_ANY] = "any",
    [ORR_WHERE_CPU] = "cpu",
    [ORR_WHERE_GPU] = "gpu",
    NULL,
};

const char *orr_where_name(enum orr_where where)
{
    return where_names[where];
}

bool orr_where_parse(const char *text, enum orr_where *where, GError **error)
{
    size_t index;

    if (!orr_names_find("class of workers", where_names, text, &index, error))
        return false;
    *where = (enum orr_where)index;
    return true;
}

const struct orr_app *orr_app_at(size_t i)
{
    size_t count = 0;

    while (orr_apps[count])
        count++;
    return i < count ? orr_apps[i] : NULL;
}

const struct orr_app *orr_app_find(const char *name, GError **error)
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

bool orr_app_check_tasks(const struct orr_app *app, uint64_t tiles,
                         uint64_t window, GError **error)
{
    double tasks = app->tasks((double)tiles);

    if (tasks > ORR_APP_MAX_TASKS) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s of %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT
                    " tiles has %.4g tasks; at most %.4g can be simulated",
                    app->name, tiles, tiles, tasks, ORR_APP_MAX_TASKS);
        return false;
    }
    if (window == 0 && tasks > ORR_APP_MAX_IN_FLIGHT) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s of %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT
                    " tiles has %.4g tasks; more than %.4g can only be "
                    "simulated with a submission window",
                    app->name, tiles, tiles, tasks, ORR_APP_MAX_IN_FLIGHT);
        return false;
    }
    return true;
}

struct orr_tile_shape orr_problem_tile_shape(const struct orr_problem *problem)
{
    uint64_t element = problem->precision == ORR_DOUBLE_PRECISION
                           ? sizeof(double)
                           : sizeof(float);
    struct orr_tile_shape shape = {
        .column_bytes = problem->tile * element,
        .columns = problem->tile,
        .pitch_bytes = problem->tile * element,
    };

    if (problem->layout == ORR_LAYOUT_MATRIX)
        shape.pitch_bytes *= problem->tiles;
    return shape;
}

uint64_t orr_problem_tile_bytes(const struct orr_problem *problem)
{
    struct orr_tile_shape shape = orr_problem_tile_shape(problem);

    return shape.column_bytes * shape.columns;
}

static bool memory_is_limited(const struct orr_report *report)
{
    struct orr_switches switches;

    orr_switches_init(&switches);
    return orr_switches_parse(&switches, report->models, NULL) &&
           switches.memory;
}

static bool check_tile_fits(const struct orr_problem *problem, GError **error)
{
    const struct orr_report *report = orr_run_report(problem->run);
    uint64_t bytes = orr_problem_tile_bytes(problem);

    if (report->gpus == 0 || bytes <= report->gpu_memory_bytes ||
        !memory_is_limited(report))
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "a tile of %u x %u in %s precision takes %" G_GUINT64_FORMAT
                " bytes, more than the %" G_GUINT64_FORMAT " of a GPU",
                problem->tile, problem->tile,
                problem->precision == ORR_DOUBLE_PRECISION ? "double"
                                                           : "single",
                bytes, report->gpu_memory_bytes);
    return false;
}

bool orr_problem_prepare(struct orr_problem *problem, GError **error)
{
    const struct orr_app *app = problem->app;

    for (unsigned i = 0; i < ORR_APP_KERNELS; i++) {
        problem->kernels[i] =
            orr_kernel_find(problem->run, app->name, app->kernels[i].name,
                            problem->precision, problem->tile, error);
        if (!problem->kernels[i] ||
            !orr_kernel_set_where(problem->run, problem->kernels[i],
                                  problem->where[i], error))
            return false;
        if (app->kernels[i].synchronous)
            orr_kernel_set_synchronous(problem->kernels[i]);
    }
    return check_tile_fits(problem, error);
}

void orr_problem_submit(const struct orr_problem *problem, unsigned kernel,
                        int priority, struct orr_tile_access access)
{
    const struct orr_app_kernel *names = &problem->app->kernels[kernel];
    int most = orr_run_max_priority(problem->run);
    struct orr_task_spec spec; /* accesses that it lacks are not set */

    spec.kernel = problem->kernels[kernel];
    spec.name = problem->precision == ORR_DOUBLE_PRECISION ? names->task_dp
                                                           : names->task;
    spec.priority = most == INT_MAX ? priority : CLAMP(priority, 0, most);
    spec.tag = 0;
    spec.wait_count = 0;
    spec.count = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(access.reads); i++) {
        if (access.reads[i])
            spec.accesses[spec.count++] =
                (struct orr_access){access.reads[i], ORR_R};
    }
    spec.accesses[spec.count++] = (struct orr_access){access.updates, ORR_RW};
    orr_task_submit(problem->run, &spec);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An application submits its tasks to a run, as it is. */
#include "runtime/programs/app_submit.h"

#include <string.h>

#include "models/platform/measured_tile.h"
#include "runtime/programs/app_find.h"
#include "runtime/run.h"

#define PRECISION "precision"

/* Whether @app has an option @name of @kind. */
static bool has_option(const struct orr_app *app, const char *name,
                       enum orr_app_kind kind)
{
    const struct orr_app_option *option =
        orr_app_option(app, name, strlen(name));

    return option && option->kind == kind;
}

unsigned orr_app_measured_tile(const struct orr_app_values *values,
                               const struct orr_platform *platform)
{
    const struct orr_app *app = orr_app_values_app(values);
    bool is_double;

    if (orr_app_file(app) || !has_option(app, ORR_APP_TILE, ORR_APP_COUNT) ||
        !has_option(app, PRECISION, ORR_APP_CHOICE) ||
        orr_app_is_given(values, ORR_APP_TILE))
        return 0;
    is_double = orr_app_choice(values, PRECISION) == ORR_DOUBLE_PRECISION;
    return orr_measured_tile(platform, app->name,
                             is_double ? ORR_DOUBLE : ORR_SINGLE,
                             (unsigned)orr_app_count(values, ORR_APP_TILE));
}

bool orr_app_submit(struct orr_run *run, struct orr_app_values *values,
                    GError **error)
{
    const struct orr_app *app = orr_app_values_app(values);
    unsigned tile;

    if (!orr_app_values_preset(values, error))
        return false;
    tile = orr_app_measured_tile(values, run->platform);
    if (tile > 0)
        orr_app_set_count(values, ORR_APP_TILE, tile);
    return orr_app_values_check(values, error) &&
           orr_app_check_tasks(values, run->window.limits.shuts > 0, error) &&
           app->submit(run, values, error);
}

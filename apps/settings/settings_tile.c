/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The size of tiles, where the user gives none. */
#include <string.h>

#include "apps/settings/settings.h"
#include "models/import/platform_find.h"
#include "runtime/programs/app_submit.h"

/* Whether the tile may have to be chosen. */
static bool is_open(const struct orr_settings *settings)
{
    const struct orr_app_option *tile = orr_app_option(
        settings->scenario.problem.app, ORR_APP_TILE, strlen(ORR_APP_TILE));

    return !orr_app_file(settings->scenario.problem.app) && tile &&
           settings->scenario.problem.list_option != tile &&
           !orr_app_is_given(settings->scenario.problem.values, ORR_APP_TILE);
}

static bool choose(struct orr_settings *settings,
                   const struct orr_platform *platform, GError **error)
{
    struct orr_app_values *values = settings->scenario.problem.values;
    g_autofree char *text = NULL;
    unsigned tile;

    if (!orr_app_values_preset(values, error))
        return false;
    tile = orr_app_measured_tile(values, platform);
    if (tile == 0 || tile == orr_app_count(values, ORR_APP_TILE))
        return true;
    text = g_strdup_printf(ORR_APP_TILE "=%u", tile);
    return orr_settings_give(settings, text, error);
}

bool orr_settings_choose_tile_on(struct orr_settings *settings,
                                 const struct orr_platform *platform,
                                 GError **error)
{
    return !is_open(settings) || choose(settings, platform, error);
}

bool orr_settings_choose_tile(struct orr_settings *settings, const char *app,
                              GError **error)
{
    struct orr_platform *platform;
    bool done;

    if (!orr_settings_open(settings, app, error))
        return false;
    if (!is_open(settings))
        return true;
    platform =
        orr_platform_load(settings->scenario.config.platform, NULL, NULL);
    done = !platform || choose(settings, platform, error);
    orr_platform_free(platform);
    return done;
}

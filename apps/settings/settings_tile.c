/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The size of tiles, where the user gives none. */
#include <string.h>

#include "apps/settings/settings.h"
#include "models/import/platform_find.h"
#include "models/platform/measured_tile.h"

#define TILE "tile"
#define PRECISION "precision"

/* Whether the tile is to be chosen: by options of the kinds of dense.h. */
static bool is_open(const struct orr_settings *settings)
{
    const struct orr_app_option *tile =
        orr_app_option(settings->scenario.problem.app, TILE, strlen(TILE));
    const struct orr_app_option *precision = orr_app_option(
        settings->scenario.problem.app, PRECISION, strlen(PRECISION));

    return !orr_app_file(settings->scenario.problem.app) && tile && precision &&
           tile->kind == ORR_APP_COUNT && precision->kind == ORR_APP_CHOICE &&
           settings->scenario.problem.list_option != tile &&
           !orr_app_is_given(settings->scenario.problem.values, TILE);
}

static bool choose(struct orr_settings *settings,
                   const struct orr_platform *platform, GError **error)
{
    struct orr_app_values *values = settings->scenario.problem.values;
    g_autofree char *text = NULL;
    unsigned preset, tile;

    if (!orr_app_values_preset(values, error))
        return false;
    preset = (unsigned)orr_app_count(values, TILE);
    tile = orr_measured_tile(
        platform, settings->scenario.problem.app->name,
        orr_app_choice(values, PRECISION) == ORR_DOUBLE_PRECISION ? ORR_DOUBLE
                                                                  : ORR_SINGLE,
        preset);
    if (tile == preset)
        return true;
    text = g_strdup_printf(TILE "=%u", tile);
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

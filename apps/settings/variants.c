/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/variants.h"

#include "apps/settings/lists.h"
#include "models/base/error.h"

/* Returns the settings for each problem. */
static GArray *vary_problems(const struct orr_settings *settings)
{
    GArray *variants = g_array_new(FALSE, FALSE, sizeof(struct orr_settings));

    for (unsigned i = 0; i < settings->scenario.problem.several->len; i++) {
        struct orr_settings one = *settings;

        one.scenario.problem.values =
            settings->scenario.problem.several->pdata[i];
        g_array_append_val(variants, one);
    }
    return variants;
}

/* Above this spread, means have no meaning. */
enum { MAX_SPREAD = 10 };

/* Returns the settings for each spread, with sampled durations. */
static GArray *vary_spreads(struct orr_settings *settings, GError **error)
{
    g_autoptr(GArray) spreads =
        orr_range_parse(settings->scenario.run.robustness, error);
    GArray *variants;

    if (!spreads) {
        g_prefix_error(error, "--robustness: ");
        return NULL;
    }
    orr_value_models(NULL, "durations=sampled",
                     &settings->scenario.config.models, NULL);
    variants = g_array_new(FALSE, FALSE, sizeof(struct orr_settings));
    for (unsigned i = 0; variants && i < spreads->len; i++) {
        struct orr_settings one = *settings;

        one.scenario.problem.values =
            settings->scenario.problem.several->pdata[0];
        one.scenario.config.spread = g_array_index(spreads, double, i);
        g_array_append_val(variants, one);
        if (one.scenario.config.spread > MAX_SPREAD)
            g_clear_pointer(&variants, g_array_unref);
    }
    if (!variants)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--robustness: a spread is above %d", MAX_SPREAD);
    return variants;
}

GArray *orr_variants_find(struct orr_settings *settings, const char *app,
                          GError **error)
{
    if (!orr_settings_resolve_several(settings, app, error))
        return NULL;
    if (!settings->scenario.run.robustness)
        return vary_problems(settings);
    if (!orr_settings_list_sizes(settings))
        return vary_spreads(settings, error);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "--robustness and several sizes cannot be combined");
    return NULL;
}

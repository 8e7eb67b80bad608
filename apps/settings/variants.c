/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/variants.h"

#include "apps/settings/lists.h"
#include "models/base/error.h"

/* Returns the settings for each problem. */
static GArray *vary_problems(const struct orr_settings *settings)
{
    GArray *variants = g_array_new(FALSE, FALSE, sizeof(struct orr_settings));

    for (unsigned i = 0; i < settings->problem.several->len; i++) {
        struct orr_settings one = *settings;

        one.problem.values = settings->problem.several->pdata[i];
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
        orr_range_parse(settings->run.robustness, error);
    g_autofree char *given = settings->run.models;
    GArray *variants;

    if (!spreads) {
        g_prefix_error(error, "--robustness: ");
        settings->run.models = g_steal_pointer(&given);
        return NULL;
    }
    settings->run.models = g_strconcat(given ? given : "", given ? "," : "",
                                       "durations=sampled", NULL);
    variants = g_array_new(FALSE, FALSE, sizeof(struct orr_settings));
    for (unsigned i = 0; variants && i < spreads->len; i++) {
        struct orr_settings one = *settings;

        one.problem.values = settings->problem.several->pdata[0];
        one.run.spread = g_array_index(spreads, double, i);
        g_array_append_val(variants, one);
        if (one.run.spread > MAX_SPREAD)
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
    if (!settings->run.robustness)
        return vary_problems(settings);
    if (!orr_settings_list_sizes(settings))
        return vary_spreads(settings, error);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "--robustness and several sizes cannot be combined");
    return NULL;
}

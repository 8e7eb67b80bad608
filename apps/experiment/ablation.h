/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ABLATION_H
#define ORR_ABLATION_H

#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "apps/picture/plot.h"
#include "apps/settings/settings.h"

/*
 * An ablation measures the effect of each model: it repeats the same runs with
 * all models, with each model in turn degraded to its simplest value, and with
 * all of them degraded. The difference in speed is the error of a prediction
 * without the model.
 */
struct orr_ablation {
    unsigned size_count;
    const uint64_t *sizes;     /* values of the axis option */
    const char *const *shapes; /* shapes as texts, "40x10"; or NULL: the axis
                                  is no shape */

    /* The degraded model: "" (none) first, "memory=off", ..., "all". */
    unsigned variant_count;
    char *const *variants;

    /* Runs of each size and variant. Runs with the same replica number use the
     * same random draws. */
    unsigned replicas;

    /* Facts (facts.h) at [(size * replicas + replica) * variant_count +
       variant]; NULL: not run. The first is not NULL. */
    JsonObject *const *runs;
};

/*
 * Returns the facts: the members that all runs share; "degradations", an object
 * for each variant but the first, with the change of the speed of the
 * application; and "runs", an object for each size and variant, with means
 * over the replicas. Where the axis is a shape, a size is the mean of its
 * counts, and there are members with the shape, too. A change is a ratio of
 * means with its 95 % interval, from pairs of replicas
 * (models/base/statistics.h). For a single pair, both ends of the interval
 * equal the ratio. Free with json_object_unref().
 */
JsonObject *orr_ablation_facts(const struct orr_ablation *ablation);

/* Prints the facts as the text of `orrery ablate`; @axis names the sizes. */
void orr_ablation_print(JsonObject *facts, const char *axis);

/*
 * Draws, over the size (@axis_title), a curve for each variant that makes a
 * difference: the speed, or its change against all models in per cent. Fails as
 * orr_plot_save() does.
 */
enum orr_ablation_curves { ORR_ABLATION_SPEED, ORR_ABLATION_CHANGE };
bool orr_ablation_plot(JsonObject *facts, enum orr_ablation_curves what,
                       const char *axis_title,
                       const struct orr_plot_options *options, GError **error);

/* Returns the speed of @run, facts, in GFlop/s; if the operations are not
 * known, in runs per second. */
double orr_ablation_speed(JsonObject *run);

/*
 * Returns the models that `orrery ablate` degrades, with their simplest value:
 * "memory=off". These are the models named by --degrade or, without it, all
 * models that have another value in a run of @settings. NULL-terminated, not
 * empty; free with g_strfreev().
 *
 * Returns NULL with ORR_ERROR_UNKNOWN if a model or the platform is not known
 * or there is nothing to degrade, or with the error of loading the platform.
 */
char **orr_degradations_find(const struct orr_settings *settings,
                             GError **error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ABLATION_H
#define ORR_ABLATION_H

#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * What each model is worth: the same runs with all models, with each of them
 * degraded to its plainest value in turn, and with all degraded together. How
 * much faster the application seems without a model is by how much a
 * prediction without it would be wrong.
 */
struct orr_ablation {
    unsigned size_count;
    const uint64_t *sizes; /* of the matrix */

    /* What is degraded: "" in the first, "memory=off", "all". */
    unsigned variant_count;
    char *const *variants;

    /* How often each is run, replicas of one number with the same luck. */
    unsigned replicas;

    /* Facts (facts.h) of [(size * replicas + replica) * variant_count +
       variant]; NULL: not run. The first was. */
    JsonObject *const *runs;
};

/*
 * The facts: what the runs have in common; "degradations", an object for each
 * variant but the first, with how much faster (+) or slower (-) the
 * application seems; and "runs", an object for each size and variant, with
 * means over the replicas. Changes are ratios of means with their 95 %
 * intervals, from pairs of replicas (models/base/statistics.h); of a single
 * pair, the interval is no wider than the figure.
 */
JsonObject *orr_ablation_facts(const struct orr_ablation *ablation);

/* The text of `orrery ablate`, from the facts. */
void orr_ablation_print(JsonObject *facts);

/*
 * Draws against the size of the matrix, a curve for each variant that makes a
 * difference: the speed, or by how many per cent it is another than with all
 * models. Fails as orr_plot_save().
 */
enum orr_ablation_curves { ORR_ABLATION_SPEED, ORR_ABLATION_CHANGE };
bool orr_ablation_plot(JsonObject *facts, enum orr_ablation_curves what,
                       const char *path, GError **error);

#endif

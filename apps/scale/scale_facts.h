/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SCALE_FACTS_H
#define ORR_SCALE_FACTS_H

#include "apps/output/output.h"
#include "apps/picture/plot.h"
#include "apps/scale/scale.h"

/* Adds what is known of @scale over @axis, "gpus" or "cpus", to @facts: the
 * members scale (the axis), runs, fits, predictions. */
void orr_scale_add_facts(const struct orr_scale *scale, const char *axis,
                         JsonObject *facts);

/* Prints facts with these members, and app, options, platform and sched; as
 * CSV, runs and predictions alone. */
void orr_scale_facts_print(JsonObject *facts, enum orr_format format);

/* Draws the factors over @axis, dashed beyond the last run, as @options say,
 * under @title. Fails as orr_plot_save(). */
bool orr_scale_plot(const struct orr_scale *scale, const char *axis,
                    const char *title, const struct orr_plot_options *options,
                    GError **error);

#endif

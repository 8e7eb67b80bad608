/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SCALE_PLOT_H
#define ORR_SCALE_PLOT_H

#include "apps/experiment/scale.h"
#include "apps/picture/plot.h"

/* Draws the factors over @axis, dashed beyond the last run, as @options say,
 * under @title. Fails as orr_plot_save(). */
bool orr_scale_plot(const struct orr_scale *scale, const char *axis,
                    const char *title, const struct orr_plot_options *options,
                    GError **error);

#endif

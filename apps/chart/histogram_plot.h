/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HISTOGRAM_PLOT_H
#define ORR_HISTOGRAM_PLOT_H

#include "apps/picture/plot.h"
#include "models/cost/histogram.h"

/* A histogram, and data for comparison. */
struct orr_histogram_view {
    const char *title; /* "gemm of cholesky (double) at tile 960 on CPU" */
    const struct orr_histogram *cut;
    const struct orr_histogram *wide; /* equal widths, from the same samples */
    const orr_time *samples;          /* ascending */
    unsigned count;
};

/* Draws @view into the file @path. Fails as orr_plot_save() does. */
bool orr_histogram_plot(const struct orr_histogram_view *view,
                        const struct orr_plot_options *options, GError **error);

#endif

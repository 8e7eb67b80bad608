/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GANTT_CHART_H
#define ORR_GANTT_CHART_H

#include "apps/facts/facts.h"
#include "apps/picture/plot.h"
#include "apps/trace/timeline.h"
#include "models/bounds/bounds.h"

/* A run to be drawn. */
struct orr_gantt_run {
    const char *policy; /* its name in the heading */
    JsonObject *facts;  /* facts of the run (facts.h) */
    const struct orr_timeline *timeline;
};

/*
 * Draws the Gantt chart of @count runs of one problem on one machine, one above
 * the other: for each run its workers, with the share of the makespan for which
 * each was idle, and the links that had copies. @bounds are dashed lines,
 * except where they are NAN. A run that hangs is drawn up to its last bar.
 * Fails as orr_plot_save().
 */
bool orr_gantt_chart_save(const struct orr_gantt_run *runs, unsigned count,
                          const struct orr_bounds *bounds,
                          const struct orr_plot_options *options,
                          GError **error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLOT_FIXTURE_H
#define ORR_PLOT_FIXTURE_H

#include <string.h>

#include "apps/picture/plot.h"
#include "tests/support/cmocka_all.h"

/* A plot for tests, and what tests ask about pictures. */

enum { PLOT_COUNT = 5 };

static const double plot_x[PLOT_COUNT] = {4800, 9600, 14400, 19200, 24000};
static const double plot_slow[PLOT_COUNT] = {210, 480, 720, 850, 930};
static const double plot_low[PLOT_COUNT] = {180, 440, 690, 830, 920};
static const double plot_high[PLOT_COUNT] = {250, 500, 750, 870, 940};
static const double plot_fast[PLOT_COUNT] = {290, 630, 880, 1010, 1080};
static const double plot_bound[PLOT_COUNT] = {1150, 1180, 1190, 1195, 1200};

static const struct orr_curve plot_curves[] = {
    {.title = "dmda",
     .look = 0,
     .count = PLOT_COUNT,
     .x = plot_x,
     .y = plot_slow,
     .low = plot_low,
     .high = plot_high},
    {.title = "dmd_as^2",
     .look = 1,
     .count = PLOT_COUNT,
     .x = plot_x,
     .y = plot_fast},
    {.title = "area bound",
     .style = ORR_CURVE_DASHED,
     .count = PLOT_COUNT,
     .x = plot_x,
     .y = plot_bound},
};

static const struct orr_plot plot_speeds = {
    .name = "speed",
    .title = "Cholesky on attila, single precision",
    .note = "lines: mean, bands: 5 to 95 % of 20 replicas",
    .x = {.label = "matrix size (rows)", .column = "size"},
    .y = {.label = "speed (GFlop/s)", .column = "gflops", .from_zero = true},
    .count = G_N_ELEMENTS(plot_curves),
    .curves = plot_curves,
};

/* Skips the test if there is no gnuplot. */
static inline void need_gnuplot(void)
{
    if (!orr_plot_check(&(struct orr_plot_options){.path = "x.svg"}, NULL)) {
        print_message("no gnuplot here\n");
        skip();
    }
}

/* Returns how often @what occurs in @text. */
static inline unsigned occurrences(const char *text, const char *what)
{
    unsigned count = 0;

    while ((text = strstr(text, what))) {
        text += strlen(what);
        count++;
    }
    return count;
}

#endif

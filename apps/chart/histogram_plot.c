/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A histogram as a plot: densities over durations, with marks of the samples
 * near the x axis. */
#include "apps/chart/histogram_plot.h"

/* Drawn width of a bin of width 0, as a share of the range. */
#define THINNEST 0.003

/* Height of the marks of samples, as a share of the highest bar. */
#define FOOT 0.02

/* The ends, the middle and the density of each bin, in ms. */
struct bars {
    double *from;
    double *to;
    double *middle;
    double *density;
    double highest;
};

static double to_ms(orr_time time)
{
    return (double)time / 1e6;
}

static void bars_init(struct bars *bars, const struct orr_histogram *histogram,
                      double thinnest)
{
    unsigned count = histogram->count;

    *bars = (struct bars){
        .from = g_new(double, count),
        .to = g_new(double, count),
        .middle = g_new(double, count),
        .density = g_new(double, count),
    };
    for (unsigned i = 0; i < count; i++) {
        const struct orr_histogram_bin *bin = &histogram->bins[i];
        double middle = (to_ms(bin->from) + to_ms(bin->to)) / 2;
        double width = MAX(to_ms(bin->to - bin->from), thinnest);

        bars->from[i] = middle - width / 2;
        bars->to[i] = middle + width / 2;
        bars->middle[i] = middle;
        bars->density[i] = (double)bin->samples / width /
                           (double)orr_histogram_samples(histogram);
        bars->highest = MAX(bars->highest, bars->density[i]);
    }
}

static void bars_clear(struct bars *bars)
{
    g_free(bars->from);
    g_free(bars->to);
    g_free(bars->middle);
    g_free(bars->density);
}

static struct orr_curve bars_curve(const struct bars *bars, unsigned count,
                                   const char *title)
{
    return (struct orr_curve){
        .title = title,
        .style = ORR_CURVE_BARS,
        .count = count,
        .x = bars->middle,
        .y = bars->density,
        .from = bars->from,
        .to = bars->to,
    };
}

/* Returns the outline of bars as a line. */
static struct orr_curve outline(const struct bars *bars, unsigned count,
                                double *x, double *y)
{
    for (unsigned i = 0; i < count; i++) {
        double *corner_x = x + (size_t)4 * i;
        double *corner_y = y + (size_t)4 * i;

        corner_x[0] = corner_x[1] = bars->from[i];
        corner_x[2] = corner_x[3] = bars->to[i];
        corner_y[0] = corner_y[3] = 0;
        corner_y[1] = corner_y[2] = bars->density[i];
    }
    return (struct orr_curve){
        .title = "same number of bins of equal width",
        .style = ORR_CURVE_DASHED,
        .count = 4 * count,
        .x = x,
        .y = y,
    };
}

static void mark(const struct orr_histogram_view *view, double height,
                 double *x, double *y)
{
    for (unsigned i = 0; i < view->count; i++) {
        x[i] = to_ms(view->samples[i]);
        y[i] = height;
    }
}

bool orr_histogram_plot(const struct orr_histogram_view *view,
                        const struct orr_plot_options *options, GError **error)
{
    unsigned count = view->cut->count;
    unsigned wide_count = view->wide->count;
    double range =
        to_ms(view->cut->bins[count - 1].to - view->cut->bins[0].from);
    double thinnest = range > 0 ? THINNEST * range : 1e-6;
    g_autofree double *x = g_new(double, (size_t)4 * wide_count);
    g_autofree double *y = g_new(double, (size_t)4 * wide_count);
    g_autofree double *at = g_new(double, view->count);
    g_autofree double *foot = g_new(double, view->count);
    struct orr_curve curves[3];
    struct bars cut;
    struct bars wide;
    bool good;

    bars_init(&cut, view->cut, thinnest);
    bars_init(&wide, view->wide, thinnest);
    mark(view, FOOT * cut.highest, at, foot);
    curves[0] = bars_curve(&cut, count, "cut diagonally");
    curves[1] = outline(&wide, wide_count, x, y);
    curves[2] = (struct orr_curve){.title = "samples",
                                   .style = ORR_CURVE_POINTS,
                                   .look = 9,
                                   .count = view->count,
                                   .x = at,
                                   .y = foot};
    good = orr_plot_save(
        &(struct orr_plot){
            .name = "histogram",
            .title = view->title,
            .x = {.label = "duration (ms)", .column = "duration_ms"},
            .y = {.label = "share of the tasks per ms",
                  .column = "share_per_ms",
                  .from_zero = true},
            .count = G_N_ELEMENTS(curves),
            .curves = curves,
        },
        options, error);
    bars_clear(&cut);
    bars_clear(&wide);
    return good;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The factors of efficiency as a plot. */
#include "apps/chart/scale_plot.h"

/* Load balance, serialization, transfer, and their product. */
enum { FACTORS = ORR_SCALE_COMPUTATION, CURVES };

static const char *const titles[CURVES] = {"load balance", "serialization",
                                           "transfer", "parallel"};

struct drawing {
    unsigned runs, all; /* number of runs, and of runs and predictions */
    double *x;
    double *y[CURVES];
    struct orr_curve curves[2 * CURVES];
    unsigned count;
};

static void take_rows(struct drawing *drawing, const struct orr_scale *scale)
{
    drawing->runs = scale->runs->len;
    drawing->all = drawing->runs + scale->predictions->len;
    drawing->x = g_new(double, drawing->all);
    for (unsigned c = 0; c < CURVES; c++)
        drawing->y[c] = g_new(double, drawing->all);
    for (unsigned i = 0; i < drawing->all; i++) {
        const struct orr_scale_row *row =
            i < drawing->runs
                ? orr_scale_row(scale->runs, i)
                : orr_scale_row(scale->predictions, i - drawing->runs);

        drawing->x[i] = row->count;
        for (unsigned c = 0; c < FACTORS; c++)
            drawing->y[c][i] = row->factors[c];
        drawing->y[FACTORS][i] = row->parallel;
    }
}

/* Adds the curve of the runs and, from the last run on, of the predictions. */
static void add_curves(struct drawing *drawing, unsigned c)
{
    unsigned last = drawing->runs - 1;

    drawing->curves[drawing->count++] = (struct orr_curve){
        .title = titles[c],
        .style = ORR_CURVE_LINE,
        .look = c,
        .count = drawing->runs,
        .x = drawing->x,
        .y = drawing->y[c],
    };
    if (drawing->all == drawing->runs)
        return;
    drawing->curves[drawing->count++] = (struct orr_curve){
        .style = ORR_CURVE_PREDICTED,
        .look = c,
        .count = drawing->all - last,
        .x = drawing->x + last,
        .y = drawing->y[c] + last,
    };
}

bool orr_scale_plot(const struct orr_scale *scale, const char *axis,
                    const char *title, const struct orr_plot_options *options,
                    GError **error)
{
    struct drawing drawing = {0};
    struct orr_plot plot = {
        .name = "scale",
        .title = title,
        .note = scale->predictions->len > 0 ? "dashed: predicted" : NULL,
        .x = {.label = g_str_equal(axis, "gpus") ? "GPUs" : "CPUs",
              .column = axis,
              .from_zero = true,
              .end = scale->predictions->len > 0
                         ? orr_scale_row(scale->predictions,
                                         scale->predictions->len - 1)
                               ->count
                         : 0},
        .y = {.label = "efficiency", .column = "efficiency", .from_zero = true},
        .curves = drawing.curves,
    };
    bool saved;

    take_rows(&drawing, scale);
    for (unsigned c = 0; c < CURVES; c++)
        add_curves(&drawing, c);
    plot.count = drawing.count;
    saved = orr_plot_save(&plot, options, error);
    g_free(drawing.x);
    for (unsigned c = 0; c < CURVES; c++)
        g_free(drawing.y[c]);
    return saved;
}

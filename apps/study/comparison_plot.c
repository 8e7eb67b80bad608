/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A comparison as a plot. */
#include <math.h>

#include "apps/output/plot.h"
#include "apps/study/comparison.h"
#include "models/base/statistics.h"

/* Bounds are drawn up to this multiple of the largest speed of a policy or of
   the best bound: the critical path bound of large matrices lies far above. */
#define HEADROOM 1.08

enum { BOUNDS = 4 };

static const char *const bound_names[BOUNDS] = {"area", "critical path",
                                                "mixed", "transfer"};

/* A point of a curve: the value of one comparison. */
struct point {
    double y, low, high;
};

struct drawing {
    const struct orr_comparison *comparisons;
    unsigned count;
    unsigned policies;
    GPtrArray *columns; /* arrays that the curves borrow; owned */
    GArray *curves;
    double *x; /* [comparison] */
    double top;
};

static double *new_column(struct drawing *drawing, unsigned count)
{
    double *column = g_new(double, count);

    g_ptr_array_add(drawing->columns, column);
    return column;
}

/* Returns the mean and the quantiles of the speed of @policy. */
static struct point speed_of(const struct orr_comparison *comparison,
                             unsigned policy)
{
    double *values = g_new(double, comparison->replicas);
    unsigned count = orr_comparison_complete(comparison, policy, values);
    struct orr_summary summary = {NAN, NAN, NAN, NAN};

    for (unsigned r = 0; r < count; r++)
        values[r] = orr_comparison_gflops(comparison, values[r]);
    if (count > 0 && comparison->facts[policy] &&
        comparison->hanging[policy] == 0)
        orr_summary_compute(&summary, values, count);
    g_free(values);
    return (struct point){summary.mean, summary.p05, summary.p95};
}

static void add_policy(struct drawing *drawing, unsigned policy)
{
    double *y = new_column(drawing, drawing->count);
    double *low = new_column(drawing, drawing->count);
    double *high = new_column(drawing, drawing->count);
    bool several = drawing->comparisons[0].replicas > 1;
    struct orr_curve curve = {
        .title = drawing->comparisons[0].labels[policy],
        .style = ORR_CURVE_LINE,
        .count = drawing->count,
        .x = drawing->x,
        .y = y,
        .low = several ? low : NULL,
        .high = several ? high : NULL,
    };

    for (unsigned i = 0; i < drawing->count; i++) {
        struct point point = speed_of(&drawing->comparisons[i], policy);

        y[i] = point.y;
        low[i] = point.low;
        high[i] = point.high;
        drawing->top = fmax(drawing->top, fmax(point.y, point.high));
    }
    g_array_append_val(drawing->curves, curve);
}

/* Adds a bar for each policy, if there is one size. */
static void add_bars(struct drawing *drawing)
{
    const struct orr_comparison *comparison = &drawing->comparisons[0];
    double *x = new_column(drawing, drawing->policies);
    double *y = new_column(drawing, drawing->policies);
    double *low = new_column(drawing, drawing->policies);
    double *high = new_column(drawing, drawing->policies);
    bool several = comparison->replicas > 1;
    struct orr_curve bars = {
        .style = ORR_CURVE_BARS,
        .count = drawing->policies,
        .x = x,
        .y = y,
        .low = several ? low : NULL,
        .high = several ? high : NULL,
    };

    for (unsigned p = 0; p < drawing->policies; p++) {
        struct point point = speed_of(comparison, p);

        x[p] = p;
        y[p] = point.y;
        low[p] = point.low;
        high[p] = point.high;
        drawing->top = fmax(drawing->top, fmax(point.y, point.high));
    }
    g_array_append_val(drawing->curves, bars);
}

static double bound_of(const struct orr_comparison *comparison, unsigned which)
{
    struct orr_bounds bounds;
    double all[BOUNDS];

    orr_comparison_bounds(comparison, &bounds);
    all[0] = bounds.area_s;
    all[1] = bounds.critical_path_s;
    all[2] = bounds.mixed_s;
    all[3] = bounds.transfer_s;
    return orr_comparison_gflops(comparison, all[which]);
}

/* Returns whether the curves of the bounds @a and @b coincide. */
static bool coincide(const struct drawing *drawing, unsigned a, unsigned b)
{
    for (unsigned i = 0; i < drawing->count; i++) {
        double ratio = bound_of(&drawing->comparisons[i], a) /
                       bound_of(&drawing->comparisons[i], b);

        if (!(fabs(ratio - 1) < 1e-3))
            return false;
    }
    return true;
}

/* Returns the legend of bound @which and later ones that coincide with it. */
static char *legend_of(const struct drawing *drawing, unsigned which)
{
    GString *text = g_string_new(bound_names[which]);
    unsigned same = 0;

    for (unsigned b = which + 1; b < BOUNDS; b++) {
        if (!coincide(drawing, which, b))
            continue;
        g_string_append_printf(text, ", %s", bound_names[b]);
        same++;
    }
    g_string_append(text, same > 0 ? " bounds" : " bound");
    return g_string_free(text, FALSE);
}

/* If there is one size, the bound is a line across all bars. */
static void add_bound(struct drawing *drawing, unsigned which)
{
    unsigned count = MAX(drawing->count, 2);
    double *y = new_column(drawing, count);
    char *title = legend_of(drawing, which);
    struct orr_curve curve = {
        .title = title,
        .style = ORR_CURVE_DASHED,
        .count = count,
        .x = drawing->x,
        .y = y,
    };

    g_ptr_array_add(drawing->columns, title);
    for (unsigned i = 0; i < count; i++)
        y[i] =
            bound_of(&drawing->comparisons[MIN(i, drawing->count - 1)], which);
    g_array_append_val(drawing->curves, curve);
}

static void add_bounds(struct drawing *drawing)
{
    for (unsigned i = 0; i < drawing->count; i++) {
        const struct orr_comparison *comparison = &drawing->comparisons[i];
        struct orr_bounds bounds;

        orr_comparison_bounds(comparison, &bounds);
        drawing->top =
            fmax(drawing->top,
                 orr_comparison_gflops(comparison, orr_bounds_best(&bounds)));
    }
    for (unsigned b = 0; b < BOUNDS; b++) {
        bool drawn = false;

        for (unsigned before = 0; before < b; before++)
            drawn |= coincide(drawing, before, b);
        if (!drawn)
            add_bound(drawing, b);
    }
}

/* Returns the position on the x axis: the spread, or the size. */
static double place_of(const struct orr_comparison *comparison)
{
    return comparison->settings.spread >= 0 ? comparison->settings.spread
                                            : (double)comparison->settings.size;
}

static const char *label_of(const struct orr_comparison *comparison)
{
    return comparison->settings.spread >= 0
               ? "spread of durations (deviation / mean)"
               : "matrix size (rows)";
}

static void set_x(struct drawing *drawing)
{
    drawing->x = new_column(drawing, MAX(drawing->count, 2));
    if (drawing->count == 1) {
        drawing->x[0] = -0.6;
        drawing->x[1] = drawing->policies - 0.4;
        return;
    }
    for (unsigned i = 0; i < drawing->count; i++)
        drawing->x[i] = place_of(&drawing->comparisons[i]);
}

static char *title_of(const struct orr_comparison *comparison)
{
    const struct orr_settings *settings = &comparison->settings;
    JsonObject *facts = NULL;

    for (unsigned p = 0; !facts && p < comparison->policy_count; p++)
        facts = comparison->facts[p];
    return g_strdup_printf(
        "%s on %s: %d CPUs, %d GPUs, %s precision, tiles of %" G_GUINT64_FORMAT,
        settings->app->name, json_object_get_string_member(facts, "platform"),
        (int)json_object_get_int_member(facts, "cpus"),
        (int)json_object_get_int_member(facts, "gpus"),
        json_object_get_string_member(facts, "precision"), settings->tile);
}

bool orr_comparison_plot(const struct orr_comparison *comparisons,
                         unsigned count, const char *path, GError **error)
{
    struct drawing drawing = {
        .comparisons = comparisons,
        .count = count,
        .policies = comparisons[0].policy_count,
        .columns = g_ptr_array_new_with_free_func(g_free),
        .curves = g_array_new(FALSE, FALSE, sizeof(struct orr_curve)),
    };
    g_autofree char *title = title_of(&comparisons[0]);
    struct orr_plot plot = {
        .title = title,
        .x.label = count > 1 ? label_of(&comparisons[0]) : NULL,
        .x.names =
            count > 1 ? NULL : (const char *const *)comparisons[0].labels,
        .y.label = "speed (GFlop/s)",
        .y.from_zero = true,
    };
    bool saved;

    set_x(&drawing);
    for (unsigned p = 0; count > 1 && p < drawing.policies; p++)
        add_policy(&drawing, p);
    if (count == 1)
        add_bars(&drawing);
    if (isfinite(comparisons[0].bounds[0].area_s))
        add_bounds(&drawing);
    plot.y.end = drawing.top * HEADROOM;
    plot.count = drawing.curves->len;
    plot.curves = (const struct orr_curve *)drawing.curves->data;
    saved = orr_plot_save(&plot, path, error);
    g_array_unref(drawing.curves);
    g_ptr_array_unref(drawing.columns);
    return saved;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A comparison as a plot. */
#include "apps/chart/comparison_plot.h"

#include <math.h>

#include "apps/chart/gantt_chart.h"
#include "apps/output/exact.h"
#include "apps/picture/plot.h"
#include "models/base/statistics.h"

/* Bounds are drawn up to this multiple of the largest speed of a policy or of
   the best bound: the critical path bound of large matrices lies far above. */
#define HEADROOM 1.08

/* Values are written beside bars. */
#define ROOM_FOR_VALUES 1.18

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

/* Returns the value to draw for a makespan: the speed, or the makespan if the
 * speed is not known. */
static double quantity_of(const struct orr_comparison *comparison,
                          double makespan_s)
{
    return orr_comparison_has_speed(comparison)
               ? orr_comparison_gflops(comparison, makespan_s)
               : makespan_s;
}

/* Returns the mean and the quantiles of the speed of @policy. */
static struct point speed_of(const struct orr_comparison *comparison,
                             unsigned policy)
{
    double *values = g_new(double, comparison->replicas);
    unsigned count = orr_comparison_complete(comparison, policy, values);
    struct orr_summary summary = {NAN, NAN, NAN, NAN};

    for (unsigned r = 0; r < count; r++)
        values[r] = quantity_of(comparison, values[r]);
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
        .look = policy,
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
    double *row = new_column(drawing, drawing->policies);
    double *low = new_column(drawing, drawing->policies);
    double *high = new_column(drawing, drawing->policies);
    bool several = comparison->replicas > 1;
    struct orr_curve bars = {
        .style = ORR_CURVE_ROWS,
        .count = drawing->policies,
        .x = x,
        .y = row,
        .low = several ? low : NULL,
        .high = several ? high : NULL,
    };

    for (unsigned p = 0; p < drawing->policies; p++) {
        struct point point = speed_of(comparison, p);

        x[p] = point.y;
        row[p] = p;
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
    return quantity_of(comparison, all[which]);
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

/* With one size, the bound is a line across all bars. */
static void add_bound(struct drawing *drawing, unsigned which)
{
    bool one = drawing->count == 1;
    unsigned count = one ? 2 : drawing->count;
    double *speeds = new_column(drawing, count);
    char *title = legend_of(drawing, which);
    struct orr_curve curve = {
        .title = title,
        .style = ORR_CURVE_DASHED,
        .count = count,
        .x = one ? speeds : drawing->x,
        .y = one ? drawing->x : speeds,
    };

    g_ptr_array_add(drawing->columns, title);
    for (unsigned i = 0; i < count; i++)
        speeds[i] = bound_of(&drawing->comparisons[one ? 0 : i], which);
    g_array_append_val(drawing->curves, curve);
}

/* Returns where the axis of speeds ends. */
static double end_of(const struct drawing *drawing)
{
    return drawing->top * (drawing->count == 1 ? ROOM_FOR_VALUES : HEADROOM);
}

static bool is_visible(const struct drawing *drawing, unsigned which)
{
    for (unsigned i = 0; i < drawing->count; i++) {
        if (bound_of(&drawing->comparisons[i], which) <= end_of(drawing))
            return true;
    }
    return false;
}

static void add_bounds(struct drawing *drawing)
{
    for (unsigned i = 0; i < drawing->count; i++) {
        const struct orr_comparison *comparison = &drawing->comparisons[i];
        struct orr_bounds bounds;

        orr_comparison_bounds(comparison, &bounds);
        drawing->top = fmax(drawing->top,
                            quantity_of(comparison, orr_bounds_best(&bounds)));
    }
    for (unsigned b = 0; b < BOUNDS; b++) {
        bool drawn = false;

        for (unsigned before = 0; before < b; before++)
            drawn |= coincide(drawing, before, b);
        if (!drawn && is_visible(drawing, b))
            add_bound(drawing, b);
    }
}

/* Returns the position on the x axis: the spread, or the size. */
static double place_of(const struct orr_comparison *comparison)
{
    return comparison->settings.scenario.config.spread >= 0
               ? comparison->settings.scenario.config.spread
               : (double)orr_app_size(
                     comparison->settings.scenario.problem.values,
                     comparison->settings.scenario.problem.axis);
}

static struct orr_axis axis_of(const struct orr_comparison *comparison)
{
    if (comparison->settings.scenario.config.spread >= 0)
        return (struct orr_axis){.label =
                                     "spread of durations (deviation / mean)",
                                 .column = "spread"};
    return (struct orr_axis){
        .label = orr_app_axis_title(comparison->settings.scenario.problem.app,
                                    comparison->settings.scenario.problem.axis),
        .column = "size"};
}

/* Sets the x values of curves: sizes or, with bars, the ends of their column.
 */
static void set_x(struct drawing *drawing)
{
    drawing->x = new_column(drawing, MAX(drawing->count, 2));
    if (drawing->count == 1) {
        drawing->x[0] = -0.5;
        drawing->x[1] = drawing->policies - 0.5;
        return;
    }
    for (unsigned i = 0; i < drawing->count; i++)
        drawing->x[i] = place_of(&drawing->comparisons[i]);
}

/* Returns whether @point belongs to @policy; NULL: to no policy. */
static bool belongs(const struct drawing *drawing,
                    const struct orr_overlay_point *point, const char *policy)
{
    if (drawing->count == 1 &&
        point->size !=
            (double)orr_app_size(
                drawing->comparisons[0].settings.scenario.problem.values,
                drawing->comparisons[0].settings.scenario.problem.axis))
        return false;
    return g_strcmp0(point->policy, policy) == 0;
}

/* Adds the points of @policy with the shape of its curve, or on its bar. NULL:
 * the points of no policy, with a shape of their own, or on a row of their own.
 */
static void add_points(struct drawing *drawing,
                       const struct orr_overlay *overlay, const char *policy,
                       unsigned look, const char *title)
{
    double *sizes = new_column(drawing, overlay->points->len);
    double *speeds = new_column(drawing, overlay->points->len);
    bool one = drawing->count == 1;
    struct orr_curve curve = {
        .title = title,
        .style = ORR_CURVE_POINTS,
        .look = one ? 0 : look,
        .x = one ? speeds : sizes,
        .y = one ? sizes : speeds,
    };

    for (guint i = 0; i < overlay->points->len; i++) {
        const struct orr_overlay_point *point =
            &g_array_index(overlay->points, struct orr_overlay_point, i);

        if (!belongs(drawing, point, policy))
            continue;
        sizes[curve.count] = one ? look : point->size;
        speeds[curve.count++] = point->gflops;
        drawing->top = fmax(drawing->top, point->gflops);
    }
    if (curve.count > 0)
        g_array_append_val(drawing->curves, curve);
}

/* Returns a text that lives as long as @drawing. */
static const char *keep(struct drawing *drawing, char *text)
{
    g_ptr_array_add(drawing->columns, text);
    return text;
}

/* Only the first points get a title, so that the legend explains them once. */
static void add_overlay(struct drawing *drawing,
                        const struct orr_overlay *overlay)
{
    const char *title = keep(drawing, g_strdup(overlay->name));
    char *const *labels = drawing->comparisons[0].labels;

    if (drawing->count > 1)
        title = keep(drawing, g_strdup_printf("%s: in black", title));
    for (unsigned p = 0; p < drawing->policies; p++) {
        guint before = drawing->curves->len;

        add_points(drawing, overlay, labels[p], p, title);
        if (drawing->curves->len > before)
            title = NULL;
    }
    add_points(drawing, overlay, NULL, drawing->policies,
               drawing->count > 1 ? overlay->name : title);
}

/* Returns the names of the bars, and of a row for points of no policy. Free
 * with g_strfreev(). */
static char **name_rows(const struct drawing *drawing,
                        const struct orr_overlay *overlay)
{
    GStrvBuilder *rows = g_strv_builder_new();
    char **names;
    bool others = false;

    for (unsigned p = 0; p < drawing->policies; p++)
        g_strv_builder_add(rows, drawing->comparisons[0].labels[p]);
    for (guint i = 0; overlay && i < overlay->points->len; i++)
        others |= belongs(
            drawing,
            &g_array_index(overlay->points, struct orr_overlay_point, i), NULL);
    if (others)
        g_strv_builder_add(rows, overlay->name);
    names = g_strv_builder_end(rows);
    g_strv_builder_unref(rows);
    return names;
}

unsigned orr_comparison_left_out(const struct orr_comparison *comparisons,
                                 unsigned count,
                                 const struct orr_overlay *overlay)
{
    const struct drawing drawing = {.comparisons = comparisons, .count = count};
    unsigned left_out = 0;

    for (guint i = 0; i < overlay->points->len; i++) {
        const struct orr_overlay_point *point =
            &g_array_index(overlay->points, struct orr_overlay_point, i);
        bool drawn = belongs(&drawing, point, NULL);

        for (unsigned p = 0; p < comparisons[0].policy_count; p++)
            drawn |= belongs(&drawing, point, comparisons[0].labels[p]);
        left_out += !drawn;
    }
    return left_out;
}

/* Returns the common facts of the comparisons. */
static JsonObject *common_facts(const struct drawing *drawing)
{
    JsonObject *common = NULL;

    for (unsigned i = 0; i < drawing->count; i++) {
        const struct orr_comparison *comparison = &drawing->comparisons[i];
        JsonObject *facts = NULL;

        for (unsigned p = 0; !facts && p < comparison->policy_count; p++)
            facts = comparison->facts[p];
        if (!facts)
            continue;
        if (common) {
            orr_facts_keep_common(common, facts);
        } else {
            common = json_object_new();
            orr_facts_copy_common(common, facts);
        }
    }
    return common;
}

static char *title_of(const struct drawing *drawing)
{
    JsonObject *common = common_facts(drawing);
    g_autofree char *options =
        orr_exact_format(json_object_get_member(common, "options"), ", ");
    char *title =
        g_strdup_printf("%s on %s: %d CPUs, %d GPUs%s%s",
                        json_object_get_string_member(common, "app"),
                        json_object_get_string_member(common, "platform"),
                        (int)json_object_get_int_member(common, "cpus"),
                        (int)json_object_get_int_member(common, "gpus"),
                        *options ? ", " : "", options);

    json_object_unref(common);
    return title;
}

/* Returns a note on the meaning of curves, bars and ranges; NULL with one
 * replica. After a signal, the last comparison has fewer replicas. */
static char *note_of(const struct drawing *drawing)
{
    const char *what =
        drawing->count > 1 ? "lines: mean, bands" : "bars: mean, strokes";
    unsigned most = 0;
    unsigned least = G_MAXUINT;

    if (drawing->comparisons[0].replicas == 1)
        return NULL;
    for (unsigned i = 0; i < drawing->count; i++) {
        for (unsigned p = 0; p < drawing->policies; p++) {
            unsigned replicas =
                orr_comparison_complete(&drawing->comparisons[i], p, NULL);

            if (replicas > 0)
                least = MIN(least, replicas);
            most = MAX(most, replicas);
        }
    }
    if (least < most)
        return g_strdup_printf("%s: 5 to 95 %% of %u to %u replicas", what,
                               least, most);
    return g_strdup_printf("%s: 5 to 95 %% of %u replicas", what, most);
}

static void add_curves(struct drawing *drawing,
                       const struct orr_overlay *overlay)
{
    set_x(drawing);
    for (unsigned p = 0; drawing->count > 1 && p < drawing->policies; p++)
        add_policy(drawing, p);
    if (drawing->count == 1)
        add_bars(drawing);
    if (isfinite(drawing->comparisons[0].bounds[0].area_s))
        add_bounds(drawing);
    if (overlay)
        add_overlay(drawing, overlay);
}

bool orr_comparison_plot(const struct orr_comparison *comparisons,
                         unsigned count, const struct orr_overlay *overlay,
                         const struct orr_plot_options *options, GError **error)
{
    struct drawing drawing = {
        .comparisons = comparisons,
        .count = count,
        .policies = comparisons[0].policy_count,
        .columns = g_ptr_array_new_with_free_func(g_free),
        .curves = g_array_new(FALSE, FALSE, sizeof(struct orr_curve)),
    };
    g_auto(GStrv) rows = count == 1 ? name_rows(&drawing, overlay) : NULL;
    g_autofree char *title = title_of(&drawing);
    g_autofree char *note = note_of(&drawing);
    struct orr_axis speed =
        orr_comparison_has_speed(&comparisons[0])
            ? (struct orr_axis){.label = "speed (GFlop/s)", .column = "gflops"}
            : (struct orr_axis){.label = "makespan (s)",
                                .column = "makespan_s"};
    struct orr_plot plot = {.name = "speed",
                            .title = title,
                            .note = note,
                            .rows = (const char *const *)rows};
    bool saved;

    add_curves(&drawing, overlay);
    speed.from_zero = true;
    speed.end = end_of(&drawing);
    plot.x = count == 1 ? speed : axis_of(&comparisons[0]);
    plot.y = count == 1 ? (struct orr_axis){.column = "row"} : speed;
    plot.count = drawing.curves->len;
    plot.curves = (const struct orr_curve *)drawing.curves->data;
    saved = orr_plot_save(&plot, options, error);
    g_array_unref(drawing.curves);
    g_ptr_array_unref(drawing.columns);
    return saved;
}

bool orr_comparison_gantt(const struct orr_comparison *comparison,
                          GError **error)
{
    struct orr_gantt_run *runs;
    unsigned count = 0;
    bool drawn;

    if (!comparison->timelines)
        return true;
    runs = g_new0(struct orr_gantt_run, comparison->policy_count);
    for (unsigned p = 0; p < comparison->policy_count; p++) {
        if (comparison->facts[p])
            runs[count++] = (struct orr_gantt_run){comparison->labels[p],
                                                   comparison->facts[p],
                                                   &comparison->timelines[p]};
    }
    drawn = count == 0 ||
            orr_gantt_chart_save(runs, count, &comparison->bounds[0],
                                 &comparison->settings.outputs.gantt, error);
    g_free(runs);
    return drawn;
}

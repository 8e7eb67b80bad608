/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Draws a table of runs: curves over a setting, points with their Pareto
 * fronts, or maps over two settings. chart_read.c has sorted the groups by
 * panel, curve, row and x, so that each panel, curve and row of cells is a
 * range of the array of groups, found in one pass.
 */
#include "apps/chart/chart.h"

#include <math.h>
#include <string.h>

#include "apps/chart/labels.h"
#include "models/base/error.h"

/* A picture under construction. */
struct drawing {
    const struct orr_chart *chart;
    GPtrArray *owned; /* texts and arrays that the plot borrows */
    GArray *curves;   /* struct orr_curve */
    struct orr_plot plot;
    guint least, most; /* runs in a group */
};

/* Whether two groups are points of one curve. */
static inline bool are_on_one_curve(const struct orr_chart_group *a,
                                    const struct orr_chart_group *b)
{
    return a->keys[ORR_BY_PANEL] == b->keys[ORR_BY_PANEL] &&
           a->keys[ORR_BY_CURVE] == b->keys[ORR_BY_CURVE];
}

/* Returns an array of @count numbers, owned by @drawing. */
static double *new_column(struct drawing *drawing, guint count)
{
    double *column = g_new0(double, count + 1);

    g_ptr_array_add(drawing->owned, column);
    return column;
}

/* Returns @text, which @drawing now owns. */
static const char *own_text(struct drawing *drawing, char *text)
{
    g_ptr_array_add(drawing->owned, text);
    return text;
}

/* Returns the names of all keys of @which in their order, or @downwards,
 * NULL-terminated; owned by @drawing. With @column, names include its label:
 * "GPUs: 4". */
static const char *const *list_names(struct drawing *drawing,
                                     enum orr_chart_key which,
                                     const char *column, bool downwards)
{
    const struct orr_keys *keys = &drawing->chart->groups.keys[which];
    guint count = orr_keys_count(keys);
    const char **names = g_new0(const char *, count + 1);

    g_ptr_array_add(drawing->owned, (gpointer)names);
    for (guint i = 0; i < count; i++) {
        const char *text = orr_keys_at(keys, downwards ? count - 1 - i : i);

        names[i] = own_text(drawing, column  ? orr_label_of_value(column, text)
                                     : *text ? orr_label_shorten(text)
                                             : g_strdup("none"));
    }
    return names;
}

/* ---- curves over a setting ---- */

/* Room above the highest value. */
#define HEADROOM 1.08

/* Returns the title of the curve of @group, owned by @drawing; NULL: none. */
static const char *title_of(struct drawing *drawing,
                            const struct orr_chart_group *group)
{
    const struct orr_chart_request *request = drawing->chart->request;
    guint key = group->keys[ORR_BY_CURVE];

    if (orr_chart_group_is_bound(group))
        return own_text(drawing, orr_label_of_bound(
                                     request->bounds[key - ORR_BOUND_KEY(0)]));
    if (!request->by)
        return NULL;
    return own_text(
        drawing,
        orr_label_of_value(
            request->by,
            orr_keys_at(&drawing->chart->groups.keys[ORR_BY_CURVE], key)));
}

/* Returns the place of @group on the x axis. */
static double x_of(const struct drawing *drawing,
                   const struct orr_chart_group *group)
{
    const double *values = drawing->chart->groups.keys[ORR_BY_X].values;
    guint place = group->keys[ORR_BY_X];

    return values ? values[place] : place;
}

/* Adds the curve of the groups from @from to @to - 1. */
static void add_curve(struct drawing *drawing, guint from, guint to)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    const struct orr_chart_group *first = orr_chart_groups_at(groups, from);
    double *x = new_column(drawing, to - from);
    double *y = new_column(drawing, to - from);
    double *low = new_column(drawing, to - from);
    double *high = new_column(drawing, to - from);
    bool bands = drawing->most > 1 && !orr_chart_group_is_bound(first);
    struct orr_curve curve = {
        .title = title_of(drawing, first),
        .style =
            orr_chart_group_is_bound(first) ? ORR_CURVE_DASHED : ORR_CURVE_LINE,
        .look = orr_chart_group_is_bound(first) ? 0 : first->keys[ORR_BY_CURVE],
        .panel = first->keys[ORR_BY_PANEL],
        .count = to - from,
        .x = x,
        .y = y,
        .low = bands ? low : NULL,
        .high = bands ? high : NULL,
    };

    for (guint i = from; i < to; i++) {
        struct orr_summary summary;

        orr_chart_group_summary(orr_chart_groups_at(groups, i), &summary);
        x[i - from] = x_of(drawing, orr_chart_groups_at(groups, i));
        y[i - from] = summary.mean;
        low[i - from] = summary.p05;
        high[i - from] = summary.p95;
    }
    g_array_append_val(drawing->curves, curve);
}

/* Ends the y axis above all curves of results, and above the lowest bound;
 * higher bounds may be far away. */
static void set_end(struct drawing *drawing)
{
    double top = 0;
    double least = INFINITY;
    double bottom = 0;

    for (guint c = 0; c < drawing->curves->len; c++) {
        const struct orr_curve *curve =
            &g_array_index(drawing->curves, struct orr_curve, c);
        bool bound = curve->style == ORR_CURVE_DASHED;
        double highest = 0;

        for (guint i = 0; i < curve->count; i++) {
            highest = fmax(highest, curve->high ? curve->high[i] : curve->y[i]);
            bottom = fmin(bottom, curve->low ? curve->low[i] : curve->y[i]);
        }
        if (bound)
            least = fmin(least, highest);
        else
            top = fmax(top, highest);
    }
    if (isfinite(least))
        drawing->plot.y.end = HEADROOM * fmax(top, least);
    drawing->plot.y.from_zero = bottom >= 0;
}

/* Adds the curves, and sets the end of the y axis. */
static void add_lines(struct drawing *drawing)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    guint from = 0;

    for (guint i = 1; i <= groups->all->len; i++) {
        if (i < groups->all->len &&
            are_on_one_curve(orr_chart_groups_at(groups, from),
                             orr_chart_groups_at(groups, i)))
            continue;
        add_curve(drawing, from, i);
        from = i;
    }
    set_end(drawing);
}

/* Two results of each run, and their Pareto front: the runs for which no other
 * is better in one result and as good in the other. */

/* A run. Of @good_x and @good_y, less is better. */
struct point {
    double x, y;
    double good_x, good_y;
    guint curve; /* the first group of its curve */
    bool beaten;
};

static int compare(gconstpointer a, gconstpointer b)
{
    const struct point *left = a, *right = b;

    if (left->good_x < right->good_x || left->good_x > right->good_x)
        return left->good_x < right->good_x ? -1 : 1;
    return (left->good_y > right->good_y) - (left->good_y < right->good_y);
}

/* Sorts @points by x, the best first, and marks the beaten ones: those not
 * better in y than all before. */
static void find_front(GArray *points)
{
    double least_x = INFINITY, least_y = INFINITY;

    g_array_sort(points, compare);
    for (guint i = 0; i < points->len; i++) {
        struct point *point = &g_array_index(points, struct point, i);
        bool equal = !(point->good_x > least_x) && !(point->good_y > least_y);

        point->beaten = !(point->good_y < least_y) && !equal;
        if (point->beaten)
            continue;
        least_x = point->good_x;
        least_y = point->good_y;
    }
}

/* Adds a curve with @look of the points that are @beaten, or not, and belong to
 * curve @curve (G_MAXUINT: to any). Returns whether there are any. */
static bool add_points(struct drawing *drawing, const GArray *points,
                       guint curve, bool beaten, const struct orr_curve *look)
{
    struct orr_curve added = *look;
    double *x = new_column(drawing, points->len);
    double *y = new_column(drawing, points->len);

    for (guint i = 0; i < points->len; i++) {
        const struct point *point = &g_array_index(points, struct point, i);

        if (point->beaten != beaten ||
            (curve != G_MAXUINT && point->curve != curve))
            continue;
        x[added.count] = point->x;
        y[added.count++] = point->y;
    }
    added.x = x;
    added.y = y;
    if (added.count > 0)
        g_array_append_val(drawing->curves, added);
    return added.count > 0;
}

/* Adds the points of each curve among the groups from @from to @to - 1. */
static void add_curves(struct drawing *drawing, const GArray *points,
                       guint from, guint to)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    guint first = from;

    for (guint i = from + 1; i <= to; i++) {
        const struct orr_chart_group *group =
            orr_chart_groups_at(groups, first);
        struct orr_curve look = {
            .title = title_of(drawing, group),
            .style = ORR_CURVE_DOTS,
            .look = group->keys[ORR_BY_CURVE],
            .panel = group->keys[ORR_BY_PANEL],
        };

        if (i < to && are_on_one_curve(group, orr_chart_groups_at(groups, i)))
            continue;
        if (add_points(drawing, points, first, false, &look))
            look.title = NULL;
        look.style = ORR_CURVE_PALE;
        add_points(drawing, points, first, true, &look);
        first = i;
    }
}

static void add_panel(struct drawing *drawing, guint from, guint to)
{
    const struct orr_chart_request *request = drawing->chart->request;
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    double sign_x = orr_label_is_speed(request->x) ? -1 : 1;
    double sign_y = orr_label_is_speed(request->y) ? -1 : 1;
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(struct point));
    struct orr_curve line = {
        .title = "Pareto front",
        .style = ORR_CURVE_STEPS,
        .panel = orr_chart_groups_at(groups, from)->keys[ORR_BY_PANEL],
    };
    guint first = from;

    for (guint i = from; i < to; i++) {
        const struct orr_chart_group *group = orr_chart_groups_at(groups, i);
        struct point point = {
            .x = x_of(drawing, group),
            .y = g_array_index(group->values, double, 0),
        };

        if (!are_on_one_curve(orr_chart_groups_at(groups, first), group))
            first = i;
        point.curve = first;
        point.good_x = sign_x * point.x;
        point.good_y = sign_y * point.y;
        g_array_append_val(points, point);
    }
    find_front(points);
    add_curves(drawing, points, from, to);
    add_points(drawing, points, G_MAXUINT, false, &line);
}

static void add_fronts(struct drawing *drawing)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    guint from = 0;

    for (guint i = 1; i <= groups->all->len; i++) {
        if (i < groups->all->len &&
            orr_chart_groups_at(groups, i)->keys[ORR_BY_PANEL] ==
                orr_chart_groups_at(groups, from)->keys[ORR_BY_PANEL])
            continue;
        add_panel(drawing, from, i);
        from = i;
    }
    drawing->plot.note = "pale: runs that another one beats";
}

/* ---- maps over two settings, of a result or of the best value of a third ----
 */

/* The best and the second value in a cell. */
struct choice {
    guint curve; /* G_MAXUINT: no runs */
    double best, second;
};

static bool are_in_one_panel(const struct orr_chart_group *a,
                             const struct orr_chart_group *b)
{
    return a->keys[ORR_BY_PANEL] == b->keys[ORR_BY_PANEL];
}

/* Returns the row of @group in the picture, where row 0 is at the top. */
static double row_of(const struct drawing *drawing,
                     const struct orr_chart_group *group)
{
    return orr_keys_count(&drawing->chart->groups.keys[ORR_BY_ROW]) - 1 -
           group->keys[ORR_BY_ROW];
}

static double mean_of(const struct orr_chart_group *group)
{
    struct orr_summary summary;

    orr_chart_group_summary(group, &summary);
    return summary.mean;
}

/* Adds cells with the means of the groups from @from to @to - 1. */
static void add_cells(struct drawing *drawing, guint from, guint to)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    double *x = new_column(drawing, to - from);
    double *y = new_column(drawing, to - from);
    double *value = new_column(drawing, to - from);
    struct orr_curve curve = {
        .style = ORR_CURVE_CELLS,
        .panel = orr_chart_groups_at(groups, from)->keys[ORR_BY_PANEL],
        .count = to - from,
        .x = x,
        .y = y,
        .value = value,
    };

    for (guint i = from; i < to; i++) {
        const struct orr_chart_group *group = orr_chart_groups_at(groups, i);

        x[i - from] = group->keys[ORR_BY_X];
        y[i - from] = row_of(drawing, group);
        value[i - from] = mean_of(group);
    }
    g_array_append_val(drawing->curves, curve);
}

static void take(struct choice *choice, guint curve, double mean, bool largest)
{
    bool better = largest ? mean > choice->best : mean < choice->best;

    if (choice->curve == G_MAXUINT || better) {
        choice->second = choice->best;
        choice->best = mean;
        choice->curve = curve;
    } else if (!isfinite(choice->second) ||
               (largest ? mean > choice->second : mean < choice->second)) {
        choice->second = mean;
    }
}

/* Returns the advantage of the best over the second, in percent. */
static double lead_of(const struct choice *choice, bool largest)
{
    return 100 * (largest ? choice->best / choice->second - 1
                          : choice->second / choice->best - 1);
}

/* Adds the cells in which @index is the best. */
static void add_choices(struct drawing *drawing, const struct choice *choices,
                        guint panel, guint index)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    const struct orr_chart_request *request = drawing->chart->request;
    guint columns = orr_keys_count(&groups->keys[ORR_BY_X]);
    guint rows = orr_keys_count(&groups->keys[ORR_BY_ROW]);
    double *x = new_column(drawing, columns * rows);
    double *y = new_column(drawing, columns * rows);
    double *value = new_column(drawing, columns * rows);
    struct orr_curve curve = {
        .title = own_text(drawing,
                          orr_label_of_value(
                              request->best,
                              orr_keys_at(&groups->keys[ORR_BY_CURVE], index))),
        .style = ORR_CURVE_CHOICES,
        .look = index,
        .panel = panel,
        .x = x,
        .y = y,
        .value = value,
    };

    for (guint i = 0; i < columns * rows; i++) {
        guint row = i / columns;

        if (choices[i].curve != index)
            continue;
        x[curve.count] = i % columns;
        y[curve.count] = rows - 1 - row;
        value[curve.count++] =
            lead_of(&choices[i], orr_label_is_speed(request->y));
    }
    if (curve.count > 0)
        g_array_append_val(drawing->curves, curve);
}

/* Adds the best of each cell of the groups from @from to @to - 1. */
static void add_best(struct drawing *drawing, guint from, guint to)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    guint columns = orr_keys_count(&groups->keys[ORR_BY_X]);
    guint cells = columns * orr_keys_count(&groups->keys[ORR_BY_ROW]);
    struct choice *choices = g_new(struct choice, cells);
    bool largest = orr_label_is_speed(drawing->chart->request->y);

    for (guint i = 0; i < cells; i++)
        choices[i] = (struct choice){G_MAXUINT, NAN, NAN};
    for (guint i = from; i < to; i++) {
        const struct orr_chart_group *group = orr_chart_groups_at(groups, i);

        take(
            &choices[group->keys[ORR_BY_ROW] * columns + group->keys[ORR_BY_X]],
            group->keys[ORR_BY_CURVE], mean_of(group), largest);
    }
    for (guint c = 0; c < orr_keys_count(&groups->keys[ORR_BY_CURVE]); c++)
        add_choices(drawing, choices,
                    orr_chart_groups_at(groups, from)->keys[ORR_BY_PANEL], c);
    g_free(choices);
}

static void add_maps(struct drawing *drawing)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    const struct orr_chart_request *request = drawing->chart->request;
    guint from = 0;

    drawing->plot.rows = list_names(drawing, ORR_BY_ROW, NULL, true);
    drawing->plot.scale = own_text(drawing, orr_label_of(request->y));
    if (request->best)
        drawing->plot.note = own_text(
            drawing, g_strdup_printf("shapes: the best %.*s; %%: its lead",
                                     (int)strcspn(drawing->plot.scale, " ("),
                                     drawing->plot.scale));
    for (guint i = 1; i <= groups->all->len; i++) {
        if (i < groups->all->len &&
            are_in_one_panel(orr_chart_groups_at(groups, from),
                             orr_chart_groups_at(groups, i)))
            continue;
        (request->best ? add_best : add_cells)(drawing, from, i);
        from = i;
    }
}

/* More cannot be distinguished. */
enum { MAX_PANELS = 40, MAX_CURVES = 48, MAX_PLACES = 400 };

static bool check(const struct orr_chart *chart, enum orr_chart_key which,
                  const char *column, guint most, GError **error)
{
    guint count = orr_keys_count(&chart->groups.keys[which]);

    if (count <= most)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%u values of %s are more than the %u that a picture can show: "
                "choose some with --only",
                count, column, most);
    return false;
}

static bool check_all(const struct orr_chart *chart, GError **error)
{
    const struct orr_chart_request *request = chart->request;
    bool numbers = chart->groups.keys[ORR_BY_X].values && !request->map;

    if (request->front && !numbers) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "a Pareto front needs numbers: %s has others", request->x);
        return false;
    }
    return check(chart, ORR_BY_PANEL, request->facet, MAX_PANELS, error) &&
           check(chart, ORR_BY_CURVE,
                 request->best ? request->best : request->by, MAX_CURVES,
                 error) &&
           check(chart, ORR_BY_ROW, request->map, MAX_PLACES, error) &&
           (numbers || check(chart, ORR_BY_X, request->x, MAX_PLACES, error));
}

/* Returns a note on how several runs become a point; NULL if each point is one
 * run. */
static char *note_of(const struct drawing *drawing)
{
    const char *what =
        drawing->chart->request->map ? "mean" : "lines: mean, bands: 5 to 95 %";
    const char *runs = drawing->chart->points[0] == -1 ? "replicas" : "runs";

    if (drawing->most <= 1)
        return NULL;
    if (drawing->least == drawing->most)
        return g_strdup_printf("%s of %u %s", what, drawing->most, runs);
    return g_strdup_printf("%s of %u to %u %s", what, drawing->least,
                           drawing->most, runs);
}

static void count_runs(struct drawing *drawing)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;

    drawing->least = G_MAXUINT;
    for (guint i = 0; i < groups->all->len; i++) {
        const struct orr_chart_group *group = orr_chart_groups_at(groups, i);
        guint runs = group->values->len;

        if (orr_chart_group_is_bound(group))
            continue;
        drawing->least = MIN(drawing->least, runs);
        drawing->most = MAX(drawing->most, runs);
    }
}

/* Returns the name of @column in the data of the picture, which gnuplot reads:
 * without characters that mean something in CSV. */
static const char *column_of(struct drawing *drawing, const char *column)
{
    return own_text(
        drawing,
        g_strcanon(g_strdup(column),
                   "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                   "0123456789._-",
                   '_'));
}

static void set_axes(struct drawing *drawing)
{
    const struct orr_chart_request *request = drawing->chart->request;
    struct orr_plot *plot = &drawing->plot;

    plot->x.label = own_text(drawing, orr_label_of(request->x));
    plot->x.column = column_of(drawing, request->x);
    if (request->map || !drawing->chart->groups.keys[ORR_BY_X].values)
        plot->x.names = list_names(drawing, ORR_BY_X, NULL, false);
    plot->y.column = request->map ? "row" : column_of(drawing, request->y);
    plot->y.label = own_text(
        drawing, orr_label_of(request->map ? request->map : request->y));
    if (request->facet)
        plot->panels = list_names(drawing, ORR_BY_PANEL, request->facet, false);
}

bool orr_chart_draw(const struct orr_chart *chart,
                    const struct orr_plot_options *options, GError **error)
{
    struct drawing drawing = {
        .chart = chart,
        .owned = g_ptr_array_new_with_free_func(g_free),
        .curves = g_array_new(FALSE, FALSE, sizeof(struct orr_curve)),
        .plot = {.name = "chart"},
    };
    bool good = check_all(chart, error);

    if (good) {
        count_runs(&drawing);
        set_axes(&drawing);
        if (chart->request->map)
            add_maps(&drawing);
        else if (chart->request->front)
            add_fronts(&drawing);
        else
            add_lines(&drawing);
        if (!drawing.plot.note)
            drawing.plot.note = own_text(&drawing, note_of(&drawing));
        drawing.plot.count = drawing.curves->len;
        drawing.plot.curves =
            (const struct orr_curve *)(void *)drawing.curves->data;
        good = orr_plot_save(&drawing.plot, options, error);
    }
    g_array_unref(drawing.curves);
    g_ptr_array_unref(drawing.owned);
    return good;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/chart/chart.h"

#include "apps/chart/chart_private.h"
#include "apps/chart/labels.h"
#include "models/base/error.h"

/* More cannot be told apart. */
enum { MAX_PANELS = 40, MAX_CURVES = 48, MAX_PLACES = 400 };

double *orr_chart_column(struct orr_chart_drawing *drawing, guint count)
{
    double *column = g_new0(double, count + 1);

    g_ptr_array_add(drawing->owned, column);
    return column;
}

const char *orr_chart_text(struct orr_chart_drawing *drawing, char *text)
{
    g_ptr_array_add(drawing->owned, text);
    return text;
}

const char *const *orr_chart_names(struct orr_chart_drawing *drawing,
                                   enum orr_chart_key which, const char *column,
                                   bool downwards)
{
    const struct orr_keys *keys = &drawing->chart->groups.keys[which];
    guint count = orr_keys_count(keys);
    const char **names = g_new0(const char *, count + 1);

    g_ptr_array_add(drawing->owned, (gpointer)names);
    for (guint i = 0; i < count; i++) {
        const char *text = orr_keys_at(keys, downwards ? count - 1 - i : i);

        names[i] =
            orr_chart_text(drawing, column  ? orr_label_of_value(column, text)
                                    : *text ? orr_label_shorten(text)
                                            : g_strdup("none"));
    }
    return names;
}

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

/* Returns what is drawn of several runs; NULL if each point is one run. */
static char *note_of(const struct orr_chart_drawing *drawing)
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

static void count_runs(struct orr_chart_drawing *drawing)
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
static const char *column_of(struct orr_chart_drawing *drawing,
                             const char *column)
{
    return orr_chart_text(
        drawing,
        g_strcanon(g_strdup(column),
                   "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                   "0123456789._-",
                   '_'));
}

static void set_axes(struct orr_chart_drawing *drawing)
{
    const struct orr_chart_request *request = drawing->chart->request;
    struct orr_plot *plot = &drawing->plot;

    plot->x.label = orr_chart_text(drawing, orr_label_of(request->x));
    plot->x.column = column_of(drawing, request->x);
    if (request->map || !drawing->chart->groups.keys[ORR_BY_X].values)
        plot->x.names = orr_chart_names(drawing, ORR_BY_X, NULL, false);
    plot->y.column = request->map ? "row" : column_of(drawing, request->y);
    plot->y.label = orr_chart_text(
        drawing, orr_label_of(request->map ? request->map : request->y));
    if (request->facet)
        plot->panels =
            orr_chart_names(drawing, ORR_BY_PANEL, request->facet, false);
}

bool orr_chart_draw(const struct orr_chart *chart,
                    const struct orr_plot_options *options, GError **error)
{
    struct orr_chart_drawing drawing = {
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
            orr_chart_add_maps(&drawing);
        else if (chart->request->front)
            orr_chart_add_fronts(&drawing);
        else
            orr_chart_add_lines(&drawing);
        if (!drawing.plot.note)
            drawing.plot.note = orr_chart_text(&drawing, note_of(&drawing));
        drawing.plot.count = drawing.curves->len;
        drawing.plot.curves =
            (const struct orr_curve *)(void *)drawing.curves->data;
        good = orr_plot_save(&drawing.plot, options, error);
    }
    g_array_unref(drawing.curves);
    g_ptr_array_unref(drawing.owned);
    return good;
}

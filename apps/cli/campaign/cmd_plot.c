/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "apps/chart/chart.h"
#include "apps/cli/cmd.h"
#include "apps/options/option.h"
#include "apps/options/tables.h"
#include "apps/options/values.h"

/* The options. Texts are borrowed from the arguments. */
struct values {
    struct orr_chart_request request;
    GPtrArray *bounds, *only; /* orr_value_texts(); owned */
    struct orr_plot_options plot;
};

#define MEMBER(name) offsetof(struct values, name)

static const struct orr_option chart_options[] = {
    {"x", "COLUMN", "the setting along the x axis, such as size",
     .parse = orr_value_text, .member = MEMBER(request.x)},
    {"y", "COLUMN", "the result along the y axis, such as gflops",
     .parse = orr_value_text, .member = MEMBER(request.y)},
    {"by", "COLUMN", "a curve for each value, such as of sched",
     .parse = orr_value_text, .member = MEMBER(request.by)},
    {"facet", "COLUMN", "a panel for each value, such as of gpus",
     .parse = orr_value_text, .member = MEMBER(request.facet),
     .manual = "A panel for each value, such as of gpus. The axes of all "
               "panels are the same."},
    {"map", "COLUMN", "a map: a row for each value, y as colour",
     .parse = orr_value_text, .member = MEMBER(request.map),
     .manual = "A map in place of curves: a row for each value, a column for "
               "each x, y as colour and, where there is room, as a number."},
    {"best", "COLUMN", "in the cells of the map, the value with the best y",
     .parse = orr_value_text, .member = MEMBER(request.best),
     .manual = "In each cell of the map not y, but the value of COLUMN, such "
               "as sched, for which the mean of y is best: the largest of "
               "gflops, the least of anything else. Where there is room, by "
               "how many percent it leads over the next."},
    {"front", NULL,
     "x and y are results: a point for each run, and their front",
     .parse = orr_value_true, .member = MEMBER(request.front),
     .manual = "x and y are two results, such as makespan_s and energy_j: each "
               "run is a point, in the colour of its value of `--by`, and a "
               "line is their Pareto front. Points are pale if another run is "
               "better in one result, and no worse in the other."},
    {"bound", "COLUMN", "a dashed curve; may be repeated",
     .parse = orr_value_texts, .member = MEMBER(bounds),
     .manual = "A dashed curve: the mean over all runs. A bound in seconds "
               "becomes one of the speed if y is one: bound_area_s of "
               "`compare` with y gflops_mean. May be repeated."},
    {"only", "COLUMN=VALUE", "leaves other rows out; may be repeated",
     .parse = orr_value_conditions, .member = MEMBER(only),
     .manual = "Leaves out rows in which the column holds something else. May "
               "be repeated: of one column, any of the values; of several, all "
               "must hold."},
};

static const struct orr_option_group chart_group =
    ORR_OPTION_GROUP("What is drawn", chart_options);

static const struct orr_option_group picture_group = {
    .title = "Picture",
    .options = orr_chart_option_table,
    .count = G_N_ELEMENTS(orr_chart_option_table),
    .member = MEMBER(plot),
};

static const struct orr_syntax syntax = {
    "plot",
    "FILE",
    1,
    1,
    "Draws the results of many runs with gnuplot: curves over a setting, or "
    "maps over two.\nFILE is what sweep writes, or a table with a row for each "
    "run and the names of the\ncolumns in its first row (CSV). Runs that "
    "differ in the replica only are one point:\ntheir mean, in a band from the "
    "5 to the 95 % quantile. The best y is the largest\nspeed, or the least of "
    "anything else.",
    {&chart_group, &picture_group, NULL},
};

/* Prints how many runs the picture leaves out, and why. */
static void remark(const struct orr_chart *chart)
{
    if (chart->unfinished > 0)
        orr_message_print(syntax.command,
                          "left out: %" G_GUINT64_FORMAT
                          " of %" G_GUINT64_FORMAT " runs (not done)",
                          chart->unfinished, chart->rows);
    if (chart->empty > 0)
        orr_message_print(syntax.command,
                          "left out: %" G_GUINT64_FORMAT
                          " of %" G_GUINT64_FORMAT " runs (no %s)",
                          chart->empty, chart->rows, chart->request->y);
    if (chart->points[0] != -1)
        orr_message_print(
            syntax.command,
            "a value is the mean over several points of the campaign, such as "
            "%" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
            "%s%s; see --by, --facet and --only",
            chart->points[0], chart->points[1],
            chart->mixed ? ", which differ in " : "",
            chart->mixed ? chart->mixed : "");
}

static bool draw(const char *path, const struct values *values, GError **error)
{
    struct orr_chart chart;
    bool good;

    good = orr_chart_read(&chart, path, &values->request, error);
    if (good)
        remark(&chart);
    good = good && orr_chart_draw(&chart, &values->plot, error);
    orr_chart_clear(&chart);
    return good;
}

/* Returns the error message for options that do not fit together, or NULL. */
static const char *complaint(const struct values *values)
{
    const struct orr_chart_request *request = &values->request;

    if (!request->x)
        return "--x COLUMN is missing";
    if (!request->y)
        return "--y COLUMN is missing";
    if (!values->plot.path && !values->plot.data)
        return "--output FILE is missing";
    if (request->best && !request->map)
        return "--best needs --map COLUMN";
    if (request->map && request->by)
        return "--map and --by exclude each other; see --facet and --best";
    if (request->front && (request->map || values->bounds))
        return "--front excludes --map and --bound";
    if (request->map && values->bounds)
        return "--map and --bound exclude each other";
    return NULL;
}

static enum orr_exit perform(const char *path, struct values *values)
{
    const char *wrong = complaint(values);
    g_autoptr(GError) error = NULL;

    if (wrong) {
        orr_message_print(syntax.command, "%s", wrong);
        return ORR_EXIT_USAGE;
    }
    values->request.bounds = orr_value_list(values->bounds);
    values->request.only = orr_value_list(values->only);
    if (!orr_plot_check(&values->plot, &error)) {
        orr_message_print(syntax.command, "%s", error->message);
        return orr_exit_of(error);
    }
    if (draw(path, values, &error))
        return ORR_EXIT_OK;
    orr_message_print(syntax.command, "%s", error->message);
    return ORR_EXIT_FAILURE;
}

static enum orr_exit command(int argc, char **argv)
{
    struct values values = {.plot.width_cm = ORR_PLOT_COLUMN_CM};
    enum orr_exit status;
    int operands;

    if (orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        status = perform(argv[0], &values);
    g_clear_pointer(&values.bounds, g_ptr_array_unref);
    g_clear_pointer(&values.only, g_ptr_array_unref);
    return status;
}

const struct orr_cmd orr_cmd_plot = {.name = "plot",
                                     .summary = "draw the results of many runs",
                                     .syntax = &syntax,
                                     .main = command};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the columns of a table of runs that a picture needs. */
#include <math.h>
#include <string.h>

#include "apps/chart/chart.h"
#include "apps/chart/labels.h"
#include "apps/chart/rows.h"
#include "models/base/error.h"
#include "models/base/units.h"

/* More points cannot be seen. */
enum { MAX_GROUPS = 20000 };

/* Marks a column that is not needed or does not exist. */
#define NONE G_MAXUINT

struct reader {
    struct orr_chart *chart;
    const struct orr_chart_request *request;
    struct orr_rows *rows;
    GArray *columns; /* guint: indices in the table */

    /* Indices in columns. */
    guint keys[ORR_CHART_KEYS]; /* NONE: all runs have one key */
    guint y, state, point, makespan;
    guint bounds[ORR_MAX_BOUNDS];
    guint bound_count;
    guint *conditions;
    guint condition_count;
};

/* Adds the column @name; sets *@place to its index among the columns. */
static bool add(struct reader *reader, const char *name, guint *place,
                GError **error)
{
    guint column = 0;

    *place = NONE;
    if (!name)
        return true;
    if (!orr_rows_find(reader->rows, name, &column, error))
        return false;
    *place = reader->columns->len;
    g_array_append_val(reader->columns, column);
    return true;
}

/* Adds the column @name if it is there. */
static void add_optional(struct reader *reader, const char *name, guint *place)
{
    *place = NONE;
    if (g_strv_contains(orr_rows_names(reader->rows), name))
        add(reader, name, place, NULL);
}

/* If y is a speed, bounds in seconds are converted to speeds with the makespan
 * of the row: "gflops" needs "makespan_s", "gflops_mean" needs
 * "makespan_mean_s". */
static bool add_bounds(struct reader *reader, GError **error)
{
    const struct orr_chart_request *request = reader->request;
    g_autofree char *makespan =
        orr_label_is_speed(request->y)
            ? g_strdup_printf("makespan%s_s", request->y + strlen("gflops"))
            : NULL;

    reader->makespan = NONE;
    if (!request->bounds)
        return true;
    for (guint i = 0; request->bounds[i]; i++) {
        if (i == ORR_MAX_BOUNDS) {
            g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                        "more than %u bounds", ORR_MAX_BOUNDS);
            return false;
        }
        if (!add(reader, request->bounds[i], &reader->bounds[i], error))
            return false;
        reader->bound_count++;
    }
    return add(reader, makespan, &reader->makespan, error);
}

static bool add_conditions(struct reader *reader, GError **error)
{
    const char *const *only = reader->request->only;

    if (!only)
        return true;
    reader->conditions = g_new(guint, g_strv_length((char **)(void *)only) + 1);
    for (guint i = 0; only[i]; i++) {
        g_autofree char *name = g_strndup(only[i], strcspn(only[i], "="));

        if (!add(reader, name, &reader->conditions[i], error))
            return false;
        reader->condition_count++;
    }
    return true;
}

static bool select_columns(struct reader *reader, GError **error)
{
    const struct orr_chart_request *request = reader->request;

    if (!add(reader, request->x, &reader->keys[ORR_BY_X], error) ||
        !add(reader, request->y, &reader->y, error) ||
        !add(reader, request->best ? request->best : request->by,
             &reader->keys[ORR_BY_CURVE], error) ||
        !add(reader, request->facet, &reader->keys[ORR_BY_PANEL], error) ||
        !add(reader, request->map, &reader->keys[ORR_BY_ROW], error) ||
        !add_bounds(reader, error) || !add_conditions(reader, error))
        return false;
    add_optional(reader, "state", &reader->state);
    add_optional(reader, "point", &reader->point);
    return orr_rows_select(reader->rows,
                           (const guint *)(void *)reader->columns->data,
                           reader->columns->len, error);
}

/* Whether the row has one of the values requested for each column with
 * conditions. */
static bool is_meant(const struct reader *reader, const char *const *fields)
{
    const char *const *only = reader->request->only;

    for (guint i = 0; i < reader->condition_count; i++) {
        guint column =
            g_array_index(reader->columns, guint, reader->conditions[i]);
        bool good = false;

        for (guint k = 0; k < reader->condition_count && !good; k++) {
            guint other = reader->conditions[k];

            good = g_array_index(reader->columns, guint, other) == column &&
                   strcmp(strchr(only[k], '=') + 1, fields[other]) == 0;
        }
        if (!good)
            return false;
    }
    return true;
}

/* Reads a number; sets *@number to NAN if there is none. */
static bool read_number(const struct reader *reader, const char *text,
                        double *number, GError **error)
{
    char *end;

    *number = NAN;
    if (*text == '\0')
        return true;
    *number = g_ascii_strtod(text, &end);
    if (*end == '\0' && isfinite(*number))
        return true;
    {
        g_autofree char *quoted = orr_quote(text);

        return orr_rows_fail(reader->rows, error, "%s is not a finite number",
                             quoted);
    }
}

/* Records if a group has runs of two points of the campaign. */
static void check_point(struct reader *reader, struct orr_chart_group *group,
                        const char *const *fields)
{
    gint64 *points = reader->chart->points;
    gint64 point;

    if (reader->point == NONE || points[0] != -1)
        return;
    point = g_ascii_strtoll(fields[reader->point], NULL, 10);
    if (group->point == -1)
        group->point = point;
    if (group->point != point) {
        points[0] = group->point;
        points[1] = point;
    }
}

static bool add_bound(struct reader *reader, guint keys[ORR_CHART_KEYS],
                      guint index, double y, const char *const *fields,
                      GError **error)
{
    double bound;
    double makespan = NAN;
    const char *name = reader->request->bounds[index];

    if (!read_number(reader, fields[reader->bounds[index]], &bound, error))
        return false;
    if (reader->makespan != NONE && g_str_has_suffix(name, "_s")) {
        if (!read_number(reader, fields[reader->makespan], &makespan, error))
            return false;
        bound = y * makespan / bound;
    }
    keys[ORR_BY_CURVE] = ORR_BOUND_KEY(index);
    if (isfinite(bound))
        orr_chart_groups_add(&reader->chart->groups, keys, bound);
    return true;
}

static bool add_run(struct reader *reader, double y, const char *const *fields,
                    GError **error)
{
    struct orr_chart *chart = reader->chart;
    guint keys[ORR_CHART_KEYS];

    for (guint i = 0; i < ORR_CHART_KEYS; i++)
        keys[i] = orr_keys_add(
            &chart->groups.keys[i],
            reader->keys[i] == NONE ? "" : fields[reader->keys[i]]);
    if (reader->request->front) { /* each row is a point */
        g_autofree char *number =
            g_strdup_printf("%" G_GUINT64_FORMAT, chart->rows);

        keys[ORR_BY_ROW] =
            orr_keys_add(&chart->groups.keys[ORR_BY_ROW], number);
    }
    check_point(reader, orr_chart_groups_add(&chart->groups, keys, y), fields);
    for (guint i = 0; i < reader->bound_count; i++) {
        if (!add_bound(reader, keys, i, y, fields, error))
            return false;
    }
    if (chart->groups.all->len <= MAX_GROUPS)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "more than %d values in one picture: choose some with --only",
                MAX_GROUPS);
    return false;
}

static bool take(struct reader *reader, const char *const *fields,
                 GError **error)
{
    struct orr_chart *chart = reader->chart;
    double y;

    if (!is_meant(reader, fields))
        return true;
    chart->rows++;
    if (reader->state != NONE && strcmp(fields[reader->state], "done") != 0) {
        chart->unfinished++;
        return true;
    }
    if (!read_number(reader, fields[reader->y], &y, error))
        return false;
    if (!isfinite(y) ||
        (reader->request->front && !*fields[reader->keys[ORR_BY_X]])) {
        chart->empty++;
        return true;
    }
    return add_run(reader, y, fields, error);
}

static bool read_rows(struct reader *reader, GError **error)
{
    const char *const *fields;

    do {
        if (!orr_rows_next(reader->rows, &fields, error) ||
            (fields && !take(reader, fields, error)))
            return false;
    } while (fields);
    return true;
}

/* Fails if nothing can be drawn. */
static bool check_rows(const struct orr_chart *chart, const char *path,
                       GError **error)
{
    g_autofree char *shown = orr_quote(path);
    g_autofree char *y = orr_quote(chart->request->y);

    if (chart->groups.all->len > 0)
        return true;
    if (chart->rows == 0)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s has no %srows",
                    shown, chart->request->only ? "such " : "");
    else if (chart->unfinished == chart->rows)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "no run in %s is done",
                    shown);
    else
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "no run in %s has a value of %s", shown, y);
    return false;
}

/* Whether the picture, or the table itself, distinguishes rows by column @name.
 */
static bool is_known(const struct orr_chart_request *request, const char *name)
{
    const char *const known[] = {
        request->x,    request->y, request->by, request->facet, request->map,
        request->best, "point",    "replica",   "state",
    };

    for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
        if (g_strcmp0(known[i], name) == 0)
            return true;
    }
    return false;
}

/* Returns the row of the campaign's point @point; free with g_strfreev(). */
static char **find_row(struct orr_rows *rows, guint column, gint64 point)
{
    const char *const *fields = NULL;

    while (orr_rows_next(rows, &fields, NULL) && fields) {
        if (g_ascii_strtoll(fields[column], NULL, 10) == point)
            return g_strdupv((char **)(void *)fields);
    }
    return NULL;
}

/* Finds the first setting in which the two points differ. Settings are before
 * results, and points differ in a setting. */
static void name_mixed(struct orr_chart *chart, const char *path)
{
    struct orr_rows *rows = orr_rows_open(path, NULL);
    const char *const *names = rows ? orr_rows_names(rows) : NULL;
    guint count = names ? g_strv_length((char **)(void *)names) : 0;
    guint *columns = g_new(guint, count + 1);
    guint column = 0;

    for (guint i = 0; i < count; i++)
        columns[i] = i;
    if (rows && orr_rows_find(rows, "point", &column, NULL) &&
        orr_rows_select(rows, columns, count, NULL)) {
        g_auto(GStrv) one = find_row(rows, column, chart->points[0]);
        g_auto(GStrv) other = find_row(rows, column, chart->points[1]);

        for (guint i = 0; one && other && i < count && !chart->mixed; i++) {
            if (strcmp(one[i], other[i]) != 0 &&
                !is_known(chart->request, names[i]))
                chart->mixed = g_strdup(names[i]);
        }
    }
    orr_rows_close(rows);
    g_free(columns);
}

bool orr_chart_read(struct orr_chart *chart, const char *path,
                    const struct orr_chart_request *request, GError **error)
{
    struct reader reader = {
        .chart = chart,
        .request = request,
        .columns = g_array_new(FALSE, FALSE, sizeof(guint)),
    };
    bool good;

    *chart = (struct orr_chart){.request = request, .points = {-1, -1}};
    orr_chart_groups_init(&chart->groups);
    reader.rows = orr_rows_open(path, error);
    good = reader.rows && select_columns(&reader, error) &&
           read_rows(&reader, error) && check_rows(chart, path, error);
    orr_rows_close(reader.rows);
    g_array_unref(reader.columns);
    g_free(reader.conditions);
    if (good)
        orr_chart_groups_sort(&chart->groups);
    if (good && chart->points[0] != -1)
        name_mixed(chart, path);
    return good;
}

void orr_chart_clear(struct orr_chart *chart)
{
    orr_chart_groups_clear(&chart->groups);
    g_free(chart->mixed);
}

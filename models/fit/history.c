/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads two columns of a CSV file, row by row, and joins the runs at each x to
 * a knot with their mean.
 */
#include "models/fit/history.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "models/base/csv_line.h"
#include "models/base/error.h"
#include "models/base/units.h"

enum { X, Y, FIRST_CONDITION };

#define MAX_BYTES (UINT64_C(1) << 30)

struct reader {
    struct orr_input *input;
    const struct orr_history_request *request;
    struct orr_history *history;
    guint *places; /* indices of the columns: x, y, conditions */
    guint conditions;
    const char **values; /* of the conditions */
    unsigned line;       /* first one of the row */
};

static bool fail(const struct reader *reader, GError **error,
                 const char *format, ...) G_GNUC_PRINTF(3, 4);

static bool fail(const struct reader *reader, GError **error,
                 const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    orr_error_set_at(error, ORR_ERROR_VALUE, orr_input_path(reader->input),
                     reader->line, format, arguments);
    va_end(arguments);
    return false;
}

/* Bytes of a list of columns in a message. */
#define MAX_LIST 600

/* Returns the names of all columns, for a message, cut if they are many. */
static char *list_columns(const GPtrArray *names)
{
    GString *list = g_string_new(NULL);

    for (guint i = 0; i < names->len && list->len < MAX_LIST; i++) {
        g_autofree char *quoted = orr_quote(names->pdata[i]);

        g_string_append_printf(list, "%s%s", i ? ", " : "", quoted);
        if (list->len >= MAX_LIST && i + 1 < names->len)
            g_string_append(list, ", ...");
    }
    return g_string_free(list, FALSE);
}

/* Finds the column whose name is the first @length bytes of @name. */
static bool find_column(const struct reader *reader, const GPtrArray *names,
                        const char *name, size_t length, guint *place,
                        GError **error)
{
    g_autofree char *wanted = g_strndup(name, length);
    g_autofree char *quoted = orr_quote(wanted);
    g_autofree char *list = NULL;
    guint found = 0;

    for (guint i = 0; i < names->len; i++) {
        if (strcmp(names->pdata[i], wanted) != 0)
            continue;
        *place = i;
        found++;
    }
    if (found == 1)
        return true;
    if (found > 1)
        return fail(reader, error, "there are several columns %s", quoted);
    list = list_columns(names);
    return fail(reader, error, "there is no column %s; there are %s", quoted,
                list);
}

static bool find_columns(struct reader *reader, const GPtrArray *names,
                         GError **error)
{
    const struct orr_history_request *request = reader->request;

    if (!find_column(reader, names, request->x, strlen(request->x),
                     &reader->places[X], error) ||
        !find_column(reader, names, request->y, strlen(request->y),
                     &reader->places[Y], error))
        return false;
    for (guint i = 0; i < reader->conditions; i++) {
        const char *condition = request->only[i];
        const char *equals = strchr(condition, '=');

        reader->values[i] = equals + 1;
        if (!find_column(reader, names, condition, (size_t)(equals - condition),
                         &reader->places[FIRST_CONDITION + i], error))
            return false;
    }
    return true;
}

static bool read_number(const struct reader *reader, const char *text,
                        double *number, GError **error)
{
    char *end;

    *number = g_ascii_strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*number))
        return true;
    {
        g_autofree char *quoted = orr_quote(text);

        return fail(reader, error, "%s is not a finite number", quoted);
    }
}

static bool is_meant(const struct reader *reader, const GPtrArray *fields)
{
    for (guint i = 0; i < reader->conditions; i++) {
        guint place = reader->places[FIRST_CONDITION + i];

        if (strcmp(fields->pdata[place], reader->values[i]) != 0)
            return false;
    }
    return true;
}

static bool add_row(const struct reader *reader, const GPtrArray *fields,
                    GError **error)
{
    struct orr_history *history = reader->history;
    struct orr_history_knot run = {.runs = 1};
    const char *x, *y;

    for (guint i = 0; i < FIRST_CONDITION + reader->conditions; i++) {
        if (reader->places[i] >= fields->len)
            return fail(reader, error,
                        "the row has %u fields; column %u is "
                        "needed",
                        fields->len, reader->places[i] + 1);
    }
    if (!is_meant(reader, fields)) {
        history->left_out++;
        return true;
    }
    x = fields->pdata[reader->places[X]];
    y = fields->pdata[reader->places[Y]];
    if (!*x || !*y) {
        history->incomplete++;
        return true;
    }
    if (!read_number(reader, x, &run.x, error) ||
        !read_number(reader, y, &run.y, error))
        return false;
    g_array_append_val(history->runs, run);
    return true;
}

static bool read_rows(struct reader *reader, GError **error)
{
    g_autoptr(GString) row = g_string_new(NULL);
    g_autoptr(GPtrArray) fields = g_ptr_array_new();
    bool has_names = false;
    unsigned lines = 0;
    GError *failed = NULL;

    reader->line = 1;
    for (; orr_csv_read(reader->input, row, &lines, &failed);
         reader->line += lines) {
        if (row->len == 0)
            continue;
        g_ptr_array_set_size(fields, 0);
        if (!orr_csv_split(row->str, fields))
            return fail(reader, error, "a quoted field does not end");
        if (!(has_names ? add_row(reader, fields, error)
                        : find_columns(reader, fields, error)))
            return false;
        has_names = true;
    }
    if (failed) {
        g_propagate_error(error, failed);
        return false;
    }
    return reader->history->runs->len > 0 ||
           fail(reader, error, "no row has a number in both columns");
}

static int compare_runs(const void *a, const void *b)
{
    const struct orr_history_knot *left = a, *right = b;

    if (left->x != right->x)
        return left->x < right->x ? -1 : 1;
    return (left->y > right->y) - (left->y < right->y);
}

/* Makes a knot of all runs at each x. */
static void join_runs(struct orr_history *history)
{
    g_array_sort(history->runs, compare_runs);
    for (guint i = 0; i < history->runs->len; i++) {
        const struct orr_history_knot *run =
            &g_array_index(history->runs, struct orr_history_knot, i);
        guint count = history->knots->len;
        struct orr_history_knot *last =
            count ? &g_array_index(history->knots, struct orr_history_knot,
                                   count - 1)
                  : NULL;

        if (!last || last->x != run->x) {
            g_array_append_val(history->knots, *run);
            continue;
        }
        last->runs++;
        last->y += (run->y - last->y) / (double)last->runs;
    }
}

static guint count_conditions(const struct orr_history_request *request)
{
    return request->only ? g_strv_length((char **)request->only) : 0;
}

bool orr_history_read(struct orr_history *history, const char *path,
                      const struct orr_history_request *request, GError **error)
{
    const struct orr_input_limits limits = orr_input_limits(MAX_BYTES);
    guint conditions = count_conditions(request);
    struct reader reader = {
        .request = request,
        .history = history,
        .conditions = conditions,
        .places = g_new0(guint, FIRST_CONDITION + conditions),
        .values = g_new0(const char *, conditions + 1),
    };
    bool read = false;

    *history = (struct orr_history){
        .runs = g_array_new(FALSE, FALSE, sizeof(struct orr_history_knot)),
        .knots = g_array_new(FALSE, FALSE, sizeof(struct orr_history_knot)),
    };
    reader.input = orr_input_open(path, &limits, error);
    if (reader.input)
        read = read_rows(&reader, error);
    if (read)
        join_runs(history);
    orr_input_close(reader.input);
    g_free(reader.places);
    g_free(reader.values);
    return read;
}

void orr_history_clear(struct orr_history *history)
{
    g_clear_pointer(&history->runs, g_array_unref);
    g_clear_pointer(&history->knots, g_array_unref);
}

const struct orr_history_knot *
orr_history_find(const struct orr_history *history, double x)
{
    for (guint i = 0; i < history->knots->len; i++) {
        if (orr_history_knot(history, i)->x == x)
            return orr_history_knot(history, i);
    }
    return NULL;
}

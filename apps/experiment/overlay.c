/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/experiment/overlay.h"

#include <math.h>
#include <string.h>

#include "models/base/csv_line.h"
#include "models/base/error.h"
#include "models/base/input.h"
#include "models/base/units.h"

enum { MAX_BYTES = 16 << 20 };

#define MAX_SIZE 1e15

enum column { POLICY, SIZE, GFLOPS, MAKESPAN, COLUMNS };

static const char *const names[COLUMNS] = {"policy", "size", "gflops",
                                           "makespan_s"};

/* A file that is being read. */
struct reader {
    const char *path;
    unsigned line;
    GPtrArray *fields;    /* of the current line */
    unsigned count;       /* number of columns in the file */
    int columns[COLUMNS]; /* [column]: its index in the file; -1: absent */
    const struct orr_app_values *values;
    GArray *points;
};

static void clear_point(gpointer point)
{
    g_free(((struct orr_overlay_point *)point)->policy);
}

static bool G_GNUC_PRINTF(4, 5)
    fail(const struct reader *reader, enum orr_error code, GError **error,
         const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    orr_error_set_at(error, code, reader->path, reader->line, format,
                     arguments);
    va_end(arguments);
    return false;
}

static bool split(struct reader *reader, char *line, GError **error)
{
    if (!g_utf8_validate(line, -1, NULL))
        return fail(reader, ORR_ERROR_SYNTAX, error, "not text in UTF-8");
    return orr_csv_split(line, reader->fields) ||
           fail(reader, ORR_ERROR_SYNTAX, error, "a quoted field does not end");
}

static bool read_header(struct reader *reader, char *line, GError **error)
{
    if (!split(reader, line, error))
        return false;
    reader->count = reader->fields->len;
    for (unsigned c = 0; c < COLUMNS; c++) {
        reader->columns[c] = -1;
        for (unsigned i = 0; i < reader->count; i++) {
            if (strcmp(g_strstrip(reader->fields->pdata[i]), names[c]) == 0)
                reader->columns[c] = (int)i;
        }
    }
    if (reader->columns[SIZE] < 0)
        return fail(reader, ORR_ERROR_SYNTAX, error, "no column size");
    if ((reader->columns[GFLOPS] < 0) == (reader->columns[MAKESPAN] < 0))
        return fail(reader, ORR_ERROR_SYNTAX, error,
                    "needs either a column gflops or a column makespan_s");
    return true;
}

static bool read_number(const struct reader *reader, enum column column,
                        double *value, GError **error)
{
    const char *text =
        g_strstrip(reader->fields->pdata[reader->columns[column]]);
    g_autofree char *quoted = orr_quote(text);
    char *end;

    *value = g_ascii_strtod(text, &end);
    if (*text && *end == '\0' && isfinite(*value) && *value > 0)
        return true;
    return fail(reader, ORR_ERROR_VALUE, error,
                "%s: %s is not a number above 0", names[column], quoted);
}

static bool read_point(struct reader *reader, char *line, GError **error)
{
    struct orr_overlay_point point = {0};
    bool is_speed = reader->columns[GFLOPS] >= 0;
    double value;

    if (!split(reader, line, error))
        return false;
    if (reader->fields->len != reader->count)
        return fail(reader, ORR_ERROR_SYNTAX, error,
                    "%u fields under %u columns", reader->fields->len,
                    reader->count);
    if (!read_number(reader, SIZE, &point.size, error) ||
        !read_number(reader, is_speed ? GFLOPS : MAKESPAN, &value, error))
        return false;
    if (point.size > MAX_SIZE)
        return fail(reader, ORR_ERROR_VALUE, error, "size: %g is above %g",
                    point.size, MAX_SIZE);
    point.gflops =
        is_speed ? value
                 : orr_app_flops_at(reader->values, (uint64_t)point.size) /
                       value / 1e9;
    if (reader->columns[POLICY] >= 0) {
        const char *policy =
            g_strstrip(reader->fields->pdata[reader->columns[POLICY]]);

        point.policy = *policy ? g_strdup(policy) : NULL;
    }
    g_array_append_val(reader->points, point);
    return true;
}

static bool read_lines(struct reader *reader, struct orr_input *input,
                       GError **error)
{
    GString *line = g_string_new(NULL);
    GError *reason = NULL;
    bool good = true;
    unsigned next = 1;
    unsigned lines;

    while (good && orr_csv_read(input, line, &lines, &reason)) {
        reader->line = next;
        next += lines;
        if (reader->line == 1)
            good = read_header(reader, line->str, error);
        else if (line->len > 0)
            good = read_point(reader, line->str, error);
    }
    g_string_free(line, TRUE);
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    return good && (reader->points->len > 0 ||
                    fail(reader, ORR_ERROR_VALUE, error, "no point"));
}

bool orr_overlay_read(struct orr_overlay *overlay, const char *path,
                      const struct orr_app_values *values, GError **error)
{
    struct orr_input_limits limits = orr_input_limits(MAX_BYTES);
    struct orr_input *input = orr_input_open(path, &limits, error);
    struct reader reader = {.values = values};
    bool good = false;

    overlay->name = g_path_get_basename(path);
    overlay->points = reader.points =
        g_array_new(FALSE, FALSE, sizeof(struct orr_overlay_point));
    g_array_set_clear_func(overlay->points, clear_point);
    if (input) {
        reader.path = orr_input_path(input);
        reader.fields = g_ptr_array_new();
        good = read_lines(&reader, input, error);
        g_ptr_array_unref(reader.fields);
    }
    orr_input_close(input);
    return good;
}

void orr_overlay_clear(struct orr_overlay *overlay)
{
    g_clear_pointer(&overlay->points, g_array_unref);
    g_clear_pointer(&overlay->name, g_free);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows of CSV files. */
#include <string.h>

#include "apps/chart/rows_private.h"
#include "models/base/csv_line.h"
#include "models/base/units.h"

/* Far more than a campaign of 10^8 points has. */
#define MAX_BYTES (UINT64_C(1) << 40)

struct csv {
    struct orr_input *input;
    GString *row;
    GPtrArray *fields;
    unsigned next; /* line after the last row */
};

/* Reads a row that is not empty. */
static bool read_row(struct orr_rows *rows, GError **error)
{
    struct csv *csv = rows->state;
    GError *reason = NULL;
    unsigned lines;

    do {
        rows->line = csv->next;
        rows->ended = !orr_csv_read(csv->input, csv->row, &lines, &reason);
        csv->next += rows->ended ? 0 : lines;
    } while (!rows->ended && csv->row->len == 0);
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    if (rows->ended)
        return true;
    if (strlen(csv->row->str) != csv->row->len)
        return orr_rows_fail(rows, error, "a row has a character of code 0");
    return orr_csv_split(csv->row->str, csv->fields) ||
           orr_rows_fail(rows, error, "a quoted field does not end");
}

static bool select_columns(struct orr_rows *rows, GError **error)
{
    (void)rows;
    (void)error;
    return true;
}

static bool next_row(struct orr_rows *rows, GError **error)
{
    struct csv *csv = rows->state;
    guint columns = rows->names->len - 1;

    if (!read_row(rows, error) || rows->ended)
        return rows->ended;
    if (csv->fields->len != columns)
        return orr_rows_fail(rows, error, "fields: %u, not %u",
                             csv->fields->len, columns);
    for (guint i = 0; i < rows->count; i++)
        rows->fields[i] = csv->fields->pdata[rows->columns[i]];
    return true;
}

static void close_csv(struct orr_rows *rows)
{
    struct csv *csv = rows->state;

    orr_input_close(csv->input);
    g_string_free(csv->row, TRUE);
    g_ptr_array_unref(csv->fields);
    g_free(csv);
}

static const struct orr_rows_kind kind = {
    .select = select_columns,
    .next = next_row,
    .close = close_csv,
};

bool orr_rows_open_csv(struct orr_rows *rows, const char *path, GError **error)
{
    struct orr_input_limits limits = orr_input_limits(MAX_BYTES);
    struct orr_input *input = orr_input_open(path, &limits, error);
    struct csv *csv;

    if (!input)
        return false;
    csv = g_new(struct csv, 1);
    *csv = (struct csv){
        .input = input,
        .row = g_string_new(NULL),
        .fields = g_ptr_array_new(),
        .next = 1,
    };
    rows->kind = &kind;
    rows->state = csv;
    if (!read_row(rows, error))
        return false;
    if (rows->ended)
        return orr_rows_fail(rows, error, "there are no columns");
    if (csv->fields->len > ORR_ROWS_MAX_COLUMNS)
        return orr_rows_fail(rows, error, "there are more than %d columns",
                             ORR_ROWS_MAX_COLUMNS);
    for (guint i = 0; i < csv->fields->len; i++)
        g_ptr_array_add(rows->names,
                        g_utf8_make_valid(csv->fields->pdata[i], -1));
    g_ptr_array_add(rows->names, NULL);
    return true;
}

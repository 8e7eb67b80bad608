/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads CSV. */
#include <string.h>

#include "models/base/csv_line.h"
#include "models/import/record_private.h"

#define MAX_TILE 1000000
#define MAX_WORKER 1000000

enum column {
    NAME,
    DEVICE,
    WORKER_NAME,
    WORKER,
    TILE,
    ORDER,
    START,
    END,
    KERNEL_START,
    KERNEL_END,
    NS,
    US,
    MS,
    S,
    COLUMNS
};

static const char *const names[COLUMNS] = {
    [NAME] = "name",
    [DEVICE] = "device",
    [WORKER_NAME] = "worker_name",
    [WORKER] = "worker",
    [TILE] = "tile",
    [ORDER] = "submit_order",
    [START] = "start_ms",
    [END] = "end_ms",
    [KERNEL_START] = "kernel_start_ms",
    [KERNEL_END] = "kernel_end_ms",
    [NS] = "duration_ns",
    [US] = "duration_us",
    [MS] = "duration_ms",
    [S] = "duration_s",
};

static const char *const units[COLUMNS] = {
    [NS] = "ns", [US] = "us", [MS] = "ms", [S] = "s"};

struct table {
    unsigned count;            /* of columns in the file */
    unsigned columns[COLUMNS]; /* [column]: its index in the file, or ABSENT */
    GPtrArray *fields;         /* of the current line; point into its text */
};

#define ABSENT G_MAXUINT

/* Cuts the current line into fields, overwriting it. */
static bool split(struct orr_record_reader *reader, struct table *table,
                  GError **error)
{
    if (!g_utf8_validate(reader->text, -1, NULL))
        return orr_record_fail(reader, reader->line, ORR_ERROR_SYNTAX, error,
                               "not text in UTF-8");
    return orr_csv_split(reader->text, table->fields) ||
           orr_record_fail(reader, reader->line, ORR_ERROR_SYNTAX, error,
                           "a quoted field does not end");
}

static bool has(const struct table *table, enum column column)
{
    return table->columns[column] != ABSENT;
}

/* The column that holds durations; NAME if there is none. */
static enum column duration_column(const struct table *table)
{
    for (enum column i = NS; i < COLUMNS; i++) {
        if (has(table, i))
            return i;
    }
    return NAME;
}

/* Whether the file has dates of kernels, which differ from the dates at which
 * the driver starts and ends them. */
static bool has_kernel_dates(const struct table *table)
{
    return has(table, KERNEL_START) && has(table, KERNEL_END);
}

static bool has_durations(const struct table *table)
{
    return duration_column(table) != NAME || has_kernel_dates(table) ||
           (has(table, START) && has(table, END));
}

static bool read_header(struct orr_record_reader *reader, struct table *table,
                        GError **error)
{
    if (!split(reader, table, error))
        return false;
    table->count = table->fields->len;
    for (unsigned c = 0; c < COLUMNS; c++)
        table->columns[c] = ABSENT;
    for (unsigned i = 0; i < table->count; i++) {
        const char *title = g_strstrip(table->fields->pdata[i]);

        for (unsigned c = 0; c < COLUMNS; c++) {
            if (strcmp(title, names[c]) == 0)
                table->columns[c] = i;
        }
    }
    if (has(table, NAME) && has_durations(table))
        return true;
    return orr_record_fail(
        reader, reader->line, ORR_ERROR_SYNTAX, error,
        "neither a StarPU tasks.rec nor a CSV file with the columns name, and "
        "start_ms and end_ms or duration_ns, duration_us, duration_ms or "
        "duration_s");
}

/* The field of the current line; NULL if the file has no such column. */
static const char *field(const struct table *table, enum column column)
{
    if (!has(table, column))
        return NULL;
    return table->fields->pdata[table->columns[column]];
}

static bool get_times(const struct orr_record_reader *reader,
                      const struct table *table, orr_time *start, orr_time *end,
                      GError **error)
{
    enum column column = duration_column(table);
    enum column from = has_kernel_dates(table) ? KERNEL_START : START;
    enum column to = has_kernel_dates(table) ? KERNEL_END : END;

    *start = 0;
    if (column != NAME)
        return orr_record_time(reader, names[column], field(table, column),
                               units[column], end, error);
    return orr_record_time(reader, names[from], field(table, from), "ms", start,
                           error) &&
           orr_record_time(reader, names[to], field(table, to), "ms", end,
                           error);
}

/* Reads the count in @column. *@value stays as it is if there is no such
 * column.
 */
static bool get_count(const struct orr_record_reader *reader,
                      const struct table *table, enum column column,
                      uint64_t max, uint64_t *value, GError **error)
{
    const char *text = field(table, column);

    return !text ||
           orr_record_count(reader, names[column], text, max, value, error);
}

static bool read_row(struct orr_record_reader *reader, struct table *table,
                     GError **error)
{
    struct orr_record_task task = {.line = reader->line,
                                   .node = ORR_RECORD_NO_NODE};
    uint64_t worker = ORR_RECORD_NO_WORKER;
    uint64_t tile = 0;
    uint64_t order = reader->line;
    orr_time start;
    orr_time end;

    if (!split(reader, table, error))
        return false;
    if (table->fields->len != table->count)
        return orr_record_fail(reader, reader->line, ORR_ERROR_SYNTAX, error,
                               "%u fields under %u columns", table->fields->len,
                               table->count);
    if (!get_count(reader, table, WORKER, MAX_WORKER, &worker, error) ||
        !get_count(reader, table, TILE, MAX_TILE, &tile, error) ||
        !get_count(reader, table, ORDER, INT64_MAX, &order, error) ||
        !get_times(reader, table, &start, &end, error))
        return false;
    task.name = field(table, NAME);
    task.device = field(table, has(table, DEVICE) ? DEVICE : WORKER_NAME);
    task.worker = (unsigned)worker;
    task.tile = (unsigned)tile;
    return orr_record_name(reader, names[NAME], &task, error) &&
           orr_record_add(reader, &task, start, end, (orr_time)order, error);
}

bool orr_record_read_csv(struct orr_record_reader *reader, GError **error)
{
    struct table table = {.fields = g_ptr_array_new()};
    bool good = read_header(reader, &table, error);

    while (good && orr_record_next_row(reader)) {
        if (*reader->text)
            good = read_row(reader, &table, error);
    }
    g_ptr_array_unref(table.fields);
    return good;
}

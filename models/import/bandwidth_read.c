/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the JSON that nvbandwidth writes. */
#include <math.h>
#include <string.h>

#include "models/base/json_read.h"
#include "models/import/bandwidth.h"

#define MAX_BYTES ((uint64_t)16 << 20)

/* The largest rate, bytes/s: ten times NVLink 5. A larger one is a mistake in
 * the unit. */
#define MAX_RATE 1e13
#define MIN_RATE 1e6

/* Measurements of one copy in two test cases may differ so much. */
#define CONFLICT 0.25

/* The test cases that matter. */
enum test {
    HOST_TO_DEVICE,
    DEVICE_TO_HOST,
    WRITE,
    READ,
    HOST_TO_ALL,
    ALL_TO_HOST,
    TESTS,
    NONE = TESTS,
};

static const char *const test_names[TESTS] = {
    [HOST_TO_DEVICE] = "host_to_device_memcpy_ce",
    [DEVICE_TO_HOST] = "device_to_host_memcpy_ce",
    [WRITE] = "device_to_device_memcpy_write_ce",
    [READ] = "device_to_device_memcpy_read_ce",
    [HOST_TO_ALL] = "host_to_all_memcpy_ce",
    [ALL_TO_HOST] = "all_to_host_memcpy_ce",
};

/* A value of a matrix. */
struct cell {
    unsigned line;
    unsigned row;
    unsigned column;
    double rate; /* bytes/s; 0: "N/A" */
};

/* Where the reader is: nvbandwidth, testcases, a test case, its matrix, a row.
 * The name of a test case comes behind its matrix. */
enum depth { ROOT = 1, TOOL, CASES, CASE, MATRIX, ROW };

struct reader {
    struct orr_input *input;
    unsigned line;
    unsigned gpus;
    GError **error;
    struct orr_bandwidth *bandwidth;

    unsigned depth;  /* of objects and arrays */
    unsigned inside; /* of these, the number on the way to a matrix */
    char *key;       /* the latest one of this object */

    /* The current test case. */
    enum test test;
    bool passed;
    GArray *cells; /* struct cell */
    unsigned row;
    unsigned column;

    bool found[TESTS];
};

static bool fail(const struct reader *reader, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

static bool fail(const struct reader *reader, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    orr_error_set_at(reader->error, ORR_ERROR_VALUE,
                     orr_input_path(reader->input), reader->line, format,
                     arguments);
    va_end(arguments);
    return false;
}

/* ---- a test case ---- */

static bool fail_cell(const struct reader *reader, const struct cell *cell,
                      const char *what)
{
    g_set_error(reader->error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s:%u: %s, row %u, column %u: %s",
                orr_input_path(reader->input), cell->line,
                test_names[reader->test], cell->row, cell->column, what);
    return false;
}

/* The place of the rate of @cell. In test case WRITE, the GPU of the row writes
 * to the GPU of the column; in READ, it reads from it. */
static double *find_place(struct reader *reader, const struct cell *cell)
{
    struct orr_bandwidth *bandwidth = reader->bandwidth;
    unsigned row = cell->row + 1;
    unsigned column = cell->column + 1;

    switch (reader->test) {
    case HOST_TO_DEVICE:
        return &bandwidth->lone[ORR_RAM][column];
    case DEVICE_TO_HOST:
        return &bandwidth->lone[column][ORR_RAM];
    case WRITE:
        return &bandwidth->lone[row][column];
    case READ:
        return &bandwidth->lone[column][row];
    case HOST_TO_ALL:
        return &bandwidth->in[column];
    default:
        return &bandwidth->out[column];
    }
}

static bool is_matrix(const struct reader *reader)
{
    return reader->test == WRITE || reader->test == READ;
}

static bool take_cell(struct reader *reader, const struct cell *cell)
{
    double *place = find_place(reader, cell);
    g_autofree char *before = NULL;
    g_autofree char *now = NULL;
    g_autofree char *what = NULL;

    if (is_matrix(reader) && cell->row == cell->column)
        return true; /* a copy within a GPU */
    if (!(cell->rate > 0))
        return is_matrix(reader) ||
               fail_cell(reader, cell, "N/A: every GPU copies from and to RAM");
    if (*place > 0 && fabs(*place - cell->rate) > CONFLICT * *place) {
        before = orr_format_rate(*place);
        now = orr_format_rate(cell->rate);
        what = g_strdup_printf("%s contradicts %s of the same copy in %s", now,
                               before, test_names[WRITE + READ - reader->test]);
        return fail_cell(reader, cell, what);
    }
    if (!(*place > 0) || cell->rate > *place)
        *place = cell->rate;
    return true;
}

/* Stores the cells of a test case, at its end, when its name is known. */
static bool take_case(struct reader *reader)
{
    unsigned rows = reader->cells->len > 0 ? reader->row : 0;
    unsigned wanted = is_matrix(reader) ? reader->gpus : 1;

    if (reader->test == NONE || !reader->passed || rows == 0)
        return true;
    if (reader->found[reader->test])
        return fail(reader, "second test case %s", test_names[reader->test]);
    if (rows != wanted || reader->cells->len != wanted * reader->gpus)
        return fail(
            reader, "%s: %u values in %u row%s, but the machine has %u GPU%s",
            test_names[reader->test], reader->cells->len, rows,
            rows == 1 ? "" : "s", reader->gpus, reader->gpus == 1 ? "" : "s");
    reader->found[reader->test] = true;
    for (guint i = 0; i < reader->cells->len; i++) {
        if (!take_cell(reader, &g_array_index(reader->cells, struct cell, i)))
            return false;
    }
    return true;
}

/* ---- JSON ---- */

static bool key_is(const struct reader *reader, const char *name)
{
    return reader->key && strcmp(reader->key, name) == 0;
}

/* Whether the object or array that begins is on the way to a matrix. */
static bool leads_on(const struct reader *reader, bool is_array)
{
    switch ((enum depth)(reader->inside + 1)) {
    case ROOT:
    case CASE:
        return !is_array;
    case TOOL:
        return !is_array && key_is(reader, "nvbandwidth");
    case CASES:
        return is_array && key_is(reader, "testcases");
    case MATRIX:
        return is_array && key_is(reader, "bandwidth_matrix");
    default:
        return is_array && reader->inside == MATRIX;
    }
}

static bool start(void *data, bool is_array, bool *keeps)
{
    struct reader *reader = data;

    (void)keeps;
    if (reader->depth++ != reader->inside || !leads_on(reader, is_array))
        return true;
    reader->inside++;
    if (reader->inside == CASE) {
        reader->test = NONE;
        reader->passed = true;
        reader->row = 0;
        g_array_set_size(reader->cells, 0);
    }
    if (reader->inside == ROW)
        reader->column = 0;
    g_clear_pointer(&reader->key, g_free);
    return true;
}

static bool end(void *data, bool is_array)
{
    struct reader *reader = data;

    (void)is_array;
    if (reader->depth-- != reader->inside)
        return true;
    reader->inside--;
    if (reader->inside == MATRIX)
        reader->row++;
    return reader->inside + 1 != CASE || take_case(reader);
}

static bool take_key(void *data, const char *text, size_t length)
{
    struct reader *reader = data;

    if (reader->depth != reader->inside)
        return true;
    g_free(reader->key);
    reader->key = g_strndup(text, MIN(length, 64));
    return true;
}

/* Adds a value of the matrix: a text, "25.4" or "N/A", or a number. */
static bool add_cell(struct reader *reader, const char *text)
{
    struct cell cell = {reader->line, reader->row, reader->column++, 0};
    g_autofree char *quoted = orr_quote(text);
    char *stop = NULL;

    if (cell.row >= ORR_MAX_NODES || cell.column >= ORR_MAX_NODES)
        return fail(reader, "bandwidth_matrix: more than %u GPUs",
                    ORR_MAX_NODES - 1);
    if (strcmp(text, "N/A") != 0) {
        if (*text && text[strspn(text, "0123456789.eE+-")] == '\0')
            cell.rate = 1e9 * g_ascii_strtod(text, &stop);
        if (!stop || *stop || !(cell.rate >= MIN_RATE && cell.rate <= MAX_RATE))
            return fail(reader,
                        "bandwidth_matrix, row %u, column %u: %s: expected "
                        "N/A or a rate from 0.001 to 10000 GB/s",
                        cell.row, cell.column, quoted);
    }
    g_array_append_val(reader->cells, cell);
    return true;
}

static bool take_value(void *data, char *text, size_t length)
{
    struct reader *reader = data;
    g_autofree char *copy = g_strndup(text, MIN(length, 64));

    if (reader->depth != reader->inside)
        return true;
    if (reader->inside == ROW)
        return add_cell(reader, copy);
    if (reader->inside == MATRIX)
        return fail(reader, "bandwidth_matrix: expected a list of rows");
    if (reader->inside != CASE)
        return true;
    if (key_is(reader, "status"))
        reader->passed = strcmp(copy, "Passed") == 0;
    for (int i = 0; key_is(reader, "name") && i < TESTS; i++) {
        if (strcmp(copy, test_names[i]) == 0)
            reader->test = (enum test)i;
    }
    return true;
}

static bool read_cases(struct reader *reader)
{
    static const struct orr_json_handler handler = {start, end, take_key,
                                                    take_value};

    if (!orr_json_read(reader->input, &reader->line, &handler, reader,
                       reader->error))
        return false;
    for (int i = HOST_TO_DEVICE; i <= DEVICE_TO_HOST; i++) {
        if (!reader->found[i])
            return fail(reader, "no test case %s that has passed",
                        test_names[i]);
    }
    return true;
}

bool orr_bandwidth_read(struct orr_bandwidth *bandwidth, const char *path,
                        unsigned gpus, GError **error)
{
    const struct orr_input_limits limits = orr_input_limits(MAX_BYTES);
    g_autoptr(GError) reason = NULL;
    struct reader reader = {
        .input = orr_input_open(path, &limits, error),
        .gpus = gpus,
        .error = &reason,
        .bandwidth = bandwidth,
        .cells = g_array_new(FALSE, FALSE, sizeof(struct cell)),
    };
    bool success = reader.input && read_cases(&reader);

    if (reason)
        g_propagate_error(error, g_steal_pointer(&reason));
    orr_input_close(reader.input);
    g_array_unref(reader.cells);
    g_free(reader.key);
    return success;
}

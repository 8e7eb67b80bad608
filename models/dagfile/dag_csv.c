/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads CSV: rec.tasks.csv of StarVZ, with the columns of tasks.rec and
 * rec.data_handles.csv beside it; or a plain table with some of the columns
 *
 *   id, name, kernel, priority, submit_order, worker, footprint, parameters,
 *   iteration, critical, synchronous, synchronises, wont_use
 *   duration_s, duration_ms, duration_us, duration_ns
 *   gflop, flops
 *   handles    data: "name:mode:bytes", with blanks between them
 *   deps       ids of the predecessors, with blanks between them
 *
 * whose values become fields of tasks.rec. Other columns are skipped.
 */
#include <string.h>

#include "models/base/csv_line.h"
#include "models/base/units.h"
#include "models/dag/dag_number.h"
#include "models/dagfile/dag_read_private.h"
#include "models/dagfile/dag_record.h"

/* Meanings of plain columns that are no fields of tasks.rec. */
enum { PLAIN_TIME = ORR_DAG_FIELDS, PLAIN_FLOPS, PLAIN_HANDLES, SKIPPED };

static const struct {
    const char *name;
    int field;
    unsigned scale; /* of times: digits between the unit and ns */
} plain[] = {
    {"id", ORR_DAG_JOB, 0},
    {"name", ORR_DAG_NAME, 0},
    {"kernel", ORR_DAG_MODEL, 0},
    {"priority", ORR_DAG_PRIORITY, 0},
    {"submit_order", ORR_DAG_SUBMIT_ORDER, 0},
    {"worker", ORR_DAG_WORKER, 0},
    {"footprint", ORR_DAG_FOOTPRINT, 0},
    {"parameters", ORR_DAG_PARAMETERS, 0},
    {"iteration", ORR_DAG_ITERATION, 0},
    {"gflop", ORR_DAG_GFLOP, 0},
    {"deps", ORR_DAG_DEPENDS_ON, 0},
    {"duration_s", PLAIN_TIME, 9},
    {"duration_ms", PLAIN_TIME, 6},
    {"duration_us", PLAIN_TIME, 3},
    {"duration_ns", PLAIN_TIME, 0},
    {"synchronises", ORR_DAG_SYNCHRONISES, 0},
    {"synchronous", ORR_DAG_SYNCHRONOUS, 0},
    {"critical", ORR_DAG_CRITICAL_MARK, 0},
    {"wont_use", ORR_DAG_WONT_USE, 0},
    {"flops", PLAIN_FLOPS, 0},
    {"handles", PLAIN_HANDLES, 0},
};

/* Columns, and the row that is being read. */
struct table {
    struct orr_dag_builder *builder;
    struct orr_dag_records *records;
    struct orr_input *input;
    GString *row;
    GPtrArray *cells;
    GArray *columns; /* struct column */
    const char *values[ORR_DAG_FIELDS];
    /* Texts made of plain columns. */
    char duration[32];
    char gflop[40];
    GString *lists[3]; /* handles, modes, sizes */
};

struct column {
    int field;
    unsigned scale;
};

/* Reads the next row; false at the end, and with @error. */
static bool next_row(struct table *table, unsigned *lines, GError **error)
{
    GError *reason = NULL;
    bool any;

    table->builder->line += *lines;
    any = orr_csv_read(table->input, table->row, lines, &reason);
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    return any;
}

static bool split(struct table *table, GError **error)
{
    if (strlen(table->row->str) == table->row->len &&
        orr_csv_split(table->row->str, table->cells))
        return true;
    return orr_dag_fail(table->builder, table->builder->line, ORR_ERROR_SYNTAX,
                        error, "a field in quotation marks does not end");
}

static int find(const char *const *names, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return (int)i;
    }
    return SKIPPED;
}

static struct column find_plain(const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(plain); i++) {
        if (g_ascii_strcasecmp(plain[i].name, name) == 0)
            return (struct column){plain[i].field, plain[i].scale};
    }
    return (struct column){SKIPPED, 0};
}

/* Checks that no earlier column means the same. */
static bool check_column(const struct table *table, int field, const char *name,
                         GError **error)
{
    g_autofree char *quoted = NULL;

    for (guint i = 0; i < table->columns->len; i++) {
        int other = g_array_index(table->columns, struct column, i).field;

        if (field == SKIPPED ||
            (other != field &&
             !(other == PLAIN_FLOPS && field == ORR_DAG_GFLOP) &&
             !(other == ORR_DAG_GFLOP && field == PLAIN_FLOPS)))
            continue;
        quoted = orr_quote(name);
        return orr_dag_fail(table->builder, table->builder->line,
                            ORR_ERROR_VALUE, error,
                            "column %u, %s, means the same as column %u",
                            table->columns->len + 1, quoted, i + 1);
    }
    return true;
}

/* Reads the header: column names are StarPU's @names, or plain ones if that is
 * NULL. Sets *@known to the number of columns with a known name. */
static bool take_header(struct table *table, const char *const *names,
                        unsigned count, unsigned *known, GError **error)
{

    *known = 0;
    g_array_set_size(table->columns, 0);
    for (guint i = 0; i < table->cells->len; i++) {
        const char *name = g_strstrip(table->cells->pdata[i]);
        struct column column = {SKIPPED, 0};

        if (names)
            column.field = find(names, count, name);
        else
            column = find_plain(name);
        *known += column.field != SKIPPED;
        if (!check_column(table, column.field, name, error))
            return false;
        g_array_append_val(table->columns, column);
    }
    return true;
}

static bool fail_cell(const struct table *table, const char *what,
                      const char *cell, GError **error)
{
    return orr_dag_fail(table->builder, table->builder->line, ORR_ERROR_VALUE,
                        error, "'%.60s' is not %s", cell, what);
}

/* Splits "name:mode:bytes ..." into three lists. */
static bool take_handles(struct table *table, char *cell, GError **error)
{
    const enum orr_dag_field fields[] = {ORR_DAG_HANDLES, ORR_DAG_MODES,
                                         ORR_DAG_SIZES};
    char *next;

    for (unsigned i = 0; i < 3; i++)
        g_string_truncate(table->lists[i], 0);
    for (char *word = cell; *word; word = next) {
        char *bytes;
        char *mode;

        word += strspn(word, " ");
        next = word + strcspn(word, " ");
        if (*next)
            *next++ = '\0';
        if (*word == '\0')
            continue;
        bytes = strrchr(word, ':');
        if (bytes)
            *bytes++ = '\0';
        mode = strrchr(word, ':');
        if (!bytes || !mode || mode == word)
            return fail_cell(table, "a handle, as name:RW:bytes", word, error);
        *mode++ = '\0';
        g_string_append_printf(table->lists[0], "%s ", word);
        g_string_append_printf(table->lists[1], "%s ", mode);
        g_string_append_printf(table->lists[2], "%s ", bytes);
    }
    for (unsigned i = 0; i < 3; i++)
        table->values[fields[i]] = table->lists[i]->str;
    return true;
}

static bool take_time(struct table *table, const char *cell, unsigned scale,
                      GError **error)
{
    int64_t time;

    if (!orr_dag_scaled(cell, scale, &time))
        return fail_cell(table, "a duration", cell, error);
    g_snprintf(table->duration, sizeof table->duration,
               "%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT, time / 1000000,
               time % 1000000);
    table->values[ORR_DAG_DURATION] = table->duration;
    return true;
}

static bool take_flops(struct table *table, const char *cell, GError **error)
{
    double flops;

    if (!orr_dag_real(cell, false, &flops))
        return fail_cell(table, "a number of flops >= 0", cell, error);
    g_ascii_formatd(table->gflop, sizeof table->gflop, "%.17g", flops / 1e9);
    table->values[ORR_DAG_GFLOP] = table->gflop;
    return true;
}

static bool take_cell(struct table *table, struct column column, char *cell,
                      GError **error)
{
    if (*cell == '\0' || column.field == SKIPPED)
        return true;
    if (column.field == PLAIN_TIME)
        return take_time(table, cell, column.scale, error);
    if (column.field == PLAIN_FLOPS)
        return take_flops(table, cell, error);
    if (column.field == PLAIN_HANDLES)
        return take_handles(table, cell, error);
    table->values[column.field] = cell;
    return true;
}

typedef bool add_function(struct orr_dag_records *records,
                          const char *const *values, GError **error);

static bool take_row(struct table *table, add_function *add, GError **error)
{
    if (!split(table, error))
        return false;
    if (table->cells->len != table->columns->len)
        return orr_dag_fail(table->builder, table->builder->line,
                            ORR_ERROR_SYNTAX, error,
                            "%u fields, but the first line has %u",
                            table->cells->len, table->columns->len);
    memset(table->values, 0, sizeof table->values);
    for (guint i = 0; i < table->cells->len; i++) {
        if (!take_cell(table, g_array_index(table->columns, struct column, i),
                       g_strstrip(table->cells->pdata[i]), error))
            return false;
    }
    return add(table->records, table->values, error);
}

static bool read_rows(struct table *table, unsigned lines, add_function *add,
                      GError **error)
{
    GError *reason = NULL;

    while (next_row(table, &lines, &reason)) {
        if (table->row->len > 0 && !take_row(table, add, error))
            return false;
    }
    if (reason)
        g_propagate_error(error, reason);
    return !reason;
}

/* Fails because no column is known; the message says why if the header shows
 * it. */
static bool fail_header(const struct table *table, GError **error)
{
    const char *text = table->cells->len > 0 ? table->cells->pdata[0] : "";
    const char *hint = "";

    if (strchr(text, ';'))
        hint = "; fields are separated by semicolons, but have to be by commas";
    else if (strchr(text, '\t'))
        hint = "; fields are separated by tabs, but have to be by commas";
    else if (g_ascii_isdigit(*text))
        hint = "; the first line has to name the columns";
    return orr_dag_fail(table->builder, table->builder->line, ORR_ERROR_SYNTAX,
                        error,
                        "no known column: not those of StarVZ, nor id, kernel, "
                        "duration_us and others%s",
                        hint);
}

static bool read_tasks(struct table *table, GError **error)
{
    unsigned lines = 0;
    unsigned known;
    bool starpu;

    table->builder->line = 1;
    if (!next_row(table, &lines, error))
        return *error ? false
                      : orr_dag_fail(table->builder, 0, ORR_ERROR_SYNTAX, error,
                                     "the file is empty");
    if (!split(table, error))
        return false;
    if (!take_header(table, orr_dag_field_names, ORR_DAG_FIELDS, &known, error))
        return false;
    starpu = known > 1;
    if (!starpu && !take_header(table, NULL, 0, &known, error))
        return false;
    if (known == 0)
        return fail_header(table, error);
    if (!starpu)
        orr_dag_records_trust_handles(table->records);
    return read_rows(table, lines, orr_dag_records_add, error);
}

/* rec.data_handles.csv, if there is one; messages about it name it. */
static bool read_data(struct table *table, const char *path, GError **error)
{
    g_autofree char *beside = orr_dag_data_path(path);
    const struct orr_input_limits limits = orr_input_limits(ORR_DAG_MAX_BYTES);
    struct orr_input *own = table->input;
    char *own_path = table->builder->path;
    unsigned lines = 0;
    bool good;

    if (!beside)
        return true;
    table->input = orr_input_open(beside, &limits, error);
    if (!table->input) {
        table->input = own;
        return false;
    }
    table->builder->path = orr_input_show_path(beside);
    table->builder->line = 1;
    good = next_row(table, &lines, error) && split(table, error);
    if (good) {
        unsigned known;

        good = take_header(table, orr_dag_data_field_names, ORR_DAG_DATA_FIELDS,
                           &known, error) &&
               read_rows(table, lines, orr_dag_records_add_datum, error) &&
               orr_dag_check_texts(table->builder, error);
    }
    orr_input_close(table->input);
    g_free(table->builder->path);
    table->builder->path = own_path;
    table->input = own;
    return good || !*error;
}

struct orr_dag *orr_dag_read_csv(struct orr_input *input, const char *path,
                                 const struct orr_dag_read_settings *settings,
                                 GError **error)
{
    struct orr_dag_builder *builder =
        orr_dag_builder_new(path, "csv", ORR_DAG_BY_RANK);
    struct table table = {
        .builder = builder,
        .records = orr_dag_records_new(builder),
        .input = input,
        .row = g_string_new(NULL),
        .cells = g_ptr_array_new(),
        .columns = g_array_new(FALSE, FALSE, sizeof(struct column)),
    };
    GError *reason = NULL;
    struct orr_dag *dag = NULL;

    (void)settings;
    for (unsigned i = 0; i < 3; i++)
        table.lists[i] = g_string_new(NULL);
    if (read_data(&table, path, &reason) && read_tasks(&table, &reason) &&
        orr_dag_records_end(table.records, &reason))
        dag = orr_dag_builder_finish(builder, &reason);
    if (reason)
        g_propagate_error(error, reason);
    for (unsigned i = 0; i < 3; i++)
        g_string_free(table.lists[i], TRUE);
    g_string_free(table.row, TRUE);
    g_ptr_array_unref(table.cells);
    g_array_unref(table.columns);
    orr_dag_records_free(table.records);
    orr_dag_builder_free(builder);
    return dag;
}

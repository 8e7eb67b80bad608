/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads mappings, by the lines and numbers of record_private.h. */
#include <stdlib.h>
#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"
#include "models/import/mapping.h"
#include "models/import/record_private.h"

#define MAX_TASKS 20000000u /* a GB of memory */
#define ABSENT G_MAXUINT

enum field { TASK, NAME, WORKER, ORDER, START, EXACT, IMPLEMENTATION, FIELDS };

/* The names of fields and columns. If a file has several with one meaning, the
 * first in this list counts. */
static const struct title {
    const char *name;
    enum field field;
    const char *unit; /* of dates */
} titles[] = {
    {"task", TASK, NULL},
    {"Model", NAME, NULL},
    {"Name", NAME, NULL},
    {"name", NAME, NULL},
    {"kernel", NAME, NULL},
    {"WorkerId", WORKER, NULL},
    {"worker", WORKER, NULL},
    {"device", WORKER, NULL},
    {"SubmitOrder", ORDER, NULL},
    {"submit_order", ORDER, NULL},
    {"StartTime", START, "ms"},
    {"start_ns", START, "ns"},
    {"start_us", START, "us"},
    {"start_ms", START, "ms"},
    {"start_s", START, "s"},
    {"kernel_start_ms", EXACT, NULL},
    {"implementation", IMPLEMENTATION, NULL},
};

/* A task that is being read; the texts are NULL if they are absent. */
struct entry {
    const char *values[FIELDS];
    const char *unit;
    unsigned line;
};

struct reading {
    struct orr_record_reader reader;
    struct orr_mapping *mapping;
    GArray *tasks; /* struct orr_mapping_task, with the rank as number */
    bool exact;    /* ranks are numbers of submission (Orrery's traces) */
};

static const char *keep(struct reading *reading, const char *text)
{
    return g_string_chunk_insert_const(reading->mapping->texts, text);
}

static bool add(struct reading *reading, const struct entry *entry,
                GError **error)
{
    struct orr_record_reader *reader = &reading->reader;
    const char *order = entry->values[ORDER];
    const char *start = entry->values[START];
    const char *implementation = entry->values[IMPLEMENTATION];
    uint64_t choice = 0;
    struct orr_mapping_task task = {.line = entry->line};

    task.number = reading->tasks->len;
    task.start = (orr_time)reading->tasks->len;
    if (order && *order &&
        !orr_record_count(reader, "the order of submission", order, INT64_MAX,
                          &task.number, error))
        return false;
    if (start && !orr_record_time(reader, "the start", start, entry->unit,
                                  &task.start, error))
        return false;
    if (implementation && *implementation &&
        !orr_record_count(reader, "the implementation", implementation,
                          UINT16_MAX, &choice, error))
        return false;
    task.implementation = (uint16_t)choice;
    if (!entry->values[WORKER] || !*entry->values[WORKER])
        return orr_record_fail(reader, entry->line, ORR_ERROR_VALUE, error,
                               "a task without a worker");
    if (reading->tasks->len >= MAX_TASKS)
        return orr_record_fail(reader, entry->line, ORR_ERROR_VALUE, error,
                               "more than %u tasks", MAX_TASKS);
    task.worker = keep(reading, entry->values[WORKER]);
    task.name = keep(reading, entry->values[NAME] ? entry->values[NAME] : "");
    g_array_append_val(reading->tasks, task);
    return true;
}

static bool add_row(struct reading *reading, struct entry *entry,
                    GError **error)
{
    struct orr_mapping *mapping = reading->mapping;
    gpointer name;

    entry->values[NAME] = entry->values[TASK];
    if (!entry->values[NAME] || !*entry->values[NAME])
        return orr_record_fail(&reading->reader, entry->line, ORR_ERROR_VALUE,
                               error, "a worker without a task");
    if (!add(reading, entry, error))
        return false;
    name = (gpointer)g_array_index(reading->tasks, struct orr_mapping_task,
                                   reading->tasks->len - 1)
               .name;
    if (g_hash_table_insert(mapping->rows, name,
                            GUINT_TO_POINTER(reading->tasks->len)))
        return true;
    g_autofree char *quoted = orr_quote(name);
    return orr_record_fail(&reading->reader, entry->line, ORR_ERROR_VALUE,
                           error, "task %s is there twice", quoted);
}

/* ---- rows of two words ---- */

static bool read_words(struct reading *reading, GError **error)
{
    struct orr_record_reader *reader = &reading->reader;

    reading->mapping->rows = g_hash_table_new(g_str_hash, g_str_equal);
    do {
        struct entry entry = {.line = reader->line};
        char *worker;

        g_strstrip(reader->text);
        if (*reader->text == '\0' || *reader->text == '#')
            continue;
        worker = reader->text + strcspn(reader->text, " \t");
        if (*worker)
            *worker++ = '\0';
        worker += strspn(worker, " \t");
        if (!*worker || worker[strcspn(worker, " \t")] ||
            !g_utf8_validate(reader->text, -1, NULL) ||
            !g_utf8_validate(worker, -1, NULL))
            return orr_record_fail(reader, reader->line, ORR_ERROR_SYNTAX,
                                   error, "expected TASK WORKER");
        entry.values[TASK] = reader->text;
        entry.values[WORKER] = worker;
        if (!add_row(reading, &entry, error))
            return false;
    } while (orr_record_next(reader));
    return true;
}

/* ---- CSV ---- */

/* Sets @columns[title] to its column. Returns the number of known columns. */
static unsigned take_header(const GPtrArray *cells,
                            unsigned columns[G_N_ELEMENTS(titles)])
{
    unsigned known = 0;

    for (unsigned t = 0; t < G_N_ELEMENTS(titles); t++) {
        columns[t] = ABSENT;
        for (guint i = 0; i < cells->len; i++) {
            if (strcmp(g_strstrip(cells->pdata[i]), titles[t].name) == 0)
                columns[t] = i;
        }
        known += columns[t] != ABSENT;
    }
    return known;
}

static struct entry take_cells(const struct reading *reading,
                               const GPtrArray *cells,
                               const unsigned columns[G_N_ELEMENTS(titles)])
{
    struct entry entry = {.line = reading->reader.line};

    for (unsigned t = 0; t < G_N_ELEMENTS(titles); t++) {
        const char **value = &entry.values[titles[t].field];

        if (columns[t] == ABSENT || (*value && **value))
            continue;
        *value = g_strstrip(cells->pdata[columns[t]]);
        if (titles[t].field == START)
            entry.unit = titles[t].unit;
    }
    return entry;
}

static bool split(struct orr_record_reader *reader, GPtrArray *cells,
                  GError **error)
{
    if (!g_utf8_validate(reader->text, -1, NULL))
        return orr_record_fail(reader, reader->line, ORR_ERROR_SYNTAX, error,
                               "not text in UTF-8");
    return orr_csv_split(reader->text, cells) ||
           orr_record_fail(reader, reader->line, ORR_ERROR_SYNTAX, error,
                           "a quoted field does not end");
}

/* Whether it is one of StarPU's own tasks, or a task that did not run. */
static bool is_skipped(const struct entry *entry)
{
    return !entry->values[START] || !*entry->values[START] ||
           (entry->values[NAME] &&
            g_str_has_prefix(entry->values[NAME], "_starpu_"));
}

static bool read_cells(struct reading *reading, GPtrArray *cells,
                       GError **error)
{
    struct orr_record_reader *reader = &reading->reader;
    unsigned columns[G_N_ELEMENTS(titles)];
    bool known[FIELDS] = {false};
    unsigned width;

    if (!split(reader, cells, error))
        return false;
    width = cells->len;
    take_header(cells, columns);
    for (unsigned t = 0; t < G_N_ELEMENTS(titles); t++)
        known[titles[t].field] |= columns[t] != ABSENT;
    if (!known[WORKER] || !(known[START] || known[TASK]))
        return orr_record_fail(reader, reader->line, ORR_ERROR_SYNTAX, error,
                               "neither rows TASK WORKER, nor a StarPU "
                               "tasks.rec, nor a CSV file with the columns "
                               "worker and start_ms or task");
    reading->exact = known[ORDER] && known[EXACT];
    if (!known[START])
        reading->mapping->rows = g_hash_table_new(g_str_hash, g_str_equal);
    while (orr_record_next_row(reader)) {
        struct entry entry;

        if (*reader->text == '\0')
            continue;
        if (!split(reader, cells, error))
            return false;
        if (cells->len != width)
            return orr_record_fail(reader, reader->line, ORR_ERROR_SYNTAX,
                                   error, "%u fields under %u columns",
                                   cells->len, width);
        entry = take_cells(reading, cells, columns);
        if (known[START] ? !is_skipped(&entry) && !add(reading, &entry, error)
                         : !add_row(reading, &entry, error))
            return false;
    }
    return true;
}

static bool read_csv(struct reading *reading, GError **error)
{
    GPtrArray *cells = g_ptr_array_new();
    bool good = read_cells(reading, cells, error);

    g_ptr_array_unref(cells);
    return good;
}

/* ---- recutils ---- */

struct record {
    char *values[G_N_ELEMENTS(titles)];
    unsigned line; /* where the record begins; 0: it has not */
};

static bool gather(struct reading *reading, struct record *record,
                   GError **error)
{
    struct orr_record_reader *reader = &reading->reader;
    char *colon = strchr(reader->text, ':');

    if (!colon || !g_utf8_validate(reader->text, -1, NULL))
        return orr_record_fail(reader, reader->line, ORR_ERROR_SYNTAX, error,
                               "expected a field, as 'Name: value'");
    if (record->line == 0)
        record->line = reader->line;
    *colon = '\0';
    for (unsigned t = 0; t < G_N_ELEMENTS(titles); t++) {
        if (strcmp(reader->text, titles[t].name) != 0)
            continue;
        g_free(record->values[t]);
        record->values[t] = g_strstrip(g_strdup(colon + 1));
    }
    return true;
}

static bool finish(struct reading *reading, struct record *record,
                   GError **error)
{
    struct entry entry = {.line = record->line};
    bool good;

    for (unsigned t = 0; t < G_N_ELEMENTS(titles); t++) {
        const char **value = &entry.values[titles[t].field];

        if (!record->values[t] || (*value && **value))
            continue;
        *value = record->values[t];
        if (titles[t].field == START)
            entry.unit = titles[t].unit;
    }
    good = is_skipped(&entry) || add(reading, &entry, error);
    for (unsigned t = 0; t < G_N_ELEMENTS(titles); t++)
        g_clear_pointer(&record->values[t], g_free);
    record->line = 0;
    return good;
}

static bool read_rec(struct reading *reading, GError **error)
{
    struct orr_record_reader *reader = &reading->reader;
    struct record record = {.line = 0};
    bool good = true;

    do {
        if (*reader->text == '\0')
            good = finish(reading, &record, error);
        else if (!strchr("#%+", *reader->text))
            good = gather(reading, &record, error);
    } while (good && orr_record_next(reader));
    return finish(reading, &record, good ? error : NULL) && good;
}

/* ---- choice of the format ---- */

/* Whether the first word of @line is "Name:". */
static bool is_field(const char *line)
{
    size_t name = strcspn(line, ": \t,");

    return name > 0 && line[name] == ':' && strchr(" \t", line[name + 1]);
}

static bool read_tasks(struct reading *reading, GError **error)
{
    struct orr_record_reader *reader = &reading->reader;
    bool good;

    do {
        if (!orr_record_next(reader))
            return orr_record_fail(reader, 1, ORR_ERROR_SYNTAX, error,
                                   "the file is empty");
    } while (strchr("#%", *reader->text)); /* also of an empty line */
    if (is_field(reader->text))
        good = read_rec(reading, error);
    else if (strchr(reader->text, ','))
        good = read_csv(reading, error);
    else
        good = read_words(reading, error);
    if (good && reading->tasks->len == 0)
        return orr_record_fail(reader, reader->line, ORR_ERROR_VALUE, error,
                               "no task with a worker");
    return good;
}

static bool read_file(struct reading *reading, GError **error)
{
    bool good = read_tasks(reading, error);

    if (!reading->reader.failure)
        return good;
    g_clear_error(error);
    g_propagate_error(error, g_steal_pointer(&reading->reader.failure));
    return false;
}

static int compare_numbers(const void *a, const void *b)
{
    const struct orr_mapping_task *left = a;
    const struct orr_mapping_task *right = b;

    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    return (left->line > right->line) - (left->line < right->line);
}

/* Moves the tasks to the mapping, and numbers them. */
static bool take(struct reading *reading, GError **error)
{
    struct orr_mapping *mapping = reading->mapping;
    struct orr_mapping_task *tasks;

    mapping->count = reading->tasks->len;
    mapping->tasks = tasks = (struct orr_mapping_task *)(void *)g_array_free(
        g_steal_pointer(&reading->tasks), FALSE);
    if (mapping->rows)
        return true;
    mapping->by_rank = !reading->exact;
    qsort(tasks, mapping->count, sizeof *tasks, compare_numbers);
    for (unsigned i = 0; i < mapping->count; i++) {
        if (!reading->exact)
            tasks[i].number = i;
        else if (i > 0 && tasks[i - 1].number == tasks[i].number)
            return orr_record_fail(
                &reading->reader, tasks[i].line, ORR_ERROR_VALUE, error,
                "task %" G_GUINT64_FORMAT " is there twice", tasks[i].number);
    }
    return true;
}

struct orr_mapping *orr_mapping_read(const char *path, GError **error)
{
    const struct orr_input_limits limits =
        orr_input_limits(ORR_RECORD_MAX_BYTES);
    struct orr_input *input = orr_input_open(path, &limits, error);
    struct orr_record record = {.path = NULL}; /* for messages */
    struct reading reading;

    if (!input)
        return NULL;
    record.path = (char *)orr_input_path(input);
    reading = (struct reading){
        .reader = {.input = input,
                   .buffer = g_string_new(NULL),
                   .record = &record},
        .mapping = g_new0(struct orr_mapping, 1),
        .tasks = g_array_new(FALSE, FALSE, sizeof(struct orr_mapping_task)),
    };
    reading.mapping->path = g_strdup(record.path);
    reading.mapping->texts = g_string_chunk_new(4096);
    if (!read_file(&reading, error) || !take(&reading, error))
        g_clear_pointer(&reading.mapping, orr_mapping_free);
    if (reading.tasks)
        g_array_unref(reading.tasks);
    g_string_free(reading.reader.buffer, TRUE);
    orr_input_close(input);
    return reading.mapping;
}

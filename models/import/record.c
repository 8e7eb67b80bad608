/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/import/record.h"

#include <stdlib.h>
#include <string.h>

#include "models/import/record_private.h"
#include "models/starpu/platform_starpu.h"

#define MAX_TASKS 20000000u /* a GB of memory */

bool orr_record_fail(const struct orr_record_reader *reader, unsigned line,
                     enum orr_error code, GError **error, const char *format,
                     ...)
{
    va_list arguments;

    va_start(arguments, format);
    orr_error_set_at(error, code, reader->record->path, MAX(line, 1), format,
                     arguments);
    va_end(arguments);
    return false;
}

static bool enter(struct orr_record_reader *reader, unsigned lines)
{
    reader->text = reader->buffer->str;
    reader->line += reader->line > 0 ? reader->lines : 1;
    reader->lines = lines;
    return true;
}

bool orr_record_next(struct orr_record_reader *reader)
{
    return !reader->failure &&
           orr_input_read_line(reader->input, reader->buffer,
                               &reader->failure) &&
           enter(reader, 1);
}

bool orr_record_next_row(struct orr_record_reader *reader)
{
    unsigned lines;

    return !reader->failure &&
           orr_csv_read(reader->input, reader->buffer, &lines,
                        &reader->failure) &&
           enter(reader, lines);
}

bool orr_record_time(const struct orr_record_reader *reader, const char *what,
                     const char *text, const char *unit, orr_time *time,
                     GError **error)
{
    g_autofree char *quantity = g_strconcat(text, unit, NULL);
    g_autofree char *quoted = NULL;

    if (*text && orr_parse_time(quantity, time, NULL))
        return true;
    quoted = orr_quote(text);
    return orr_record_fail(reader, reader->line, ORR_ERROR_VALUE, error,
                           "%s: %s: expected a time in %s", what, quoted, unit);
}

bool orr_record_count(const struct orr_record_reader *reader, const char *what,
                      const char *text, uint64_t max, uint64_t *count,
                      GError **error)
{
    GError *reason = NULL;

    if (orr_parse_count(text, 0, max, count, &reason))
        return true;
    orr_record_fail(reader, reader->line, ORR_ERROR_VALUE, error, "%s: %s",
                    what, reason->message);
    g_error_free(reason);
    return false;
}

bool orr_record_name(const struct orr_record_reader *reader, const char *what,
                     const struct orr_record_task *task, GError **error)
{
    return *task->name || orr_record_fail(reader, task->line, ORR_ERROR_VALUE,
                                          error, "%s: empty", what);
}

static const char *keep(struct orr_record *record, const char *text)
{
    return text ? g_string_chunk_insert_const(record->names, text) : NULL;
}

bool orr_record_add(struct orr_record_reader *reader,
                    const struct orr_record_task *task, orr_time start,
                    orr_time end, orr_time rank, GError **error)
{
    struct orr_record_entry entry = {.task = *task, .rank = rank};

    entry.task.duration = end - start;
    if (end <= start)
        return orr_record_fail(reader, task->line, ORR_ERROR_VALUE, error,
                               "the duration of a task is %s",
                               end == start ? "0" : "negative");
    if (reader->entries->len >= MAX_TASKS)
        return orr_record_fail(reader, task->line, ORR_ERROR_VALUE, error,
                               "more than %u tasks", MAX_TASKS);
    entry.task.name = keep(reader->record, task->name);
    entry.task.device = keep(reader->record, task->device);
    g_array_append_val(reader->entries, entry);
    return true;
}

/* ---- choice of the format ---- */

static int compare_ranks(const void *a, const void *b)
{
    const struct orr_record_entry *left = a;
    const struct orr_record_entry *right = b;

    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return (left->task.line > right->task.line) -
           (left->task.line < right->task.line);
}

/* Moves the tasks to the record, sorted by rank. */
static void take(struct orr_record_reader *reader)
{
    struct orr_record *record = reader->record;
    GArray *entries = reader->entries;

    qsort(entries->data, entries->len, sizeof(struct orr_record_entry),
          compare_ranks);
    record->count = entries->len;
    record->tasks = g_new(struct orr_record_task, entries->len);
    for (unsigned i = 0; i < entries->len; i++)
        record->tasks[i] =
            g_array_index(entries, struct orr_record_entry, i).task;
}

/* Whether @line is the first of a recutils file: "Name:" or a comment. */
static bool is_rec(const char *line)
{
    size_t name = strspn(line, "%ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "abcdefghijklmnopqrstuvwxyz_0123456789");

    return *line == '#' || (name > 0 && line[name] == ':');
}

static bool read_tasks(struct orr_record_reader *reader, GError **error)
{
    bool rec;

    do {
        if (!orr_record_next(reader))
            return orr_record_fail(reader, 1, ORR_ERROR_SYNTAX, error,
                                   "the file is empty");
    } while (*reader->text == '\0');
    if (!g_utf8_validate(reader->text, -1, NULL))
        return orr_record_fail(reader, reader->line, ORR_ERROR_SYNTAX, error,
                               "not text in UTF-8");
    rec = is_rec(reader->text);
    if (!(rec ? orr_record_read_starpu(reader, error)
              : orr_record_read_csv(reader, error)))
        return false;
    if (reader->entries->len == 0)
        return orr_record_fail(reader, reader->line, ORR_ERROR_VALUE, error,
                               "no task with a duration");
    return true;
}

static bool read_file(struct orr_record_reader *reader, GError **error)
{
    bool good = read_tasks(reader, error);

    if (!reader->failure)
        return good;
    g_clear_error(error);
    g_propagate_error(error, g_steal_pointer(&reader->failure));
    return false;
}

struct orr_record *orr_record_read(const char *path, GError **error)
{
    const struct orr_input_limits limits =
        orr_input_limits(ORR_RECORD_MAX_BYTES);
    struct orr_input *input = orr_input_open(path, &limits, error);
    struct orr_record *record;
    struct orr_record_reader reader;

    if (!input)
        return NULL;
    record = g_new0(struct orr_record, 1);
    reader = (struct orr_record_reader){
        .input = input,
        .buffer = g_string_new(NULL),
        .record = record,
        .entries = g_array_new(FALSE, FALSE, sizeof(struct orr_record_entry)),
    };

    record->path = g_strdup(orr_input_path(input));
    record->names = g_string_chunk_new(1024);
    if (read_file(&reader, error))
        take(&reader);
    else
        g_clear_pointer(&record, orr_record_free);
    g_array_unref(reader.entries);
    g_string_free(reader.buffer, TRUE);
    orr_input_close(input);
    return record;
}

void orr_record_free(struct orr_record *record)
{
    if (!record)
        return;
    g_string_chunk_free(record->names);
    g_free(record->tasks);
    g_free(record->path);
    g_free(record);
}

/* Whether @name is "family/name" of @kernel, as graphs call kernels that StarPU
 * does not know; the precision may follow. */
static bool is_path(const char *name, const struct orr_platform_kernel *kernel)
{
    g_autofree char *path =
        g_strconcat(kernel->family, "/", kernel->name, NULL);
    size_t length = strlen(path);

    if (strncmp(name, path, length) != 0)
        return false;
    return name[length] == '\0' ||
           (name[length] == '/' &&
            strcmp(name + length + 1, orr_precision_name(kernel->precision)) ==
                0);
}

bool orr_record_is(const struct orr_record_task *task,
                   const struct orr_platform_kernel *kernel)
{
    if (strchr(task->name, '/') && is_path(task->name, kernel))
        return true;
    if (*kernel->family && orr_platform_starpu_knows(task->name))
        return orr_platform_starpu_is(task->name, kernel);
    return g_ascii_strcasecmp(task->name, kernel->name) == 0;
}

bool orr_record_device(const struct orr_record_task *task,
                       const struct orr_platform *platform, unsigned gpus,
                       unsigned *device)
{
    if (!task->device && task->node != ORR_RECORD_NO_NODE) {
        *device = task->node;
        return task->node < platform->node_count;
    }
    if (!task->device) {
        if (task->worker == ORR_RECORD_NO_WORKER)
            return false;
        *device = task->worker < gpus ? task->worker + 1 : ORR_RAM;
        return true;
    }
    for (unsigned d = 1; d < platform->node_count; d++) {
        if (strcmp(task->device, orr_platform_device_name(platform, d)) == 0) {
            *device = d;
            return true;
        }
    }
    *device = ORR_RAM;
    return g_str_has_prefix(task->device, "CPU") &&
           task->device[3 + strspn(task->device + 3, "0123456789")] == '\0';
}

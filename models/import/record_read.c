/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads a record in either format. */
#include <stdlib.h>
#include <string.h>

#include "models/import/record_reader.h"

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

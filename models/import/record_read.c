/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads a record in either format. */
#include <errno.h>
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

static char *show_path(const char *path)
{
    char *shown = g_filename_display_name(path);

    for (char *c = shown; *c; c++) {
        if (g_ascii_iscntrl(*c))
            *c = '?';
    }
    return shown;
}

static bool read_file(struct orr_record_reader *reader, const char *path,
                      GError **error)
{
    bool good;

    if (!g_file_test(path, G_FILE_TEST_IS_DIR))
        reader->file = fopen(path, "re");
    else
        errno = EISDIR;
    if (!reader->file) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s",
                    reader->record->path, g_strerror(errno));
        return false;
    }
    good = read_tasks(reader, error);
    if (ferror(reader->file)) {
        g_clear_error(error);
        g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: cannot be read",
                    reader->record->path);
        good = false;
    }
    (void)fclose(reader->file);
    return good;
}

struct orr_record *orr_record_read(const char *path, GError **error)
{
    struct orr_record *record = g_new0(struct orr_record, 1);
    struct orr_record_reader reader = {
        .record = record,
        .entries = g_array_new(FALSE, FALSE, sizeof(struct orr_record_entry)),
    };

    record->path = show_path(path);
    record->names = g_string_chunk_new(1024);
    if (read_file(&reader, path, error))
        take(&reader);
    else
        g_clear_pointer(&record, orr_record_free);
    g_array_unref(reader.entries);
    free(reader.text);
    return record;
}

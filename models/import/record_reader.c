/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/import/record_reader.h"

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

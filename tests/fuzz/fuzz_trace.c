/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A trace in CSV is read back as a record of the same tasks, whatever their
 * names, workers and durations: the first bytes are numbers, the rest names.
 * Bytes that are not UTF-8 are read back as U+FFFD.
 */
#include <stdio.h>
#include <string.h>

#include "apps/trace/trace_format.h"
#include "models/import/record.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"
#include "tests/support/csv_trace.h"

enum { HEAD = 8 }; /* bytes of numbers before a name */

/* The task that @bytes describe. */
static struct orr_trace_task make_task(const uint8_t *bytes, uint64_t order,
                                       const char *name)
{
    static const uint8_t modes[] = {1};
    uint64_t started, duration;

    memcpy(&started, bytes, sizeof(started));
    duration = 1 + started % 1000000007;
    started >>= 20;
    return (struct orr_trace_task){
        .order = order,
        .name = name,
        .worker = bytes[0],
        .worker_name = name,
        .priority = (int8_t)bytes[1],
        .started = (orr_time)started,
        .ended = (orr_time)started + bytes[3],
        .kernel_started = (orr_time)started,
        .kernel_ended = (orr_time)(started + duration),
        .access_count = bytes[2] % 2,
        .modes = modes,
    };
}

static void check(const struct orr_record *record, GArray *tasks)
{
    if (record->count != tasks->len)
        abort();
    for (unsigned i = 0; i < tasks->len; i++) {
        const struct orr_trace_task *task =
            &g_array_index(tasks, struct orr_trace_task, i);
        const struct orr_record_task *read = &record->tasks[i];
        g_autofree char *name = g_utf8_make_valid(task->name, -1);

        if (strcmp(name, read->name) != 0 ||
            task->kernel_ended - task->kernel_started != read->duration ||
            task->worker != read->worker)
            abort();
    }
}

static void write_and_read(const char *path, GArray *tasks)
{
    struct orr_trace *trace = open_csv(path, NULL);
    g_autoptr(GError) error = NULL;
    struct orr_record *record;

    if (!trace)
        abort();
    for (unsigned i = 0; i < tasks->len; i++)
        trace->task(trace, &g_array_index(tasks, struct orr_trace_task, i));
    if (!close_csv(trace, true, NULL))
        abort();
    record = orr_record_read(path, &error);
    if (record)
        check(record, tasks);
    else if (tasks->len > 0) {
        fprintf(stderr, "%s\n", error->message);
        abort();
    }
    orr_record_free(record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *base = fuzz_file_new("", 0);
    g_autofree char *path = g_strconcat(base, ".csv", NULL);
    g_autofree char *copies = g_strconcat(base, ".copies.csv", NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) tasks =
        g_array_new(FALSE, FALSE, sizeof(struct orr_trace_task));

    while (size > HEAD) {
        size_t length = data[3] % 32U;
        char *name;

        length = 1 + MIN(length, size - HEAD - 1);
        name = g_strndup((const char *)data + HEAD, length);
        g_ptr_array_add(names, name);
        if (*name) {
            struct orr_trace_task task = make_task(data, tasks->len, name);

            g_array_append_val(tasks, task);
        }
        data += HEAD + length;
        size -= HEAD + length;
    }
    write_and_read(path, tasks);
    g_remove(base);
    g_remove(path);
    g_remove(copies);
    return 0;
}

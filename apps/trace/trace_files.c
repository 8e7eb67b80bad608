/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/trace_files.h"

#include <stdlib.h>

#include "models/base/error.h"
#include "models/base/file.h"
#include "runtime/machine.h"

struct traced_file {
    const struct orr_trace_format *format;
    struct orr_trace *trace; /* owned */
};

/* Forwards an event to all parts that have a function for it. */
#define FORWARD(event)                                                         \
    static void forward_##event(struct orr_trace *trace,                       \
                                const struct orr_trace_##event *told)          \
    {                                                                          \
        const GPtrArray *parts = ((struct orr_trace_files *)trace)->parts;     \
                                                                               \
        for (guint i = 0; i < parts->len; i++) {                               \
            struct orr_trace *part = parts->pdata[i];                          \
                                                                               \
            if (part->event)                                                   \
                part->event(part, told);                                       \
        }                                                                      \
    }

FORWARD(task)
FORWARD(copy)
FORWARD(eviction)
FORWARD(allocation)
FORWARD(ready)
FORWARD(power)
FORWARD(step)
FORWARD(use)

/* Returns the file that a trace @path replaces, whatever the names of its
 * folder. Free with g_free(). */
static char *identify(const char *path)
{
    g_autofree char *place = orr_file_place(path);
    g_autofree char *folder = g_path_get_dirname(place);
    g_autofree char *name = g_path_get_basename(place);
    char *real = realpath(folder, NULL);
    char *file = g_build_filename(real ? real : folder, name, NULL);

    free(real);
    return file;
}

/* Registers the files of a trace. Fails if another trace has one of them. */
static bool register_files(GHashTable *taken,
                           const struct orr_trace_format *format,
                           const char *path, GError **error)
{
    g_auto(GStrv) files = format->files(path);

    for (size_t i = 0; files[i]; i++) {
        g_autofree char *shown = g_filename_display_name(files[i]);

        if (!g_hash_table_add(taken, identify(files[i]))) {
            g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                        "%s: two traces would be written to this file", shown);
            return false;
        }
    }
    return true;
}

static bool open_file(struct orr_trace_files *files,
                      const struct orr_traced_run *run,
                      const struct orr_trace_format *format, const char *path,
                      GError **error)
{
    struct traced_file file = {.format = format};

    if (!file.format)
        return false;
    file.trace = file.format->open(path, run, error);
    if (!file.trace)
        return false;
    g_array_append_val(files->files, file);
    orr_trace_files_add(files, file.trace);
    return true;
}

/* Checks that each trace has a format, and that no two write one file. */
static bool check(const struct orr_output_settings *outputs, GError **error)
{
    g_autoptr(GHashTable) taken =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    if (outputs->trace_format && !outputs->traces) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--trace-format: there is no --trace");
        return false;
    }
    for (size_t i = 0; outputs->traces && outputs->traces->pdata[i]; i++) {
        const char *path = outputs->traces->pdata[i];
        const struct orr_trace_format *format =
            orr_trace_format_of(path, outputs->trace_format, error);

        if (!format || !register_files(taken, format, path, error))
            return false;
    }
    return !outputs->power ||
           register_files(taken, &orr_trace_power, outputs->power, error);
}

struct orr_traced_run orr_traced_run(const struct orr_settings *settings)
{
    const struct orr_machine *machine = settings->scenario.run.machine;

    return (struct orr_traced_run){
        .app = settings->scenario.problem.app,
        .values = settings->scenario.problem.values,
        .platform = machine ? machine->platform : NULL,
    };
}

bool orr_trace_files_open(struct orr_trace_files *files,
                          const struct orr_output_settings *outputs,
                          const struct orr_traced_run *run, GError **error)
{
    *files = (struct orr_trace_files){
        .trace = {ORR_TRACE_INIT, .task = forward_task, .copy = forward_copy,
                  .eviction = forward_eviction,
                  .allocation = forward_allocation, .ready = forward_ready,
                  .power = forward_power, .use = forward_use},
        .parts = g_ptr_array_new(),
        .files = g_array_new(FALSE, FALSE, sizeof(struct traced_file)),
    };
    if (!check(outputs, error))
        return false;
    for (size_t i = 0; outputs->traces && outputs->traces->pdata[i]; i++) {
        const char *path = outputs->traces->pdata[i];

        if (!open_file(files, run,
                       orr_trace_format_of(path, outputs->trace_format, error),
                       path, error))
            return false;
    }
    return !outputs->power ||
           open_file(files, run, &orr_trace_power, outputs->power, error);
}

void orr_trace_files_add(struct orr_trace_files *files, struct orr_trace *part)
{
    if (!part)
        return;
    files->trace.wants |= part->wants;
    if (part->step) /* without it, the runtime need not find the code of each
                       step */
        files->trace.step = forward_step;
    g_ptr_array_add(files->parts, part);
}

struct orr_trace *orr_trace_files_trace(struct orr_trace_files *files)
{
    switch (files->parts->len) {
    case 0:
        return NULL;
    case 1:
        return files->parts->pdata[0];
    default:
        return &files->trace;
    }
}

bool orr_trace_files_finish(struct orr_trace_files *files, bool complete,
                            GError **error)
{
    for (guint i = 0; i < files->files->len; i++) {
        struct traced_file *file =
            &g_array_index(files->files, struct traced_file, i);

        if (!file->format->finish(file->trace, complete, error))
            return false;
    }
    for (guint i = 0; i < files->files->len; i++) {
        struct traced_file *file =
            &g_array_index(files->files, struct traced_file, i);

        if (!file->format->move(file->trace, error))
            return false;
    }
    return true;
}

void orr_trace_files_clear(struct orr_trace_files *files)
{
    for (guint i = 0; i < files->files->len; i++) {
        struct traced_file *file =
            &g_array_index(files->files, struct traced_file, i);

        file->format->free(file->trace);
    }
    g_array_unref(files->files);
    g_ptr_array_unref(files->parts);
}

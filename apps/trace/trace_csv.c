/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/trace_csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "apps/output/csv.h"
#include "models/base/file.h"
#include "models/time.h"
#include "runtime/orrery.h"

struct csv {
    struct orr_trace trace; /* first, so that one converts to the other */
    struct orr_draft tasks;
    struct orr_draft copies;
};

static void csv_free(struct csv *csv)
{
    orr_draft_clear(&csv->tasks);
    orr_draft_clear(&csv->copies);
    g_free(csv);
}

/* Milliseconds, exactly. */
static void put_time(FILE *file, orr_time time)
{
    fprintf(file, "%" PRId64 ".%06" PRId64, time / ORR_MS, time % ORR_MS);
}

static void put_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    static const char *const modes[] = {
        [ORR_R] = "R",
        [ORR_W] = "W",
        [ORR_RW] = "RW",
        [ORR_RW | ORR_COMMUTE] = "RWC",
    };
    struct orr_draft *tasks = &((struct csv *)trace)->tasks;
    FILE *file = tasks->file;

    fprintf(file, "%" PRIu64 ",", task->order);
    orr_csv_put(file, task->name);
    fprintf(file, ",%u,%d,", task->worker, task->priority);
    put_time(file, task->submitted);
    fputc(',', file);
    put_time(file, task->started);
    fputc(',', file);
    put_time(file, task->ended);
    fputc(',', file);
    for (unsigned i = 0; i < task->access_count; i++) {
        g_assert(task->modes[i] < G_N_ELEMENTS(modes) && modes[task->modes[i]]);
        fprintf(file, "%s%s", i > 0 ? " " : "", modes[task->modes[i]]);
    }
    fputc(',', file);
    put_time(file, task->kernel_started);
    fputc(',', file);
    put_time(file, task->kernel_ended);
    fputc('\n', file);
    orr_draft_check(tasks);
}

static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct orr_draft *copies = &((struct csv *)trace)->copies;
    FILE *file = copies->file;

    orr_csv_put(file, copy->from);
    fputc(',', file);
    orr_csv_put(file, copy->to);
    fprintf(file, ",%" PRIu64 ",%" PRIu64 ",", copy->data, copy->bytes);
    orr_csv_put(file, copy->why);
    fputc(',', file);
    put_time(file, copy->submitted);
    fputc(',', file);
    put_time(file, copy->started);
    fputc(',', file);
    put_time(file, copy->ended);
    fputc('\n', file);
    orr_draft_check(copies);
}

static char *copies_path(const char *path)
{
    size_t stem = strlen(path);

    if (g_str_has_suffix(path, ".csv"))
        stem -= strlen(".csv");
    return g_strdup_printf("%.*s.copies.csv", (int)stem, path);
}

struct orr_trace *orr_trace_csv_open(const char *path, GError **error)
{
    struct csv *csv = g_new0(struct csv, 1);
    g_autofree char *copies = copies_path(path);

    csv->trace = (struct orr_trace){.task = put_task, .copy = put_copy};
    if (!orr_draft_open(&csv->tasks, path, error) ||
        !orr_draft_open(&csv->copies, copies, error)) {
        csv_free(csv);
        return NULL;
    }
    fputs("submit_order,name,worker,priority,submit_ms,start_ms,end_ms,modes,"
          "kernel_start_ms,kernel_end_ms\n",
          csv->tasks.file);
    fputs("from,to,data,bytes,why,submit_ms,start_ms,end_ms\n",
          csv->copies.file);
    return &csv->trace;
}

bool orr_trace_csv_close(struct orr_trace *trace, bool keep, GError **error)
{
    struct csv *csv = (struct csv *)trace;
    bool good = true;

    if (!csv)
        return true;
    /* Neither is moved before both are known to be complete. */
    if (keep)
        good = orr_draft_finish(&csv->tasks, error) &&
               orr_draft_finish(&csv->copies, error) &&
               orr_draft_move(&csv->tasks, error) &&
               orr_draft_move(&csv->copies, error);
    csv_free(csv);
    return good;
}

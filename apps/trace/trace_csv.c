/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Comma-separated values: tasks into FILE.csv, and copies beside it, into
 * FILE.copies.csv. docs/orrery.1 has the columns. Tasks are in order of
 * completion.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "apps/trace/trace_file.h"
#include "apps/trace/trace_format.h"
#include "models/time.h"
#include "runtime/orrery.h"

struct csv {
    struct orr_trace trace; /* first, so that one converts to the other */
    struct orr_trace_file tasks;
    bool has_row; /* the last row of tasks is written except for its last field
                   */
    bool any;     /* at least one row has been written */
    struct orr_trace_file copies;
};

static void csv_free(struct orr_trace *trace)
{
    struct csv *csv = (struct csv *)trace;

    orr_trace_file_clear(&csv->tasks);
    orr_trace_file_clear(&csv->copies);
    g_free(csv);
}

/* Writes a comma and exact milliseconds. */
static void put_time(struct orr_trace_file *file, orr_time time)
{
    orr_trace_put_char(file, ',');
    orr_trace_put_time(file, time, 6);
}

/* Writes @text as part of a quoted field. */
static void put_quoted(struct orr_trace_file *file, const char *text)
{
    g_autofree char *valid = NULL;

    if (orr_trace_put_plain(file, text, ORR_TRACE_QUOTES))
        return;
    valid = g_utf8_make_valid(text, -1);
    for (const char *at = valid; *at; at++) {
        if (*at == '"')
            orr_trace_put_char(file, '"');
        orr_trace_put_char(file, *at);
    }
}

/* Writes @text as a field. */
static void put_text(struct orr_trace_file *file, const char *text)
{
    if (orr_trace_put_plain(file, text, ORR_TRACE_QUOTES | ORR_TRACE_COMMAS))
        return;
    orr_trace_put_char(file, '"');
    put_quoted(file, text);
    orr_trace_put_char(file, '"');
}

/* Writes "A(5,2)": the name and the coordinates that a datum has; without both,
 * its number. */
static void put_datum(struct orr_trace_file *file,
                      const struct orr_trace_datum *datum)
{
    if (datum->name)
        put_quoted(file, datum->name);
    if (datum->has_coordinates) {
        orr_trace_put_char(file, '(');
        orr_trace_put_count(file, datum->row);
        orr_trace_put_char(file, ',');
        orr_trace_put_count(file, datum->column);
        orr_trace_put_char(file, ')');
    } else if (!datum->name) {
        orr_trace_put_count(file, datum->number);
    }
}

/* The data of a task, separated by semicolons. */
static void put_data(struct orr_trace_file *file,
                     const struct orr_trace_task *task)
{
    orr_trace_put_char(file, '"');
    for (unsigned i = 0; i < task->datum_count; i++) {
        if (i > 0)
            orr_trace_put_char(file, ';');
        put_datum(file, &task->accesses[i].datum);
    }
    orr_trace_put_char(file, '"');
}

/* Ends the last row of tasks, if there is one. Its last field marks the end of
 * a run that hangs: unlike a comment, a form that all readers of CSV know. */
static void end_row(struct csv *csv, bool unfinished)
{
    if (csv->has_row) {
        orr_trace_put_char(&csv->tasks, unfinished ? '1' : '0');
        orr_trace_put_char(&csv->tasks, '\n');
    }
    csv->has_row = false;
}

/* Writes the coordinates of @task, separated by blanks. */
static void put_coordinates(struct orr_trace_file *file,
                            const struct orr_trace_task *task)
{
    for (unsigned i = 0; i < task->coordinate_count; i++) {
        if (i > 0)
            orr_trace_put_char(file, ' ');
        orr_trace_put_count(file, task->coordinates[i]);
    }
}

static void put_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct csv *csv = (struct csv *)trace;
    struct orr_trace_file *file = &csv->tasks;

    end_row(csv, false);
    orr_trace_put_count(file, task->order);
    orr_trace_put_char(file, ',');
    put_text(file, task->name);
    orr_trace_put_char(file, ',');
    orr_trace_put_count(file, task->worker);
    orr_trace_put_char(file, ',');
    orr_trace_put_time(file, task->priority, 0);
    put_time(file, task->submitted);
    put_time(file, task->started);
    put_time(file, task->ended);
    orr_trace_put_char(file, ',');
    for (unsigned i = 0; i < task->access_count; i++) {
        if (i > 0)
            orr_trace_put_char(file, ' ');
        orr_trace_put(file, orr_access_mode_name(task->modes[i]));
    }
    put_time(file, task->kernel_started);
    put_time(file, task->kernel_ended);
    orr_trace_put_char(file, ',');
    put_text(file, task->worker_name);
    put_time(file, task->ready);
    put_time(file, task->arrived);
    orr_trace_put_char(file, ',');
    put_data(file, task);
    orr_trace_put_char(file, ',');
    for (unsigned i = 0; i < task->parent_count; i++) {
        if (i > 0)
            orr_trace_put_char(file, ' ');
        orr_trace_put_count(file, task->parents[i]);
    }
    orr_trace_put_char(file, ',');
    put_coordinates(file, task);
    orr_trace_put_char(file, ',');
    orr_trace_put_count(file, task->implementation);
    orr_trace_put_char(file, ',');
    csv->has_row = csv->any = true;
}

static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct orr_trace_file *file = &((struct csv *)trace)->copies;

    put_text(file, copy->from);
    orr_trace_put_char(file, ',');
    put_text(file, copy->to);
    orr_trace_put_char(file, ',');
    orr_trace_put_count(file, copy->data);
    orr_trace_put_char(file, ',');
    orr_trace_put_count(file, copy->bytes);
    orr_trace_put_char(file, ',');
    put_text(file, copy->why);
    put_time(file, copy->submitted);
    put_time(file, copy->started);
    put_time(file, copy->ended);
    orr_trace_put_char(file, ',');
    orr_trace_put_char(file, '"');
    put_datum(file, &copy->datum);
    orr_trace_put_char(file, '"');
    orr_trace_put_char(file, '\n');
}

/* Sets the names of the two files of the trace @path: a.csv and a.copies.csv.
 */
static void name_files(const char *path, char **tasks, char **copies)
{
    bool gz = g_str_has_suffix(path, ".gz");
    g_autofree char *stem = g_strndup(path, strlen(path) - (gz ? 3 : 0));

    if (g_str_has_suffix(stem, ".csv"))
        stem[strlen(stem) - strlen(".csv")] = '\0';
    *tasks = g_strdup(path);
    *copies = g_strconcat(stem, ".copies.csv", gz ? ".gz" : NULL, NULL);
}

static char **list_files(const char *path)
{
    char **files = g_new0(char *, 3);

    name_files(path, &files[0], &files[1]);
    return files;
}

static struct orr_trace *
csv_open(const char *path, const struct orr_traced_run *run, GError **error)
{
    struct csv *csv = g_new0(struct csv, 1);
    g_autofree char *tasks = NULL;
    g_autofree char *copies = NULL;

    (void)run;
    name_files(path, &tasks, &copies);
    csv->trace =
        (struct orr_trace){ORR_TRACE_INIT, .task = put_task, .copy = put_copy,
                           .wants = ORR_TRACE_PARENTS};
    if (!orr_trace_file_open(&csv->tasks, tasks, error) ||
        !orr_trace_file_open(&csv->copies, copies, error)) {
        csv_free(&csv->trace);
        return NULL;
    }
    orr_trace_put(
        &csv->tasks,
        "submit_order,name,worker,priority,submit_ms,start_ms,end_ms,modes,"
        "kernel_start_ms,kernel_end_ms,worker_name,ready_ms,data_ms,data,"
        "depends_on,coordinates,implementation,unfinished\n");
    orr_trace_put(&csv->copies,
                  "from,to,data,bytes,why,submit_ms,start_ms,end_ms,name\n");
    return &csv->trace;
}

static bool csv_finish(struct orr_trace *trace, bool complete, GError **error)
{
    struct csv *csv = (struct csv *)trace;

    /* If no task ended before the run hung, a row has only the mark. */
    if (!complete && !csv->any) {
        orr_trace_put(&csv->tasks, ",,,,,,,,,,,,,,,,,");
        csv->has_row = true;
    }
    end_row(csv, !complete);
    return orr_trace_file_finish(&csv->tasks, error) &&
           orr_trace_file_finish(&csv->copies, error);
}

static bool csv_move(struct orr_trace *trace, GError **error)
{
    struct csv *csv = (struct csv *)trace;

    return orr_draft_move(&csv->tasks.draft, error) &&
           orr_draft_move(&csv->copies.draft, error);
}

const struct orr_trace_format orr_trace_csv = {
    .name = "csv",
    .suffix = ".csv",
    .compresses = true,
    .files = list_files,
    .open = csv_open,
    .finish = csv_finish,
    .move = csv_move,
    .free = csv_free,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes tasks.rec, data.rec and dag.dot. */
#include <inttypes.h>

#include "models/dagfile/dag_write_private.h"

/* Writes a line: @field, "Name: ", and the text; no line without a text. */
static void put_text(const struct orr_dag_writing *writing, const char *field,
                     uint32_t text)
{
    if (!text)
        return;
    fputs(field, writing->file);
    fputs(orr_dag_text(writing->dag, text), writing->file);
    fputc('\n', writing->file);
}

static void put_dependencies(const struct orr_dag_writing *writing,
                             uint32_t task)
{
    const struct orr_dag_nodes *nodes = &writing->before;

    if (nodes->counts[task] == 0)
        return;
    fputs("DependsOn:", writing->file);
    for (uint32_t i = 0; i < nodes->counts[task]; i++)
        orr_dag_put_count(writing->file, " ",
                          nodes->before[nodes->first[task] + i] + 1);
    fputc('\n', writing->file);
}

/* Writes " 1a0". */
static void put_hexadecimal(FILE *file, uint32_t number)
{
    char text[10];
    char *end = text + sizeof(text);
    char *at = end;

    do
        *--at = "0123456789abcdef"[number % 16];
    while (number /= 16);
    *--at = ' ';
    fwrite(at, 1, (size_t)(end - at), file);
}

static void put_accesses(const struct orr_dag_writing *writing,
                         const struct orr_dag_task *task)
{
    const struct orr_dag *dag = writing->dag;

    if (task[0].first_access == task[1].first_access)
        return;
    fputs("Handles:", writing->file);
    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++)
        put_hexadecimal(writing->file, dag->accesses[i].datum + 1);
    fputs("\nModes:", writing->file);
    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++) {
        fputc(' ', writing->file);
        orr_dag_put_mode(writing->file, dag->accesses[i].mode);
    }
    fputs("\nSizes:", writing->file);
    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++)
        orr_dag_put_count(writing->file, " ",
                          dag->data[dag->accesses[i].datum].bytes);
    fputc('\n', writing->file);
}

/* Writes a line: @field, "JobId: ", and @count. */
static void put_count(FILE *file, const char *field, uint64_t count)
{
    orr_dag_put_count(file, field, count);
    fputc('\n', file);
}

static void put_device(const struct orr_dag_writing *writing, uint32_t number)
{
    const struct orr_dag_device *device;

    if (number == ORR_DAG_NONE)
        return;
    device = &writing->dag->devices[number];
    if (device->worker != ORR_DAG_NONE)
        put_count(writing->file, "WorkerId: ", device->worker);
    if (device->memory_node != ORR_DAG_NONE)
        put_count(writing->file, "MemoryNode: ", device->memory_node);
}

/* Writes a line: @field, and @date, or a duration, in ms. */
static void put_date(FILE *file, const char *field, orr_time date)
{
    fputs(field, file);
    orr_dag_put_time(file, date, 6);
    fputc('\n', file);
}

static void put_dates(FILE *file, const struct orr_dag_dates *dates)
{
    if (dates->ended == 0)
        return;
    put_date(file, "SubmitTime: ", dates->submitted);
    put_date(file, "StartTime: ", dates->started);
    put_date(file, "EndTime: ", dates->ended);
}

static void put_task(const struct orr_dag_writing *writing, uint32_t number,
                     uint32_t order)
{
    const struct orr_dag *dag = writing->dag;
    const struct orr_dag_task *task = &dag->tasks[number];
    FILE *file = writing->file;

    put_text(writing, "Name: ", task->name);
    if (task->kernel == ORR_DAG_NONE)
        fputs("Synchronises: 1\n", file);
    else
        put_text(writing, "Model: ", dag->kernels[task->kernel]);
    put_count(file, "JobId: ", number + UINT64_C(1));
    put_count(file, "SubmitOrder: ", order);
    fputs("Priority: ", file);
    orr_dag_put_time(file, task->priority, 0);
    fputc('\n', file);
    if (task->critical != ORR_DAG_CRITICAL_UNKNOWN)
        fprintf(file, "Critical: %d\n", task->critical == ORR_DAG_CRITICAL);
    put_dependencies(writing, number);
    put_device(writing, task->device);
    if (task->synchronous)
        fputs("Synchronous: 1\n", file);
    if (dag->dates) {
        put_dates(file, &dag->dates[number]);
    } else if (task->duration >= 0) {
        put_date(file, "Duration: ", task->duration);
    }
    if (task->footprint)
        fprintf(file, "Footprint: %08x\n", task->footprint);
    if (task->flops >= 0) {
        fputs("GFlop: ", file);
        orr_dag_put_number(file, task->flops / 1e9);
        fputc('\n', file);
    }
    put_text(writing, "Iteration: ", task->iteration);
    put_text(writing, "Parameters: ", task->parameters);
    put_accesses(writing, task);
    fputc('\n', file);
}

/* Whether @dag has dates, but not of all tasks that do work. */
static bool is_unfinished(const struct orr_dag *dag)
{
    for (uint32_t task = 0; dag->dates && task < dag->task_count; task++)
        if (dag->tasks[task].kernel != ORR_DAG_NONE &&
            dag->dates[task].ended == 0)
            return true;
    return false;
}

void orr_dag_write_rec(const struct orr_dag_writing *writing)
{
    const struct orr_dag *dag = writing->dag;
    uint32_t order = 0;
    uint32_t hint = 0;

    if (is_unfinished(dag))
        fputs("# unfinished: tasks without EndTime did not end\n\n",
              writing->file);

    for (uint32_t task = 0; task <= dag->task_count; task++) {
        for (; hint < dag->hint_count && dag->hints[hint].task <= task; hint++)
            fprintf(writing->file,
                    "Control: WontUse\nSubmitOrder: %u\nHandles: %x\n\n",
                    ++order, dag->hints[hint].datum + 1);
        if (task < dag->task_count)
            put_task(writing, task, ++order);
    }
}

void orr_dag_write_rec_data(const struct orr_dag_writing *writing)
{
    const struct orr_dag *dag = writing->dag;

    for (uint32_t i = 0; i < dag->datum_count; i++) {
        const struct orr_dag_datum *datum = &dag->data[i];

        fprintf(writing->file, "Handle: %x\nHomeNode: %d\n", i + 1,
                datum->home);
        if (datum->is_named || !datum->coordinates)
            put_text(writing, "Name: ", datum->name);
        fprintf(writing->file, "Size: %" PRIu64 "\n", datum->bytes);
        put_text(writing, "Description: ", datum->shape);
        put_text(writing, "Coordinates: ", datum->coordinates);
        fputc('\n', writing->file);
    }
}

/* Only dependencies; tasks are called by their JobId. */
void orr_dag_write_rec_dot(const struct orr_dag_writing *writing)
{
    const struct orr_dag_nodes *nodes = &writing->before;

    fputs("digraph G {\n\tcolor=white\n\trankdir=LR;\n", writing->file);
    for (uint32_t task = 0; task < nodes->count; task++) {
        fprintf(writing->file, "\t\"task_%u\"\n", task + 1);
        for (uint32_t i = 0; i < nodes->counts[task]; i++)
            fprintf(writing->file, "\t\"task_%u\"->\"task_%u\"\n",
                    nodes->before[nodes->first[task] + i] + 1, task + 1);
    }
    fputs("}\n", writing->file);
}

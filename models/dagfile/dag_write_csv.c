/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes plain CSV, with the columns that dag_csv.c reads. */
#include <inttypes.h>

#include "models/base/csv_line.h"
#include "models/dag/dag_mark.h"
#include "models/dagfile/dag_write_private.h"

static void put_accesses(const struct orr_dag_writing *writing,
                         const struct orr_dag_task *task)
{
    const struct orr_dag *dag = writing->dag;
    char mode[ORR_DAG_MODE];

    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++) {
        fprintf(writing->file, "%s%s:", i > task->first_access ? " " : "",
                orr_dag_datum_id(writing, dag->accesses[i].datum));
        fputs(orr_dag_mode_text(dag->accesses[i].mode, mode), writing->file);
        fprintf(writing->file, ":%" PRIu64,
                dag->data[dag->accesses[i].datum].bytes);
    }
}

/* The first hint that comes after @task. */
static uint32_t first_hint(const struct orr_dag *dag, uint32_t task)
{
    uint32_t low = 0;
    uint32_t high = dag->hint_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (dag->hints[middle].task <= task)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void put_hints(const struct orr_dag_writing *writing, uint32_t task,
                      GString *value)
{
    const struct orr_dag *dag = writing->dag;

    for (uint32_t i = first_hint(dag, task);
         i < dag->hint_count && dag->hints[i].task == task + 1; i++)
        g_string_append_printf(value, "%s%s", value->len > 0 ? " " : "",
                               orr_dag_datum_id(writing, dag->hints[i].datum));
}

/* Columns that are written only if some task has a value: marks, and these. */
enum { SYNCHRONISES = ORR_DAG_MARKS, WONT_USE, RARE };

static const char *rare_name(unsigned column)
{
    if (column < ORR_DAG_MARKS)
        return orr_dag_mark_names[column];
    return column == SYNCHRONISES ? "synchronises" : "wont_use";
}

static void put_rare(const struct orr_dag_writing *writing, uint32_t number,
                     unsigned column, GString *value)
{
    const struct orr_dag_task *task = &writing->dag->tasks[number];

    g_string_truncate(value, 0);
    if (column < ORR_DAG_MARKS)
        orr_dag_mark_put(writing->dag, task, (enum orr_dag_mark)column, value);
    else if (column == WONT_USE)
        put_hints(writing, number, value);
    else if (task->kernel == ORR_DAG_NONE)
        g_string_append_c(value, '1');
}

static void put_task(const struct orr_dag_writing *writing, uint32_t number,
                     const bool needed[RARE])
{
    const struct orr_dag *dag = writing->dag;
    const struct orr_dag_task *task = &dag->tasks[number];
    const struct orr_dag_nodes *nodes = &writing->before;
    g_autoptr(GString) value = g_string_new(NULL);
    FILE *file = writing->file;

    fprintf(file, "%u,", number + 1);
    orr_csv_put(file, orr_dag_text(dag, task->name));
    fputc(',', file);
    orr_csv_put(file, orr_dag_kernel(dag, number));
    fprintf(file, ",%d,", task->priority);
    if (task->duration >= 0)
        orr_dag_put_time(file, task->duration, 3);
    fputc(',', file);
    if (task->flops >= 0)
        orr_dag_put_number(file, task->flops / 1e9);
    fputc(',', file);
    if (task->device != ORR_DAG_NONE &&
        dag->devices[task->device].worker != ORR_DAG_NONE)
        fprintf(file, "%u", dag->devices[task->device].worker);
    fputc(',', file);
    put_accesses(writing, task);
    fputc(',', file);
    for (uint32_t i = 0; i < nodes->counts[number]; i++)
        fprintf(file, "%s%u", i > 0 ? " " : "",
                nodes->before[nodes->first[number] + i] + 1);
    for (unsigned i = 0; i < RARE; i++) {
        if (!needed[i])
            continue;
        put_rare(writing, number, i, value);
        fputc(',', file);
        orr_csv_put(file, value->str);
    }
    fputc('\n', file);
}

/* Whether some task has a value in column @i of the rare ones. */
static bool is_needed(const struct orr_dag_writing *writing, unsigned i)
{
    g_autoptr(GString) value = g_string_new(NULL);

    for (uint32_t t = 0; t < writing->dag->task_count && value->len == 0; t++)
        put_rare(writing, t, i, value);
    return value->len > 0;
}

void orr_dag_write_csv(const struct orr_dag_writing *writing)
{
    bool needed[RARE];

    fputs("id,name,kernel,priority,duration_us,gflop,worker,handles,deps",
          writing->file);
    for (unsigned i = 0; i < RARE; i++) {
        needed[i] = is_needed(writing, i);
        if (needed[i])
            fprintf(writing->file, ",%s", rare_name(i));
    }
    fputc('\n', writing->file);
    for (uint32_t i = 0; i < writing->dag->task_count; i++)
        put_task(writing, i, needed);
}

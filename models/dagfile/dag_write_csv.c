/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes plain CSV, with the columns that dag_csv.c reads. */
#include <inttypes.h>
#include <string.h>

#include "models/dagfile/dag_write_private.h"

static void put_text(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void put_accesses(const struct orr_dag_writing *writing,
                         const struct orr_dag_task *task)
{
    const struct orr_dag *dag = writing->dag;

    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++) {
        fprintf(writing->file, "%s%s:", i > task->first_access ? " " : "",
                orr_dag_datum_id(writing, dag->accesses[i].datum));
        orr_dag_put_mode(writing->file, dag->accesses[i].mode);
        fprintf(writing->file, ":%" PRIu64,
                dag->data[dag->accesses[i].datum].bytes);
    }
}

static void put_task(const struct orr_dag_writing *writing, uint32_t number,
                     bool any_joins)
{
    const struct orr_dag *dag = writing->dag;
    const struct orr_dag_task *task = &dag->tasks[number];
    const struct orr_dag_nodes *nodes = &writing->before;
    FILE *file = writing->file;

    fprintf(file, "%u,", number + 1);
    put_text(file, orr_dag_text(dag, task->name));
    fputc(',', file);
    put_text(file, orr_dag_kernel(dag, number));
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
    if (any_joins)
        fputs(task->kernel == ORR_DAG_NONE ? ",1" : ",", file);
    fputc('\n', file);
}

static bool any_synchronises(const struct orr_dag *dag)
{
    for (uint32_t i = 0; i < dag->task_count; i++) {
        if (dag->tasks[i].kernel == ORR_DAG_NONE)
            return true;
    }
    return false;
}

void orr_dag_write_csv(const struct orr_dag_writing *writing)
{
    bool any = any_synchronises(writing->dag);

    fprintf(writing->file,
            "id,name,kernel,priority,duration_us,gflop,worker,handles,deps%s\n",
            any ? ",synchronises" : "");
    for (uint32_t i = 0; i < writing->dag->task_count; i++)
        put_task(writing, i, any);
}

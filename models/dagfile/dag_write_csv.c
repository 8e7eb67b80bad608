/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes plain CSV, with the columns that dag_csv.c reads. */
#include <inttypes.h>

#include "models/base/csv_line.h"
#include "models/dagfile/dag_write_private.h"

static void put_iteration(const struct orr_dag *dag,
                          const struct orr_dag_task *task, GString *value)
{
    g_string_append(value, orr_dag_text(dag, task->iteration));
}

static void put_critical(const struct orr_dag *dag,
                         const struct orr_dag_task *task, GString *value)
{
    (void)dag;
    if (task->critical != ORR_DAG_CRITICAL_UNKNOWN)
        g_string_append_c(value,
                          task->critical == ORR_DAG_CRITICAL ? '1' : '0');
}

static void put_synchronous(const struct orr_dag *dag,
                            const struct orr_dag_task *task, GString *value)
{
    (void)dag;
    g_string_append(value, task->synchronous ? "1" : "");
}

static void put_synchronises(const struct orr_dag *dag,
                             const struct orr_dag_task *task, GString *value)
{
    (void)dag;
    g_string_append(value, task->kernel == ORR_DAG_NONE ? "1" : "");
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

/* Columns that are there only if some task needs them. */
static const struct {
    const char *name;
    void (*put)(const struct orr_dag *dag, const struct orr_dag_task *task,
                GString *value);
} rare[] = {
    {"iteration", put_iteration},
    {"critical", put_critical},
    {"synchronous", put_synchronous},
    {"synchronises", put_synchronises},
};

enum { RARE = G_N_ELEMENTS(rare) };

static void put_rare(const struct orr_dag_writing *writing,
                     const struct orr_dag_task *task, unsigned column)
{
    g_autoptr(GString) value = g_string_new(NULL);

    rare[column].put(writing->dag, task, value);
    fputc(',', writing->file);
    orr_csv_put(writing->file, value->str);
}

static void put_task(const struct orr_dag_writing *writing, uint32_t number,
                     const bool needed[RARE])
{
    const struct orr_dag *dag = writing->dag;
    const struct orr_dag_task *task = &dag->tasks[number];
    const struct orr_dag_nodes *nodes = &writing->before;
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
        if (needed[i])
            put_rare(writing, task, i);
    }
    fputc('\n', file);
}

/* Whether some task has a value in column @i of the rare ones. */
static bool is_needed(const struct orr_dag *dag, unsigned i)
{
    g_autoptr(GString) value = g_string_new(NULL);

    for (uint32_t t = 0; t < dag->task_count && value->len == 0; t++)
        rare[i].put(dag, &dag->tasks[t], value);
    return value->len > 0;
}

void orr_dag_write_csv(const struct orr_dag_writing *writing)
{
    bool needed[RARE];

    fputs("id,name,kernel,priority,duration_us,gflop,worker,handles,deps",
          writing->file);
    for (unsigned i = 0; i < RARE; i++) {
        needed[i] = is_needed(writing->dag, i);
        if (needed[i])
            fprintf(writing->file, ",%s", rare[i].name);
    }
    fputc('\n', writing->file);
    for (uint32_t i = 0; i < writing->dag->task_count; i++)
        put_task(writing, i, needed);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes DOT as SimGrid reads it: flops of nodes, bytes of edges. */
#include "models/dagfile/dag_write_private.h"

static void put_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void put_id(const struct orr_dag_writing *writing, uint32_t task)
{
    g_autofree char *id = orr_dag_task_id(writing, task);

    put_quoted(writing->file, id);
}

static void put_task(const struct orr_dag_writing *writing, uint32_t number)
{
    const struct orr_dag_task *task = &writing->dag->tasks[number];
    FILE *file = writing->file;

    fputs("  ", file);
    put_id(writing, number);
    fputs(" [kernel=", file);
    put_quoted(file, orr_dag_kernel(writing->dag, number));
    if (task->flops >= 0) {
        fputs(", size=\"", file);
        orr_dag_put_number(file, task->flops);
        fputc('"', file);
    }
    if (task->duration >= 0) {
        fputs(", seconds=\"", file);
        orr_dag_put_time(file, task->duration, 9);
        fputc('"', file);
    }
    if (task->priority != 0)
        fprintf(file, ", priority=\"%d\"", task->priority);
    fputs("];\n", file);
}

/* Adds the bytes that @task reads, to the tasks that wrote them last. */
static void add_bytes(const struct orr_dag *dag,
                      const struct orr_dag_task *task, const uint32_t *writers,
                      double *bytes)
{
    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++) {
        const struct orr_dag_access *access = &dag->accesses[i];

        if (access->mode & ORR_DAG_READ &&
            writers[access->datum] != ORR_DAG_NONE)
            bytes[writers[access->datum]] +=
                (double)dag->data[access->datum].bytes;
    }
}

static void put_edges(const struct orr_dag_writing *writing, uint32_t number,
                      double *bytes)
{
    const struct orr_dag_nodes *nodes = &writing->before;

    for (uint32_t i = 0; i < nodes->counts[number]; i++) {
        uint32_t before = nodes->before[nodes->first[number] + i];

        fputs("  ", writing->file);
        put_id(writing, before);
        fputs(" -> ", writing->file);
        put_id(writing, number);
        fputs(" [size=\"", writing->file);
        if (bytes[before] > 0)
            fprintf(writing->file, "%.0f", bytes[before]);
        else
            fputs("-1", writing->file);
        fputs("\"];\n", writing->file);
        bytes[before] = 0;
    }
}

void orr_dag_write_dot(const struct orr_dag_writing *writing)
{
    const struct orr_dag *dag = writing->dag;
    uint32_t *writers = g_new(uint32_t, dag->datum_count + (size_t)1);
    double *bytes = g_new0(double, dag->task_count + (size_t)1);

    for (uint32_t i = 0; i < dag->datum_count; i++)
        writers[i] = ORR_DAG_NONE;
    fputs("digraph G {\n", writing->file);
    for (uint32_t i = 0; i < dag->task_count; i++)
        put_task(writing, i);
    for (uint32_t i = 0; i < dag->task_count; i++) {
        const struct orr_dag_task *task = &dag->tasks[i];

        add_bytes(dag, task, writers, bytes);
        put_edges(writing, i, bytes);
        for (uint32_t j = task[0].first_access; j < task[1].first_access; j++) {
            if (dag->accesses[j].mode & (ORR_DAG_WRITE | ORR_DAG_REDUX))
                writers[dag->accesses[j].datum] = i;
        }
    }
    fputs("}\n", writing->file);
    g_free(writers);
    g_free(bytes);
}

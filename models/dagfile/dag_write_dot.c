/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes DOT as SimGrid reads it: flops of nodes, bytes of edges. */
#include "models/dagfile/dag_write_private.h"

static void put_id(const struct orr_dag_writing *writing, uint32_t task)
{
    orr_dag_put_quoted(writing->file, orr_dag_task_id(writing, task));
}

static void put_task(const struct orr_dag_writing *writing, uint32_t number)
{
    const struct orr_dag_task *task = &writing->dag->tasks[number];
    FILE *file = writing->file;

    fputs("  ", file);
    put_id(writing, number);
    fputs(" [kernel=", file);
    orr_dag_put_quoted(file, orr_dag_kernel(writing->dag, number));
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
    orr_dag_put_marks(writing, task, ", ", "=");
    fputs("];\n", file);
}

struct bytes {
    uint32_t *writers; /* by datum: the task that wrote it last */
    double *bytes;     /* by task: bytes that the current task reads from it */
    GArray *sources;   /* uint32_t: tasks from which it reads */
};

/* Sets bytes->bytes and sources for @task. */
static void add_bytes(const struct orr_dag *dag,
                      const struct orr_dag_task *task, struct bytes *bytes)
{
    g_array_set_size(bytes->sources, 0);
    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++) {
        const struct orr_dag_access *access = &dag->accesses[i];
        uint32_t writer = bytes->writers[access->datum];

        if (!(access->mode & ORR_DAG_READ) || writer == ORR_DAG_NONE)
            continue;
        if (!(bytes->bytes[writer] > 0))
            g_array_append_val(bytes->sources, writer);
        bytes->bytes[writer] += (double)dag->data[access->datum].bytes;
    }
}

/* Writes an edge with *@bytes, and sets these to 0: each byte counts once. */
static void put_edge(const struct orr_dag_writing *writing, uint32_t before,
                     uint32_t number, double *bytes)
{
    fputs("  ", writing->file);
    put_id(writing, before);
    fputs(" -> ", writing->file);
    put_id(writing, number);
    fputs(" [size=\"", writing->file);
    if (*bytes > 0)
        fprintf(writing->file, "%.0f", *bytes);
    else
        fputs("-1", writing->file);
    fputs("\"];\n", writing->file);
    *bytes = 0;
}

/* Writes edges from the predecessors, and from earlier writers whose data the
 * task reads although a later reader is the predecessor. */
static void put_edges(const struct orr_dag_writing *writing, uint32_t number,
                      struct bytes *bytes)
{
    const struct orr_dag_nodes *nodes = &writing->before;

    for (uint32_t i = 0; i < nodes->counts[number]; i++) {
        uint32_t before = nodes->before[nodes->first[number] + i];

        put_edge(writing, before, number, &bytes->bytes[before]);
    }
    for (guint i = 0; i < bytes->sources->len; i++) {
        uint32_t before = g_array_index(bytes->sources, uint32_t, i);

        if (bytes->bytes[before] > 0)
            put_edge(writing, before, number, &bytes->bytes[before]);
    }
}

void orr_dag_write_dot(const struct orr_dag_writing *writing)
{
    const struct orr_dag *dag = writing->dag;
    struct bytes bytes = {
        .writers = g_new(uint32_t, dag->datum_count + (size_t)1),
        .bytes = g_new0(double, dag->task_count + (size_t)1),
        .sources = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
    };

    for (uint32_t i = 0; i < dag->datum_count; i++)
        bytes.writers[i] = ORR_DAG_NONE;
    fputs("digraph G {\n", writing->file);
    for (uint32_t i = 0; i < dag->task_count; i++)
        put_task(writing, i);
    for (uint32_t i = 0; i < dag->task_count; i++) {
        const struct orr_dag_task *task = &dag->tasks[i];

        add_bytes(dag, task, &bytes);
        put_edges(writing, i, &bytes);
        for (uint32_t j = task[0].first_access; j < task[1].first_access; j++) {
            if (dag->accesses[j].mode & (ORR_DAG_WRITE | ORR_DAG_REDUX))
                bytes.writers[dag->accesses[j].datum] = i;
        }
    }
    fputs("}\n", writing->file);
    g_free(bytes.writers);
    g_free(bytes.bytes);
    g_array_unref(bytes.sources);
}

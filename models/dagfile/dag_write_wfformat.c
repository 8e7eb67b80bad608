/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes WfFormat 1.5. A datum is a file; a task that reads and writes it has
 * it among its input and its output files. */
#include <inttypes.h>

#include "models/dagfile/dag_write_private.h"

static void put_member(FILE *file, const char *name, const char *text)
{
    fprintf(file, ", \"%s\": ", name);
    orr_dag_put_quoted(file, text);
}

static void put_id(const struct orr_dag_writing *writing, uint32_t task)
{
    orr_dag_put_quoted(writing->file, orr_dag_task_id(writing, task));
}

static void put_tasks(const struct orr_dag_writing *writing, const char *name,
                      const uint32_t *tasks, uint32_t count)
{
    fprintf(writing->file, ", \"%s\": [", name);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", writing->file);
        put_id(writing, tasks[i]);
    }
    fputc(']', writing->file);
}

/* By datum: whether it is read before it is written. */
static bool *find_initial(const struct orr_dag *dag)
{
    bool *initial = g_new0(bool, dag->datum_count + (size_t)1);
    bool *written = g_new0(bool, dag->datum_count + (size_t)1);

    for (uint32_t i = 0; i < orr_dag_access_count(dag); i++) {
        const struct orr_dag_access *access = &dag->accesses[i];

        if (access->mode & ORR_DAG_READ && !written[access->datum])
            initial[access->datum] = true;
        if (access->mode & (ORR_DAG_WRITE | ORR_DAG_REDUX))
            written[access->datum] = true;
    }
    g_free(written);
    return initial;
}

static void put_files(const struct orr_dag_writing *writing, uint32_t number,
                      const char *name, unsigned modes, const bool *initial)
{
    const struct orr_dag *dag = writing->dag;
    const struct orr_dag_task *task = &dag->tasks[number];
    bool any = false;

    fprintf(writing->file, ", \"%s\": [", name);
    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++) {
        if (!(dag->accesses[i].mode & modes) &&
            !(initial && initial[dag->accesses[i].datum] &&
              dag->accesses[i].mode & ORR_DAG_WRITE))
            continue;
        fputs(any ? ", " : "", writing->file);
        orr_dag_put_quoted(writing->file,
                           orr_dag_datum_id(writing, dag->accesses[i].datum));
        any = true;
    }
    fputc(']', writing->file);
}

static void put_specification(const struct orr_dag_writing *writing,
                              uint32_t number, const bool *initial)
{
    const struct orr_dag *dag = writing->dag;
    FILE *file = writing->file;

    fputs(number > 0 ? ",\n        {\"id\": " : "\n        {\"id\": ", file);
    put_id(writing, number);
    put_member(file, "name", orr_dag_text(dag, dag->tasks[number].name));
    /* Empty if the task only synchronises. */
    put_member(file, "kernel", orr_dag_kernel(dag, number));
    if (dag->tasks[number].flops >= 0) {
        fputs(", \"flops\": ", file);
        orr_dag_put_number(file, dag->tasks[number].flops);
    }
    if (dag->tasks[number].duration < 0 && dag->tasks[number].priority != 0)
        fprintf(file, ", \"priority\": %d", dag->tasks[number].priority);
    orr_dag_put_marks(writing, &dag->tasks[number], ", \"", "\": ");
    put_tasks(writing, "parents",
              writing->before.before + writing->before.first[number],
              writing->before.counts[number]);
    put_tasks(writing, "children",
              writing->after + writing->first_after[number],
              writing->first_after[number + 1] - writing->first_after[number]);
    put_files(writing, number, "inputFiles", ORR_DAG_READ, initial);
    put_files(writing, number, "outputFiles", ORR_DAG_WRITE | ORR_DAG_REDUX,
              NULL);
    fputc('}', file);
}

static void put_data(const struct orr_dag_writing *writing)
{
    const struct orr_dag *dag = writing->dag;

    for (uint32_t i = 0; i < dag->datum_count; i++) {
        fputs(i > 0 ? ",\n        {\"id\": " : "\n        {\"id\": ",
              writing->file);
        orr_dag_put_quoted(writing->file, orr_dag_datum_id(writing, i));
        fprintf(writing->file, ", \"sizeInBytes\": %" PRIu64 "}",
                dag->data[i].bytes);
    }
}

static void put_execution(const struct orr_dag_writing *writing)
{
    const struct orr_dag *dag = writing->dag;
    FILE *file = writing->file;
    bool any = false;

    for (uint32_t i = 0; i < dag->task_count; i++) {
        const struct orr_dag_task *task = &dag->tasks[i];

        if (task->duration < 0)
            continue;
        fputs(any ? ",\n        {\"id\": " : "\n        {\"id\": ", file);
        any = true;
        put_id(writing, i);
        fputs(", \"runtimeInSeconds\": ", file);
        orr_dag_put_time(file, task->duration, 9);
        if (task->priority != 0)
            fprintf(file, ", \"priority\": %d", task->priority);
        if (task->device != ORR_DAG_NONE &&
            dag->devices[task->device].name != 0) {
            fputs(", \"machines\": [", file);
            orr_dag_put_quoted(
                file, orr_dag_text(dag, dag->devices[task->device].name));
            fputc(']', file);
        }
        fputc('}', file);
    }
}

/* Whether any time is known: only then the section execution is written. */
static bool is_timed(const struct orr_dag *dag)
{
    for (uint32_t i = 0; i < dag->task_count; i++) {
        if (dag->tasks[i].duration >= 0)
            return true;
    }
    return false;
}

void orr_dag_write_wfformat(const struct orr_dag_writing *writing)
{
    FILE *file = writing->file;
    bool *initial = find_initial(writing->dag);
    g_autofree char *name = g_path_get_basename(writing->dag->path);

    fputs("{\n  \"name\": ", file);
    orr_dag_put_quoted(file, name);
    fputs(",\n  \"schemaVersion\": \"1.5\",\n  \"workflow\": {\n"
          "    \"specification\": {\n      \"tasks\": [",
          file);
    for (uint32_t i = 0; i < writing->dag->task_count; i++)
        put_specification(writing, i, initial);
    fputs("\n      ],\n      \"files\": [", file);
    put_data(writing);
    fputs("\n      ]\n    }", file);
    if (is_timed(writing->dag)) {
        /* The schema requires both, but a graph has no machine. */
        fputs(",\n    \"execution\": {\n      \"makespanInSeconds\": 0,\n"
              "      \"executedAt\": \"unknown\",\n      \"tasks\": [",
              file);
        put_execution(writing);
        fputs("\n      ]\n    }", file);
    }
    fputs("\n  }\n}\n", file);
    g_free(initial);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The readers of task graphs: the first byte of a text chooses the format, or
 * that it is packed with gzip. What is read is measured, written in every
 * format, and read again.
 */
#include "models/dag/dag_figures.h"
#include "models/dagfile/dag_read.h"
#include "models/dagfile/dag_write.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

/* Indices are in their arrays, and ranges in order. */
static void check(const struct orr_dag *dag)
{
    for (uint32_t i = 0; i < dag->task_count; i++) {
        const struct orr_dag_task *task = &dag->tasks[i];

        if (task[0].first_access > task[1].first_access ||
            task[0].first_edge > task[1].first_edge ||
            task->name >= dag->text_size ||
            (task->kernel != ORR_DAG_NONE &&
             task->kernel >= dag->kernel_count) ||
            (task->device != ORR_DAG_NONE && task->device >= dag->device_count))
            abort();
    }
    for (uint32_t i = 0; i < orr_dag_access_count(dag); i++) {
        if (dag->accesses[i].datum >= dag->datum_count)
            abort();
    }
    for (uint32_t i = 0; i < orr_dag_edge_count(dag); i++) {
        if (dag->edges[i] >= dag->task_count)
            abort();
    }
}

/* Writes the graph; what is written can be read, with as many tasks. */
static void convert(const struct orr_dag *dag, const char *path,
                    const char *suffix)
{
    const struct orr_dag_read_settings settings = {false};
    g_autofree char *out = g_strconcat(path, ".out", suffix, NULL);
    g_autofree char *data = g_strconcat(path, ".out.data.rec", NULL);
    struct orr_dag *read;

    if (!orr_dag_write(dag, out, NULL))
        abort();
    read = orr_dag_read(out, &settings, NULL);
    if (!read || read->task_count != dag->task_count)
        abort();
    check(read);
    orr_dag_free(read);
    g_remove(out);
    g_remove(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const suffixes[] = {".rec", ".json", ".dot",    ".dax",
                                           ".stg", ".csv",  ".rec.gz", ""};
    const struct orr_dag_read_settings settings = {false};
    g_autoptr(GError) error = NULL;
    struct orr_dag_figures figures;
    struct orr_dag *dag;
    char *plain;
    char *path;

    if (size == 0)
        return 0;
    plain = fuzz_file_new(data + 1, size - 1);
    path = g_strconcat(plain, suffixes[*data % G_N_ELEMENTS(suffixes)], NULL);
    g_rename(plain, path);
    dag = orr_dag_read(path, &settings, &error);
    if (!dag != (error != NULL))
        abort();
    if (dag) {
        check(dag);
        orr_dag_figures(dag, &figures);
        orr_dag_figures_clear(&figures);
        convert(dag, path, ".rec");
        convert(dag, path, ".json");
        convert(dag, path, ".csv");
        convert(dag, path, ".dot");
    }
    orr_dag_free(dag);
    g_free(plain);
    fuzz_file_free(path);
    return 0;
}

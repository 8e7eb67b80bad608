/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_READ_H
#define ORR_DAG_READ_H

#include "models/dag/dag.h"

/*
 * Reads task graphs from files, which may be hostile. docs/GRAPHS.md says what
 * each field of each format means:
 *
 *   rec       tasks.rec of StarPU, with data.rec beside it (rec, .rec)
 *   csv       rec.tasks.csv of StarVZ, or a plain CSV with the columns of
 *             dag_csv.c (.csv)
 *   wfformat  WfCommons' WfFormat 1.3 to 1.6, and SimGrid's 1.0 (.json)
 *   dot       Graphviz, as SimGrid and daggen write it (.dot, .gv)
 *   dax       Pegasus' DAX 2 and 3 (.dax, .xml)
 *   stg       Standard Task Graph set (.stg)
 *
 * The format follows from the name of the file, or else from its first bytes;
 * ".gz" may follow each name.
 */
#define ORR_DAG_MAX_BYTES ((uint64_t)4 << 30) /* of a file, unpacked */

struct orr_dag_read_settings {
    /* Times of tasks are flops, as SimGrid reads them; else they are seconds.
     */
    bool runtime_is_flops;
};

/*
 * Reads the file @path. Returns a graph to free with orr_dag_free(), or NULL
 * with @error, which begins with the path and, where it can, the line:
 *   ORR_ERROR_IO      it cannot be read, or is too large
 *   ORR_ERROR_SYNTAX  it is not of any format
 *   ORR_ERROR_VALUE   a cycle, a task that is unknown or there twice, a
 *                     negative size, too many tasks
 */
struct orr_dag *orr_dag_read(const char *path,
                             const struct orr_dag_read_settings *settings,
                             GError **error);

/*
 * The path of the file with the data of @path: "data.rec" for "tasks.rec",
 * "a.data.rec" for "a.rec", "rec.data_handles.csv" for "rec.tasks.csv", each
 * perhaps with ".gz". NULL if there is no such file. Free with g_free().
 */
char *orr_dag_data_path(const char *path);

#endif

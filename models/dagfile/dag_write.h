/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_WRITE_H
#define ORR_DAG_WRITE_H

#include "models/dag/dag.h"

/*
 * Writes @dag to the file @path, in the format of its name:
 *
 *   .rec        tasks.rec and, beside it, data.rec (as dag_read.h finds it):
 *               everything
 *   .json       WfFormat 1.5: everything but modes other than reading and
 *               writing, and hints
 *   .csv        plain CSV: everything but facts of data other than sizes, and
 *               hints before the first task
 *   .dot, .gv   tasks and dependencies with bytes: not which tasks share a
 *               datum, nor data that exist before the first task
 *
 * An existing file stays if writing fails: with ORR_ERROR_IO, or with
 * ORR_ERROR_VALUE if the name has another ending, or the format cannot hold the
 * graph.
 */
bool orr_dag_write(const struct orr_dag *dag, const char *path, GError **error);

/* Fails with ORR_ERROR_VALUE if orr_dag_write() knows no format for @path, or
 * if a file of that name would be the data of another graph. */
bool orr_dag_write_check(const char *path, GError **error);

/*
 * Makes the folder @path, which must not exist, or be empty: tasks.rec,
 * data.rec and dag.dot, as starpu_fxt_tool writes them. All files are there, or
 * none: ORR_ERROR_IO, or ORR_ERROR_VALUE. See models/base/folder.h.
 */
bool orr_dag_write_folder(const struct orr_dag *dag, const char *path,
                          GError **error);

/* The file that orr_dag_write() writes beside @path: "data.rec" for
 * "tasks.rec", "a.data.rec" for "a.rec". NULL: none. Free with g_free(). */
char *orr_dag_write_beside(const char *path);

#endif

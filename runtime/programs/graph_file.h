/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GRAPH_FILE_H
#define ORR_GRAPH_FILE_H

#include "models/dag/dag.h"
#include "runtime/config/app_values.h"

/*
 * The application that submits a task graph of a file (dagfile/dag_read.h): the
 * data in their order, then the tasks with their accesses, the dependencies
 * that no datum implies as tags, and hints. Priorities are taken from the file,
 * limited to the range of the policy.
 *
 * Durations of tasks: dagtime/dag_times.h.
 */

/* Whether @name, by its ending, is a file of a graph, not an application or a
 * plug-in. */
bool orr_graph_is_file(const char *name);

/* The endings of files of graphs, without ".gz"; NULL-terminated. */
extern const char *const orr_graph_endings[];

/* Returns the application, named like the path, which reads the file once the
 * values of its options are complete. Runs in several threads may share it.
 * Free with orr_graph_file_free(), after its values. */
const struct orr_app *orr_graph_file_new(const char *path);
void orr_graph_file_free(const struct orr_app *app);

/* Whether @app is the table of a graph file. */
bool orr_graph_is_app(const struct orr_app *app);

/* Reads the graph of @values again, to change it. Free with orr_dag_free(). */
struct orr_dag *orr_graph_file_read(const struct orr_app_values *values,
                                    GError **error);

#endif

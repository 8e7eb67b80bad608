/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_DEPENDENCIES_H
#define ORR_DAG_DEPENDENCIES_H

#include "models/dag/dag.h"
#include "models/dag/dag_sort.h"

/*
 * All dependencies of a graph: implied by data, and edges. Nodes are the tasks
 * and, after these, joins. Where many tasks depend on many others (readers, or
 * tasks that commute), a join stands in between: it depends on the earlier
 * tasks, and the later tasks depend on it. So there are at most two
 * dependencies for each access.
 */
enum orr_dag_kinds {
    ORR_DAG_FLOW = 1, /* implied by data */
    ORR_DAG_EDGES = 2,
};

/* Fills @nodes, which orr_dag_dependencies_clear() clears. */
void orr_dag_dependencies(const struct orr_dag *dag, unsigned kinds,
                          struct orr_dag_nodes *nodes);
void orr_dag_dependencies_clear(struct orr_dag_nodes *nodes);

#endif

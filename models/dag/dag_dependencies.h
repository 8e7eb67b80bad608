/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_DEPENDENCIES_H
#define ORR_DAG_DEPENDENCIES_H

#include "models/dag/dag.h"
#include "models/dag/dag_sort.h"

/*
 * All dependencies of a graph, those that data imply and the edges. Nodes are
 * the tasks and, after these, joins: where many tasks may follow many others
 * (readers, or tasks that commute), each follows a join and the join follows
 * them, so that there are not more dependencies than twice the accesses.
 */
enum orr_dag_kinds {
    ORR_DAG_FLOW = 1,  /* what data imply */
    ORR_DAG_EDGES = 2, /* edges */
};

/* Fills @nodes; orr_dag_dependencies_clear() frees what it holds. */
void orr_dag_dependencies(const struct orr_dag *dag, unsigned kinds,
                          struct orr_dag_nodes *nodes);
void orr_dag_dependencies_clear(struct orr_dag_nodes *nodes);

#endif

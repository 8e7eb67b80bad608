/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_SORT_H
#define ORR_DAG_SORT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Sorts nodes topologically: each one comes after its predecessors, and among
 * the nodes that may come next the smallest number is first. So numbers that
 * are in a valid order already stay.
 */
struct orr_dag_nodes {
    uint32_t count;
    uint32_t *first;  /* by node: where its range in before begins */
    uint32_t *counts; /* by node: the length of its range */
    uint32_t *before; /* predecessors */
};

/*
 * Returns the order, an array of nodes->count; free with g_free().
 *
 * If there is a cycle, returns NULL, and sets *@cycle to its nodes, each one
 * depending on the one before it and the first on the last; free it with
 * g_free(). *@length is their number.
 */
uint32_t *orr_dag_sort(const struct orr_dag_nodes *nodes, uint32_t **cycle,
                       uint32_t *length);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_SORT_H
#define ORR_DAG_SORT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Nodes in an order in which each one comes after those on which it depends;
 * of those that may come next, the smallest number first. So an order that is
 * good already stays.
 */
struct orr_dag_nodes {
    uint32_t count;
    uint32_t *first;  /* of a node: where its range in before begins */
    uint32_t *counts; /* of a node: the length of that range */
    uint32_t *before; /* nodes on which the node of the range depends */
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

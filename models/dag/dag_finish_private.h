/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_FINISH_PRIVATE_H
#define ORR_DAG_FINISH_PRIVATE_H

#include "models/dag/dag_builder.h"

/* Shared by dag_finish.c, which makes a graph, and dag_order.c, which puts its
 * tasks in order. */

/* Of accesses or edges, sorted by a task or a datum: their indices, and where
 * those of each task or datum begin. */
struct orr_dag_ranges {
    uint32_t *first;
    uint32_t *items;
};

/* Sorts @items, of @size bytes, by the uint32_t at @member of each, of which
 * there are @keys. The order of items with the same key is kept. */
struct orr_dag_ranges orr_dag_sort_by(const GArray *items, size_t size,
                                      size_t member, uint32_t keys);
void orr_dag_ranges_clear(struct orr_dag_ranges *ranges);

#define ORR_DAG_SORT_ACCESSES(builder, member, keys)                           \
    orr_dag_sort_by((builder)->accesses,                                       \
                    sizeof(struct orr_dag_pending_access),                     \
                    offsetof(struct orr_dag_pending_access, member), keys)
#define ORR_DAG_SORT_EDGES(builder, member, keys)                              \
    orr_dag_sort_by((builder)->edges, sizeof(struct orr_dag_pending_edge),     \
                    offsetof(struct orr_dag_pending_edge, member), keys)

static inline const struct orr_dag_pending_edge *
orr_dag_edge_of(const struct orr_dag_builder *builder, guint i)
{
    return &g_array_index(builder->edges, struct orr_dag_pending_edge, i);
}

static inline const struct orr_dag_pending_access *
orr_dag_access_of(const struct orr_dag_builder *builder, guint i)
{
    return &g_array_index(builder->accesses, struct orr_dag_pending_access, i);
}

/* What the file calls a task. */
static inline const char *orr_dag_id_of(const struct orr_dag_builder *builder,
                                        uint32_t task)
{
    return builder->texts.texts + builder->ids.offsets[task];
}

/*
 * Returns the tasks of @builder in order of submission, an array to free with
 * g_free(); NULL with @error if there is a cycle.
 */
uint32_t *orr_dag_order(struct orr_dag_builder *builder, GError **error);

/* Fails with the names of the @count tasks of a cycle, the first of which is
 * described on @line. */
void orr_dag_fail_cycle(const struct orr_dag_builder *builder,
                        const uint32_t *tasks, uint32_t count, unsigned line,
                        GError **error);

#endif

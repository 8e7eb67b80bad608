/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order of submission of the tasks of a builder. */
#include <stdlib.h>

#include "models/base/units.h"
#include "models/dag/dag_finish_private.h"
#include "models/dag/dag_sort.h"

/* How many tasks of a cycle a message names. */
#define CYCLE_NAMES 8

void orr_dag_fail_cycle(const struct orr_dag_builder *builder,
                        const uint32_t *tasks, uint32_t count, unsigned line,
                        GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *first = orr_quote(orr_dag_id_of(builder, tasks[0]));

    for (uint32_t i = 0; i < MIN(count, CYCLE_NAMES); i++) {
        g_autofree char *quoted = orr_quote(orr_dag_id_of(builder, tasks[i]));

        g_string_append_printf(text, "%s -> ", quoted);
    }
    if (count > CYCLE_NAMES)
        g_string_append_printf(text, "%u others -> ", count - CYCLE_NAMES);
    g_string_append(text, first);
    orr_dag_fail(builder, line, ORR_ERROR_VALUE, error, "a cycle of tasks: %s",
                 text->str);
}

static int compare_ranks(const void *a, const void *b, void *data)
{
    const uint64_t *ranks = data;
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;

    if (ranks[left] != ranks[right])
        return ranks[left] < ranks[right] ? -1 : 1;
    return (left > right) - (left < right);
}

static uint32_t *order_by_rank(const struct orr_dag_builder *builder)
{
    const uint64_t *ranks = (const uint64_t *)builder->ranks->data;
    uint32_t count = builder->tasks->len;
    uint32_t *order = g_new(uint32_t, count);
    bool sorted = true;

    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
        sorted = sorted && (i == 0 || ranks[i - 1] <= ranks[i]);
    }
    if (!sorted)
        g_qsort_with_data(order, (int)count, sizeof(uint32_t), compare_ranks,
                          (void *)ranks);
    return order;
}

struct orr_dag_ranges orr_dag_sort_by(const GArray *items, size_t size,
                                      size_t member, uint32_t keys)
{
    struct orr_dag_ranges ranges = {
        .first = g_new0(uint32_t, keys + (size_t)2),
        .items = g_new0(uint32_t, items->len + (size_t)1),
    };

    for (guint i = 0; i < items->len; i++)
        ranges.first[*(uint32_t *)(items->data + i * size + member) + 2]++;
    for (uint32_t key = 2; key <= keys; key++)
        ranges.first[key] += ranges.first[key - 1];
    for (guint i = 0; i < items->len; i++)
        ranges
            .items[ranges.first[*(uint32_t *)(items->data + i * size + member) +
                                1]++] = i;
    return ranges;
}

void orr_dag_ranges_clear(struct orr_dag_ranges *ranges)
{
    g_free(ranges->first);
    g_free(ranges->items);
}

/* By datum: the only task that writes it, unless that reads it as well; or
 * ORR_DAG_NONE. */
static uint32_t *find_writers(const struct orr_dag_builder *builder)
{
    uint32_t *writers = g_new(uint32_t, builder->data->len + (size_t)1);
    const uint32_t several = ORR_DAG_NONE - 1;

    for (guint i = 0; i < builder->data->len; i++)
        writers[i] = ORR_DAG_NONE;
    for (guint i = 0; i < builder->accesses->len; i++) {
        const struct orr_dag_pending_access *access =
            orr_dag_access_of(builder, i);
        uint32_t *writer = &writers[access->datum];

        if (!(access->mode & (ORR_DAG_WRITE | ORR_DAG_REDUX)))
            continue;
        *writer = access->mode == ORR_DAG_WRITE &&
                          (*writer == ORR_DAG_NONE || *writer == access->task)
                      ? access->task
                      : several;
    }
    for (guint i = 0; i < builder->accesses->len; i++) {
        const struct orr_dag_pending_access *access =
            orr_dag_access_of(builder, i);

        if (access->mode & ORR_DAG_READ &&
            writers[access->datum] == access->task)
            writers[access->datum] = several;
    }
    for (guint i = 0; i < builder->data->len; i++) {
        if (writers[i] == several)
            writers[i] = ORR_DAG_NONE;
    }
    return writers;
}

/* Adds, as edges, that readers of a file come after the only task that writes
 * it. */
static void add_file_edges(struct orr_dag_builder *builder)
{
    uint32_t *writers = find_writers(builder);

    for (guint i = 0; i < builder->accesses->len; i++) {
        const struct orr_dag_pending_access *access =
            orr_dag_access_of(builder, i);
        struct orr_dag_pending_edge edge = {writers[access->datum],
                                            access->task};

        if (edge.before != ORR_DAG_NONE && edge.before != edge.after)
            g_array_append_val(builder->edges, edge);
    }
    g_free(writers);
}

/* Whether each task comes after those on which it depends by an edge: the order
 * may stay. */
static bool is_in_order(const struct orr_dag_builder *builder)
{
    for (guint i = 0; i < builder->edges->len; i++) {
        if (orr_dag_edge_of(builder, i)->before >=
            orr_dag_edge_of(builder, i)->after)
            return false;
    }
    return true;
}

static uint32_t *order_as_numbered(const struct orr_dag_builder *builder)
{
    uint32_t *order = g_new(uint32_t, builder->tasks->len);

    for (uint32_t task = 0; task < builder->tasks->len; task++)
        order[task] = task;
    return order;
}

static uint32_t *order_by_edges(struct orr_dag_builder *builder, GError **error)
{
    guint own = builder->edges->len;
    uint32_t count = builder->tasks->len;
    struct orr_dag_ranges ranges;
    struct orr_dag_nodes nodes = {.count = count};
    uint32_t *cycle = NULL;
    uint32_t length = 0;
    uint32_t *order;

    add_file_edges(builder);
    if (is_in_order(builder)) {
        g_array_set_size(builder->edges, own);
        return order_as_numbered(builder);
    }
    ranges = ORR_DAG_SORT_EDGES(builder, after, builder->tasks->len);
    nodes.first = ranges.first;
    nodes.counts = g_new(uint32_t, count);
    nodes.before = ranges.items;
    for (uint32_t task = 0; task < count; task++)
        nodes.counts[task] = ranges.first[task + 1] - ranges.first[task];
    for (guint i = 0; i < builder->edges->len; i++)
        ranges.items[i] = orr_dag_edge_of(builder, ranges.items[i])->before;
    order = orr_dag_sort(&nodes, &cycle, &length);
    if (!order)
        orr_dag_fail_cycle(builder, cycle, length,
                           orr_dag_task_of(builder, cycle[0])->line, error);
    g_array_set_size(builder->edges, own);
    g_free(cycle);
    g_free(nodes.counts);
    orr_dag_ranges_clear(&ranges);
    return order;
}

uint32_t *orr_dag_order(struct orr_dag_builder *builder, GError **error)
{
    return builder->order == ORR_DAG_BY_RANK ? order_by_rank(builder)
                                             : order_by_edges(builder, error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/dag/dag_sort.h"

#include <glib.h>

/* Kahn's algorithm, with a binary heap of the nodes that may come next. */
struct sort {
    const struct orr_dag_nodes *nodes;
    uint32_t *waiting; /* by node: predecessors that have no place yet */
    uint32_t *first;   /* by node: where its range in after begins */
    uint32_t *after;
    uint32_t *heap;
    uint32_t heap_count;
};

static bool is_sorted(const struct orr_dag_nodes *nodes)
{
    for (uint32_t node = 0; node < nodes->count; node++) {
        for (uint32_t i = 0; i < nodes->counts[node]; i++) {
            if (nodes->before[nodes->first[node] + i] >= node)
                return false;
        }
    }
    return true;
}

static void push(struct sort *sort, uint32_t node)
{
    uint32_t at = sort->heap_count++;

    while (at > 0 && sort->heap[(at - 1) / 2] > node) {
        sort->heap[at] = sort->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    sort->heap[at] = node;
}

static uint32_t pop(struct sort *sort)
{
    uint32_t *heap = sort->heap;
    uint32_t top = heap[0];
    uint32_t last = heap[--sort->heap_count];
    uint32_t count = sort->heap_count;
    uint32_t at = 0;

    for (uint32_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= last)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

/* Fills sort->first and sort->after: the successors of each node. */
static void reverse(struct sort *sort)
{
    const struct orr_dag_nodes *nodes = sort->nodes;
    uint32_t sum = 0;

    for (uint32_t node = 0; node < nodes->count; node++) {
        for (uint32_t i = 0; i < nodes->counts[node]; i++)
            sort->first[nodes->before[nodes->first[node] + i]]++;
    }
    for (uint32_t node = 0; node <= nodes->count; node++) {
        sum += sort->first[node];
        sort->first[node] = sum;
    }
    sort->after = g_new(uint32_t, sum + (size_t)1);
    for (uint32_t node = nodes->count; node-- > 0;) {
        for (uint32_t i = 0; i < nodes->counts[node]; i++)
            sort->after[--sort->first[nodes->before[nodes->first[node] + i]]] =
                node;
    }
}

/* Returns how many nodes got a place in @order. */
static uint32_t run(struct sort *sort, uint32_t *order)
{
    uint32_t done = 0;

    for (uint32_t node = 0; node < sort->nodes->count; node++) {
        sort->waiting[node] = sort->nodes->counts[node];
        if (sort->waiting[node] == 0)
            push(sort, node);
    }
    while (sort->heap_count > 0) {
        uint32_t node = pop(sort);

        order[done++] = node;
        for (uint32_t i = sort->first[node]; i < sort->first[node + 1]; i++) {
            if (--sort->waiting[sort->after[i]] == 0)
                push(sort, sort->after[i]);
        }
    }
    return done;
}

/* A node without a place has a predecessor without a place: following
 * predecessors leads into a cycle. */
static uint32_t *find_cycle(const struct sort *sort, uint32_t *length)
{
    const struct orr_dag_nodes *nodes = sort->nodes;
    uint32_t *step = g_new0(uint32_t, nodes->count + (size_t)1);
    uint32_t *cycle = g_new0(uint32_t, nodes->count + (size_t)1);
    uint32_t node = 0;
    uint32_t count = 0;

    while (sort->waiting[node] == 0)
        node++;
    while (step[node] == 0) {
        uint32_t i = nodes->first[node];

        cycle[count++] = node;
        step[node] = count;
        while (sort->waiting[nodes->before[i]] == 0)
            i++;
        node = nodes->before[i];
    }
    /* The part of the walk from where it closes on, in order of execution. */
    *length = count - (step[node] - 1);
    for (uint32_t i = 0; i < *length / 2; i++) {
        uint32_t *low = &cycle[step[node] - 1 + i];
        uint32_t *high = &cycle[count - 1 - i];
        uint32_t swap = *low;

        *low = *high;
        *high = swap;
    }
    for (uint32_t i = 0; i < *length; i++)
        cycle[i] = cycle[step[node] - 1 + i];
    g_free(step);
    return cycle;
}

uint32_t *orr_dag_sort(const struct orr_dag_nodes *nodes, uint32_t **cycle,
                       uint32_t *length)
{
    uint32_t *order = g_new(uint32_t, nodes->count + (size_t)1);
    struct sort sort = {.nodes = nodes};

    if (is_sorted(nodes)) {
        for (uint32_t node = 0; node < nodes->count; node++)
            order[node] = node;
        return order;
    }
    sort.waiting = g_new(uint32_t, nodes->count);
    sort.first = g_new0(uint32_t, nodes->count + (size_t)1);
    sort.heap = g_new(uint32_t, nodes->count);
    reverse(&sort);
    if (run(&sort, order) < nodes->count) {
        *cycle = find_cycle(&sort, length);
        g_clear_pointer(&order, g_free);
    }
    g_free(sort.waiting);
    g_free(sort.first);
    g_free(sort.after);
    g_free(sort.heap);
    return order;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* aba-stack: a stack without mutexes, in nodes that are used again. A worker
 * that is held back between reading the top and exchanging it finds the same
 * node there, with another one below. Only builds that tell of atomic accesses
 * show it (make races). -DFIXED counts the changes of the top beside it. For
 * workers of one class. */
#include "tests/zoo/starpu/zoo.h"

#include <stdatomic.h>
#include <stdint.h>

#define NODES 4096

struct node {
    struct starpu_task *task;
    _Atomic uint32_t below;
};

/* Numbers of nodes from 1; 0: none. With -DFIXED the upper half counts. */
struct data {
    _Atomic uint64_t top, unused;
    struct node nodes[NODES];
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    for (uint32_t i = 1; i < NODES; i++)
        atomic_init(&data->nodes[i].below, i + 1 < NODES ? i + 1 : 0);
    atomic_init(&data->unused, 1);
}

static uint64_t next_top(uint64_t top, uint32_t node)
{
#ifdef FIXED
    return ((top >> 32) + 1) << 32 | node;
#else
    (void)top;
    return node;
#endif
}

static void put(struct data *data, _Atomic uint64_t *stack, uint32_t node)
{
    uint64_t top = atomic_load(stack);

    do
        atomic_store(&data->nodes[node].below, (uint32_t)top);
    while (!atomic_compare_exchange_strong(stack, &top, next_top(top, node)));
}

static uint32_t take(struct data *data, _Atomic uint64_t *stack)
{
    uint64_t top = atomic_load(stack);
    uint32_t below;

    do {
        if ((uint32_t)top == 0)
            return 0;
        below = atomic_load(&data->nodes[(uint32_t)top].below);
    } while (
        !atomic_compare_exchange_strong(stack, &top, next_top(top, below)));
    return (uint32_t)top;
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();
    uint32_t node = take(data, &data->unused);

    data->nodes[node].task = task;
    starpu_push_task_end(task);
    put(data, &data->top, node);
    zoo_wake_all();
    return 0;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    uint32_t node = take(data, &data->top);
    struct starpu_task *task = node > 0 ? data->nodes[node].task : NULL;

    (void)context;
    if (node > 0)
        put(data, &data->unused, node);
    return task;
}

ZOO_POLICY("aba-stack", .init_sched = init, .push_task = push, .pop_task = pop);

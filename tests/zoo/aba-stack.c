/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * aba-stack: a stack of tasks without locks (Treiber, 1986), in nodes that are
 * used again, as in stealing deques.
 *
 * The bug: ABA. A worker reads the top and what is below, and is held back.
 * Others pop both, and a push uses the first node again. The top is the same
 * node, so the worker's exchange succeeds, and puts a node on top that is in
 * use elsewhere: tasks are lost, or given away twice. Only builds that tell of
 * atomic accesses show it (make races). -DFIXED counts the changes of the top
 * beside it.
 */
#include "tests/zoo/fifo.h"
#include <stdatomic.h>

#define NODES 4096

struct node {
    struct orr_task *task;
    _Atomic uint32_t below;
};

/* Numbers of nodes from 1; 0: none. With -DFIXED the upper half counts. */
struct state {
    _Atomic uint64_t top, unused;
    struct node nodes[NODES];
};

static void init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    for (uint32_t i = 1; i < NODES; i++)
        atomic_init(&state->nodes[i].below, i + 1 < NODES ? i + 1 : 0);
    atomic_init(&state->unused, 1);
}

static uint64_t after(uint64_t before, uint32_t node)
{
#ifdef FIXED
    return ((before >> 32) + 1) << 32 | node;
#else
    (void)before;
    return node;
#endif
}

static void put(struct state *state, _Atomic uint64_t *stack, uint32_t node)
{
    uint64_t top = atomic_load(stack);

    do
        atomic_store(&state->nodes[node].below, (uint32_t)top);
    while (!atomic_compare_exchange_strong(stack, &top, after(top, node)));
}

static uint32_t take(struct state *state, _Atomic uint64_t *stack)
{
    uint64_t top = atomic_load(stack);
    uint32_t below;

    do {
        if ((uint32_t)top == 0)
            return 0;
        below = atomic_load(&state->nodes[(uint32_t)top].below);
    } while (!atomic_compare_exchange_strong(stack, &top, after(top, below)));
    return (uint32_t)top;
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    uint32_t node = take(state, &state->unused);

    state->nodes[node].task = task;
    put(state, &state->top, node);
    fifo_wake_all(sched, task);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    uint32_t node = take(state, &state->top);
    struct orr_task *task = node > 0 ? state->nodes[node].task : NULL;

    (void)worker; /* for workers of one class */
    if (node > 0)
        put(state, &state->unused, node);
    return task;
}

static const struct orr_sched_ops aba_stack = {
    .name = "aba-stack",
    .summary = "a stack without locks, whose nodes are used again",
    .state_size = sizeof(struct state),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&aba_stack);

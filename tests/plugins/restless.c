/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * restless: a stack whose order depends on what it should not, as the macro
 * says that the compiler is given: ADDRESS, where memory was allocated; CLOCK,
 * what time it is; GARBAGE, what was in memory before. Without any it is the
 * same each time.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "sched/sched.h"

struct node {
    struct node *next;
    struct orr_task *task;
    int first;      /* not set with GARBAGE */
    void *spare[2]; /* malloc() writes into the end of free memory */
};

struct stack {
    struct node *top;
};

#ifdef CLOCK
static long nanoseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_nsec / 100;
}
#endif

/* Whether @node, just made, goes to the top of the stack. The digits of an
 * address are mixed (by Fibonacci hashing), so that each decides anew. */
static int is_first(const struct node *node)
{
#if defined(ADDRESS)
    return ((uintptr_t)node * UINT64_C(0x9e3779b97f4a7c15)) >> 63;
#elif defined(CLOCK)
    (void)node;
    return nanoseconds() % 2;
#else
    return node->first & 0x40;
#endif
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct stack *stack = orr_sched_state(sched);
    struct node *node = malloc(sizeof(*node));

    node->task = task;
    node->next = stack->top;
#ifndef GARBAGE
    node->first = 0x40;
#endif
    if (!stack->top || is_first(node)) {
        stack->top = node;
    } else {
        node->next = stack->top->next;
        stack->top->next = node;
    }
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct stack *stack = orr_sched_state(sched);
    struct node *node = stack->top;
    struct orr_task *task = node ? node->task : NULL;

    (void)worker;
    if (node)
        stack->top = node->next;
#ifndef ADDRESS /* a second run must not get the memory of the first again */
    free(node);
#endif
    return task;
}

static const struct orr_sched_ops restless = {
    .name = "restless",
    .summary = "a stack of changing order",
    .state_size = sizeof(struct stack),
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&restless);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * no-such-class: a queue for CPUs and one for GPUs; panels are for CPUs, as
 * a GPU is slow at them, and all the rest for GPUs.
 *
 * The bug: it never asks whether there are workers of that class. On a machine
 * whose cores all drive GPUs, or with --cpus 0, nobody looks into the queue of
 * the CPUs. The reports: it works on my machine.
 */
#include <string.h>

#include "tests/zoo/fifo.h"

enum { FOR_CPUS, FOR_GPUS, CLASSES };

struct state {
    struct fifo queues[CLASSES];
};

static unsigned class_of(const struct orr_sched *sched, unsigned worker)
{
    return orr_sched_node(sched, worker) == 0 ? FOR_CPUS : FOR_GPUS;
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    unsigned class = strcmp(task->kernel, "potrf") == 0 ? FOR_CPUS : FOR_GPUS;

    fifo_put(&state->queues[class], task);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (class_of(sched, w) == class)
            orr_sched_wake(sched, w);
    }
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);

    return fifo_take(sched, &state->queues[class_of(sched, worker)], worker);
}

static const struct orr_sched_ops no_such_class = {
    .name = "no-such-class",
    .summary = "panels on CPUs, all the rest on GPUs",
    .state_size = sizeof(struct state),
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&no_such_class);

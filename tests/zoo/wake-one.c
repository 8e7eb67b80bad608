/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * wake-one: one queue for all, and each push wakes one worker that sleeps.
 *
 * The bug: it wakes the first, whether or not that can run the task. If some
 * tasks can only run on some workers, as with kernels that have no GPU
 * version, whoever is woken finds nothing for itself and sleeps again. Known
 * from condition variables that are signalled where a broadcast is needed.
 */
#include "tests/zoo/fifo.h"

static void push(struct orr_sched *sched, struct orr_task *task)
{
    fifo_put(orr_sched_state(sched), task);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (orr_sched_wake(sched, w))
            return;
    }
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    return fifo_take(sched, orr_sched_state(sched), worker);
}

static const struct orr_sched_ops wake_one = {
    .name = "wake-one",
    .summary = "a queue for which one sleeper is woken",
    .state_size = sizeof(struct fifo),
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&wake_one);

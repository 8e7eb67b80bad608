/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * warm-up: one queue for all; until ten tasks have ended, updates of the
 * diagonal are kept back, to start as many others as possible.
 *
 * The bug: nobody sees to it that ten tasks can end without them. With many
 * tiles they do; with few, all wait for what is kept back. Reports of hangs
 * with small problems only, which nobody runs, name a threshold of this kind.
 */
#include <string.h>

#include "tests/zoo/fifo.h"

enum { ENOUGH = 10 };

struct state {
    struct fifo queue, kept;
    unsigned done;
};

static void wake_all(struct orr_sched *sched)
{
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    bool keep = state->done < ENOUGH && strcmp(task->kernel, "syrk") == 0;

    fifo_put(keep ? &state->kept : &state->queue, task);
    wake_all(sched);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task = fifo_take(sched, &state->queue, worker);

    if (!task && state->done >= ENOUGH)
        task = fifo_take(sched, &state->kept, worker);
    return task;
}

static void done(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker)
{
    struct state *state = orr_sched_state(sched);

    (void)task;
    (void)worker;
    if (++state->done == ENOUGH)
        wake_all(sched);
}

static const struct orr_sched_ops warm_up = {
    .name = "warm-up",
    .summary = "a queue that keeps tasks back at first",
    .state_size = sizeof(struct state),
    .push = push,
    .pop = pop,
    .done = done,
};

ORR_SCHED_PLUGIN(&warm_up);

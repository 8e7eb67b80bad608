/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stale-epoch: a policy without locks; tasks wait in one of eight queues, by
 * the number of tasks that have ended.
 *
 * The bug: the number is noted in place, and used in push. Workers only look
 * into the queues of the last four ends, so a task that is pushed after four
 * further tasks have ended is never seen. Nothing but a late push shows it.
 * -DFIXED notes the number in push.
 */
#include "tests/zoo/fifo.h"

enum { QUEUES = 8, SEEN = 4 };

struct state {
    struct fifo queues[QUEUES];
    unsigned ended;
};

static unsigned number(const struct state *state)
{
    return state->ended % QUEUES;
}

static void place(struct orr_sched *sched, struct orr_task *task)
{
    task->worker = number(orr_sched_state(sched));
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

#ifdef FIXED
    task->worker = number(state);
#endif
    fifo_put(&state->queues[task->worker], task);
    fifo_wake_all(sched, task);
}

/* Moves what is left in the queue that is seen no longer to the next. */
static void done(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct fifo *old =
        &state->queues[(state->ended + QUEUES - SEEN + 1) % QUEUES];

    (void)task;
    (void)worker;
    state->ended++;
    while (old->first) {
        struct orr_task *moved = old->first;

        old->first = moved->next;
        fifo_put(&state->queues[number(state)], moved);
        fifo_wake_all(sched, moved);
    }
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task = NULL;

    for (unsigned i = 0; i < SEEN && !task; i++)
        task = fifo_take(sched,
                         &state->queues[(state->ended + QUEUES - i) % QUEUES],
                         worker);
    return task;
}

static const struct orr_sched_ops stale_epoch = {
    .name = "stale-epoch",
    .summary = "queues by the number of ended tasks",
    .state_size = sizeof(struct state),
    .place = place,
    .done = done,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&stale_epoch);

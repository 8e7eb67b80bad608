/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* prio: all workers share one queue by descending priority, first in first out
 * among equal priorities. */
#include "sched/host.h"
#include "sched/queue/groups.h"
#include "sched/queue/priority_fifo.h"

struct state {
    struct orr_groups groups;
    unsigned queue_count;
    struct orr_priority_fifo *queues; /* [group] */
    uint64_t arrivals;
};

static struct orr_priority_fifo *queue_of(struct orr_sched *sched,
                                          const struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    unsigned group = orr_groups_find(&state->groups, sched, task);

    if (group == state->queue_count) {
        state->queue_count++;
        state->queues = g_renew(struct orr_priority_fifo, state->queues,
                                state->queue_count);
        state->queues[group] = (struct orr_priority_fifo){.unused = NULL};
    }
    return &state->queues[group];
}

static void prio_init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    orr_groups_init(&state->groups, orr_sched_workers(sched));
}

static void prio_fini(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    for (unsigned g = 0; g < state->queue_count; g++)
        orr_priority_fifo_clear(&state->queues[g]);
    g_free(state->queues);
    orr_groups_clear(&state->groups);
}

static void prio_push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    task->arrival = state->arrivals++;
    orr_priority_fifo_push(queue_of(sched, task), task);
    orr_sched_wake_any(sched, task);
}

/* Whether @task precedes @other, which may be NULL. */
static bool comes_first(const struct orr_task *task,
                        const struct orr_task *other)
{
    if (!other || task->priority != other->priority)
        return !other || task->priority > other->priority;
    return task->arrival < other->arrival;
}

/* Wakes the workers of @group, as StarPU does when a worker skips a task that
 * it cannot run. */
static void wake_group(struct orr_sched *sched, unsigned group)
{
    const struct state *state = orr_sched_state(sched);

    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (orr_groups_include(&state->groups, group, w))
            orr_sched_wake(sched, w);
    }
}

static struct orr_task *prio_pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    const struct orr_task *first[] = {NULL, NULL}; /* [1]: @worker can run it */
    unsigned groups[2] = {0};                      /* groups of both tasks */

    for (unsigned g = 0; g < state->queue_count; g++) {
        const struct orr_task *task =
            orr_priority_fifo_first(&state->queues[g]);
        bool fits = orr_groups_include(&state->groups, g, worker);

        if (!task || !comes_first(task, first[fits]))
            continue;
        first[fits] = task;
        groups[fits] = g;
    }
    if (first[true])
        return orr_priority_fifo_pop(&state->queues[groups[true]]);
    if (first[false])
        wake_group(sched, groups[false]);
    return NULL;
}

const struct orr_sched_ops orr_policy_prio = {
    .name = "prio",
    .summary = "one shared queue, highest priority first",
    .state_size = sizeof(struct state),
    .priorities = true,
    .init = prio_init,
    .fini = prio_fini,
    .push = prio_push,
    .pop = prio_pop,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* prio: one queue, the most urgent task first, first come first served among
 * equals. */
#include <stddef.h>

#include "sched/groups.h"

struct state {
    struct orr_groups groups;
    unsigned queue_count;
    struct orr_heap *queues; /* [group] */
    uint64_t arrivals;
};

static struct orr_task *task_of(struct orr_heap_item *item)
{
    return (struct orr_task *)((char *)item - offsetof(struct orr_task, item));
}

static struct orr_heap *queue_of(struct orr_sched *sched,
                                 const struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    unsigned group = orr_groups_find(&state->groups, sched, task);

    if (group == state->queue_count) {
        state->queue_count++;
        state->queues =
            g_renew(struct orr_heap, state->queues, state->queue_count);
        state->queues[group] = (struct orr_heap){0};
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
        orr_heap_clear(&state->queues[g]);
    g_free(state->queues);
    orr_groups_clear(&state->groups);
}

static void prio_push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    orr_heap_push(queue_of(sched, task), &task->item, -(int64_t)task->priority,
                  state->arrivals++);
    orr_sched_wake_any(sched, task);
}

/* Whether the first task of @queue comes before that of @other, or NULL. */
static bool comes_first(const struct orr_heap *queue,
                        const struct orr_heap *other)
{
    return !other ||
           orr_heap_precedes(orr_heap_first(queue), orr_heap_first(other));
}

/* As the reference does when a worker passes over a task that it cannot run. */
static void call_others(struct orr_sched *sched, unsigned group)
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
    struct orr_heap *first[] = {NULL, NULL}; /* for others, for this worker */

    for (unsigned g = 0; g < state->queue_count; g++) {
        struct orr_heap *queue = &state->queues[g];
        struct orr_heap **best =
            &first[orr_groups_include(&state->groups, g, worker)];

        if (queue->count > 0 && comes_first(queue, *best))
            *best = queue;
    }
    if (first[true])
        return task_of(orr_heap_pop(first[true]));
    if (first[false])
        call_others(sched, (unsigned)(first[false] - state->queues));
    return NULL;
}

const struct orr_sched_ops orr_policy_prio = {
    .name = "prio",
    .summary = "one shared queue, the most urgent task first",
    .state_size = sizeof(struct state),
    .priorities = true,
    .init = prio_init,
    .fini = prio_fini,
    .central = true,
    .push = prio_push,
    .pop = prio_pop,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* prio: one queue, the most urgent task first, first come first served among
 * equals. */
#include <stddef.h>
#include <string.h>

#include "sched/sched.h"

/*
 * The queued tasks that the same workers can run. There are a few groups at
 * most (CPU, GPU, both), so a worker finds its next task by looking at their
 * heads, however many tasks it cannot run come first.
 */
struct group {
    bool *runs_on; /* [worker] */
    struct orr_heap tasks;
};

struct state {
    unsigned group_count;
    struct group *groups;
    bool *runs_on; /* of the task being pushed */
    uint64_t arrivals;
};

static struct orr_task *task_of(struct orr_heap_item *item)
{
    return (struct orr_task *)((char *)item - offsetof(struct orr_task, item));
}

static struct group *group_of(struct orr_sched *sched,
                              const struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    unsigned workers = orr_sched_workers(sched);
    struct group *group;

    for (unsigned w = 0; w < workers; w++)
        state->runs_on[w] = orr_sched_duration(sched, task, w) != ORR_NEVER;
    for (unsigned g = 0; g < state->group_count; g++) {
        if (memcmp(state->groups[g].runs_on, state->runs_on, workers) == 0)
            return &state->groups[g];
    }
    state->groups =
        g_renew(struct group, state->groups, state->group_count + 1);
    group = &state->groups[state->group_count++];
    *group = (struct group){.runs_on = g_memdup2(state->runs_on, workers)};
    return group;
}

static void prio_init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    state->runs_on = g_new(bool, orr_sched_workers(sched));
}

static void prio_fini(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    for (unsigned g = 0; g < state->group_count; g++) {
        orr_heap_clear(&state->groups[g].tasks);
        g_free(state->groups[g].runs_on);
    }
    g_free(state->groups);
    g_free(state->runs_on);
}

static void prio_push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    orr_heap_push(&group_of(sched, task)->tasks, &task->item,
                  -(int64_t)task->priority, state->arrivals++);
    orr_sched_wake_any(sched, task);
}

/* Whether the first task of @group comes before that of @other, or NULL. */
static bool comes_first(const struct group *group, const struct group *other)
{
    return !other || orr_heap_precedes(orr_heap_first(&group->tasks),
                                       orr_heap_first(&other->tasks));
}

/* As the reference does when a worker passes over a task that it cannot run. */
static void call_others(struct orr_sched *sched, const struct group *group)
{
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (group->runs_on[w])
            orr_sched_wake(sched, w);
    }
}

static struct orr_task *prio_pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct group *first[] = {NULL, NULL}; /* for others, for this worker */

    for (unsigned g = 0; g < state->group_count; g++) {
        struct group *group = &state->groups[g];
        struct group **best = &first[group->runs_on[worker]];

        if (group->tasks.count > 0 && comes_first(group, *best))
            *best = group;
    }
    if (first[true])
        return task_of(orr_heap_pop(&first[true]->tasks));
    if (first[false])
        call_others(sched, first[false]);
    return NULL;
}

const struct orr_sched_ops orr_policy_prio = {
    .name = "prio",
    .summary = "one shared queue, the most urgent task first",
    .state_size = sizeof(struct state),
    .priorities = true,
    .init = prio_init,
    .fini = prio_fini,
    .push = prio_push,
    .pop = prio_pop,
};

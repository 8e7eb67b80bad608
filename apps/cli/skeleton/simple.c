/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * skeleton: a task goes, as soon as it is ready, to the worker that is expected
 * to end it first. Each worker has a queue, first come first served.
 *
 * Something to begin with: sched/sched.h says what else a policy may ask and
 * do, docs/SCHEDULERS.md what to keep in mind.
 */
#include <sched/sched.h>

/* Of each worker; zero at first. For the whole run there is orr_sched_state().
 * Keep nothing in variables of the file: several runs may be under way. */
struct lane {
    struct orr_task *first, *last; /* its queue, by task->next */
    orr_time planned;              /* what is in it, and what it executes */
};

/* ORR_NEVER where the task cannot run. */
static orr_time expected_end(struct orr_sched *sched,
                             const struct orr_task *task, unsigned worker)
{
    const struct lane *lane = orr_sched_lane(sched, worker);
    orr_time end = orr_sched_duration(sched, task, worker);

    if (end == ORR_NEVER)
        return ORR_NEVER;
    end += orr_sched_transfer(sched, task, orr_sched_node(sched, worker));
    return orr_time_add(lane->planned, end);
}

/* The task is ready: some worker can run it. */
static void skeleton_push(struct orr_sched *sched, struct orr_task *task)
{
    unsigned best = 0;
    struct lane *lane;

    for (unsigned w = 1; w < orr_sched_workers(sched); w++) {
        if (expected_end(sched, task, w) < expected_end(sched, task, best))
            best = w;
    }
    lane = orr_sched_lane(sched, best);
    task->worker = best;
    task->length = orr_sched_duration(sched, task, best);
    task->next = NULL;
    *(lane->first ? &lane->last->next : &lane->first) = task;
    lane->last = task;
    lane->planned += task->length;
    orr_sched_prefetch(sched, task, best);
    orr_sched_wake(sched, best); /* whoever queues wakes, or it sleeps on */
}

/* The worker asks for a task that it can run; NULL: there is none for it. */
static struct orr_task *skeleton_pop(struct orr_sched *sched, unsigned worker)
{
    struct lane *lane = orr_sched_lane(sched, worker);
    struct orr_task *task = lane->first;

    if (task)
        lane->first = task->next;
    return task;
}

/* It has ended. */
static void skeleton_done(struct orr_sched *sched, struct orr_task *task,
                          unsigned worker)
{
    struct lane *lane = orr_sched_lane(sched, worker);

    lane->planned -= task->length;
}

static const struct orr_sched_ops orr_policy_skeleton = {
    .name = "skeleton",
    .summary = "each task to the worker that is expected to end it first",
    .lane_size = sizeof(struct lane),
    .prefetches = true,
    .push = skeleton_push,
    .pop = skeleton_pop,
    .done = skeleton_done,
};

ORR_SCHED_PLUGIN(&orr_policy_skeleton);

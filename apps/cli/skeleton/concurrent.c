/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * skeleton: one queue that all workers share, under a lock. A worker takes the
 * oldest task that it can run.
 *
 * This is the concurrent style: every worker, and the application, may be in
 * these functions at the same time, as threads would be, and the policy guards
 * its data by locks. Something to begin with: sched/sched.h says what else a
 * policy may ask and do, docs/SCHEDULERS.md what to keep in mind.
 */
#include <sched/sched.h>

/* Of the run; zero at first. For each worker there is orr_sched_lane(). Keep
 * nothing in variables of the file: several runs may be under way. */
struct state {
    struct orr_lock *lock; /* of what follows */
    struct orr_task *first, *last;
};

static void skeleton_init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    state->lock = orr_lock_new(sched, "queue");
}

static void skeleton_fini(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    orr_lock_free(state->lock);
}

/* The task is ready: some worker can run it. */
static void skeleton_push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    orr_lock_acquire(state->lock);
    task->next = NULL;
    *(state->first ? &state->last->next : &state->first) = task;
    state->last = task;
    orr_lock_release(state->lock);

    /* Whoever queues wakes, and after that, or a worker looks too early. */
    orr_sched_wake_any(sched, task);
}

/* The oldest task that the worker can run, out of the queue. */
static struct orr_task *take(struct orr_sched *sched, struct state *state,
                             unsigned worker)
{
    struct orr_task *before = NULL, *task = state->first;

    while (task && orr_sched_duration(sched, task, worker) == ORR_NEVER) {
        before = task;
        task = task->next;
    }
    if (!task)
        return NULL;
    *(before ? &before->next : &state->first) = task->next;
    if (state->last == task)
        state->last = before;
    return task;
}

/* The worker asks for a task that it can run; NULL: there is none for it. */
static struct orr_task *skeleton_pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(state->lock);
    task = take(sched, state, worker);
    orr_lock_release(state->lock);
    return task;
}

static const struct orr_sched_ops orr_policy_skeleton = {
    .name = "skeleton",
    .summary = "one shared queue under a lock, first come first served",
    .concurrent = true,
    .state_size = sizeof(struct state),
    .init = skeleton_init,
    .fini = skeleton_fini,
    .push = skeleton_push,
    .pop = skeleton_pop,
};

ORR_SCHED_PLUGIN(&orr_policy_skeleton);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/decide_policy.h"

#include <string.h>

#include "runtime/engine/coroutine.h"
#include "runtime/run.h"

struct lane {
    /* ready tasks that the worker can run, the oldest first; from @first on */
    GPtrArray *tasks;
    guint first;
    uint64_t declined; /* the last round in which it got no task */
};

static void decide_init(struct orr_sched *sched)
{
    struct orr_deciding *deciding = orr_sched_state(sched);

    deciding->round = 1;
    deciding->collected = g_ptr_array_new();
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct lane *lane = orr_sched_lane(sched, w);

        lane->tasks = g_ptr_array_new();
    }
}

static void decide_fini(struct orr_sched *sched)
{
    struct orr_deciding *deciding = orr_sched_state(sched);

    orr_coroutine_free(deciding->coroutine);
    g_ptr_array_unref(deciding->collected);
    g_clear_error(&deciding->error);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct lane *lane = orr_sched_lane(sched, w);

        g_ptr_array_unref(lane->tasks);
    }
}

static guint count_tasks(const struct lane *lane)
{
    return lane->tasks->len - lane->first;
}

static void add(struct lane *lane, struct orr_task *task)
{
    if (lane->first > count_tasks(lane)) {
        g_ptr_array_remove_range(lane->tasks, 0, lane->first);
        lane->first = 0;
    }
    g_ptr_array_add(lane->tasks, task);
}

/* Where @task is in @lane, or would be: its tasks are in order of arrival. */
static guint find(const struct lane *lane, const struct orr_task *task)
{
    guint low = lane->first, high = lane->tasks->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;
        const struct orr_task *other = lane->tasks->pdata[middle];

        if (other->arrival < task->arrival)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Removes @task from @lane if it is there, and moves the tasks before it or
 * after it: whichever are fewer. */
static void withdraw(struct lane *lane, const struct orr_task *task)
{
    gpointer *tasks = lane->tasks->pdata;
    guint place = find(lane, task);

    if (place == lane->tasks->len || tasks[place] != task)
        return;
    if (place - lane->first < lane->tasks->len - place) {
        memmove(tasks + lane->first + 1, tasks + lane->first,
                (place - lane->first) * sizeof(*tasks));
        lane->first++;
    } else {
        g_ptr_array_remove_index(lane->tasks, place);
    }
}

static void begin_round(struct orr_deciding *deciding)
{
    deciding->round++;
    deciding->declined = false;
}

static void decide_push(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_deciding *deciding = orr_sched_state(sched);

    task->arrival = deciding->round;
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct lane *lane = orr_sched_lane(sched, w);

        if (orr_sched_duration(sched, task, w) != ORR_NEVER)
            add(lane, task);
    }
    begin_round(deciding);
    orr_sched_wake_any(sched, task);
}

/* Wakes a worker that may be asked in this round. */
static void wake_other(struct orr_sched *sched)
{
    const struct orr_deciding *deciding = orr_sched_state(sched);

    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        const struct lane *lane = orr_sched_lane(sched, w);

        if (count_tasks(lane) > 0 && lane->declined < deciding->round &&
            orr_sched_wake(sched, w))
            return;
    }
}

/* Asks the program for a task for @worker; NULL: none. */
static struct orr_task *ask(struct orr_sched *sched, unsigned worker)
{
    struct orr_deciding *deciding = orr_sched_state(sched);
    struct lane *lane = orr_sched_lane(sched, worker);

    deciding->chosen = NULL;
    deciding->decision = (struct orr_sched_decision){
        .worker = worker,
        .count = count_tasks(lane),
        .tasks = (struct orr_task *const *)lane->tasks->pdata + lane->first,
        .sched = sched,
    };
    orr_coroutine_yield(deciding->coroutine);
    deciding->decision.count = 0;
    return deciding->chosen;
}

static struct orr_task *decide_pop(struct orr_sched *sched, unsigned worker)
{
    struct orr_deciding *deciding = orr_sched_state(sched);
    struct lane *lane = orr_sched_lane(sched, worker);
    struct orr_task *task;

    if (count_tasks(lane) == 0 || lane->declined == deciding->round ||
        !deciding->is_inside)
        return NULL;
    task = ask(sched, worker);
    if (!task) {
        lane->declined = deciding->round;
        deciding->declined = true;
        wake_other(sched);
        return NULL;
    }
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        withdraw(orr_sched_lane(sched, w), task);
    return task;
}

static void decide_done(struct orr_sched *sched, struct orr_task *task,
                        unsigned worker)
{
    struct orr_deciding *deciding = orr_sched_state(sched);

    (void)task;
    (void)worker;
    if (!deciding->declined)
        return;
    begin_round(deciding);
    wake_other(sched);
}

static const struct orr_sched_ops decide = {
    .name = "decide",
    .summary = "the program decides",
    .state_size = sizeof(struct orr_deciding),
    .lane_size = sizeof(struct lane),
    .priorities = true,
    .init = decide_init,
    .fini = decide_fini,
    .push = decide_push,
    .pop = decide_pop,
    .done = decide_done,
};

const struct orr_sched_ops *orr_sched_decide(void)
{
    return &decide;
}

void orr_decide_begin(struct orr_run *run)
{
    struct orr_deciding *deciding;

    if (run->policy.ops != &decide)
        return;
    deciding = orr_sched_state(run->policy.sched);
    deciding->run = run;
    run->app.collected = deciding->collected;
}

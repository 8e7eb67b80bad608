/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CONCURRENT_POLICIES_H
#define ORR_CONCURRENT_POLICIES_H

#include "sched/sched.h"
#include "tests/zoo/fifo.h"

/*
 * Concurrent policies, as a user would write them: correct ones, and wrong
 * ones that hang under some schedules only.
 */

/* One list under one lock; workers that find nothing sleep, and are woken. */
struct central {
    struct orr_lock *lock;
    struct orr_cond *filled; /* for those below */
    struct fifo list;
    unsigned idle; /* workers that wait */
};

static inline void central_init(struct orr_sched *sched)
{
    struct central *central = orr_sched_state(sched);

    central->lock = orr_lock_new(sched, "list");
    central->filled = orr_cond_new(sched, "filled");
}

static inline void central_fini(struct orr_sched *sched)
{
    struct central *central = orr_sched_state(sched);

    orr_cond_free(central->filled);
    orr_lock_free(central->lock);
}

static inline void central_push(struct orr_sched *sched, struct orr_task *task)
{
    struct central *central = orr_sched_state(sched);

    orr_lock_acquire(central->lock);
    fifo_put(&central->list, task);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (orr_sched_duration(sched, task, w) != ORR_NEVER)
            orr_sched_wake(sched, w);
    }
    orr_lock_release(central->lock);
}

static inline struct orr_task *central_pop(struct orr_sched *sched,
                                           unsigned worker)
{
    struct central *central = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(central->lock);
    task = fifo_take(sched, &central->list, worker);
    orr_lock_release(central->lock);
    return task;
}

static const struct orr_sched_ops policy_central = {
    .name = "central",
    .summary = "one list under one lock",
    .concurrent = true,
    .state_size = sizeof(struct central),
    .init = central_init,
    .fini = central_fini,
    .push = central_push,
    .pop = central_pop,
};

/* Workers wait for tasks in pop: for machines without GPUs, where nobody's
 * memory depends on a worker that waits. */
static inline void waiting_push(struct orr_sched *sched, struct orr_task *task)
{
    struct central *central = orr_sched_state(sched);

    orr_lock_acquire(central->lock);
    fifo_put(&central->list, task);
    orr_cond_signal(central->filled);
    orr_lock_release(central->lock);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
}

static inline struct orr_task *waiting_pop(struct orr_sched *sched,
                                           unsigned worker)
{
    struct central *central = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(central->lock);
    while (!(task = fifo_take(sched, &central->list, worker)))
        orr_cond_wait(central->filled, central->lock);
    orr_lock_release(central->lock);
    return task;
}

static const struct orr_sched_ops policy_waiting = {
    .name = "waiting",
    .summary = "one list, and a condition to wait on",
    .concurrent = true,
    .state_size = sizeof(struct central),
    .init = central_init,
    .fini = central_fini,
    .push = waiting_push,
    .pop = waiting_pop,
};

/* Wrong: looks whether somebody waits before it takes the lock. */
static inline void forgetful_push(struct orr_sched *sched,
                                  struct orr_task *task)
{
    struct central *central = orr_sched_state(sched);
    bool somebody_waits = central->idle > 0;

    orr_lock_acquire(central->lock);
    fifo_put(&central->list, task);
    orr_lock_release(central->lock);
    if (somebody_waits)
        orr_cond_broadcast(central->filled);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
}

static inline struct orr_task *forgetful_pop(struct orr_sched *sched,
                                             unsigned worker)
{
    struct central *central = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(central->lock);
    while (!(task = fifo_take(sched, &central->list, worker))) {
        central->idle++;
        orr_cond_wait(central->filled, central->lock);
        central->idle--;
    }
    orr_lock_release(central->lock);
    return task;
}

static const struct orr_sched_ops policy_forgetful = {
    .name = "forgetful",
    .summary = "a wake-up may come too early",
    .concurrent = true,
    .state_size = sizeof(struct central),
    .init = central_init,
    .fini = central_fini,
    .push = forgetful_push,
    .pop = forgetful_pop,
};

/* Wrong: wakes workers before there is something for them. */
static inline void early_push(struct orr_sched *sched, struct orr_task *task)
{
    struct central *central = orr_sched_state(sched);

    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
    orr_lock_acquire(central->lock);
    fifo_put(&central->list, task);
    orr_lock_release(central->lock);
}

static const struct orr_sched_ops policy_early = {
    .name = "early",
    .summary = "wakes, and then queues",
    .concurrent = true,
    .state_size = sizeof(struct central),
    .init = central_init,
    .fini = central_fini,
    .push = early_push,
    .pop = central_pop,
};

/* Work stealing with a lock for each queue, of which one at a time is held. */
struct deque {
    struct orr_lock *lock;
    struct fifo list;
};

static inline void stealing_init(struct orr_sched *sched)
{
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct deque *deque = orr_sched_lane(sched, w);
        char name[] = "deque 00";

        name[6] = (char)('0' + w / 10);
        name[7] = (char)('0' + w % 10);
        deque->lock = orr_lock_new(sched, name);
    }
}

/* That of whoever released the task, or else the first that can run it. */
static inline unsigned stealing_home(struct orr_sched *sched,
                                     const struct orr_task *task)
{
    unsigned home = orr_sched_caller(sched);

    if (home == ORR_NO_WORKER)
        home = 0;
    while (orr_sched_duration(sched, task, home) == ORR_NEVER)
        home = (home + 1) % orr_sched_workers(sched);
    return home;
}

static inline void stealing_push(struct orr_sched *sched, struct orr_task *task)
{
    struct deque *deque = orr_sched_lane(sched, stealing_home(sched, task));

    orr_lock_acquire(deque->lock);
    fifo_put(&deque->list, task);
    orr_lock_release(deque->lock);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w); /* to steal, if it is not theirs */
}

static inline struct orr_task *stealing_pop(struct orr_sched *sched,
                                            unsigned worker)
{
    unsigned count = orr_sched_workers(sched);
    struct orr_task *task = NULL;

    for (unsigned i = 0; i < count && !task; i++) {
        struct deque *deque = orr_sched_lane(sched, (worker + i) % count);

        orr_lock_acquire(deque->lock);
        task = fifo_take(sched, &deque->list, worker);
        orr_lock_release(deque->lock);
    }
    return task;
}

static const struct orr_sched_ops policy_stealing = {
    .name = "stealing",
    .summary = "a queue and a lock for each worker",
    .concurrent = true,
    .lane_size = sizeof(struct deque),
    .init = stealing_init,
    .push = stealing_push,
    .pop = stealing_pop,
};

/* Wrong: a thief holds its own lock while it takes its victim's. */
static inline struct orr_task *inverted_pop(struct orr_sched *sched,
                                            unsigned worker)
{
    unsigned count = orr_sched_workers(sched);
    struct deque *own = orr_sched_lane(sched, worker);
    struct orr_task *task;

    orr_lock_acquire(own->lock);
    task = fifo_take(sched, &own->list, worker);
    for (unsigned i = 1; i < count && !task; i++) {
        struct deque *victim = orr_sched_lane(sched, (worker + i) % count);

        orr_lock_acquire(victim->lock);
        task = fifo_take(sched, &victim->list, worker);
        orr_lock_release(victim->lock);
    }
    orr_lock_release(own->lock);
    return task;
}

static const struct orr_sched_ops policy_inverted = {
    .name = "inverted",
    .summary = "thieves hold two locks",
    .concurrent = true,
    .lane_size = sizeof(struct deque),
    .init = stealing_init,
    .push = stealing_push,
    .pop = inverted_pop,
};

#endif

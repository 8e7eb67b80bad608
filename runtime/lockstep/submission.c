/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The application in lock-step: it waits for its window (StarPU, task.c:
 * _starpu_task_submit(); barrier_counter.c). */
#include "runtime/lockstep/members.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"

static struct orr_mutex *count_lock(struct orr_lockstep_run *own)
{
    return &own->common[ORR_LOCK_SUBMITTED];
}

/* The number of tasks that the reference counts at this tick. */
static uint64_t count(const struct orr_lockstep_run *own)
{
    return orr_run_in_flight(own->run) + own->uncounted;
}

/*
 * The application reads the count. If it is too high, the application locks the
 * count once more, and waits on a condition. The actor that wakes it holds the
 * lock, for which the application then waits.
 */
struct awaiting {
    enum {
        WINDOW_ASKS,
        WINDOW_ANSWERED,
        WINDOW_CLOSED,
        WINDOW_LOOKS,
        WINDOW_OPEN
    } at;
    struct orr_lockstep_run *own;
    struct orr_thread *thread;
};

/* Whether more tasks are in flight than @thread, which waits, admits. */
static bool is_closed(const struct orr_lockstep_run *own,
                      const struct orr_thread *thread)
{
    return count(own) > thread->limits.opens && !own->run->window.lifted;
}

static enum orr_next await_window(struct orr_actor *actor, void *locals)
{
    struct awaiting *awaiting = locals;
    struct orr_lockstep_run *own = awaiting->own;

    switch (awaiting->at) {
    case WINDOW_ASKS:
        awaiting->at = WINDOW_ANSWERED;
        return orr_lockstep_lock(count_lock(own), actor);
    case WINDOW_ANSWERED:
        awaiting->at = count(own) < awaiting->thread->limits.shuts
                           ? WINDOW_OPEN
                           : WINDOW_CLOSED;
        return orr_lockstep_unlock(count_lock(own), actor);
    case WINDOW_CLOSED:
        own->run->window.closed = true;
        awaiting->at = WINDOW_LOOKS;
        return orr_lockstep_lock(count_lock(own), actor);
    case WINDOW_LOOKS:
        if (is_closed(own, awaiting->thread)) {
            awaiting->thread->awaits_window = true;
            orr_mutex_unlock(count_lock(own));
            return ORR_ASLEEP;
        }
        awaiting->at = WINDOW_OPEN;
        return orr_lockstep_unlock(count_lock(own), actor);
    case WINDOW_OPEN:
        break;
    }
    return ORR_DONE;
}

void orr_submission_await(struct orr_run *run)
{
    struct orr_actor *actor = orr_run_actor(run);
    struct awaiting *awaiting =
        orr_actor_call(actor, await_window, sizeof(*awaiting));

    awaiting->own = orr_lockstep_run(&run->engine);
    awaiting->thread = run->app.thread;
    orr_actor_act(actor);
}

bool orr_submission_notify(struct orr_run *run)
{
    struct orr_lockstep_run *own = orr_lockstep_run(&run->engine);
    bool woke = false;

    for (struct orr_thread *thread = &run->app.main; thread;
         thread = thread->next) {
        if (!thread->awaits_window || is_closed(own, thread))
            continue;
        thread->awaits_window = false;
        if (orr_mutex_try(count_lock(own), &thread->actor))
            orr_actor_resume(&thread->actor);
        woke = true;
    }
    return woke;
}

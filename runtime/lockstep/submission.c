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
};

static enum orr_next await_window(struct orr_actor *actor, void *locals)
{
    struct awaiting *awaiting = locals;
    struct orr_lockstep_run *own = awaiting->own;

    switch (awaiting->at) {
    case WINDOW_ASKS:
        awaiting->at = WINDOW_ANSWERED;
        return orr_lockstep_lock(count_lock(own), actor);
    case WINDOW_ANSWERED:
        awaiting->at =
            count(own) < own->run->window.shuts ? WINDOW_OPEN : WINDOW_CLOSED;
        return orr_lockstep_unlock(count_lock(own), actor);
    case WINDOW_CLOSED:
        own->run->window.closed = true;
        awaiting->at = WINDOW_LOOKS;
        return orr_lockstep_lock(count_lock(own), actor);
    case WINDOW_LOOKS:
        if (count(own) > own->run->window.opens && !own->run->window.lifted) {
            own->awaits_window = true;
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
    struct awaiting *awaiting =
        orr_actor_call(&run->main, await_window, sizeof(*awaiting));

    awaiting->own = orr_lockstep_run(&run->engine);
    orr_actor_act(&run->main);
}

bool orr_submission_notify(struct orr_run *run)
{
    struct orr_lockstep_run *own = orr_lockstep_run(&run->engine);

    if (!own->awaits_window ||
        (count(own) > run->window.opens && !run->window.lifted))
        return false;
    own->awaits_window = false;
    if (orr_mutex_try(count_lock(own), &run->main))
        orr_actor_resume(&run->main);
    return true;
}

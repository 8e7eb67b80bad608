/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/pushing.h"

#include "runtime/lockstep/points.h"
#include "runtime/lockstep/state.h"
#include "runtime/lockstep/waking.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"

struct pushing {
    enum {
        PUSH_COUNT,
        PUSH_ENTER,
        PUSH_APPROACH,
        PUSH_TAKE, /* the lock of all */
        PUSH_TAKEN,
        PUSH_PUSH,
        PUSH_TAKE_RECEIVER, /* or that of one */
        PUSH_RECEIVE,
        PUSH_RECEIVED,
        PUSH_WAKE,
        PUSH_LEAVE,
        PUSH_END
    } at;
    struct orr_run *run;
    struct orr_worker *by; /* NULL: the application */
    struct orr_job *job;
    const struct orr_kernel *kernel;
    bool cpu_only;
    struct orr_worker *receiver; /* where each worker has a queue */
    unsigned next;               /* worker */
    bool woken;
};

/* All are woken where each has a queue; else the first sleeping one that can
 * run the task. */
static bool may_wake(const struct pushing *pushing,
                     const struct orr_worker *worker)
{
    return pushing->receiver ||
           (pushing->kernel->durations[worker->device] != ORR_NEVER &&
            (worker->device == ORR_RAM || !pushing->cpu_only));
}

/* Looks at the next one, unless enough have been woken. */
static enum orr_next wake_next(struct orr_actor *actor, struct pushing *pushing)
{
    struct orr_run *run = pushing->run;

    while (pushing->next < run->worker_count &&
           !may_wake(pushing, run->workers[pushing->next]))
        pushing->next++;
    if ((pushing->woken && !pushing->receiver) ||
        pushing->next == run->worker_count) {
        pushing->at = PUSH_LEAVE;
        return ORR_CONTINUE;
    }
    orr_waking_call(actor, pushing->by, run->workers[pushing->next++],
                    &pushing->woken);
    return ORR_CONTINUE;
}

/* The worker that pushes, unless it does so to itself. */
static struct orr_worker *giver(const struct pushing *pushing)
{
    return pushing->receiver == pushing->by ? NULL : pushing->by;
}

/* Before it waits for a lock that others have it lets them look at it. */
static enum orr_next approach(struct orr_actor *actor, struct pushing *pushing)
{
    struct orr_run *run = pushing->run;
    const struct orr_sched_steal *steal = run->policy->steal;

    if (!steal) {
        pushing->at = PUSH_TAKE;
        return orr_worker_state_relax(actor, pushing->by, true);
    }
    pushing->receiver =
        run->workers[steal->receiver(run->sched, &pushing->job->active->task)];
    pushing->at = PUSH_TAKE_RECEIVER;
    return orr_worker_state_relax(actor, giver(pushing), true);
}

static enum orr_next push_to_all(struct orr_actor *actor,
                                 struct pushing *pushing)
{
    struct orr_run *run = pushing->run;

    run->wakes_nobody = true;
    orr_sched_push(run->sched, &pushing->job->active->task);
    run->wakes_nobody = false;
    orr_lockstep_run(run)->queued++;
    pushing->at = PUSH_WAKE;
    return orr_lockstep_unlock(&orr_lockstep_run(run)->common[ORR_LOCK_POLICY],
                               actor);
}

static enum orr_next push_to_one(struct orr_actor *actor,
                                 struct pushing *pushing)
{
    struct orr_run *run = pushing->run;
    struct orr_worker *receiver = pushing->receiver;

    if (receiver != pushing->by && orr_lockstep_worker(receiver)->closed)
        return orr_worker_state_await(actor, receiver);
    run->policy->steal->push(run->sched, &pushing->job->active->task,
                             receiver->index);
    pushing->at = PUSH_RECEIVED;
    return orr_lockstep_unlock(orr_worker_state_lock(receiver), actor);
}

static enum orr_next push(struct orr_actor *actor, void *locals)
{
    struct pushing *pushing = locals;
    struct orr_run *run = pushing->run;

    switch (pushing->at) {
    case PUSH_COUNT:
        pushing->at = PUSH_ENTER;
        orr_points_ready(run);
        return orr_actor_pass(actor);
    case PUSH_ENTER:
        pushing->at = PUSH_APPROACH;
        return orr_worker_state_relax(actor, pushing->by, false);
    case PUSH_APPROACH:
        return approach(actor, pushing);
    case PUSH_TAKE:
        pushing->at = PUSH_TAKEN;
        return orr_lockstep_lock(
            &orr_lockstep_run(run)->common[ORR_LOCK_POLICY], actor);
    case PUSH_TAKEN:
        pushing->at = PUSH_PUSH;
        return orr_worker_state_relax(actor, pushing->by, false);
    case PUSH_PUSH:
        return push_to_all(actor, pushing);
    case PUSH_TAKE_RECEIVER:
        pushing->at = PUSH_RECEIVE;
        return orr_lockstep_lock(orr_worker_state_lock(pushing->receiver),
                                 actor);
    case PUSH_RECEIVE:
        return push_to_one(actor, pushing);
    case PUSH_RECEIVED:
        pushing->at = PUSH_WAKE;
        return orr_worker_state_relax(actor, giver(pushing), false);
    case PUSH_WAKE:
        return wake_next(actor, pushing);
    case PUSH_LEAVE:
        pushing->at = PUSH_END;
        return orr_worker_state_relax(actor, pushing->by, true);
    case PUSH_END:
        break;
    }
    return ORR_DONE;
}

void orr_pushing_call(struct orr_actor *actor, struct orr_run *run,
                      struct orr_job *job)
{
    struct pushing *pushing = orr_actor_call(actor, push, sizeof(*pushing));

    pushing->run = run;
    pushing->by = actor == &run->main ? NULL : (struct orr_worker *)actor;
    pushing->job = job;
    pushing->kernel = job->kernel;
    pushing->cpu_only = job->cpu_only;
}

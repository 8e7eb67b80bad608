/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/steal.h"

#include "runtime/lockstep/state.h"
#include "runtime/lockstep/waking.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"

struct steal {
    enum {
        STEAL_CHOOSE,
        STEAL_TRY_OWN,
        STEAL_TRY_VICTIM,
        STEAL_LOOK,
        STEAL_OPEN,
        STEAL_STEAL,
        STEAL_LEAVE,
        STEAL_END,
        STEAL_MET, /* somebody */
        STEAL_SLEEP,
        STEAL_BACK,
        STEAL_STAY,
        STEAL_STAYED,
        STEAL_MISSED
    } at;
    struct orr_worker *thief, *victim;
    struct orr_task **task;
};

static enum orr_next choose(struct orr_actor *actor, struct steal *steal)
{
    struct orr_run *run = steal->thief->run;
    unsigned victim =
        run->policy->steal->victim(run->sched, steal->thief->index);

    steal->victim = victim == ORR_NO_WORKER ? NULL : run->workers[victim];
    steal->at = STEAL_TRY_OWN;
    return orr_worker_state_relax(actor, steal->thief, false);
}

static enum orr_next try_own(struct orr_actor *actor, struct steal *steal)
{
    struct orr_mutex *lock = orr_worker_state_lock(steal->thief);

    if (!steal->victim)
        return ORR_DONE;
    if (lock->owner) {
        steal->at = STEAL_SLEEP;
        return orr_lockstep_pass(actor, 1);
    }
    steal->at = STEAL_TRY_VICTIM;
    return orr_lockstep_lock(lock, actor);
}

static enum orr_next try_victim(struct orr_actor *actor, struct steal *steal)
{
    struct orr_mutex *lock = orr_worker_state_lock(steal->victim);

    if (lock->owner) {
        steal->at = STEAL_MET;
        return orr_lockstep_pass(actor, 1);
    }
    steal->at = STEAL_LOOK;
    return orr_lockstep_lock(lock, actor);
}

/* Relaxes, since it has the lock of its own state. */
static enum orr_next look(struct orr_actor *actor, struct steal *steal)
{
    if (orr_lockstep_worker(steal->victim)->closed) {
        steal->at = STEAL_MET;
        return orr_lockstep_unlock(orr_worker_state_lock(steal->victim), actor);
    }
    steal->at = STEAL_OPEN;
    orr_lockstep_worker(steal->thief)->closed = false;
    orr_worker_state_tell(steal->thief);
    return orr_lockstep_pass(actor, 1);
}

static enum orr_next rob(struct orr_actor *actor, struct steal *steal)
{
    struct orr_run *run = steal->thief->run;

    steal->at = STEAL_LEAVE;
    *steal->task = run->policy->steal->take(run->sched, steal->thief->index,
                                            steal->victim->index);
    return orr_lockstep_unlock(orr_worker_state_lock(steal->victim), actor);
}

static enum orr_next succeed(struct orr_actor *actor, struct steal *steal)
{
    struct orr_worker *thief = steal->thief;
    struct orr_run *run = thief->run;

    switch (steal->at) {
    case STEAL_OPEN:
        steal->at = STEAL_STEAL;
        return orr_lockstep_unlock(orr_worker_state_lock(thief), actor);
    case STEAL_STEAL:
        return rob(actor, steal);
    case STEAL_LEAVE:
        steal->at = STEAL_END;
        return orr_worker_state_relax(actor, thief, false);
    default:
        run->policy->steal->conclude(run->sched, thief->index, *steal->task);
        return ORR_DONE;
    }
}

/* Comes back later, after having signalled itself. */
static enum orr_next fail(struct orr_actor *actor, struct steal *steal)
{
    struct orr_worker *thief = steal->thief;

    switch (steal->at) {
    case STEAL_MET:
        steal->at = STEAL_SLEEP;
        return orr_lockstep_unlock(orr_worker_state_lock(thief), actor);
    case STEAL_SLEEP:
        steal->at = STEAL_BACK;
        return orr_actor_sleep(actor, ORR_US);
    case STEAL_BACK:
        steal->at = STEAL_STAY;
        return orr_lockstep_lock(orr_worker_state_lock(thief), actor);
    case STEAL_STAY:
        steal->at = STEAL_STAYED;
        return orr_waking_signal(actor, thief);
    case STEAL_STAYED:
        steal->at = STEAL_MISSED;
        thief->woken = true;
        return orr_lockstep_unlock(orr_worker_state_lock(thief), actor);
    default:
        return ORR_DONE;
    }
}

static enum orr_next attempt(struct orr_actor *actor, void *locals)
{
    struct steal *steal = locals;

    switch (steal->at) {
    case STEAL_CHOOSE:
        return choose(actor, steal);
    case STEAL_TRY_OWN:
        return try_own(actor, steal);
    case STEAL_TRY_VICTIM:
        return try_victim(actor, steal);
    case STEAL_LOOK:
        return look(actor, steal);
    case STEAL_OPEN:
    case STEAL_STEAL:
    case STEAL_LEAVE:
    case STEAL_END:
        return succeed(actor, steal);
    default:
        return fail(actor, steal);
    }
}

void orr_steal_call(struct orr_actor *actor, struct orr_worker *worker,
                    struct orr_task **task)
{
    struct steal *steal = orr_actor_call(actor, attempt, sizeof(*steal));

    steal->thief = worker;
    steal->task = task;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/theft.h"

#include "runtime/lockstep/state.h"
#include "runtime/lockstep/turns.h"
#include "runtime/lockstep/waking.h"
#include "runtime/run.h"

struct theft {
    enum {
        ROB_CHOOSE,
        ROB_TRY_OWN,
        ROB_TRY_VICTIM,
        ROB_LOOK,
        ROB_OPEN,
        ROB_ROB,
        ROB_LEAVE,
        ROB_END,
        ROB_MET, /* somebody */
        ROB_SLEEP,
        ROB_BACK,
        ROB_STAY,
        ROB_STAYED,
        ROB_MISSED
    } at;
    struct orr_worker *thief, *victim;
    struct orr_task **task;
};

static enum orr_next choose(struct orr_actor *actor, struct theft *theft)
{
    struct orr_run *run = theft->thief->run;
    unsigned victim =
        run->policy->theft->victim(run->sched, theft->thief->index);

    theft->victim = victim == ORR_NO_WORKER ? NULL : run->workers[victim];
    theft->at = ROB_TRY_OWN;
    return orr_state_relax(actor, theft->thief, false);
}

static enum orr_next try_own(struct orr_actor *actor, struct theft *theft)
{
    struct orr_mutex *lock = &theft->thief->lock;

    if (!theft->victim)
        return ORR_DONE;
    if (lock->owner) {
        theft->at = ROB_SLEEP;
        return orr_actor_take_turns(actor, 1);
    }
    theft->at = ROB_TRY_VICTIM;
    return orr_mutex_take_in_turn(lock, actor);
}

static enum orr_next try_victim(struct orr_actor *actor, struct theft *theft)
{
    struct orr_mutex *lock = &theft->victim->lock;

    if (lock->owner) {
        theft->at = ROB_MET;
        return orr_actor_take_turns(actor, 1);
    }
    theft->at = ROB_LOOK;
    return orr_mutex_take_in_turn(lock, actor);
}

/* Relaxes, since it has the lock of its own state. */
static enum orr_next look(struct orr_actor *actor, struct theft *theft)
{
    if (!theft->victim->relaxed) {
        theft->at = ROB_MET;
        return orr_mutex_give_in_turn(&theft->victim->lock, actor);
    }
    theft->at = ROB_OPEN;
    theft->thief->relaxed = true;
    orr_state_tell(theft->thief);
    return orr_actor_take_turns(actor, 1);
}

static enum orr_next rob(struct orr_actor *actor, struct theft *theft)
{
    struct orr_run *run = theft->thief->run;

    theft->at = ROB_LEAVE;
    *theft->task = run->policy->theft->rob(run->sched, theft->thief->index,
                                           theft->victim->index);
    return orr_mutex_give_in_turn(&theft->victim->lock, actor);
}

static enum orr_next succeed(struct orr_actor *actor, struct theft *theft)
{
    struct orr_worker *thief = theft->thief;
    struct orr_run *run = thief->run;

    switch (theft->at) {
    case ROB_OPEN:
        theft->at = ROB_ROB;
        return orr_mutex_give_in_turn(&thief->lock, actor);
    case ROB_ROB:
        return rob(actor, theft);
    case ROB_LEAVE:
        theft->at = ROB_END;
        return orr_state_relax(actor, thief, false);
    default:
        run->policy->theft->conclude(run->sched, thief->index, *theft->task);
        return ORR_DONE;
    }
}

/* Comes back later, after having signalled itself. */
static enum orr_next fail(struct orr_actor *actor, struct theft *theft)
{
    struct orr_worker *thief = theft->thief;

    switch (theft->at) {
    case ROB_MET:
        theft->at = ROB_SLEEP;
        return orr_mutex_give_in_turn(&thief->lock, actor);
    case ROB_SLEEP:
        theft->at = ROB_BACK;
        return orr_actor_sleep(actor, ORR_US);
    case ROB_BACK:
        theft->at = ROB_STAY;
        return orr_mutex_take_in_turn(&thief->lock, actor);
    case ROB_STAY:
        theft->at = ROB_STAYED;
        return orr_waking_signal(actor, thief);
    case ROB_STAYED:
        theft->at = ROB_MISSED;
        thief->woken = true;
        return orr_mutex_give_in_turn(&thief->lock, actor);
    default:
        return ORR_DONE;
    }
}

static enum orr_next attempt(struct orr_actor *actor, void *locals)
{
    struct theft *theft = locals;

    switch (theft->at) {
    case ROB_CHOOSE:
        return choose(actor, theft);
    case ROB_TRY_OWN:
        return try_own(actor, theft);
    case ROB_TRY_VICTIM:
        return try_victim(actor, theft);
    case ROB_LOOK:
        return look(actor, theft);
    case ROB_OPEN:
    case ROB_ROB:
    case ROB_LEAVE:
    case ROB_END:
        return succeed(actor, theft);
    default:
        return fail(actor, theft);
    }
}

void orr_theft_call(struct orr_actor *actor, struct orr_worker *worker,
                    struct orr_task **task)
{
    struct theft *theft = orr_actor_call(actor, attempt, sizeof(*theft));

    theft->thief = worker;
    theft->task = task;
}

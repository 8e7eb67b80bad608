/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/lock_walk.h"
#include "runtime/lockstep/clock.h"
#include "runtime/lockstep/lockstep.h"

static inline struct orr_mutex *find(struct orr_lock_walk *walk)
{
    while (walk->next < walk->end) {
        const struct orr_walk_lock *next = walk->next++;

        if (!(next->skip_mask & *walk->bits))
            return next->lock;
    }
    return NULL;
}

/* Handles a tick. Returns false if @actor is then asleep before the last lock.
 * If no other actor has ticks left, the rest of the locks are free. */
static inline bool walk_on(struct orr_lock_walk *walk, struct orr_actor *actor)
{
    struct orr_engine *engine = actor->engine;

    if (walk->held) {
        orr_clock_unlock(walk->held);
        walk->held = NULL;
    } else if (orr_clock_is_busy(engine)) {
        walk->held = find(walk);
        if (!walk->held)
            return true;
        if (!orr_mutex_try(walk->held, actor))
            return false;
    }
    if (!orr_clock_is_busy(engine))
        return true;
    orr_clock_queue(actor, 1);
    return false;
}

static G_GNUC_NO_INLINE void leave(struct orr_actor *actor)
{
    actor->event.fire = orr_lockstep_fire;
    orr_actor_run(actor);
}

static void fire_in_walk(void *arg)
{
    struct orr_actor *actor = arg;

    if (walk_on(orr_lockstep_actor(actor)->walk, actor))
        leave(actor);
}

enum orr_next orr_lock_walk_begin(struct orr_lock_walk *walk,
                                  struct orr_actor *actor)
{
    if (walk_on(walk, actor))
        return ORR_CONTINUE;
    orr_lockstep_actor(actor)->walk = walk;
    actor->event.fire = fire_in_walk;
    return ORR_ASLEEP;
}

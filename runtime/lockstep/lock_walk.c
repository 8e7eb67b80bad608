/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/lock_walk.h"

#include "runtime/lockstep/lockstep.h"

static inline struct orr_mutex *find(struct orr_lock_walk *passage)
{
    while (passage->next < passage->end) {
        const struct orr_walk_lock *gate = passage->next++;

        if (!(gate->shut & *passage->bits))
            return gate->lock;
    }
    return NULL;
}

/* Returns false if @actor is asleep before it has passed the last gate: if
 * nobody else has any turns left, nobody is at the others. */
static inline bool pass(struct orr_lock_walk *passage, struct orr_actor *actor)
{
    struct orr_engine *engine = actor->engine;

    if (passage->held) {
        orr_mutex_give_by_rounds(passage->held, engine);
        passage->held = NULL;
    } else if (engine->turns) {
        passage->held = find(passage);
        if (!passage->held)
            return true;
        if (!orr_mutex_try(passage->held, actor))
            return false;
    }
    if (!engine->turns)
        return true;
    orr_engine_in_turns(engine, 1, &actor->event);
    return false;
}

static G_GNUC_NO_INLINE void leave(struct orr_actor *actor)
{
    orr_actor_in_turns(actor);
    orr_actor_run(actor);
}

static void fire_in_passage(void *arg)
{
    struct orr_actor *actor = arg;

    if (pass(actor->passage, actor))
        leave(actor);
}

enum orr_next orr_lock_walk_begin(struct orr_lock_walk *passage,
                                  struct orr_actor *actor)
{
    if (pass(passage, actor))
        return ORR_CONTINUE;
    actor->passage = passage;
    actor->event.fire = fire_in_passage;
    return ORR_ASLEEP;
}

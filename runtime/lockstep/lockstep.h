/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LOCKSTEP_H
#define ORR_LOCKSTEP_H

#include "runtime/lockstep/clock.h"

/*
 * Lock-step: runs in which it matters which actor is first at one date.
 *
 * In the reference, the actors that run at one date go on in rounds. In each
 * round, all of them run until their next elementary operation, one after the
 * other: a mutex taken or given, a condition signalled, a sleep begun (SimGrid,
 * EngineImpl::run and ActorImpl::simcall_handle). An actor that has to do ten
 * operations before it sleeps goes to sleep after one that has to do five; and
 * of those that sleep until one date, the last to go to sleep wakes first. So
 * counts of operations decide which actor comes first at the next date, and
 * there which one gets a lock, a task, a copy. With many workers, that decides
 * the schedule.
 *
 * Here an operation is a tick, and ticks go round among the actors that have
 * some left at this date (clock.h). Each actor has a list of pending
 * operations. Ordinary code says where it is (orr_point()), trace_points.c
 * appends what the reference does there, and the list is played when the actor
 * next sleeps, waits or passes. An actor that is alone at a date takes all its
 * ticks at once.
 */
struct orr_lock_walk;

/* Something that an actor does at one of its ticks. */
struct orr_pending_operation {
    unsigned ticks; /* to take before it */
    enum { ORR_PENDING_LOCK, ORR_PENDING_UNLOCK, ORR_PENDING_ACT } kind;
    void (*act)(void *arg); /* of ORR_PENDING_ACT */
    void *arg;              /* else a mutex */
};

/* What an actor does once nothing is pending. */
enum orr_intention {
    ORR_PROCEED,   /* with its procedure */
    ORR_SLEEP,     /* for @delay */
    ORR_WAIT,      /* for a signal */
    ORR_SUSPEND,   /* until it is resumed */
    ORR_ADVANCE,   /* until the clock does */
    ORR_LOCK_MUTEX /* @mutex */
};

/* Of an actor: orr_actor.interleaved. */
struct orr_lockstep_actor {
    struct orr_ticks queue; /* first */

    /* What is pending; private to lockstep.c: */
    unsigned ticks;       /* to take after the last operation */
    unsigned done, count; /* operations */
    struct orr_pending_operation *operations; /* owned */
    unsigned room;                            /* for so many */
    enum orr_intention then;
    orr_time delay;
    struct orr_mutex *mutex;

    struct orr_lock_walk *walk;   /* under way: lock_walk.h */
    struct orr_mutex signal_lock; /* of the condition on which it waits */
};

static inline struct orr_lockstep_actor *
orr_lockstep_actor(const struct orr_actor *actor)
{
    return actor->interleaved;
}

/* Whether anything is pending. */
static inline bool orr_lockstep_has_pending(const struct orr_actor *actor)
{
    const struct orr_lockstep_actor *own = orr_lockstep_actor(actor);

    return own->ticks > 0 || own->count > 0;
}

/* The acting actor, if any, has @ticks more to take. */
static inline void orr_lockstep_add_ticks(struct orr_engine *engine,
                                          unsigned ticks)
{
    if (engine->acting)
        orr_lockstep_actor(engine->acting)->ticks += ticks;
}

/* Appends to what is pending of the acting actor, if any: it takes @mutex (one
 * tick, and one more if it has to wait), or gives it (one tick). */
void orr_lockstep_add_lock(struct orr_engine *engine, struct orr_mutex *mutex);
void orr_lockstep_add_unlock(struct orr_engine *engine,
                             struct orr_mutex *mutex);

/* In an act of @actor: what it does next is @ticks later. */
void orr_lockstep_delay(struct orr_actor *actor, unsigned ticks);

/* In a procedure: goes on after what is pending and @ticks more. */
enum orr_next orr_lockstep_pass(struct orr_actor *actor, unsigned ticks);

/* In a procedure: takes or gives @mutex, and goes on one tick later. */
enum orr_next orr_lockstep_lock(struct orr_mutex *mutex,
                                struct orr_actor *actor);
enum orr_next orr_lockstep_unlock(struct orr_mutex *mutex,
                                  struct orr_actor *actor);

/* What the event of @actor fires, except during a lock walk. */
void orr_lockstep_fire(void *arg);

/* The members of orr_interleaving_lockstep with these names. */
void orr_lockstep_init_actor(struct orr_actor *actor);
void orr_lockstep_clear_actor(struct orr_actor *actor);
void orr_lockstep_act(struct orr_engine *engine, void (*act)(void *arg),
                      void *arg);
enum orr_next orr_lockstep_pass_pending(struct orr_actor *actor);
enum orr_next orr_lockstep_sleep(struct orr_actor *actor, orr_time date);
enum orr_next orr_lockstep_wait(struct orr_actor *actor);
enum orr_next orr_lockstep_wait_advance(struct orr_actor *actor);
void orr_lockstep_suspend(struct orr_actor *actor);
void orr_lockstep_signal(struct orr_actor *actor);
void orr_lockstep_clear_signal(struct orr_actor *actor);
enum orr_next orr_lockstep_lock_mutex(struct orr_mutex *mutex,
                                      struct orr_actor *actor);

#endif

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
 * Here an operation is a turn, and turns go round among the actors that have
 * some left at this date (clock.h). Each actor has a list of pending
 * operations. Ordinary code says where it is (orr_point()), points.c appends
 * what the reference does there, and the list is played when the actor next
 * sleeps, waits or passes. An actor that is alone at a date takes all its turns
 * at once.
 */
struct orr_lock_walk;

/* Something that an actor does at one of its turns. */
struct orr_operation {
    unsigned turns; /* to take before it */
    enum { ORR_TAKES, ORR_GIVES, ORR_ACTS } kind;
    void (*act)(void *arg); /* of ORR_ACTS */
    void *arg;              /* else a mutex */
};

/* What an actor does once nothing is pending. */
enum orr_intention {
    ORR_GO_ON,   /* with its procedure */
    ORR_SLEEP,   /* for @delay */
    ORR_WAIT,    /* for a signal */
    ORR_SUSPEND, /* until it is resumed */
    ORR_ADVANCE, /* until the clock does */
    ORR_TAKE     /* @mutex */
};

/* Of an actor: orr_actor.interleaved. */
struct orr_lockstep_actor {
    struct orr_turns queue; /* first */

    /* What is pending; private to lockstep.c: */
    unsigned turns;                   /* to take after the last operation */
    unsigned done, count;             /* operations */
    struct orr_operation *operations; /* owned */
    unsigned room;                    /* for so many */
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

    return own->turns > 0 || own->count > 0;
}

/* The acting actor, if any, has @turns more to take. */
static inline void orr_lockstep_spend(struct orr_engine *engine, unsigned turns)
{
    if (engine->acting)
        orr_lockstep_actor(engine->acting)->turns += turns;
}

/* Appends to what is pending of the acting actor, if any: it takes @mutex (one
 * turn, and one more if it has to wait), or gives it (one turn). */
void orr_lockstep_take(struct orr_engine *engine, struct orr_mutex *mutex);
void orr_lockstep_give(struct orr_engine *engine, struct orr_mutex *mutex);

/* In an act of @actor: what it does next is @turns later. */
void orr_lockstep_delay(struct orr_actor *actor, unsigned turns);

/* In a procedure: goes on after what is pending and @turns more. */
enum orr_next orr_lockstep_pass(struct orr_actor *actor, unsigned turns);

/* In a procedure: takes or gives @mutex, and goes on one turn later. */
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
enum orr_next orr_lockstep_take_mutex(struct orr_mutex *mutex,
                                      struct orr_actor *actor);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LOCKSTEP_H
#define ORR_LOCKSTEP_H

#include "runtime/lockstep/clock.h"

/*
 * Lock-step: runs in which it matters which actor is first at one date.
 *
 * In the reference, the actors that run at one date advance in rounds. In each
 * round, every actor runs until its next elementary operation, one actor after
 * the other: it locks or unlocks a mutex, signals a condition, begins to sleep
 * (SimGrid, EngineImpl::run and ActorImpl::simcall_handle). An actor that makes
 * ten operations before it sleeps goes to sleep later than an actor that makes
 * five; and among actors that sleep until one date, the last to go to sleep
 * wakes first. So the counts of operations decide which actor comes first at
 * the next date, and which one gets a lock, a task or a copy there. With many
 * workers, that decides the schedule.
 *
 * Here an operation takes a tick; the actors with ticks left at this date take
 * one each, round after round (clock.h). Each actor has a list of pending
 * operations. At each trace point in ordinary code (orr_point()),
 * trace_points.c appends the operations of the reference at this place; the
 * list is executed when the actor next sleeps, waits or passes. An actor that
 * is alone at a date takes all its ticks at once.
 */
struct orr_lock_walk;

/* A pending operation of an actor. */
struct orr_pending_operation {
    unsigned ticks; /* ticks before the operation */
    enum { ORR_PENDING_LOCK, ORR_PENDING_UNLOCK, ORR_PENDING_ACT } kind;
    void (*act)(void *arg); /* function of ORR_PENDING_ACT */
    void *arg;              /* its argument; for the other kinds, the mutex */
};

/* The action of an actor once nothing is pending. */
enum orr_intention {
    ORR_PROCEED,   /* continue its procedure */
    ORR_SLEEP,     /* sleep for @delay */
    ORR_WAIT,      /* wait for a signal */
    ORR_SUSPEND,   /* suspend itself until it is resumed */
    ORR_ADVANCE,   /* wait until the clock advances */
    ORR_LOCK_MUTEX /* lock @mutex */
};

/* The state of lock-step in an actor: orr_actor.interleaved. */
struct orr_lockstep_actor {
    struct orr_ticks queue; /* first */

    /* The pending operations; private to lockstep.c. */
    unsigned ticks;       /* ticks after the last operation */
    unsigned done, count; /* operations */
    struct orr_pending_operation *operations; /* owned */
    unsigned room;                            /* capacity of @operations */
    enum orr_intention then;
    orr_time delay;
    struct orr_mutex *mutex;

    struct orr_lock_walk *walk;   /* walk under way (lock_walk.h), or NULL */
    struct orr_mutex signal_lock; /* lock of the condition on which it waits */
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

/* Adds @ticks ticks to the pending ones of the acting actor, if any. */
static inline void orr_lockstep_add_ticks(struct orr_engine *engine,
                                          unsigned ticks)
{
    if (engine->acting)
        orr_lockstep_actor(engine->acting)->ticks += ticks;
}

/* Appends an operation to the pending ones of the acting actor, if any: it
 * locks @mutex (one tick, and one more if it has to wait), or unlocks it (one
 * tick). */
void orr_lockstep_add_lock(struct orr_engine *engine, struct orr_mutex *mutex);
void orr_lockstep_add_unlock(struct orr_engine *engine,
                             struct orr_mutex *mutex);

/* In an act of @actor: delays its next operation by @ticks ticks. */
void orr_lockstep_delay(struct orr_actor *actor, unsigned ticks);

/* In a procedure: continues after all pending operations and @ticks more
 * ticks. */
enum orr_next orr_lockstep_pass(struct orr_actor *actor, unsigned ticks);

/* In a procedure: locks or unlocks @mutex, and continues one tick later. */
enum orr_next orr_lockstep_lock(struct orr_mutex *mutex,
                                struct orr_actor *actor);
enum orr_next orr_lockstep_unlock(struct orr_mutex *mutex,
                                  struct orr_actor *actor);

/* Handler of an actor's event, except during a walk through locks. */
void orr_lockstep_fire(void *arg);

/* The members of orr_turns_lockstep with these names. */
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

/* Lock-step; NULL if this build leaves it out (configure --disable-lockstep).
 */
extern const struct orr_turns *const orr_turns_lockstep;

#endif

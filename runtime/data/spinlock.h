/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SPINLOCK_H
#define ORR_SPINLOCK_H

#include "runtime/engine/actor.h"

/*
 * The spinlock of a datum in the reference (StarPU, thread.h, over SimGrid). A
 * driver holds it while it queues a copy, and keeps it while it frees a buffer
 * of the datum, which takes until all copies have ended. Other actors touch it:
 * they take and give it at one date, which still excludes others at this date,
 * since the actor that has it lets others run while it wakes a worker.
 *
 * An actor that finds the lock taken sleeps for 1 us, then checks again
 * whenever the clock advances. At the date at which the holder gives it back,
 * the first actor to check (or the first few, if the holder also has to start
 * its copy) still finds it taken.
 *
 * Zero-initialised is free.
 */
struct orr_spinlock {
    orr_time until;                    /* the holder has it up to this date */
    const struct orr_actor *holder;    /* or NULL */
    orr_time touched;                  /* date of the last touch */
    const struct orr_actor *toucher;   /* at that date, or NULL */
    const struct orr_request *request; /* that the holder queues, or NULL */
    orr_time passed; /* last date at which a waiting actor got it */
    unsigned passer; /* number of this actor among those that checked */
    unsigned taken;  /* takes less gives, if the interleaving counts them */
};

/* The acting actor, if any, holds the lock for @duration from now. */
void orr_spinlock_lock_for(struct orr_spinlock *lock, struct orr_engine *engine,
                           orr_time duration);

/* The acting actor holds the lock until it gives it, at a date that is not
 * known yet. */
void orr_spinlock_lock(struct orr_spinlock *lock, struct orr_engine *engine);
void orr_spinlock_unlock(struct orr_spinlock *lock, struct orr_engine *engine);

static inline bool orr_spinlock_is_kept(const struct orr_spinlock *lock)
{
    return lock->until == ORR_NEVER;
}

/* The acting actor takes and gives the lock now. */
static inline void orr_spinlock_lock_briefly(struct orr_spinlock *lock,
                                             struct orr_engine *engine)
{
    lock->touched = engine->now;
    lock->toucher = engine->acting;
    engine->contended = MAX(engine->contended, lock->touched);
    orr_point(engine, ORR_POINT_LOCKED_BRIEFLY, lock);
}

/* For an interleaving: the acting actor, which held or touched the lock, gives
 * it back once its pending operations have been played. */
static inline void orr_spinlock_unlock_pending(struct orr_spinlock *lock,
                                               struct orr_engine *engine)
{
    orr_point(engine, ORR_POINT_UNLOCKED, lock);
}

/* Whether any spinlock may be taken at this date. */
static inline bool orr_spinlocks_contended(const struct orr_engine *engine)
{
    return engine->now <= engine->contended;
}

/* Whether one may be before the acting actor gets to it: always, if other
 * actors take turns meanwhile. */
static inline bool orr_spinlocks_may_contend(const struct orr_engine *engine)
{
    return engine->interleaving || orr_spinlocks_contended(engine);
}

/* Whether another actor holds the lock. */
static inline bool orr_spinlock_is_held(const struct orr_spinlock *lock,
                                        const struct orr_engine *engine)
{
    return orr_spinlocks_contended(engine) && lock->holder &&
           engine->now <= lock->until && engine->acting != lock->holder;
}

/* Whether another actor holds the lock or touches it at this date. */
static inline bool orr_spinlock_is_taken(const struct orr_spinlock *lock,
                                         const struct orr_engine *engine)
{
    return orr_spinlocks_contended(engine) &&
           (orr_spinlock_is_held(lock, engine) ||
            (lock->toucher && engine->now == lock->touched &&
             engine->acting != lock->toucher));
}

/* Calls a procedure that waits until @lock, which is taken, is free. */
void orr_spinlock_await(struct orr_actor *actor, struct orr_spinlock *lock);

#endif

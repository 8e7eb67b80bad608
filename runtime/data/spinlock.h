/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SPINLOCK_H
#define ORR_SPINLOCK_H

#include "runtime/engine/actor.h"
#include "runtime/graph/datum.h"

/*
 * The spinlock of a datum in the reference (StarPU, thread.h, over SimGrid). A
 * driver locks it for a known time while it queues a copy, and until a date not
 * known in advance while it frees a buffer of the datum, which takes until all
 * copies have ended. Other actors lock it briefly: they lock and unlock it at
 * one date. This still excludes others at that date, since the owner lets them
 * run while it wakes a worker.
 *
 * An actor that finds the lock taken sleeps for 1 us, then checks again
 * whenever the clock advances. At the date at which the holder unlocks, the
 * first actor to check (or the first few, if the holder also has to start its
 * copy) still finds the lock taken.
 *
 * Zero-initialised is unlocked.
 */

/* The acting actor, if any, locks the lock for @duration from now. */
void orr_spinlock_lock_for(struct orr_spinlock *lock, struct orr_engine *engine,
                           orr_time duration);

/* The acting actor locks, until it unlocks at a date that is not known yet. */
void orr_spinlock_lock(struct orr_spinlock *lock, struct orr_engine *engine);
void orr_spinlock_unlock(struct orr_spinlock *lock, struct orr_engine *engine);

static inline bool orr_spinlock_is_kept(const struct orr_spinlock *lock)
{
    return lock->until == ORR_NEVER;
}

/* The acting actor locks and unlocks at this date. */
static inline void orr_spinlock_lock_briefly(struct orr_spinlock *lock,
                                             struct orr_engine *engine)
{
    lock->touched = engine->now;
    lock->toucher = engine->acting;
    engine->contended = MAX(engine->contended, lock->touched);
    orr_point(engine, ORR_POINT_LOCKED_BRIEFLY, lock);
}

/* For lock-step: the acting actor, which has locked the lock for some time or
 * briefly, unlocks it once its pending operations have been executed. */
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

/* Whether a spinlock may be taken before the acting actor gets to it. Always
 * true in lock-step, where other actors run in between. */
static inline bool orr_spinlocks_may_contend(const struct orr_engine *engine)
{
    return engine->interleaving || orr_spinlocks_contended(engine);
}

/* Whether another actor holds the lock beyond this date. */
static inline bool orr_spinlock_is_held(const struct orr_spinlock *lock,
                                        const struct orr_engine *engine)
{
    return orr_spinlocks_contended(engine) && lock->holder &&
           engine->now <= lock->until && engine->acting != lock->holder;
}

/* Whether another actor holds the lock, or has locked it briefly at this
 * date. */
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SPINLOCK_H
#define ORR_SPINLOCK_H

#include "runtime/engine/actor.h"

/*
 * The lock of a datum, as actors of the reference meet at it (StarPU,
 * thread.h, over SimGrid). A driver holds it while it queues a copy. Others
 * take it for a moment; that counts as well when two come at the same date,
 * since whoever has it lets others run while it wakes somebody.
 *
 * Who finds the lock taken waits for 1 us, and then looks again whenever the
 * clock advances, in the steps of others. At the very date at which it is given
 * back it is free for those only who look after somebody else did, or two, if
 * the holder also has to start its copy.
 *
 * Zero-initialised is free since ever.
 */
struct orr_spinlock {
    orr_time until;                 /* held up to this date, */
    const struct orr_actor *holder; /* by this actor, */
    orr_time touched; /* last date at which somebody took it for a moment, */
    const struct orr_actor *toucher;   /* this actor */
    const struct orr_request *request; /* which the holder queues, or NULL */
    orr_time passed; /* last date at which one of those who waited got it, */
    unsigned passer; /* the how manieth of those who looked */
    unsigned taken;  /* how often, and not given back, if an interleaving counts
                        that */
};

/* The acting actor, or none, holds the lock for @duration from now. */
void orr_spinlock_hold(struct orr_spinlock *lock, struct orr_engine *engine,
                       orr_time duration);

/* The acting actor takes and gives the lock at this date. */
void orr_spinlock_touch(struct orr_spinlock *lock, struct orr_engine *engine);

/* The acting actor, which held or touched the lock, is done with it: where
 * operations are played, others may have it after what is pending. */
static inline void orr_spinlock_leave(struct orr_spinlock *lock,
                                      struct orr_engine *engine)
{
    orr_point(engine, ORR_POINT_LOCK_LEFT, lock);
}

/* Whether some lock may be taken at this date, by whomever. */
static inline bool orr_spinlocks_contended(const struct orr_engine *engine)
{
    return engine->now <= engine->contended;
}

/* Whether another actor holds the lock. */
static inline bool orr_spinlock_is_held(const struct orr_spinlock *lock,
                                        const struct orr_engine *engine)
{
    return orr_spinlocks_contended(engine) && lock->holder &&
           engine->now <= lock->until && engine->acting != lock->holder;
}

/* Whether another actor holds the lock or takes it at this date. */
static inline bool orr_spinlock_is_taken(const struct orr_spinlock *lock,
                                         const struct orr_engine *engine)
{
    return orr_spinlocks_contended(engine) &&
           (orr_spinlock_is_held(lock, engine) ||
            (lock->toucher && engine->now == lock->touched &&
             engine->acting != lock->toucher));
}

/* Calls: waits for @lock, which is taken, to be free. */
void orr_spinlock_await(struct orr_actor *actor, struct orr_spinlock *lock);

#endif

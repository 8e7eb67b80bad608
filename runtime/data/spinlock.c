/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/spinlock.h"

#include "runtime/data/copy.h"

void orr_spinlock_lock_for(struct orr_spinlock *lock, struct orr_engine *engine,
                           orr_time duration)
{
    lock->until = engine->now + duration;
    lock->holder = engine->acting;
    lock->request = NULL;
    engine->last_taken = MAX(engine->last_taken, lock->until);
    engine->contended = MAX(engine->contended, lock->until);
    orr_point(engine, ORR_POINT_LOCKED, lock);
}

void orr_spinlock_lock(struct orr_spinlock *lock, struct orr_engine *engine)
{
    orr_spinlock_lock_for(lock, engine, 0);
    lock->until = ORR_NEVER;
    engine->kept++;
    engine->contended = ORR_NEVER;
}

void orr_spinlock_unlock(struct orr_spinlock *lock, struct orr_engine *engine)
{
    lock->until = engine->now;
    if (--engine->kept == 0)
        engine->contended = MAX(engine->last_taken, engine->now);
    orr_spinlock_unlock_pending(lock, engine);
}

struct waiting {
    bool slept;  /* it has slept for the first 1 us */
    bool locked; /* state of orr_interleaving.spin() */
    bool waited; /* it has waited for the clock to advance at least once */
    struct orr_spinlock *lock;
};

/* Waiting actors check one after the other, one operation apart. The first one
 * checks before the holder, which may start its copy first, unlocks. */
static bool has_been_given(const struct orr_spinlock *lock,
                           const struct orr_engine *engine)
{
    return engine->now == lock->until && engine->advanced > 0 &&
           (!lock->request ||
            engine->advanced > orr_copy_operations(lock->request));
}

/* The lock stays held until the next actor of this date has tested it. */
static bool pass(struct orr_spinlock *lock, const struct orr_engine *engine)
{
    if (lock->passed == engine->now && engine->advanced == lock->passer + 1)
        return false;
    lock->passed = engine->now;
    lock->passer = engine->advanced;
    return true;
}

static enum orr_next wait(struct orr_actor *actor, void *locals)
{
    struct waiting *waiting = locals;
    struct orr_spinlock *lock = waiting->lock;
    struct orr_engine *engine = actor->engine;
    bool is_free;

    if (G_UNLIKELY(engine->interleaving) && waiting->slept)
        return engine->interleaving->spin(actor, lock, &waiting->locked);
    is_free = !orr_spinlock_is_taken(lock, engine);
    if (!waiting->waited && is_free)
        return ORR_DONE;
    if (waiting->waited && (is_free || has_been_given(lock, actor->engine)) &&
        pass(lock, actor->engine))
        return ORR_DONE;
    if (waiting->slept) {
        waiting->waited = true;
        return orr_actor_wait_advance(actor);
    }
    waiting->slept = true;
    return orr_actor_sleep(actor, ORR_US);
}

void orr_spinlock_await(struct orr_actor *actor, struct orr_spinlock *lock)
{
    struct waiting *waiting = orr_actor_call(actor, wait, sizeof(*waiting));

    waiting->lock = lock;
}

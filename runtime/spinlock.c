/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/spinlock.h"

void orr_spinlock_hold(struct orr_spinlock *lock, struct orr_engine *engine,
                       orr_time duration)
{
    lock->until = engine->now + duration;
    lock->holder = engine->acting;
    engine->contended = MAX(engine->contended, lock->until);
}

void orr_spinlock_touch(struct orr_spinlock *lock, struct orr_engine *engine)
{
    lock->touched = engine->now;
    lock->toucher = engine->acting;
    engine->contended = MAX(engine->contended, lock->touched);
}

/* After it is given back, its holder takes another step of at least 1 us: the
 * clock advances then at the latest. */
static orr_time next_chance(const struct orr_spinlock *lock,
                            const struct orr_engine *engine)
{
    return MAX(engine->now, lock->until) + ORR_US;
}

struct waiting {
    bool slept;  /* for the first 1 us */
    bool waited; /* for the clock to advance, at least once */
    const struct orr_spinlock *lock;
};

static enum orr_next wait(struct orr_actor *actor, void *locals)
{
    struct waiting *waiting = locals;

    if (!orr_spinlock_is_taken(waiting->lock, actor->engine))
        return ORR_DONE;
    if (waiting->waited && actor->engine->settled &&
        actor->engine->now == waiting->lock->until)
        return ORR_DONE;
    if (waiting->slept) {
        waiting->waited = true;
        return orr_actor_wait_advance(
            actor, next_chance(waiting->lock, actor->engine));
    }
    waiting->slept = true;
    return orr_actor_sleep(actor, ORR_US);
}

void orr_spinlock_await(struct orr_actor *actor,
                        const struct orr_spinlock *lock)
{
    struct waiting *waiting = orr_actor_call(actor, wait, sizeof(*waiting));

    waiting->lock = lock;
}

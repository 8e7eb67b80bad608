/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/actor.h"

#include <string.h>

/* Precedes its locals on the stack. */
struct frame {
    orr_procedure *procedure;
    size_t below; /* offset of the frame under this one */
};

#define FRAME_SIZE sizeof(struct frame)
#define ALIGNMENT _Alignof(max_align_t)

G_STATIC_ASSERT(FRAME_SIZE % ALIGNMENT == 0);

static void run(struct orr_actor *actor)
{
    enum orr_next next;
    struct orr_actor *before = actor->engine->acting;

    actor->engine->acting = actor;
    do {
        struct frame *frame = (struct frame *)(actor->stack + actor->top);

        next = frame->procedure(actor, frame + 1);
        if (next == ORR_DONE) { /* nothing was called: it is still on top */
            actor->used = actor->top;
            actor->top = frame->below;
        }
    } while (next != ORR_ASLEEP && actor->used > 0);
    actor->engine->acting = before;
}

static void fire(void *arg)
{
    run(arg);
}

void orr_actor_init(struct orr_actor *actor, struct orr_engine *engine)
{
    actor->event = (struct orr_event){.fire = fire, .arg = actor};
    actor->engine = engine;
    actor->waiting = false;
    actor->earliest = 0;
    actor->signalled = false;
    actor->used = 0;
    actor->top = 0;
}

void *orr_actor_call(struct orr_actor *actor, orr_procedure *procedure,
                     size_t size)
{
    size_t room = FRAME_SIZE + (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct frame *frame = (struct frame *)(actor->stack + actor->used);

    g_assert(actor->used + room <= ORR_ACTOR_STACK);
    frame->procedure = procedure;
    frame->below = actor->top;
    actor->top = actor->used;
    actor->used += room;
    return memset(frame + 1, 0, size);
}

static void append(struct orr_actor **first, struct orr_actor **last,
                   struct orr_actor *actor)
{
    actor->next = NULL;
    if (*first)
        (*last)->next = actor;
    else
        *first = actor;
    *last = actor;
}

static void wake(struct orr_actor *actor)
{
    append(&actor->engine->woken, &actor->engine->last_woken, actor);
}

/* Runs those woken at this date, first come first served; not one inside the
 * other, as they go to sleep themselves. */
static void run_woken(struct orr_engine *engine)
{
    if (engine->waking)
        return;
    engine->waking = true;
    while (engine->woken) {
        struct orr_actor *actor = engine->woken;

        engine->woken = actor->next;
        run(actor);
    }
    engine->waking = false;
}

void orr_actor_start(struct orr_actor *actor)
{
    run(actor);
    run_woken(actor->engine);
}

/* Those who wait for the clock to advance run first at the new date. */
static void advance(struct orr_engine *engine)
{
    struct orr_actor *actor = engine->next_date;

    orr_engine_advance(engine, orr_engine_next(engine));
    engine->next_date = NULL;
    engine->settled = false;
    while (actor) {
        struct orr_actor *next = actor->next;

        orr_engine_cancel(engine, &actor->event);
        run(actor);
        engine->settled = true;
        actor = next;
    }
}

bool orr_actors_step(struct orr_engine *engine)
{
    bool fired = true;

    if (engine->next_date && orr_engine_next(engine) > engine->now)
        advance(engine);
    else
        fired = orr_engine_step(engine);
    run_woken(engine);
    return fired;
}

enum orr_next orr_actor_sleep(struct orr_actor *actor, orr_time delay)
{
    if (delay == 0)
        return ORR_CONTINUE;
    run_woken(actor->engine);
    orr_engine_at(actor->engine, actor->engine->now + delay, &actor->event);
    return ORR_ASLEEP;
}

enum orr_next orr_actor_yield(struct orr_actor *actor)
{
    orr_time now = actor->engine->now;

    run_woken(actor->engine);
    orr_engine_at_via(actor->engine, now, now, &actor->event);
    return ORR_ASLEEP;
}

enum orr_next orr_actor_wait(struct orr_actor *actor)
{
    if (actor->signalled)
        return ORR_CONTINUE;
    actor->waiting = true;
    return ORR_ASLEEP;
}

enum orr_next orr_actor_wait_advance(struct orr_actor *actor, orr_time latest)
{
    struct orr_engine *engine = actor->engine;

    run_woken(engine);
    orr_engine_at(engine, latest, &actor->event);
    append(&engine->next_date, &engine->last_next_date, actor);
    return ORR_ASLEEP;
}

enum orr_next orr_actor_wait_busy(struct orr_actor *actor, orr_time delay)
{
    if (actor->signalled)
        return orr_actor_sleep(actor, delay);
    actor->earliest = actor->engine->now + delay;
    return orr_actor_wait(actor);
}

enum orr_next orr_actor_suspend(struct orr_actor *actor)
{
    actor->waiting = false;
    return ORR_ASLEEP;
}

void orr_actor_signal(struct orr_actor *actor)
{
    actor->signalled = true;
    if (!actor->waiting)
        return;
    actor->waiting = false;
    if (actor->engine->now < actor->earliest)
        orr_engine_at_via(actor->engine, actor->earliest,
                          actor->earliest - ORR_US, &actor->event);
    else
        wake(actor);
}

void orr_actor_resume(struct orr_actor *actor)
{
    wake(actor);
}

enum orr_next orr_lock_take(struct orr_lock *lock, struct orr_actor *actor)
{
    if (!lock->owner) {
        lock->owner = actor;
        return ORR_CONTINUE;
    }
    append(&lock->first_waiter, &lock->last_waiter, actor);
    return orr_actor_suspend(actor);
}

void orr_lock_give(struct orr_lock *lock)
{
    lock->owner = lock->first_waiter;
    if (!lock->owner)
        return;
    lock->first_waiter = lock->owner->next;
    orr_actor_resume(lock->owner);
}

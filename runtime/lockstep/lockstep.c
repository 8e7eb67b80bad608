/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists of pending operations. An operation is preceded by a number of ticks;
 * after the last one come the remaining ticks, then the intention: what the
 * actor does when all are executed. execute() takes the ticks one by one. When
 * other actors have ticks at the same date, the actor queues itself in the
 * round (clock.h) and continues at its next tick; when it is alone it takes all
 * at once.
 *
 * A lock that is taken makes the actor wait in the queue of the mutex; that
 * wait takes the place of the tick which follows the operation.
 */
#include "runtime/lockstep/lockstep.h"

static enum orr_next conclude(struct orr_actor *actor);

/* Performs the next pending operation. Returns false if @actor now waits for a
 * mutex. */
static inline bool do_operation(struct orr_actor *actor)
{
    struct orr_lockstep_actor *own = orr_lockstep_actor(actor);
    struct orr_pending_operation *operation = &own->operations[own->done++];

    switch (operation->kind) {
    case ORR_PENDING_ACT:
        operation->act(operation->arg);
        return true;
    case ORR_PENDING_UNLOCK:
        orr_clock_unlock(operation->arg);
        return true;
    case ORR_PENDING_LOCK:
        break;
    }
    if (orr_mutex_try(operation->arg, actor))
        return true;
    /* the wait for the lock takes the tick that follows */
    if (own->done < own->count)
        operation[1].ticks--;
    else
        own->ticks--;
    return false;
}

/* Takes all @ticks. Returns false if other actors come in between. */
static inline bool take_ticks(struct orr_actor *actor, unsigned *ticks)
{
    unsigned count = *ticks;

    *ticks = 0;
    if (count == 0 || !orr_clock_is_busy(actor->engine))
        return true;
    orr_clock_queue(actor, count);
    return false;
}

/* Executes the pending operations. Returns false if @actor is asleep before the
 * end. */
static bool execute(struct orr_actor *actor)
{
    struct orr_lockstep_actor *own = orr_lockstep_actor(actor);

    while (own->done < own->count) {
        if (!take_ticks(actor, &own->operations[own->done].ticks) ||
            !do_operation(actor))
            return false;
    }
    own->done = own->count = 0;
    return take_ticks(actor, &own->ticks);
}

void orr_lockstep_fire(void *arg)
{
    struct orr_actor *actor = arg;

    if ((orr_lockstep_actor(actor)->then != ORR_PROCEED ||
         orr_lockstep_has_pending(actor)) &&
        (!execute(actor) || conclude(actor) == ORR_ASLEEP))
        return;
    orr_actor_run(actor);
}

void orr_lockstep_init_actor(struct orr_actor *actor)
{
    actor->event.fire = orr_lockstep_fire;
}

void orr_lockstep_clear_actor(struct orr_actor *actor)
{
    g_free(orr_lockstep_actor(actor)->operations);
}

static enum orr_next begin_wait(struct orr_actor *actor)
{
    struct orr_lockstep_actor *own = orr_lockstep_actor(actor);

    orr_mutex_unlock(&own->signal_lock);
    if (actor->signalled) {
        own->ticks++;
        return ORR_CONTINUE;
    }
    actor->waiting = true;
    return ORR_ASLEEP;
}

/* Nothing is pending any more: carries out the intention. */
static enum orr_next conclude(struct orr_actor *actor)
{
    struct orr_lockstep_actor *own = orr_lockstep_actor(actor);
    enum orr_intention then = own->then;

    own->then = ORR_PROCEED;
    switch (then) {
    case ORR_SLEEP:
        return orr_actor_sleep_until(actor, actor->engine->now + own->delay);
    case ORR_WAIT:
        return begin_wait(actor);
    case ORR_SUSPEND:
        return ORR_ASLEEP;
    case ORR_ADVANCE:
        return orr_actor_await_advance(actor);
    case ORR_LOCK_MUTEX:
        return orr_lockstep_lock_mutex(own->mutex, actor);
    case ORR_PROCEED:
        break;
    }
    return ORR_CONTINUE;
}

static enum orr_next defer(struct orr_actor *actor,
                           enum orr_intention intention)
{
    orr_lockstep_actor(actor)->then = intention;
    return execute(actor) ? conclude(actor) : ORR_ASLEEP;
}

enum orr_next orr_lockstep_sleep(struct orr_actor *actor, orr_time date)
{
    if (!orr_lockstep_has_pending(actor))
        return orr_actor_sleep_until(actor, date);
    orr_lockstep_actor(actor)->delay = date - actor->engine->now;
    return defer(actor, ORR_SLEEP);
}

enum orr_next orr_lockstep_lock_mutex(struct orr_mutex *mutex,
                                      struct orr_actor *actor)
{
    if (orr_lockstep_has_pending(actor)) {
        orr_lockstep_actor(actor)->mutex = mutex;
        return defer(actor, ORR_LOCK_MUTEX);
    }
    return orr_mutex_try(mutex, actor) ? ORR_CONTINUE
                                       : orr_actor_suspend(actor);
}

enum orr_next orr_lockstep_wait(struct orr_actor *actor)
{
    orr_lockstep_add_lock(actor->engine,
                          &orr_lockstep_actor(actor)->signal_lock);
    return defer(actor, ORR_WAIT);
}

enum orr_next orr_lockstep_wait_advance(struct orr_actor *actor)
{
    return orr_lockstep_has_pending(actor) ? defer(actor, ORR_ADVANCE)
                                           : orr_actor_await_advance(actor);
}

void orr_lockstep_suspend(struct orr_actor *actor)
{
    if (orr_lockstep_has_pending(actor))
        defer(actor, ORR_SUSPEND);
}

enum orr_next orr_lockstep_pass(struct orr_actor *actor, unsigned ticks)
{
    struct orr_lockstep_actor *own = orr_lockstep_actor(actor);

    own->ticks += ticks;
    if (own->count == 0)
        return take_ticks(actor, &own->ticks) ? ORR_CONTINUE : ORR_ASLEEP;
    return defer(actor, ORR_PROCEED);
}

enum orr_next orr_lockstep_pass_pending(struct orr_actor *actor)
{
    return orr_lockstep_pass(actor, 0);
}

enum orr_next orr_lockstep_lock(struct orr_mutex *mutex,
                                struct orr_actor *actor)
{
    enum orr_next next = orr_mutex_lock(mutex, actor);

    return next == ORR_CONTINUE ? orr_lockstep_pass(actor, 1) : next;
}

enum orr_next orr_lockstep_unlock(struct orr_mutex *mutex,
                                  struct orr_actor *actor)
{
    orr_mutex_unlock(mutex);
    return orr_lockstep_pass(actor, 1);
}

static G_GNUC_NO_INLINE void make_room(struct orr_lockstep_actor *own)
{
    own->room = MAX(16, 2 * own->room);
    own->operations =
        g_renew(struct orr_pending_operation, own->operations, own->room);
}

static inline void add(struct orr_actor *actor,
                       struct orr_pending_operation operation)
{
    struct orr_lockstep_actor *own = orr_lockstep_actor(actor);

    if (G_UNLIKELY(own->count == own->room))
        make_room(own);
    operation.ticks = own->ticks;
    own->operations[own->count++] = operation;
    own->ticks = 0;
}

static inline void add_give(struct orr_actor *actor, struct orr_mutex *mutex)
{
    add(actor, (struct orr_pending_operation){.kind = ORR_PENDING_UNLOCK,
                                              .arg = mutex});
    orr_lockstep_actor(actor)->ticks = 1;
}

void orr_lockstep_act(struct orr_engine *engine, void (*act)(void *arg),
                      void *arg)
{
    struct orr_actor *actor = engine->acting;

    if (!actor || !orr_lockstep_has_pending(actor))
        act(arg);
    else
        add(actor, (struct orr_pending_operation){
                       .kind = ORR_PENDING_ACT, .act = act, .arg = arg});
}

void orr_lockstep_add_lock(struct orr_engine *engine, struct orr_mutex *mutex)
{
    if (!engine->acting)
        return;
    add(engine->acting,
        (struct orr_pending_operation){.kind = ORR_PENDING_LOCK, .arg = mutex});
    orr_lockstep_actor(engine->acting)->ticks = 1;
}

void orr_lockstep_add_unlock(struct orr_engine *engine, struct orr_mutex *mutex)
{
    if (engine->acting)
        add_give(engine->acting, mutex);
}

/* An actor that waits on a condition locks the condition's lock before it
 * continues, and then unlocks it. */
static void notify(void *arg)
{
    struct orr_actor *actor = arg;
    struct orr_mutex *signal_lock = &orr_lockstep_actor(actor)->signal_lock;

    actor->signalled = true;
    if (!actor->waiting)
        return;
    actor->waiting = false;
    add_give(actor, signal_lock);
    if (orr_mutex_try(signal_lock, actor))
        orr_actor_resume(actor);
}

void orr_lockstep_signal(struct orr_actor *actor)
{
    struct orr_mutex *signal_lock = &orr_lockstep_actor(actor)->signal_lock;

    orr_lockstep_add_lock(actor->engine, signal_lock);
    orr_lockstep_act(actor->engine, notify, actor);
    orr_lockstep_add_ticks(actor->engine, 1);
    orr_lockstep_add_unlock(actor->engine, signal_lock);
}

void orr_lockstep_delay(struct orr_actor *actor, unsigned ticks)
{
    struct orr_lockstep_actor *own = orr_lockstep_actor(actor);

    if (own->done < own->count)
        own->operations[own->done].ticks += ticks;
    else
        own->ticks += ticks;
}

static void clear_signals(void *arg)
{
    ((struct orr_actor *)arg)->signalled = false;
}

void orr_lockstep_clear_signal(struct orr_actor *actor)
{
    struct orr_mutex *signal_lock = &orr_lockstep_actor(actor)->signal_lock;

    orr_lockstep_add_lock(actor->engine, signal_lock);
    orr_lockstep_act(actor->engine, clear_signals, actor);
    orr_lockstep_add_unlock(actor->engine, signal_lock);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/lockstep.h"

#include "runtime/engine/decision.h"

static enum orr_next conclude(struct orr_actor *actor);

/* Does what is due. Returns false if that is to wait for a lock. */
static inline bool do_operation(struct orr_actor *actor)
{
    struct orr_account *account = &actor->account;
    struct orr_operation *operation = &account->operations[account->done++];

    switch (operation->kind) {
    case ORR_ACTS:
        operation->act(operation->arg);
        return true;
    case ORR_GIVES:
        orr_mutex_give_by_rounds(operation->arg, actor->engine);
        return true;
    case ORR_TAKES:
        break;
    }
    if (orr_mutex_try(operation->arg, actor))
        return true;
    /* The turn after it passes while it waits. */
    if (account->done < account->count)
        operation[1].turns--;
    else
        account->turns--;
    return false;
}

/* Takes @turns, which then are not owed any more. Returns false if others come
 * in between. */
static inline bool take(struct orr_actor *actor, unsigned *turns)
{
    unsigned owed = *turns;

    *turns = 0;
    if (owed == 0 || !actor->engine->turns)
        return true;
    orr_engine_in_turns(actor->engine, owed, &actor->event);
    return false;
}

/* Pays what @actor owes. Returns false if it is asleep before it is done. */
static bool settle(struct orr_actor *actor)
{
    struct orr_account *account = &actor->account;

    while (account->done < account->count) {
        if (!take(actor, &account->operations[account->done].turns) ||
            !do_operation(actor))
            return false;
    }
    account->done = account->count = 0;
    return take(actor, &account->turns);
}

static void fire_in_turn(void *arg)
{
    struct orr_actor *actor = arg;

    if ((actor->account.then != ORR_GO_ON || orr_actor_has_pending(actor)) &&
        (!settle(actor) || conclude(actor) == ORR_ASLEEP))
        return;
    orr_actor_run(actor);
}

void orr_actor_in_turns(struct orr_actor *actor)
{
    actor->event.fire = fire_in_turn;
    actor->event.takes_turns = true;
}

void orr_actor_clear_account(struct orr_actor *actor)
{
    g_free(actor->account.operations);
}

static enum orr_next begin_wait(struct orr_actor *actor)
{
    orr_mutex_give(&actor->door);
    if (actor->signalled) {
        actor->account.turns++;
        return ORR_CONTINUE;
    }
    actor->waiting = true;
    return ORR_ASLEEP;
}

/* Nothing is owed any more. */
static enum orr_next conclude(struct orr_actor *actor)
{
    struct orr_account *account = &actor->account;
    enum orr_intention then = account->then;

    account->then = ORR_GO_ON;
    switch (then) {
    case ORR_SLEEP:
        return orr_actor_sleep_queued(actor,
                                      actor->engine->now + account->delay);
    case ORR_WAIT:
        return begin_wait(actor);
    case ORR_SUSPEND:
        return ORR_ASLEEP;
    case ORR_ADVANCE:
        return orr_actor_wait_advance(actor);
    case ORR_TAKE:
        return orr_mutex_take(account->mutex, actor);
    case ORR_GO_ON:
        break;
    }
    return ORR_CONTINUE;
}

enum orr_next orr_actor_defer(struct orr_actor *actor,
                              enum orr_intention intention)
{
    actor->account.then = intention;
    return settle(actor) ? conclude(actor) : ORR_ASLEEP;
}

enum orr_next orr_actor_put_off_sleep(struct orr_actor *actor, orr_time date)
{
    actor->account.delay = date - actor->engine->now;
    return orr_actor_defer(actor, ORR_SLEEP);
}

enum orr_next orr_actor_put_off_take(struct orr_actor *actor,
                                     struct orr_mutex *mutex)
{
    actor->account.mutex = mutex;
    return orr_actor_defer(actor, ORR_TAKE);
}

enum orr_next orr_actor_wait_in_turn(struct orr_actor *actor)
{
    orr_engine_take(actor->engine, &actor->door);
    return orr_actor_defer(actor, ORR_WAIT);
}

enum orr_next orr_actor_take_turns(struct orr_actor *actor, unsigned turns)
{
    actor->account.turns += turns;
    if (actor->account.count == 0)
        return take(actor, &actor->account.turns) ? ORR_CONTINUE : ORR_ASLEEP;
    return orr_actor_defer(actor, ORR_GO_ON);
}

enum orr_next orr_mutex_take_in_turn(struct orr_mutex *mutex,
                                     struct orr_actor *actor)
{
    enum orr_next next = orr_mutex_take(mutex, actor);

    return next == ORR_CONTINUE ? orr_actor_take_turns(actor, 1) : next;
}

enum orr_next orr_mutex_give_in_turn(struct orr_mutex *mutex,
                                     struct orr_actor *actor)
{
    orr_mutex_give(mutex);
    return orr_actor_take_turns(actor, 1);
}

static G_GNUC_NO_INLINE void make_room(struct orr_account *account)
{
    account->room = MAX(16, 2 * account->room);
    account->operations =
        g_renew(struct orr_operation, account->operations, account->room);
}

static inline void add_operation(struct orr_actor *actor,
                                 struct orr_operation operation)
{
    struct orr_account *account = &actor->account;

    if (G_UNLIKELY(account->count == account->room))
        make_room(account);
    operation.turns = account->turns;
    account->operations[account->count++] = operation;
    account->turns = 0;
}

/* Taking a lock, or giving it back, is a turn. */
static inline void add_take(struct orr_actor *actor, struct orr_mutex *mutex)
{
    add_operation(actor,
                  (struct orr_operation){.kind = ORR_TAKES, .arg = mutex});
    actor->account.turns = 1;
}

static inline void add_give(struct orr_actor *actor, struct orr_mutex *mutex)
{
    add_operation(actor,
                  (struct orr_operation){.kind = ORR_GIVES, .arg = mutex});
    actor->account.turns = 1;
}

static inline void add_act(struct orr_actor *actor, void (*act)(void *arg),
                           void *arg)
{
    add_operation(actor, (struct orr_operation){
                             .kind = ORR_ACTS, .act = act, .arg = arg});
}

void orr_engine_do_in_turn(struct orr_engine *engine, void (*act)(void *arg),
                           void *arg)
{
    struct orr_actor *actor = engine->acting;

    if (!actor || !orr_actor_has_pending(actor))
        act(arg);
    else
        add_act(actor, act, arg);
}

void orr_engine_take(struct orr_engine *engine, struct orr_mutex *mutex)
{
    if (engine->by_rounds && engine->acting)
        add_take(engine->acting, mutex);
}

void orr_engine_give(struct orr_engine *engine, struct orr_mutex *mutex)
{
    if (engine->by_rounds && engine->acting)
        add_give(engine->acting, mutex);
}

/* Who waits needs the lock of its condition to go on, and gives it back. */
static void notify(void *arg)
{
    struct orr_actor *actor = arg;

    actor->signalled = true;
    if (!actor->waiting)
        return;
    actor->waiting = false;
    add_give(actor, &actor->door);
    if (orr_mutex_try(&actor->door, actor))
        orr_actor_resume(actor);
}

void orr_actor_signal_in_turn(struct orr_actor *actor)
{
    struct orr_actor *by = actor->engine->acting;

    if (!by) {
        notify(actor);
        return;
    }
    add_take(by, &actor->door);
    add_act(by, notify, actor);
    by->account.turns = 1;
    add_give(by, &actor->door);
}

static void forget_signals(void *arg)
{
    ((struct orr_actor *)arg)->signalled = false;
}

void orr_actor_clear_signal_in_turn(struct orr_actor *actor)
{
    orr_engine_take(actor->engine, &actor->door);
    orr_engine_do(actor->engine, forget_signals, actor);
    orr_engine_give(actor->engine, &actor->door);
}

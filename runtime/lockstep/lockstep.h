/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LOCKSTEP_H
#define ORR_LOCKSTEP_H

#include "runtime/engine/actor.h"

/*
 * Runs by rounds: those in which it matters who is first at one date.
 *
 * In the reference, the actors that run at one date go on in rounds. In each,
 * all of them run until their next elementary operation, one after the other:
 * a mutex taken or given, a condition signalled, a sleep begun (SimGrid,
 * EngineImpl::run and ActorImpl::simcall_handle). Who has to do ten operations
 * before it sleeps, goes to sleep after one who has to do five; and of those
 * that sleep until one date, the last to go to sleep wakes first. So counts of
 * operations decide who comes first at the next date, and there who gets a
 * lock, a task, a copy. With many workers, that decides the schedule.
 *
 * Here an operation is a turn, and turns go round among the actors that have
 * some left at this date (engine.h). An actor's account says how many it owes,
 * and what it does at some of them: ordinary code counts what it would have
 * done in the reference where it does its own part of it, and the account is
 * settled when its actor next sleeps, waits or passes. Whoever is alone at a
 * date takes all its turns at once.
 *
 * In runs that do not go by rounds none of the following does anything, unless
 * it says otherwise. Which do is decided in manner.h.
 */

/* The acting actor, if any, has @turns more to take. */
static inline void orr_engine_spend(struct orr_engine *engine, unsigned turns)
{
    if (G_UNLIKELY(engine->by_rounds) && engine->acting)
        engine->acting->account.turns += turns;
}

/* Private. */
void orr_engine_do_in_turn(struct orr_engine *engine, void (*act)(void *arg),
                           void *arg);

/* After those counted so far, it does @act to @arg; in other runs, and where it
 * owes nothing, at once. */
static inline void orr_engine_do(struct orr_engine *engine,
                                 void (*act)(void *arg), void *arg)
{
    if (G_UNLIKELY(engine->by_rounds))
        orr_engine_do_in_turn(engine, act, arg);
    else
        act(arg);
}

/* After those counted so far, it takes @mutex, which is a turn, and one more
 * for each time that it has to wait; or gives it back, which is one. */
void orr_engine_take(struct orr_engine *engine, struct orr_mutex *mutex);
void orr_engine_give(struct orr_engine *engine, struct orr_mutex *mutex);

/* In a procedure: goes on after @turns, and those counted before. */
enum orr_next orr_actor_take_turns(struct orr_actor *actor, unsigned turns);

static inline enum orr_next orr_actor_pass(struct orr_actor *actor,
                                           unsigned turns)
{
    return G_UNLIKELY(actor->engine->by_rounds)
               ? orr_actor_take_turns(actor, turns)
               : ORR_CONTINUE;
}

/* In a procedure of a run by rounds: goes on one turn after it has got @mutex,
 * or has given it back. */
enum orr_next orr_mutex_take_in_turn(struct orr_mutex *mutex,
                                     struct orr_actor *actor);
enum orr_next orr_mutex_give_in_turn(struct orr_mutex *mutex,
                                     struct orr_actor *actor);

/* The same at once, in a run by rounds. */
static inline void orr_mutex_give_by_rounds(struct orr_mutex *mutex,
                                            struct orr_engine *engine)
{
    struct orr_actor *first = mutex->first_waiter;

    mutex->owner = first;
    if (!first)
        return;
    mutex->first_waiter = first->next;
    orr_engine_in_turns(engine, 1, &first->event);
}

/* From now on @actor, which has been initialised and does nothing, takes turns;
 * in a run by rounds all do. */
void orr_actor_in_turns(struct orr_actor *actor);

/* Frees what @actor's account takes. */
void orr_actor_clear_account(struct orr_actor *actor);

/*
 * Private to actor.c, in a run by rounds: whether @actor owes anything; has it
 * do what it intends once it owes nothing.
 */
static inline bool orr_actor_has_pending(const struct orr_actor *actor)
{
    return actor->account.turns > 0 || actor->account.count > 0;
}

enum orr_next orr_actor_defer(struct orr_actor *actor,
                              enum orr_intention intention);

#endif

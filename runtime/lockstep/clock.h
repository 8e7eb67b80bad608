/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CLOCK_H
#define ORR_CLOCK_H

#include "runtime/engine/actor.h"

/*
 * The clock of a run in lock-step, and the order of the actors at one date.
 *
 * Dates are doubles, as in SimGrid: events less than a ns apart happen
 * together. orr_engine.now is the date rounded to ns.
 */

/* First in orr_actor.interleaved. */
struct orr_ticks {
    struct orr_actor *next; /* next actor in the round */
    unsigned left;          /* ticks left until the actor is resumed */
};

/* First in orr_engine.interleaved. */
struct orr_clock {
    double seconds;
    struct orr_actor *first, *last; /* actors with ticks left at this date */
    struct orr_event **due; /* events of this date; index next_due is the next
                               to fire; owned */
    unsigned next_due, due_count, due_room;

    /* A network that schedules the ends of its copies just before the clock
     * advances, or NULL. owns(): whether an event is an end of such a copy;
     * these fire after all other events of the date. */
    void (*settle)(void *network);
    bool (*owns)(const struct orr_event *event);
    void *network;

    /* held by an actor that waits for the clock to advance, so that only one
     * waits at a time */
    struct orr_mutex advancing;
};

static inline struct orr_clock *orr_clock_of(const struct orr_engine *engine)
{
    return engine->interleaved;
}

static inline struct orr_ticks *orr_ticks_of(const struct orr_actor *actor)
{
    return actor->interleaved;
}

/* Frees the memory of @engine's clock. */
void orr_clock_clear(struct orr_engine *engine);

/*
 * Schedules @event at a date in s, or moves it there, after all events already
 * scheduled for exactly this date.
 */
void orr_clock_at_seconds(struct orr_engine *engine, double seconds,
                          struct orr_event *event);

/* Resumes @actor, which does not run, at this date after @ticks ticks. Actors
 * with ticks left take one tick each, round after round, first come, first
 * served. */
static inline void orr_clock_queue(struct orr_actor *actor, unsigned ticks)
{
    struct orr_clock *clock = orr_clock_of(actor->engine);
    struct orr_ticks *own = orr_ticks_of(actor);

    own->left = ticks;
    own->next = NULL;
    if (clock->first)
        orr_ticks_of(clock->last)->next = actor;
    else
        clock->first = actor;
    clock->last = actor;
}

/* orr_mutex_unlock() inline, where there is no decider. */
static inline void orr_clock_unlock(struct orr_mutex *mutex)
{
    struct orr_actor *first = mutex->first_waiter;

    mutex->owner = first;
    if (!first)
        return;
    mutex->first_waiter = first->next;
    orr_clock_queue(first, 1);
}

/* Whether some actor has ticks left at this date. */
static inline bool orr_clock_is_busy(const struct orr_engine *engine)
{
    return orr_clock_of(engine)->first != NULL;
}

/* The members of orr_turns_lockstep with these names. */
bool orr_clock_step(struct orr_engine *engine);
void orr_clock_schedule(struct orr_engine *engine, orr_time date,
                        struct orr_event *event);
void orr_clock_schedule_end(struct orr_engine *engine, double seconds,
                            struct orr_event *event);
void orr_clock_cancel_all(struct orr_engine *engine);
void orr_clock_resume(struct orr_actor *actor);

#endif

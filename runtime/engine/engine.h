/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ENGINE_H
#define ORR_ENGINE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "models/base/units.h"
#include "runtime/engine/event_queue.h"
#include "runtime/engine/interleaving.h"

/*
 * The simulated clock and its queue of future events.
 *
 * Events fire in order of date. Among events of one date, events that were
 * scheduled at an earlier date come first; among events scheduled at one date,
 * the latest comes first. (SimGrid's lazy update orders sleeping actors so.) A
 * run is therefore a pure function of its inputs. One engine belongs to one
 * thread; several engines may coexist.
 */
struct orr_actor;
struct orr_decider;

/*
 * A mutex in simulated time, first come first served: see actor.h.
 * Zero-initialised is free.
 */
struct orr_mutex {
    struct orr_actor *owner;
    struct orr_actor *first_waiter, *last_waiter;
};

/* A busy wait of an actor, in two steps: see orr_actor_wait_busy(). */
struct orr_busy_wait {
    orr_time since, step;
};

#define ORR_BUSY_WAITS 16 /* more than there are GPUs */

struct orr_footprint;

/* Computes the footprint of a step for a decider (decision.h). @context is
 * orr_engine.context; begin() gets the event that is about to fire, end() the
 * event that has fired. */
struct orr_footprint_source {
    void (*begin)(void *context, const struct orr_event *event);
    struct orr_footprint (*end)(void *context, const struct orr_event *event);
};

/* Effects of the current step, one bit each. */
enum {
    ORR_EFFECT_POLICY = 1, /* the policy was called, or a task became ready or
                              ended */
    ORR_EFFECT_RUNTIME = 2 /* the policy read state of the runtime that may
                              change, or changed it */
};

struct orr_engine {
    orr_time now;        /* read by all, written by engine.[ch] alone */
    uint64_t fired;      /* events so far, including those skipped by actor.c */
    orr_time contended;  /* date after which no lock of spinlock.h is taken */
    orr_time last_taken; /* date after which no lock is held, except locks that
                            orr_spinlock_lock() has taken */
    unsigned kept; /* number of held locks that orr_spinlock_lock() has taken */
    struct orr_actor *acting; /* the actor that runs; set by actor.c */
    unsigned depth;           /* actors that run, one inside the other; while it
                                 is above 1, the clock does not advance */
    /* steps left until the next step that calls the decider, @check or the
     * interleaving; private to actor.c */
    uint32_t fast_steps;
    uint32_t turns_left;         /* see @check_turns */
    bool interrupted;            /* see orr_actors_interrupt() */
    bool holds_clock;            /* the clock advances in steps alone: another
                                    thread of the application may be ready */
    struct orr_decider *decider; /* chooses among equals, or NULL */

    /* State of the last step, for a decider; private to actor.c. */
    const struct orr_event *stepped; /* the event that fired; NULL: unknown */
    bool footprint_unknown;          /* the footprint of the step is unknown */
    bool waking;                     /* woken actors are running */
    unsigned effects; /* ORR_EFFECT_..., for explore/footprint.c */

    /* woken actors, which run at this date */
    struct orr_actor *woken, *last_woken;
    /* actors that run when the clock advances */
    struct orr_actor *next_date, *last_next_date;
    unsigned advanced; /* number of @next_date's actors that have run at the new
                          date */
    struct orr_busy_wait busy[ORR_BUSY_WAITS]; /* private to actor.c */
    unsigned busy_count;                       /* busy waits so far */

    /* Called when no event is left. Returns whether it has signalled an actor.
     * Or NULL. */
    bool (*on_stall)(void *context);
    /* Called once @check_at events have fired, a number that it increases.
     * Returns false if the run must end. Or NULL. */
    bool (*check)(void *context);
    uint64_t check_at;
    /* Called once actors that wait have made @turns_left turns of their loops,
     * a number that it sets again. Returns true if the run must end. Or NULL.
     */
    bool (*check_turns)(void *context);
    orr_time horizon; /* with an empty queue, an actor may skip ahead within one
                         step only to dates before this */
    void *context;    /* argument of these functions and footprint_source */
    /* NULL: footprints are unknown */
    const struct orr_footprint_source *footprint_source;
    int64_t counted;               /* private: events scheduled */
    orr_time counted_at;           /* private: at this date */
    struct orr_event_queue events; /* private */

    /* How actors take turns at one date, and its state (owned). NULL: plain. */
    const struct orr_interleaving *interleaving;
    void *interleaved;
};

/* Prepares @engine, which is zeroed; @interleaving: how actors take turns,
 * NULL: plain. */
void orr_engine_init(struct orr_engine *engine,
                     const struct orr_interleaving *interleaving);

/* A trace point: the acting actor has come to this place in the code. Ignored
 * if the interleaving is plain. */
static inline void orr_point(struct orr_engine *engine, enum orr_point point,
                             void *object)
{
    if (G_UNLIKELY(engine->interleaving))
        engine->interleaving->point(engine, point, object);
}

/* Calls @act: at once, or in lock-step after the operations of the trace points
 * before it. */
static inline void orr_act(struct orr_engine *engine, void (*act)(void *arg),
                           void *arg)
{
    if (G_UNLIKELY(engine->interleaving))
        engine->interleaving->act(engine, act, arg);
    else
        act(arg);
}

/* Has @check be called before the next event. */
static inline void orr_engine_check_soon(struct orr_engine *engine)
{
    engine->check_at = engine->fired;
    engine->fast_steps = 1;
}

/* An actor that waits makes one more turn of its loop. Returns whether the
 * actor has to call orr_engine_check(). */
static inline bool orr_engine_turn(struct orr_engine *engine)
{
    return G_UNLIKELY(--engine->turns_left == 0);
}

/* Returns whether the run must end, so that the actor must stop. */
static inline bool orr_engine_check(struct orr_engine *engine)
{
    return engine->check_turns(engine->context);
}

/* Frees what the engine holds. Events still queued do not fire. */
void orr_engine_clear(struct orr_engine *engine);

/*
 * Schedules @event to fire at @date (ns, not before now). Scheduling an event
 * that is already queued is a programming error.
 */
void orr_engine_at(struct orr_engine *engine, orr_time date,
                   struct orr_event *event);

/*
 * Schedules @event to fire at @date, ordered as if an event that fires at the
 * date @via scheduled it: after the events that orr_engine_at() schedules at
 * the date @via. Not for lock-step.
 */
void orr_engine_at_via(struct orr_engine *engine, orr_time date, orr_time via,
                       struct orr_event *event);

/*
 * Schedules the end of an action that takes @duration: after all events already
 * scheduled for that date. (SimGrid orders the ends of actions so, but not the
 * ends of sleeps.) @exact_s: the duration in s, not rounded to ns.
 */
static inline void orr_engine_at_end(struct orr_engine *engine,
                                     orr_time duration, double exact_s,
                                     struct orr_event *event)
{
    if (G_UNLIKELY(engine->interleaving))
        engine->interleaving->schedule_end(engine, exact_s, event);
    else
        orr_engine_at_via(engine, engine->now + duration, engine->now, event);
}

/* As orr_engine_at(), but if @event is queued already its date changes. */
void orr_engine_move(struct orr_engine *engine, orr_time date,
                     struct orr_event *event);

/* Withdraws all events. */
void orr_engine_cancel_all(struct orr_engine *engine);

/* Withdraws @event, if it is queued. */
static inline void orr_engine_cancel(struct orr_engine *engine,
                                     struct orr_event *event)
{
    (void)engine;
    if (orr_event_is_queued(event))
        orr_event_queue_remove(event);
}

/* Private: returns how many events were scheduled at this date so far, and
 * counts one more. */
static inline int64_t orr_engine_count(struct orr_engine *engine)
{
    if (engine->now != engine->counted_at) {
        engine->counted_at = engine->now;
        engine->counted = 0;
    }
    return engine->counted++;
}

static inline bool orr_engine_is_empty(const struct orr_engine *engine)
{
    return orr_event_queue_is_empty(&engine->events);
}

/* Date of the next event; ORR_NEVER if there is none. */
static inline orr_time orr_engine_next(const struct orr_engine *engine)
{
    return orr_event_queue_next(&engine->events)->key;
}

/* Lets the clock advance to @date, not later than the next event. */
static inline void orr_engine_advance(struct orr_engine *engine, orr_time date)
{
    engine->now = date;
}

/* Has the same effect on the clock as to schedule an event at @date, where it
 * is the next, and to fire it. */
static inline void orr_engine_skip(struct orr_engine *engine, orr_time date)
{
    if (date == engine->now)
        orr_engine_count(engine); /* it orders the events scheduled next */
    orr_engine_advance(engine, date);
    engine->fired++;
}

/* Makes @event, one of the next date, the next to fire. */
void orr_engine_choose(struct orr_engine *engine, struct orr_event *event);

/* Whether the next event is at this date and was chosen. */
bool orr_engine_is_chosen(const struct orr_engine *engine);

/* Fires the next event. Returns false if there is none. */
static inline bool orr_engine_step(struct orr_engine *engine)
{
    struct orr_event *event;

    if (orr_engine_is_empty(engine))
        return false;
    engine->now = orr_engine_next(engine);
    event = orr_event_queue_pop(&engine->events);
    engine->fired++;
    event->fire(event->arg);
    return true;
}

#endif

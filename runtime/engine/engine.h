/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ENGINE_H
#define ORR_ENGINE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "models/base/units.h"
#include "models/heap.h"
#include "runtime/engine/interleaving.h"

/*
 * The simulated clock and its queue of future events.
 *
 * Events fire in order of date. Of those with the same date, the ones
 * scheduled at an earlier date come first; among those scheduled at the same
 * date, the latest comes first. (So do sleeping actors in the reference: what
 * SimGrid's lazy update puts into its heap at one date goes in backwards.)
 * A run is therefore a pure function of its inputs. One engine belongs to one
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

/* One that waits busily, in two steps. */
struct orr_busy {
    orr_time since, step;
};

#define ORR_BUSY 16 /* more than there are GPUs */

struct orr_footprint;
struct orr_event;

/* Who knows what steps touch, where a decider is told of them (decision.h).
 * Both are given the reviver, and the event that is about to fire, or did. */
struct orr_footprint_source {
    void (*begin)(void *reviver, const struct orr_event *event);
    struct orr_footprint (*end)(void *reviver, const struct orr_event *event);
};

/* What has been done since the last step of an actor began, a bit each. */
enum {
    ORR_EFFECT_POLICY = 1, /* it was called, or a task became ready, or ended */
    ORR_EFFECT_RUNTIME = 2 /* it asked for more than what never changes, or had
                            something done */
};

struct orr_engine {
    orr_time now;       /* read by all, written by engine.[ch] alone */
    uint64_t fired;     /* events so far, those that actor.c spared included */
    orr_time contended; /* date after which no lock of spinlock.h is taken */
    struct orr_actor *acting; /* who runs; kept by actor.c */
    unsigned depth;           /* how many run, one inside the other; two if no
                                 other is to go on at another date */
    uint32_t unconsulted;     /* steps until the next in which somebody is asked
                                 what comes first, or @look: private to actor.c */
    bool interrupted;         /* who steps wants to look: see actor.h */
    struct orr_decider *decider; /* of what could as well come first, or NULL */
    /* Of the last step, for a decider: private to actor.c and due.c, but for
     * uses, which foresight.c reads and those who do so set. */
    const struct orr_event *stepped;      /* what fired, if it began plainly */
    bool footprint_unknown;               /* it did not stay plain */
    bool waking;                          /* those woken are running */
    unsigned effects;                     /* ORR_EFFECT_... */
    struct orr_actor *woken, *last_woken; /* who is to run at this date */
    struct orr_actor *next_date, *last_next_date; /* who is, at the next */
    unsigned looked;                /* how many of them have had their turn */
    struct orr_busy busy[ORR_BUSY]; /* private to actor.c */
    unsigned busy_count;            /* how many there have been */
    /* Asked when no event is left; returns whether it has signalled somebody.
     */
    bool (*revive)(void *reviver);
    /* Asked now and then, when there have been @look_at events, a number that
     * it moves on, whether all is well; if not, nothing is to happen any more.
     * Or NULL. */
    bool (*look)(void *reviver);
    uint64_t look_at;
    orr_time horizon; /* who acts while nothing is due does so in one step
                         only before this date */
    void *reviver;
    const struct orr_footprint_source
        *footprint_source;  /* NULL: nothing is known */
    int64_t counted;        /* private: events scheduled */
    orr_time counted_at;    /* at this date */
    struct orr_heap events; /* private */
    /* How actors take turns at one date, and its state of this run (owned);
     * NULL: the plain way. */
    const struct orr_interleaving *interleaving;
    void *interleaved;
};

/*
 * One future event, embedded in the object that it concerns (a worker, a
 * copy), so that scheduling never allocates per event.
 *
 * Ownership: the caller owns the storage, zero-initialised, and keeps it
 * alive until the event has fired or was cancelled.
 */
struct orr_event {
    struct orr_heap_item item; /* first member; private */
    void (*fire)(void *arg);
    void *arg;
};

/* Has the actors of @engine, in which nothing has happened yet, take turns as
 * @interleaving says; NULL: in the plain way. */
void orr_engine_interleave(struct orr_engine *engine,
                           const struct orr_interleaving *interleaving);

/* Where the code that runs is, for an interleaving that wants to know. */
static inline void orr_point(struct orr_engine *engine, enum orr_point point,
                             void *object)
{
    if (G_UNLIKELY(engine->interleaving))
        engine->interleaving->point(engine, point, object);
}

/* Does @act to @arg: at once, or after what the points before it take. */
static inline void orr_act(struct orr_engine *engine, void (*act)(void *arg),
                           void *arg)
{
    if (G_UNLIKELY(engine->interleaving))
        engine->interleaving->act(engine, act, arg);
    else
        act(arg);
}

/* Frees the queue; events still in it are forgotten, not fired. */
void orr_engine_clear(struct orr_engine *engine);

/*
 * Schedules @event to fire at @date (ns, not before now). Scheduling an event
 * that is already queued is a programming error.
 */
void orr_engine_at(struct orr_engine *engine, orr_time date,
                   struct orr_event *event);

/*
 * The same for an event that stands for two in a row: it takes its place
 * among those of @date as if it had been scheduled at the date @via, by an
 * event that fires then. In the plain interleaving alone.
 */
void orr_engine_at_via(struct orr_engine *engine, orr_time date, orr_time via,
                       struct orr_event *event);

/*
 * Schedules the end of something that takes @duration: it comes after what is
 * scheduled for that date already (in SimGrid, ends of actions are ordered so,
 * ends of sleeps are not). @exact_s: the duration in s, not rounded to ns.
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

/* The same as orr_engine_at() for an event that may be queued already: it is
 * put off, or brought forward. */
void orr_engine_move(struct orr_engine *engine, orr_time date,
                     struct orr_event *event);

/* Withdraws all events. */
void orr_engine_forget(struct orr_engine *engine);

/* Withdraws @event, if it is queued. */
void orr_engine_cancel(struct orr_engine *engine, struct orr_event *event);

/* Private: how many events were scheduled at this date before this one. */
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
    return engine->events.count == 0;
}

/* Date of the next event; ORR_NEVER if there is none. */
static inline orr_time orr_engine_next(const struct orr_engine *engine)
{
    return engine->events.count > 0 ? orr_heap_first(&engine->events)->key
                                    : ORR_NEVER;
}

/* Lets the clock advance to @date, not later than the next event. */
static inline void orr_engine_advance(struct orr_engine *engine, orr_time date)
{
    g_assert(date >= engine->now && date <= orr_engine_next(engine));
    engine->now = date;
}

/* Has the effect on the clock of an event at @date, which would be the next,
 * that is scheduled now and fires. */
static inline void orr_engine_skip(struct orr_engine *engine, orr_time date)
{
    if (date == engine->now)
        orr_engine_count(engine); /* for the ties of those scheduled next */
    orr_engine_advance(engine, date);
    engine->fired++;
}

/* Has @event, which is due at the next date, fire before all others. */
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
    event = (struct orr_event *)orr_heap_pop(&engine->events);
    engine->fired++;
    event->fire(event->arg);
    return true;
}

#endif

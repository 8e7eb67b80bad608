/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/clock.h"

#include <string.h>

/* Events that are less than this apart, in s, happen together: SimGrid's
 * surf/precision. */
#define PRECISION_S 1e-9

void orr_clock_clear(struct orr_engine *engine)
{
    g_free(orr_clock_of(engine)->due);
}

/* The bits of dates that are not negative, read as integers, are in the order
 * of the dates. */
static int64_t key_of(double seconds)
{
    int64_t key;

    memcpy(&key, &seconds, sizeof(key));
    return key;
}

static double next_date_of(const struct orr_engine *engine)
{
    double seconds;

    memcpy(&seconds, &orr_event_queue_next(&engine->events)->key,
           sizeof(seconds));
    return seconds;
}

static void put_at(struct orr_engine *engine, double seconds, int64_t order,
                   struct orr_event *event)
{
    orr_engine_cancel(engine, event);
    orr_event_queue_push(&engine->events, event, key_of(seconds), engine->now,
                         order);
}

void orr_clock_at_seconds(struct orr_engine *engine, double seconds,
                          struct orr_event *event)
{
    put_at(engine, seconds, orr_engine_count(engine), event);
}

void orr_clock_schedule_end(struct orr_engine *engine, double seconds,
                            struct orr_event *event)
{
    orr_clock_at_seconds(engine, orr_clock_of(engine)->seconds + seconds,
                         event);
}

/* Sleeps are given as floats (StarPU, starpu_sleep()): ten of 1 us end after
 * one of 10 us, if only by a fraction of a ps. */
void orr_clock_schedule(struct orr_engine *engine, orr_time date,
                        struct orr_event *event)
{
    float delay_s = (float)orr_time_to_seconds(date - engine->now);

    put_at(engine, orr_clock_of(engine)->seconds + (double)delay_s,
           -orr_engine_count(engine), event);
}

void orr_clock_cancel_all(struct orr_engine *engine)
{
    struct orr_clock *clock = orr_clock_of(engine);

    clock->next_due = clock->due_count = 0;
    clock->first = NULL;
}

void orr_clock_resume(struct orr_actor *actor)
{
    orr_clock_queue(actor, 1);
}

/* An actor that is alone takes all its ticks at once. */
static inline void take_ticks(struct orr_clock *clock)
{
    struct orr_actor *actor = clock->first;
    struct orr_ticks *own = orr_ticks_of(actor);

    while (own->left > 1 && own->next) {
        clock->first = own->next;
        orr_clock_queue(actor, own->left - 1);
        actor = clock->first;
        own = orr_ticks_of(actor);
    }
    clock->first = own->next;
    actor->event.fire(actor->event.arg);
}

static void add_due(struct orr_clock *clock, struct orr_event *event)
{
    if (clock->due_count == clock->due_room) {
        clock->due_room = MAX(64, 2 * clock->due_room);
        clock->due = g_renew(struct orr_event *, clock->due, clock->due_room);
    }
    clock->due[clock->due_count++] = event;
}

/* Moves the events of the network behind all others that are due. */
static void sort_due(struct orr_clock *clock)
{
    unsigned count = 0, late_count = 0;
    struct orr_event **late = g_newa(struct orr_event *, clock->due_count);

    for (unsigned i = 0; i < clock->due_count; i++) {
        if (clock->owns(clock->due[i]))
            late[late_count++] = clock->due[i];
        else
            clock->due[count++] = clock->due[i];
    }
    for (unsigned i = 0; i < late_count; i++)
        clock->due[count++] = late[i];
}

/* Removes the events due now from the queue, in order. */
static void collect(struct orr_engine *engine)
{
    struct orr_clock *clock = orr_clock_of(engine);

    clock->next_due = clock->due_count = 0;
    while (!orr_engine_is_empty(engine) &&
           next_date_of(engine) - clock->seconds < PRECISION_S)
        add_due(clock, orr_event_queue_pop(&engine->events));
    if (clock->due_count > 1 && clock->network)
        sort_due(clock);
}

/* Lets the clock advance to the next event. Returns false if there is none. */
static bool advance(struct orr_engine *engine)
{
    struct orr_clock *clock = orr_clock_of(engine);

    if (clock->network)
        clock->settle(clock->network);
    if (orr_engine_is_empty(engine))
        return false;
    clock->seconds += next_date_of(engine) - clock->seconds;
    engine->now = (orr_time)(clock->seconds * 1e9 + 0.5);
    return true;
}

/* The actors that wait for the clock to advance take ticks at the new date: the
 * date of the next event, or without an event a microsecond later, so that they
 * do not wait for ever. */
static void wake_at_advance(struct orr_engine *engine)
{
    struct orr_clock *clock = orr_clock_of(engine);
    struct orr_actor *actor = engine->next_date;

    if (orr_engine_is_empty(engine))
        orr_engine_at(engine, engine->now + ORR_US, &actor->event);
    advance(engine);
    engine->next_date = NULL;
    engine->advanced = 0;
    while (actor) {
        struct orr_actor *next = actor->next;

        orr_engine_cancel(engine, &actor->event);
        if (orr_mutex_try(&clock->advancing, actor))
            orr_actor_resume(actor);
        engine->advanced++;
        actor = next;
    }
    collect(engine);
}

/* The event of an actor is its first member. */
static bool is_of_actor(const struct orr_event *event)
{
    return event->arg == event;
}

/* An actor whose sleep has ended takes a tick if other actors or events are
 * left; all other events fire at once. */
static void fire(struct orr_engine *engine, struct orr_event *event)
{
    struct orr_clock *clock = orr_clock_of(engine);

    engine->fired++;
    if (is_of_actor(event) &&
        (clock->first || clock->next_due < clock->due_count))
        orr_clock_queue(event->arg, 1);
    else
        event->fire(event->arg);
}

bool orr_clock_step(struct orr_engine *engine)
{
    struct orr_clock *clock = orr_clock_of(engine);
    bool is_over = clock->next_due == clock->due_count;

    if (!is_over) {
        fire(engine, clock->due[clock->next_due++]);
        return true;
    }
    if (clock->first) {
        do {
            take_ticks(clock);
        } while (clock->first && !engine->interrupted);
        return true;
    }
    if (engine->next_date) {
        wake_at_advance(engine);
        return true;
    }
    if (!advance(engine))
        return false;
    collect(engine);
    g_assert(clock->due_count > 0); /* the clock has advanced to an event */
    fire(engine, clock->due[clock->next_due++]);
    return true;
}

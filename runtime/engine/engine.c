/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/engine/engine.h"

#include <string.h>

/* How many events scheduled at one date are told apart, as a power of two. */
#define STEP_BITS 20
#define STEP_HALF ((int64_t)1 << (STEP_BITS - 1))

/* How far ahead, in ns, an event may be scheduled and still be told apart from
 * those scheduled earlier: 2.4 hours. */
#define FARTHEST ((UINT64_C(1) << (63 - STEP_BITS)) - 1)

/* The tie of the event that was chosen to be the next: before all others. */
#define CHOSEN 0

void orr_engine_clear(struct orr_engine *engine)
{
    orr_heap_clear(&engine->events);
}

/* Where an event comes among those of its @date: the @offset orders those
 * scheduled at the same date @via. */
static uint64_t tie(orr_time date, orr_time via, int64_t offset)
{
    uint64_t ahead = MIN((uint64_t)(date - via), FARTHEST);

    return ((FARTHEST - ahead) << STEP_BITS) + (uint64_t)(STEP_HALF + offset);
}

/* What is due so close to an event, in s, happens with it: SimGrid's
 * surf/precision. */
#define PRECISION_S 1e-9

/* The order of dates that are not negative is that of their bits. */
static int64_t key_of(double seconds)
{
    int64_t key;

    memcpy(&key, &seconds, sizeof(key));
    return key;
}

static double date_of(const struct orr_heap_entry *entry)
{
    double seconds;

    memcpy(&seconds, &entry->key, sizeof(seconds));
    return seconds;
}

static void put_at(struct orr_engine *engine, double seconds, int64_t offset,
                   struct orr_event *event)
{
    uint64_t place =
        ((uint64_t)engine->now << STEP_BITS) + (uint64_t)(STEP_HALF + offset);

    if (orr_heap_holds(&event->item))
        orr_heap_update(&engine->events, &event->item, key_of(seconds), place);
    else
        orr_heap_push(&engine->events, &event->item, key_of(seconds), place);
}

void orr_engine_at_seconds(struct orr_engine *engine, double seconds,
                           struct orr_event *event)
{
    put_at(engine, seconds, orr_engine_count(engine), event);
}

/* Sleeps are given as floats (StarPU, starpu_sleep()): ten of 1 us end after
 * one of 10 us, if only by a fraction of a ps. */
static G_GNUC_NO_INLINE void
at_by_rounds(struct orr_engine *engine, orr_time date, struct orr_event *event)
{
    float delay_s = (float)orr_time_to_seconds(date - engine->now);

    put_at(engine, engine->seconds + (double)delay_s, -orr_engine_count(engine),
           event);
}

void orr_engine_begin_rounds(struct orr_engine *engine)
{
    engine->by_rounds = true;
    engine->unconsulted = 1; /* lest a step be taken otherwise, */
    engine->depth = 2;       /* or anybody go on before others had turns */
}

void orr_engine_at(struct orr_engine *engine, orr_time date,
                   struct orr_event *event)
{
    g_assert(date >= engine->now && date < ORR_NEVER);
    if (G_UNLIKELY(engine->by_rounds)) {
        at_by_rounds(engine, date, event);
        return;
    }
    orr_heap_push(&engine->events, &event->item, date,
                  tie(date, engine->now, -orr_engine_count(engine)));
}

void orr_engine_at_via(struct orr_engine *engine, orr_time date, orr_time via,
                       struct orr_event *event)
{
    g_assert(date >= engine->now && date < ORR_NEVER);
    orr_heap_push(&engine->events, &event->item, date,
                  tie(date, via, orr_engine_count(engine)));
}

void orr_engine_move(struct orr_engine *engine, orr_time date,
                     struct orr_event *event)
{
    g_assert(date >= engine->now && date < ORR_NEVER);
    if (orr_heap_holds(&event->item))
        orr_heap_update(&engine->events, &event->item, date,
                        tie(date, engine->now, -orr_engine_count(engine)));
    else
        orr_engine_at(engine, date, event);
}

void orr_engine_forget(struct orr_engine *engine)
{
    engine->due = NULL;
    engine->turns = NULL;
    while (orr_heap_pop(&engine->events))
        ;
}

void orr_engine_cancel(struct orr_engine *engine, struct orr_event *event)
{
    if (orr_heap_holds(&event->item))
        orr_heap_remove(&engine->events, &event->item);
}

void orr_engine_choose(struct orr_engine *engine, struct orr_event *event)
{
    orr_heap_update(&engine->events, &event->item, orr_engine_next(engine),
                    CHOSEN);
}

bool orr_engine_is_chosen(const struct orr_engine *engine)
{
    return engine->events.count > 0 &&
           orr_heap_first(&engine->events)->tie == CHOSEN &&
           orr_engine_next(engine) == engine->now;
}

/* Who is alone takes all its turns at once. */
static inline void take_turns(struct orr_engine *engine)
{
    struct orr_event *event = engine->turns;

    while (event->turns > 1 && event->next) {
        struct orr_event *next = event->next;

        event->turns--;
        event->next = NULL;
        engine->last_turn->next = event;
        engine->last_turn = event;
        event = next;
    }
    engine->turns = event->next;
    event->fire(event->arg);
}

/* Takes what is due now out of the queue, in order: what is late comes after
 * all else. */
void orr_engine_collect(struct orr_engine *engine)
{
    struct orr_event *late = NULL, **end = &engine->due, **late_end = &late;

    while (engine->events.count > 0 &&
           date_of(&engine->events.entries[0]) - engine->seconds <
               PRECISION_S) {
        struct orr_event *event =
            (struct orr_event *)orr_heap_pop(&engine->events);

        if (event->is_late) {
            *late_end = event;
            late_end = &event->next;
        } else {
            *end = event;
            end = &event->next;
        }
    }
    *late_end = NULL;
    *end = late;
}

bool orr_engine_advance_in_turns(struct orr_engine *engine)
{
    if (engine->settle)
        engine->settle(engine->settler);
    if (engine->events.count == 0)
        return false;
    engine->seconds += date_of(&engine->events.entries[0]) - engine->seconds;
    engine->now = (orr_time)(engine->seconds * 1e9 + 0.5);
    return true;
}

bool orr_engine_step_in_turns(struct orr_engine *engine)
{
    struct orr_event *event = engine->due;

    if (!event && engine->turns) {
        do {
            take_turns(engine);
        } while (engine->turns && !engine->interrupted && !engine->due);
        return true;
    }
    if (!event) {
        if (!orr_engine_advance_in_turns(engine))
            return false;
        orr_engine_collect(engine);
        event = engine->due;
        g_assert(event); /* that of the date, if no other */
    }
    engine->due = event->next;
    engine->fired++;
    if (event->takes_turns && (engine->turns || engine->due))
        orr_engine_in_turns(engine, 1, event);
    else
        event->fire(event->arg);
    return true;
}

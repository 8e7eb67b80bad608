/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/engine.h"

/* How many events scheduled at one date are told apart, as a power of two. */
#define STEP_BITS 20
#define STEP_HALF ((int64_t)1 << (STEP_BITS - 1))

void orr_engine_clear(struct orr_engine *engine)
{
    orr_heap_clear(&engine->events);
}

/* The @offset orders events scheduled at the same date @via. */
static void schedule(struct orr_engine *engine, orr_time date, orr_time via,
                     int64_t offset, struct orr_event *event)
{
    uint64_t tie =
        ((uint64_t)via << STEP_BITS) + (uint64_t)(STEP_HALF + offset);

    g_assert(date >= engine->now && date < ORR_NEVER);
    orr_heap_push(&engine->events, &event->item, date, tie);
}

static int64_t count(struct orr_engine *engine)
{
    if (engine->now != engine->counted_at) {
        engine->counted_at = engine->now;
        engine->counted = 0;
    }
    return engine->counted++;
}

void orr_engine_at(struct orr_engine *engine, orr_time date,
                   struct orr_event *event)
{
    schedule(engine, date, engine->now, -count(engine), event);
}

void orr_engine_at_via(struct orr_engine *engine, orr_time date, orr_time via,
                       struct orr_event *event)
{
    schedule(engine, date, via, count(engine), event);
}

void orr_engine_cancel(struct orr_engine *engine, struct orr_event *event)
{
    if (orr_heap_holds(&event->item))
        orr_heap_remove(&engine->events, &event->item);
}

orr_time orr_engine_next(const struct orr_engine *engine)
{
    return engine->events.count > 0 ? orr_heap_first(&engine->events)->key
                                    : ORR_NEVER;
}

void orr_engine_advance(struct orr_engine *engine, orr_time date)
{
    g_assert(date >= engine->now && date <= orr_engine_next(engine));
    engine->now = date;
}

bool orr_engine_step(struct orr_engine *engine)
{
    struct orr_event *event;

    if (engine->events.count == 0)
        return false;
    engine->now = orr_heap_first(&engine->events)->key;
    event = (struct orr_event *)orr_heap_pop(&engine->events);
    engine->fired++;
    event->fire(event->arg);
    return true;
}

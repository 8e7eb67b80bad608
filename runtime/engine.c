/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/engine.h"

void orr_engine_clear(struct orr_engine *engine)
{
    orr_heap_clear(&engine->events);
}

void orr_engine_at(struct orr_engine *engine, orr_time date,
                   struct orr_event *event)
{
    g_assert(date >= engine->now && date < ORR_NEVER);
    orr_heap_push(&engine->events, &event->item, date, engine->seq++);
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

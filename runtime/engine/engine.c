/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/engine/engine.h"

/* The via of the event that was chosen to be the next. */
#define CHOSEN INT64_MIN

void orr_engine_clear(struct orr_engine *engine)
{
    g_clear_pointer(&engine->interleaved, g_free);
}

void orr_engine_init(struct orr_engine *engine,
                     const struct orr_interleaving *interleaving)
{
    orr_event_queue_init(&engine->events);
    if (!interleaving)
        return;
    engine->interleaving = interleaving;
    engine->interleaved = g_malloc0(interleaving->run_bytes);
    engine->fast_steps = 1; /* each step asks the interleaving */
    engine->depth = 2; /* no actor skips ahead while others have ticks left */
}

void orr_engine_at(struct orr_engine *engine, orr_time date,
                   struct orr_event *event)
{
    g_assert(date >= engine->now && date < ORR_NEVER);
    if (G_UNLIKELY(engine->interleaving)) {
        engine->interleaving->schedule(engine, date, event);
        return;
    }
    orr_event_queue_push(&engine->events, event, date, engine->now,
                         -orr_engine_count(engine));
}

void orr_engine_at_via(struct orr_engine *engine, orr_time date, orr_time via,
                       struct orr_event *event)
{
    g_assert(date >= engine->now && date < ORR_NEVER);
    /* Idle workers wait so, up to hundreds of them, behind one another. */
    orr_event_queue_push_late(&engine->events, event, date, via,
                              1 + orr_engine_count(engine));
}

void orr_engine_move(struct orr_engine *engine, orr_time date,
                     struct orr_event *event)
{
    orr_engine_cancel(engine, event);
    orr_engine_at(engine, date, event);
}

void orr_engine_cancel_all(struct orr_engine *engine)
{
    if (engine->interleaving)
        engine->interleaving->cancel_all(engine);
    while (!orr_engine_is_empty(engine))
        orr_event_queue_pop(&engine->events);
}

void orr_engine_choose(struct orr_engine *engine, struct orr_event *event)
{
    orr_time date = orr_engine_next(engine);

    orr_event_queue_remove(event);
    orr_event_queue_push(&engine->events, event, date, CHOSEN, 0);
}

bool orr_engine_is_chosen(const struct orr_engine *engine)
{
    return orr_event_queue_next(&engine->events)->via == CHOSEN &&
           orr_engine_next(engine) == engine->now;
}

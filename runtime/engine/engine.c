/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/engine/engine.h"

/* How far ahead, in ns, an event may be scheduled and still be ordered relative
 * to those scheduled earlier: 2.4 hours. */
#define FARTHEST ((UINT64_C(1) << (63 - ORR_ENGINE_STEP_BITS)) - 1)

/* The tie of the event that was chosen to be the next. */
#define CHOSEN 0

void orr_engine_clear(struct orr_engine *engine)
{
    orr_event_queue_clear(&engine->events);
    g_clear_pointer(&engine->interleaved, g_free);
}

/* The order of an event among those of its @date; @offset orders those that
 * were scheduled at one date @via. */
static uint64_t tie(orr_time date, orr_time via, int64_t offset)
{
    uint64_t ahead = MIN((uint64_t)(date - via), FARTHEST);

    return ((FARTHEST - ahead) << ORR_ENGINE_STEP_BITS) +
           (uint64_t)(ORR_ENGINE_STEP_HALF + offset);
}

void orr_engine_interleave(struct orr_engine *engine,
                           const struct orr_interleaving *interleaving)
{
    if (!interleaving)
        return;
    engine->interleaving = interleaving;
    engine->interleaved = g_malloc0(interleaving->run_bytes);
    engine->fast_steps = 1; /* each step asks the interleaving */
    engine->depth = 2;      /* no actor goes on before the others' turns */
}

void orr_engine_at(struct orr_engine *engine, orr_time date,
                   struct orr_event *event)
{
    g_assert(date >= engine->now && date < ORR_NEVER);
    if (G_UNLIKELY(engine->interleaving)) {
        engine->interleaving->schedule(engine, date, event);
        return;
    }
    orr_event_queue_push(&engine->events, event, date,
                         tie(date, engine->now, -orr_engine_count(engine)));
}

void orr_engine_at_via(struct orr_engine *engine, orr_time date, orr_time via,
                       struct orr_event *event)
{
    g_assert(date >= engine->now && date < ORR_NEVER);
    orr_event_queue_push(&engine->events, event, date,
                         tie(date, via, 1 + orr_engine_count(engine)));
}

void orr_engine_move(struct orr_engine *engine, orr_time date,
                     struct orr_event *event)
{
    g_assert(date >= engine->now && date < ORR_NEVER);
    orr_engine_cancel(engine, event);
    orr_engine_at(engine, date, event);
}

void orr_engine_forget(struct orr_engine *engine)
{
    if (engine->interleaving)
        engine->interleaving->forget(engine);
    while (!orr_engine_is_empty(engine))
        orr_event_queue_pop(&engine->events);
}

void orr_engine_cancel(struct orr_engine *engine, struct orr_event *event)
{
    if (event->queued)
        orr_event_queue_remove(&engine->events, event);
}

void orr_engine_choose(struct orr_engine *engine, struct orr_event *event)
{
    orr_time date = orr_engine_next(engine);

    orr_event_queue_remove(&engine->events, event);
    orr_event_queue_push(&engine->events, event, date, CHOSEN);
}

bool orr_engine_is_chosen(const struct orr_engine *engine)
{
    return engine->events.count > 0 &&
           orr_event_queue_next(&engine->events)->tie == CHOSEN &&
           orr_engine_next(engine) == engine->now;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decisions about what comes first at one date. The options are the woken
 * actors, in the order of their wake-ups, then the events in the order in which
 * they would fire; or the actors that wait for a mutex.
 */
#include "runtime/engine/actor.h"
#include "runtime/engine/decision.h"

struct options {
    unsigned count;
    unsigned who[ORR_MOST_OPTIONS];
    struct orr_event *events[ORR_MOST_OPTIONS]; /* NULL: a woken actor */
};

static void add_actors(struct options *options, const struct orr_actor *actor)
{
    for (; actor && options->count < ORR_MOST_OPTIONS; actor = actor->next) {
        options->events[options->count] = NULL;
        options->who[options->count++] = actor->who;
    }
}

static void add_events(struct options *options, const struct orr_engine *engine)
{
    unsigned first = options->count;

    options->count += orr_event_queue_equals(
        &engine->events, options->events + first, ORR_MOST_OPTIONS - first);
    for (unsigned i = first; i < options->count; i++)
        options->who[i] = orr_actor_who(options->events[i]);
}

/* Removes the actor at @place, which exists, from the list. */
static struct orr_actor *unlink_actor(struct orr_actor **first,
                                      struct orr_actor **last, unsigned place)
{
    struct orr_actor *before = NULL, *actor = *first;

    for (; place > 0 && actor; place--) {
        before = actor;
        actor = actor->next;
    }
    g_assert(actor);
    if (before)
        before->next = actor->next;
    else
        *first = actor->next;
    if (!actor->next)
        *last = before;
    return actor;
}

struct orr_actor *orr_due_take_woken(struct orr_engine *engine)
{
    struct options options = {0};
    unsigned option;

    if (!engine->woken || orr_engine_is_chosen(engine))
        return NULL;
    add_actors(&options, engine->woken);
    if (orr_engine_next(engine) == engine->now)
        add_events(&options, engine);
    option = orr_decide(engine->decider, ORR_DECIDE_EVENT, options.count,
                        options.who);
    if (!options.events[option])
        return unlink_actor(&engine->woken, &engine->last_woken, option);
    orr_engine_choose(engine, options.events[option]);
    return NULL;
}

/* The footprint of the last step, which is over. */
static struct orr_footprint take_footprint(const struct orr_engine *engine)
{
    if (!engine->stepped || engine->footprint_unknown)
        return (struct orr_footprint){UINT64_MAX, UINT64_MAX};
    if (!engine->footprint_source)
        return (struct orr_footprint){UINT64_MAX, ~ORR_TOUCH_DUE};
    return engine->footprint_source->end(engine->context, engine->stepped);
}

/* Tells the decider the footprint of the last step and the events due next. */
static void tell_step(struct orr_engine *engine, const struct options *options)
{
    struct orr_due due = {
        .events = options->events,
        .date = orr_engine_next(engine),
    };
    struct orr_footprint before;

    if (engine->woken || engine->next_date)
        engine->footprint_unknown = true;
    else
        due.count = options->count;
    before = take_footprint(engine);
    engine->decider->step(engine->decider, &before, &due);
    engine->footprint_unknown = due.count == 0;
}

/* @event is about to fire. */
static void begin_step(struct orr_engine *engine, const struct orr_event *event)
{
    orr_engine_advance(engine, orr_engine_next(engine));
    engine->stepped = event;
    engine->effects = 0;
    if (engine->footprint_source)
        engine->footprint_source->begin(engine->context, event);
}

void orr_due_choose_event(struct orr_engine *engine)
{
    bool told = engine->decider->step;
    struct options options = {0};
    unsigned option;

    engine->footprint_unknown |= orr_engine_is_chosen(engine);
    if (orr_engine_is_empty(engine) || orr_engine_is_chosen(engine))
        return;
    add_events(&options, engine);
    if (told)
        tell_step(engine, &options);
    option = orr_decide(engine->decider, ORR_DECIDE_EVENT, options.count,
                        options.who);
    if (told)
        begin_step(engine, options.events[option]);
    if (option > 0)
        orr_engine_choose(engine, options.events[option]);
}

struct orr_actor *orr_due_take_waiter(struct orr_mutex *mutex)
{
    struct orr_decider *decider = mutex->first_waiter->engine->decider;
    struct options options = {0};
    unsigned option = 0;

    if (decider) {
        add_actors(&options, mutex->first_waiter);
        option =
            orr_decide(decider, ORR_DECIDE_LOCK, options.count, options.who);
    }
    return unlink_actor(&mutex->first_waiter, &mutex->last_waiter, option);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Actors, and the choice of the actor that runs next at a date. A step fires
 * one event, which usually resumes an actor; orr_actor_run() calls the
 * procedure on top of the actor's stack until it sleeps. Actors that it wakes
 * are listed and run after it, in order. An actor that would be the next to run
 * after a sleep is not scheduled at all: the clock skips to its date.
 *
 * With a decider, the choice among woken actors, events of one date and waiters
 * of a mutex is the decider's; footprints of steps are reported to it.
 */
#include "runtime/engine/actor.h"

#include "runtime/engine/decision.h"

void orr_actor_run(struct orr_actor *actor)
{
    enum orr_next next;
    struct orr_engine *engine = actor->engine;
    struct orr_actor *before = engine->acting;

    engine->acting = actor;
    engine->depth++;
    do {
        struct orr_frame *frame = actor->top;

        next = frame->procedure(actor, frame + 1);
        if (next == ORR_DONE) { /* nothing was called: it is still on top */
            actor->free = frame;
            actor->top = frame->below;
        }
    } while (next != ORR_ASLEEP && actor->top);
    engine->acting = before;
    engine->depth--;
    if (!actor->top)
        engine->interrupted = true;
}

static void fire(void *arg)
{
    orr_actor_run(arg);
}

void orr_actor_init(struct orr_actor *actor, struct orr_engine *engine)
{
    actor->event = (struct orr_event){.fire = fire, .arg = actor};
    actor->engine = engine;
    actor->index = ORR_NO_WORKER;
    actor->waiting = false;
    actor->earliest = 0;
    actor->signalled = false;
    actor->top = NULL;
    actor->free = (struct orr_frame *)actor->stack;
    actor->interleaved = NULL;
    if (engine->interleaving) {
        actor->interleaved = g_malloc0(engine->interleaving->actor_bytes);
        engine->interleaving->init_actor(actor);
    }
}

void orr_actor_clear(struct orr_actor *actor)
{
    if (actor->interleaved)
        actor->engine->interleaving->clear_actor(actor);
    g_clear_pointer(&actor->interleaved, g_free);
}

struct orr_actor *orr_actor_of(const struct orr_event *event)
{
    return event->fire == fire ? event->arg : NULL;
}

unsigned orr_actor_index_of(const struct orr_event *event)
{
    const struct orr_actor *actor = orr_actor_of(event);

    return actor ? actor->index : ORR_NO_ACTOR;
}

/*
 * With a decider: the options at one date are the woken actors, in the order of
 * their wake-ups, then the events in the order in which they would fire; or the
 * actors that wait for a mutex.
 */
struct options {
    unsigned count;
    unsigned actors[ORR_MOST_OPTIONS];
    struct orr_event *events[ORR_MOST_OPTIONS]; /* NULL: a woken actor */
};

static void add_actors(struct options *options, const struct orr_actor *actor)
{
    for (; actor && options->count < ORR_MOST_OPTIONS; actor = actor->next) {
        options->events[options->count] = NULL;
        options->actors[options->count++] = actor->index;
    }
}

static void add_events(struct options *options, const struct orr_engine *engine)
{
    unsigned first = options->count;

    options->count += orr_event_queue_equals(
        &engine->events, options->events + first, ORR_MOST_OPTIONS - first);
    for (unsigned i = first; i < options->count; i++)
        options->actors[i] = orr_actor_index_of(options->events[i]);
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

static struct orr_actor *choose_woken(struct orr_engine *engine)
{
    struct options options = {0};
    unsigned option;

    if (!engine->woken || orr_engine_is_chosen(engine))
        return NULL;
    add_actors(&options, engine->woken);
    if (orr_engine_next(engine) == engine->now)
        add_events(&options, engine);
    option = orr_decide(engine->decider, ORR_DECIDE_EVENT, options.count,
                        options.actors);
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

/* Reports the footprint of the last step and the events due next to the
 * decider. */
static void report_step(struct orr_engine *engine,
                        const struct options *options)
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

static void choose_event(struct orr_engine *engine)
{
    bool reports = engine->decider->step;
    struct options options = {0};
    unsigned option;

    engine->footprint_unknown |= orr_engine_is_chosen(engine);
    if (orr_engine_is_empty(engine) || orr_engine_is_chosen(engine))
        return;
    add_events(&options, engine);
    if (reports)
        report_step(engine, &options);
    option = orr_decide(engine->decider, ORR_DECIDE_EVENT, options.count,
                        options.actors);
    if (reports)
        begin_step(engine, options.events[option]);
    if (option > 0)
        orr_engine_choose(engine, options.events[option]);
}

static struct orr_actor *choose_waiter(struct orr_mutex *mutex)
{
    struct orr_decider *decider = mutex->first_waiter->engine->decider;
    struct options options = {0};
    unsigned option = 0;

    if (decider) {
        add_actors(&options, mutex->first_waiter);
        option =
            orr_decide(decider, ORR_DECIDE_LOCK, options.count, options.actors);
    }
    return unlink_actor(&mutex->first_waiter, &mutex->last_waiter, option);
}

static void wake(struct orr_actor *actor)
{
    actor->engine->footprint_unknown = true;
    orr_actor_append(&actor->engine->woken, &actor->engine->last_woken, actor);
}

void orr_actor_resume(struct orr_actor *actor)
{
    if (G_UNLIKELY(actor->engine->interleaving))
        actor->engine->interleaving->resume(actor);
    else
        wake(actor);
}

static struct orr_actor *take_woken(struct orr_engine *engine)
{
    struct orr_actor *actor = engine->woken;

    if (engine->decider)
        return choose_woken(engine);
    if (actor)
        engine->woken = actor->next;
    return actor;
}

void orr_actors_run_all_woken(struct orr_engine *engine)
{
    struct orr_actor *actor;

    while ((actor = take_woken(engine))) {
        engine->waking = true;
        orr_actor_run(actor);
    }
    engine->waking = false;
}

void orr_actor_start(struct orr_actor *actor)
{
    orr_actors_interrupt(actor->engine); /* the clock is not to advance here */
    orr_actor_run(actor);
    orr_actors_run_woken(actor->engine);
}

void orr_actor_act(struct orr_actor *actor)
{
    const struct orr_decider *decider = actor->engine->decider;

    actor->engine->interrupted =
        actor->engine->holds_clock || (decider && decider->step);
    orr_actor_run(actor);
    orr_actors_run_woken(actor->engine);
}

static enum orr_next end_rest(struct orr_actor *actor, void *locals)
{
    (void)actor;
    (void)locals;
    return ORR_DONE;
}

void orr_actor_rest(struct orr_actor *actor, orr_time delay)
{
    struct orr_engine *engine = actor->engine;
    orr_time date = engine->now + delay;

    engine->interrupted = engine->holds_clock;
    if (delay == 0 || orr_actors_skip_to(engine, date))
        return;
    orr_actor_call_some(actor, end_rest, 0, 0);
    orr_engine_at(engine, date, &actor->event);
}

/* Advances the clock to the next event, or by a microsecond if there is none,
 * and runs the actors that wait for that before the event fires. Not inline,
 * since it is rare. */
static G_GNUC_NO_INLINE void advance(struct orr_engine *engine)
{
    struct orr_actor *actor = engine->next_date;
    orr_time date = orr_engine_next(engine);

    orr_engine_advance(engine, date == ORR_NEVER ? engine->now + ORR_US : date);
    engine->next_date = NULL;
    engine->advanced = 0;
    /* no actor skips to a later date before the rest have run */
    engine->depth++;
    while (actor) {
        struct orr_actor *next = actor->next;

        orr_engine_cancel(engine, &actor->event);
        orr_actor_run(actor);
        engine->advanced++;
        actor = next;
    }
    engine->depth--;
}

/* Asks the decider what comes first. Returns false if no event does: actors
 * were woken, and an event that was chosen to come before them has been
 * cancelled. */
static bool decide(struct orr_engine *engine)
{
    engine->interrupted = engine->decider->step; /* steps are short then */
    if (engine->woken && orr_engine_next(engine) > engine->now) {
        orr_actors_run_woken(engine);
        return false;
    }
    if (!engine->next_date || orr_engine_next(engine) == engine->now)
        choose_event(engine);
    return true;
}

static bool handle_stall(struct orr_engine *engine)
{
    return engine->on_stall && engine->on_stall(engine->context);
}

/* Without decider and interleaving, one of this many steps is not fast. */
#define FAST_STEPS 4096

/*
 * Calls the check if it is due, then the decider and the interleaving. Returns
 * whether the next event may fire now; if not, sets *@goes_on to whether the
 * run continues.
 */
static bool prepare_step(struct orr_engine *engine, bool *goes_on)
{
    *goes_on = engine->fired < engine->check_at || !engine->check ||
               engine->check(engine->context);
    engine->fast_steps =
        engine->decider || engine->interleaving || !*goes_on ? 1 : FAST_STEPS;
    if (*goes_on && engine->interleaving) {
        *goes_on = engine->interleaving->step(engine) || handle_stall(engine);
        return false;
    }
    return *goes_on && (!engine->decider || decide(engine));
}

/* A step in which something else than the next event may happen. */
static G_GNUC_NO_INLINE bool step_slowly(struct orr_engine *engine)
{
    bool fired = true;

    if (engine->fast_steps == 0 && !prepare_step(engine, &fired))
        return fired;
    if (engine->next_date && orr_engine_next(engine) > engine->now)
        advance(engine);
    else
        fired = orr_engine_step(engine);
    if (!fired)
        fired = handle_stall(engine);
    orr_actors_run_woken(engine);
    return fired;
}

bool orr_actors_step(struct orr_engine *engine)
{
    engine->interrupted = false;
    if (G_UNLIKELY(--engine->fast_steps == 0 || engine->next_date) ||
        !orr_engine_step(engine))
        return step_slowly(engine);
    orr_actors_run_woken(engine);
    return true;
}

enum orr_next orr_actor_sleep_queued(struct orr_actor *actor, orr_time date)
{
    return G_UNLIKELY(actor->engine->interleaving)
               ? actor->engine->interleaving->sleep(actor, date)
               : orr_actor_sleep_until(actor, date);
}

/* Runs the actors that @actor has woken before it sleeps until @date. Returns
 * whether the actor can then skip to @date, which orr_actors_skip_to() refused
 * before. */
static inline bool let_run(struct orr_actor *actor, orr_time date)
{
    if (!actor->engine->woken)
        return false;
    orr_actors_run_woken(actor->engine);
    return orr_actors_skip_to(actor->engine, date);
}

enum orr_next orr_actor_sleep_until(struct orr_actor *actor, orr_time date)
{
    if (let_run(actor, date))
        return ORR_CONTINUE;
    orr_engine_at(actor->engine, date, &actor->event);
    return ORR_ASLEEP;
}

enum orr_next orr_actor_yield_queued(struct orr_actor *actor)
{
    orr_time now = actor->engine->now;

    if (G_UNLIKELY(actor->engine->interleaving) || let_run(actor, now))
        return ORR_CONTINUE;
    orr_engine_at_via(actor->engine, now, now, &actor->event);
    return ORR_ASLEEP;
}

static inline enum orr_next wait(struct orr_actor *actor)
{
    if (actor->signalled)
        return ORR_CONTINUE;
    actor->waiting = true;
    return ORR_ASLEEP;
}

enum orr_next orr_actor_wait(struct orr_actor *actor)
{
    if (G_UNLIKELY(actor->engine->interleaving))
        return actor->engine->interleaving->wait(actor);
    return wait(actor);
}

/*
 * An actor that waits busily takes two steps, each half of its time. The clock
 * stops at the end of each, though no event is scheduled for it. Returns the
 * next such date among the latest busy waits; ORR_NEVER if there is none.
 */
static orr_time next_busy_step(const struct orr_engine *engine)
{
    orr_time next = ORR_NEVER;

    for (unsigned i = 0; i < ORR_BUSY_WAITS; i++) {
        const struct orr_busy_wait *busy = &engine->busy[i];

        if (busy->since + busy->step > engine->now)
            next = MIN(next, busy->since + busy->step);
        else if (busy->since + 2 * busy->step > engine->now)
            next = MIN(next, busy->since + 2 * busy->step);
    }
    return next;
}

enum orr_next orr_actor_wait_advance(struct orr_actor *actor)
{
    return G_UNLIKELY(actor->engine->interleaving)
               ? actor->engine->interleaving->wait_advance(actor)
               : orr_actor_await_advance(actor);
}

enum orr_next orr_actor_await_advance(struct orr_actor *actor)
{
    struct orr_engine *engine = actor->engine;
    orr_time step;

    orr_actors_run_woken(engine);
    step = next_busy_step(engine);
    if (step != ORR_NEVER)
        orr_engine_at(engine, step, &actor->event);
    engine->footprint_unknown = true;
    orr_actor_append(&engine->next_date, &engine->last_next_date, actor);
    return ORR_ASLEEP;
}

/* The clock may stop sooner than planned for the actors that wait for it to
 * advance. */
static G_GNUC_NO_INLINE void hasten_next_date(struct orr_engine *engine)
{
    if (next_busy_step(engine) < orr_engine_next(engine))
        orr_engine_move(engine, next_busy_step(engine),
                        &engine->next_date->event);
}

enum orr_next orr_actor_wait_busy(struct orr_actor *actor, orr_time delay)
{
    struct orr_engine *engine = actor->engine;

    if (actor->signalled)
        return orr_actor_sleep(actor, delay);
    actor->waiting = true;
    actor->earliest = engine->now + delay;
    engine->busy[engine->busy_count++ % ORR_BUSY_WAITS] =
        (struct orr_busy_wait){.since = engine->now, .step = delay / 2};
    if (G_UNLIKELY(engine->next_date))
        hasten_next_date(engine);
    return ORR_ASLEEP;
}

enum orr_next orr_actor_suspend(struct orr_actor *actor)
{
    actor->waiting = false;
    if (G_UNLIKELY(actor->engine->interleaving))
        actor->engine->interleaving->suspend(actor);
    return ORR_ASLEEP;
}

void orr_actor_stop_waiting(struct orr_actor *actor)
{
    actor->waiting = false;
    if (actor->engine->now < actor->earliest)
        orr_engine_at_via(actor->engine, actor->earliest,
                          actor->earliest - ORR_US, &actor->event);
    else
        wake(actor);
}

enum orr_next orr_mutex_lock(struct orr_mutex *mutex, struct orr_actor *actor)
{
    if (G_UNLIKELY(actor->engine->interleaving))
        return actor->engine->interleaving->lock(mutex, actor);
    return orr_mutex_try(mutex, actor) ? ORR_CONTINUE
                                       : orr_actor_suspend(actor);
}

void orr_mutex_unlock(struct orr_mutex *mutex)
{
    struct orr_actor *first = mutex->first_waiter;

    mutex->owner = first;
    if (!first)
        return;
    if (G_UNLIKELY(first->engine->decider))
        mutex->owner = choose_waiter(mutex);
    else
        mutex->first_waiter = first->next;
    orr_actor_resume(mutex->owner);
}

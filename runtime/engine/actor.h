/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ACTOR_H
#define ORR_ACTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "runtime/engine/engine.h"

/*
 * An actor is a thread of control in simulated time: a worker's driver, or
 * the application.
 *
 * What it does is written as procedures that may take time. A procedure is a
 * function with its local variables in a frame; it runs until it ends, sleeps
 * or calls another procedure, each time returning to the engine, and when it
 * is resumed continues where its locals say. So actors need neither threads
 * nor stacks of their own, and switching between them is a function call.
 *
 *     struct nap {
 *         enum { NAP_START, NAP_AWAKE } at;
 *     };
 *
 *     static enum orr_next nap(struct orr_actor *actor, void *locals)
 *     {
 *         struct nap *nap = locals;
 *
 *         switch (nap->at) {
 *         case NAP_START:
 *             nap->at = NAP_AWAKE;
 *             return orr_actor_sleep(actor, 5 * ORR_US);
 *         case NAP_AWAKE:
 *             break;
 *         }
 *         return ORR_DONE;
 *     }
 */
struct orr_actor;

typedef enum orr_next orr_procedure(struct orr_actor *actor, void *locals);

#define ORR_ACTOR_STACK 4096 /* bytes: about 20 nested procedures */

struct orr_actor {
    struct orr_event event; /* resumes the actor */
    struct orr_engine *engine;
    unsigned index;    /* number of the worker; application: ORR_NO_WORKER */
    bool waiting;      /* asleep until the next signal */
    bool woken;        /* of a worker: another actor has woken it */
    orr_time earliest; /* a signal wakes it at this date or later */
    bool signalled; /* a signal came since the last orr_actor_clear_signal() */
    struct orr_actor *next; /* next in the list of woken actors, or of actors
                               that wait for a mutex */
    struct orr_frame *top;  /* frame, or NULL if it has nothing to do */
    struct orr_frame *free; /* place of the next frame */
    void *interleaved; /* state of the interleaving, owned; NULL if plain */
    _Alignas(max_align_t) unsigned char stack[ORR_ACTOR_STACK];
};

/* Initialises @actor as the application's: index = ORR_NO_WORKER. Its address
 * must not change. */
void orr_actor_init(struct orr_actor *actor, struct orr_engine *engine);

/* Frees what orr_actor_init() allocated. A zeroed actor is allowed. */
void orr_actor_clear(struct orr_actor *actor);

/* The actor that @event resumes, or NULL. */
struct orr_actor *orr_actor_of(const struct orr_event *event);

/* The orr_actor.index of the actor that @event resumes, or ORR_NO_ACTOR. */
unsigned orr_actor_index_of(const struct orr_event *event);

/* Precedes its locals on the stack; private. */
struct orr_frame {
    _Alignas(max_align_t) orr_procedure *procedure;
    struct orr_frame *below; /* the frame under this one, or NULL */
};

/*
 * Calls @procedure on @actor: pushes a frame with @size bytes of locals, the
 * first @zeroed of them zeroed, and returns the locals for the caller to fill.
 * The procedure runs when the caller returns ORR_CONTINUE or, on an idle actor,
 * at orr_actor_start() or orr_actor_act(). "Calls" in the comments of this
 * runtime always means this.
 *
 * Inline, since the compiler does most of it when it knows the size.
 */
static inline void *orr_actor_call_some(struct orr_actor *actor,
                                        orr_procedure *procedure, size_t size,
                                        size_t zeroed)
{
    size_t unit = _Alignof(max_align_t);
    size_t room = sizeof(struct orr_frame) + (size + unit - 1) / unit * unit;
    struct orr_frame *frame = actor->free;

    actor->free = (struct orr_frame *)((unsigned char *)frame + room);
    g_assert((unsigned char *)actor->free <= actor->stack + ORR_ACTOR_STACK);
    frame->procedure = procedure;
    frame->below = actor->top;
    actor->top = frame;
    return memset(frame + 1, 0, zeroed);
}

/* Calls @procedure with zeroed locals. */
static inline void *orr_actor_call(struct orr_actor *actor,
                                   orr_procedure *procedure, size_t size)
{
    return orr_actor_call_some(actor, procedure, size, size);
}

/* Whether the actor has nothing left to do. */
static inline bool orr_actor_idle(const struct orr_actor *actor)
{
    return !actor->top;
}

/* Runs the actor now, until it sleeps or has nothing left to do. */
void orr_actor_start(struct orr_actor *actor);

/* As orr_actor_start(), but the clock may advance meanwhile, as in
 * orr_actors_step(). */
void orr_actor_act(struct orr_actor *actor);

/* As orr_actor_act(), for an idle actor with a procedure that only sleeps for
 * @delay. Not with a decider, in lock-step, or while actors are woken. */
void orr_actor_rest(struct orr_actor *actor, orr_time delay);

/*
 * The following are for procedures: `return orr_actor_sleep(...)`.
 *
 * sleep: until @delay has passed; continues at once if it is zero.
 * wait: until a signal; continues at once if one has come already.
 * suspend: until orr_actor_resume(); signals have no effect.
 */
static inline enum orr_next orr_actor_sleep(struct orr_actor *actor,
                                            orr_time delay);

/* Lets all other events of this date fire first. Continues at once in
 * lock-step, where actors take turns anyway. */
static inline enum orr_next orr_actor_yield(struct orr_actor *actor);

enum orr_next orr_actor_wait(struct orr_actor *actor);
enum orr_next orr_actor_suspend(struct orr_actor *actor);

/* Waits, but is busy for @delay: an earlier signal resumes it then. Not for
 * lock-step. */
enum orr_next orr_actor_wait_busy(struct orr_actor *actor, orr_time delay);

/* Continues once the operations of all trace points so far have been executed;
 * at once if there are none. */
static inline enum orr_next orr_actor_pass(struct orr_actor *actor)
{
    return G_UNLIKELY(actor->engine->interleaving)
               ? actor->engine->interleaving->pass(actor)
               : ORR_CONTINUE;
}

/* orr_point(), then orr_actor_pass(). */
static inline enum orr_next orr_actor_pass_point(struct orr_actor *actor,
                                                 enum orr_point point,
                                                 void *object)
{
    struct orr_engine *engine = actor->engine;

    if (!G_UNLIKELY(engine->interleaving))
        return ORR_CONTINUE;
    engine->interleaving->point(engine, point, object);
    return engine->interleaving->pass(actor);
}

/* Clears past signals. To be called before checking the condition that a signal
 * announces. */
static inline void orr_actor_clear_signal(struct orr_actor *actor)
{
    if (G_UNLIKELY(actor->engine->interleaving))
        actor->engine->interleaving->clear_signal(actor);
    else
        actor->signalled = false;
}

/* In a procedure: continues at the date of the next event, before that event;
 * without one, a microsecond later. */
enum orr_next orr_actor_wait_advance(struct orr_actor *actor);

/*
 * Signals @actor. If it waits, it runs at this date: just before the acting
 * actor goes to sleep or, if no actor acts, after the event that is firing. (In
 * the reference the signalling actor needs more operations before it sleeps
 * than the actor that it woke.)
 */
static inline void orr_actor_signal(struct orr_actor *actor);

/* Ends a suspension; @actor runs when a signalled one would. */
void orr_actor_resume(struct orr_actor *actor);

/*
 * Fires the next event and runs the actors that it woke. Also fires the events
 * that follow, as long as they resume the actor that runs already. Returns
 * false if no event is left.
 */
bool orr_actors_step(struct orr_engine *engine);

/* Private: the part of orr_actors_run_woken() that is not inline. */
void orr_actors_run_all_woken(struct orr_engine *engine);

/* Runs the actors woken at this date, first come, first served. Does nothing
 * inside itself: the outer call runs the rest. */
static inline void orr_actors_run_woken(struct orr_engine *engine)
{
    if (engine->woken && !engine->waking)
        orr_actors_run_all_woken(engine);
}

/* Ends the step after the event that is firing, so that the caller of
 * orr_actors_step() can check its condition. The end of an actor does so, too.
 */
static inline void orr_actors_interrupt(struct orr_engine *engine)
{
    engine->interrupted = true;
}

/*
 * Private: if an actor that is about to sleep until @date would be the next to
 * run, advances the clock to @date and returns true; the actor then continues
 * at once, as if the engine had resumed it. Most sleeps are of this kind.
 */
static inline bool orr_actors_skip_to(struct orr_engine *engine, orr_time date)
{
    if (date >= orr_engine_next(engine) || engine->depth > 1 || engine->woken ||
        engine->next_date || engine->interrupted ||
        (orr_engine_is_empty(engine) && date >= engine->horizon))
        return false;
    engine->waking = false;
    orr_engine_skip(engine, date);
    return true;
}

/* Private: ends the wait of @actor, which was signalled. */
void orr_actor_stop_waiting(struct orr_actor *actor);

/* Private: a signal in the plain interleaving. */
static inline void orr_actor_signal_plain(struct orr_actor *actor)
{
    actor->signalled = true;
    if (actor->waiting)
        orr_actor_stop_waiting(actor);
}

static inline void orr_actor_signal(struct orr_actor *actor)
{
    if (G_UNLIKELY(actor->engine->interleaving))
        actor->engine->interleaving->signal(actor);
    else
        orr_actor_signal_plain(actor);
}

/* Private: the part of orr_actor_sleep() that is not inline. */
enum orr_next orr_actor_sleep_queued(struct orr_actor *actor, orr_time date);

static inline enum orr_next orr_actor_sleep(struct orr_actor *actor,
                                            orr_time delay)
{
    orr_time date = actor->engine->now + delay;

    if (delay == 0 || orr_actors_skip_to(actor->engine, date))
        return ORR_CONTINUE;
    return orr_actor_sleep_queued(actor, date);
}

/* Private: the part of orr_actor_yield() that is not inline. */
enum orr_next orr_actor_yield_queued(struct orr_actor *actor);

static inline enum orr_next orr_actor_yield(struct orr_actor *actor)
{
    return orr_actors_skip_to(actor->engine, actor->engine->now)
               ? ORR_CONTINUE
               : orr_actor_yield_queued(actor);
}

/* Sleeps @times times in a row for @delay. Returns false, doing nothing, if
 * another event comes meanwhile. */
static inline bool orr_actor_skip(struct orr_actor *actor, orr_time delay,
                                  unsigned times)
{
    struct orr_engine *engine = actor->engine;

    if (delay == 0 || !orr_actors_skip_to(engine, engine->now + times * delay))
        return false;
    engine->fired += times - 1;
    return true;
}

/* Appends @actor to a list linked by orr_actor.next. */
static inline void orr_actor_append(struct orr_actor **first,
                                    struct orr_actor **last,
                                    struct orr_actor *actor)
{
    actor->next = NULL;
    if (*first)
        (*last)->next = actor;
    else
        *first = actor;
    *last = actor;
}

/* In a procedure: continues once the lock is held. */
enum orr_next orr_mutex_lock(struct orr_mutex *mutex, struct orr_actor *actor);
void orr_mutex_unlock(struct orr_mutex *mutex);

/* Takes the lock at once and returns true, or queues @actor, which is resumed
 * when it gets the lock. */
static inline bool orr_mutex_try(struct orr_mutex *mutex,
                                 struct orr_actor *actor)
{
    if (!mutex->owner) {
        mutex->owner = actor;
        return true;
    }
    orr_actor_append(&mutex->first_waiter, &mutex->last_waiter, actor);
    return false;
}

/* Private: runs @actor until it sleeps or has nothing left to do, even inside
 * another. */
void orr_actor_run(struct orr_actor *actor);

/* For interleavings: orr_actor_sleep() until @date and orr_actor_wait_advance()
 * where no operation is pending. */
enum orr_next orr_actor_sleep_until(struct orr_actor *actor, orr_time date);
enum orr_next orr_actor_await_advance(struct orr_actor *actor);

#endif

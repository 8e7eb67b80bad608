/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The threads of the application. Their stacks belong to the program, which
 * switches between them when this file says so; so their order is the same in
 * each run. A thread that waits fires the events of the run, until what it
 * waits for has come; before each event, another thread gets control if its
 * own wait is over, or if it is new.
 */
#include "runtime/threads.h"

#include "runtime/run.h"

/* Fires when a thread was parked for long enough. */
static void ring(void *data)
{
    struct orr_thread *thread = data;

    thread->parked = NULL;
    orr_actors_interrupt(thread->actor.engine);
}

static void init(struct orr_run *run, struct orr_thread *thread)
{
    orr_actor_init(&thread->actor, &run->engine);
    thread->alarm = (struct orr_event){.fire = ring, .arg = thread};
}

void orr_threads_begin(struct orr_run *run)
{
    init(run, &run->app.main);
    run->app.main.begun = true;
    run->app.thread = &run->app.main;
}

void orr_threads_clear(struct orr_run *run)
{
    struct orr_thread *thread = run->app.main.next;

    orr_actor_clear(&run->app.main.actor);
    while (thread) {
        struct orr_thread *next = thread->next;

        orr_engine_cancel(&run->engine, &thread->alarm);
        orr_actor_clear(&thread->actor);
        g_free(thread);
        thread = next;
    }
}

void orr_threads_give_control(struct orr_run *run, struct orr_thread *thread)
{
    run->app.thread = thread;
    thread->begun = true;
    run->app.give_control(run->app.give_control_data, thread->number);
}

/* Whether @thread can continue. */
static bool is_ready(struct orr_run *run, struct orr_thread *thread)
{
    struct orr_thread *self = run->app.thread;
    bool ready;

    if (thread->ended || !thread->begun)
        return !thread->ended;
    run->app.thread = thread;
    ready = thread->over && thread->over(run);
    run->app.thread = self;
    return ready;
}

struct orr_thread *orr_threads_find_ready(struct orr_run *run)
{
    struct orr_thread *self = run->app.thread, *thread = self;

    do {
        thread = thread->next ? thread->next : &run->app.main;
        if (thread != self && is_ready(run, thread))
            return thread;
    } while (thread != self);
    return NULL;
}

bool orr_threads_step(struct orr_run *run,
                      bool (*over)(const struct orr_run *run))
{
    struct orr_thread *self = run->app.thread,
                      *ready = orr_threads_find_ready(run);

    if (!ready)
        return orr_run_step(run);
    self->over = over;
    orr_threads_give_control(run, ready);
    self->over = NULL;
    return true;
}

struct orr_thread *orr_threads_new(struct orr_run *run)
{
    struct orr_thread *last = &run->app.main, *thread;

    while (last->next && !last->next->ended)
        last = last->next;
    if (last->next) {
        last->next->begun = last->next->ended = false;
        return last->next;
    }
    if (last->number + 1 == ORR_MAX_THREADS)
        return NULL;
    thread = g_new0(struct orr_thread, 1);
    thread->number = last->number + 1;
    init(run, thread);
    last->next = thread;
    return thread;
}

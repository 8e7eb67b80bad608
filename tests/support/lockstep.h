/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TESTS_LOCKSTEP_H
#define ORR_TESTS_LOCKSTEP_H

#include "runtime/lockstep/lockstep.h"
#include "runtime/lockstep/members.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"
#include "tests/support/cmocka_all.h"

/*
 * A few actors in lock-step, and workers if the test makes some, on the engine
 * of a run that has nothing else. One more actor takes every tick, before all
 * others, and counts; so a test can write down at which tick something comes.
 */
enum { ACTORS = 3 };

struct lockstep_fixture {
    struct orr_run run;
    struct orr_engine *engine; /* the run's */
    struct orr_actor actors[ACTORS];
    struct orr_actor counter;
    unsigned tick;  /* of the date; 0 before the first has been counted */
    unsigned ticks; /* it counts so many */
    void (*at_tick)(struct lockstep_fixture *f); /* called at each, or NULL */
    GString *log; /* letter of the actor and tick, e.g. "a0 b5 " */
};

static inline void fixture_count(void *arg)
{
    struct lockstep_fixture *f = arg;

    f->tick++;
    if (f->at_tick)
        f->at_tick(f);
    if (f->tick < f->ticks)
        orr_clock_queue(&f->counter, 1);
}

static inline void fixture_init(struct lockstep_fixture *f, unsigned ticks)
{
    static const struct orr_queueing one_for_all = {.steal = NULL};

    f->run.policy.queueing = &one_for_all;
    f->engine = &f->run.engine;
    f->run.turns = orr_turns_lockstep;
    orr_engine_init(f->engine, f->run.turns->engine);
    orr_lockstep_run(f->engine)->run = &f->run;
    orr_run_lend(&f->run);
    f->ticks = ticks;
    f->log = g_string_new(NULL);
    for (unsigned i = 0; i < ACTORS; i++) {
        orr_actor_init(&f->actors[i], f->engine);
        f->actors[i].index = i;
    }
    orr_actor_init(&f->counter, f->engine);
    f->counter.event = (struct orr_event){.fire = fixture_count, .arg = f};
}

/* Gives the run @count workers, which are awake, have nothing to do, and may be
 * looked at. */
static inline void fixture_add_workers(struct lockstep_fixture *f,
                                       unsigned count)
{
    f->run.workers = g_new(struct orr_worker *, count);
    f->run.worker_count = count;
    for (unsigned i = 0; i < count; i++) {
        f->run.workers[i] = orr_worker_new(&f->run, i, ORR_RAM, NULL);
        f->run.workers[i]->sleeping = false;
        f->run.workers[i]->scheduling = false;
    }
}

static inline void fixture_clear(struct lockstep_fixture *f)
{
    for (unsigned i = 0; i < f->run.worker_count; i++)
        orr_worker_free(f->run.workers[i]);
    g_free(f->run.workers);
    for (unsigned i = 0; i < ACTORS; i++)
        orr_actor_clear(&f->actors[i]);
    orr_actor_clear(&f->counter);
    orr_trace_points_clear(&f->run);
    orr_clock_clear(f->engine);
    orr_engine_clear(f->engine);
    g_string_free(f->log, TRUE);
}

static inline void fixture_note(struct lockstep_fixture *f,
                                const struct orr_actor *actor)
{
    g_string_append_printf(f->log, "%c%u ", (char)('a' + actor->index),
                           f->tick);
}

static inline void fixture_run(struct lockstep_fixture *f)
{
    while (orr_actors_step(f->engine))
        ;
}

/* Runs all actors while ticks are counted, by an actor before all that have
 * ticks already. */
static inline void fixture_run_counting(struct lockstep_fixture *f)
{
    struct orr_clock *clock = orr_clock_of(f->engine);
    struct orr_actor *first = clock->first, *last = clock->last;

    clock->first = NULL;
    orr_clock_queue(&f->counter, 1);
    orr_ticks_of(&f->counter)->next = first;
    if (first)
        clock->last = last;
    fixture_run(f);
}

#endif

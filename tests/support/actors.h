/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TESTS_ACTORS_H
#define ORR_TESTS_ACTORS_H

#include "runtime/data/spinlock.h"
#include "runtime/engine/actor.h"
#include "tests/support/cmocka_all.h"

/* A few actors on an engine of their own, which log what they do and when. */

enum { ACTORS = 4 };

struct fixture {
    struct orr_engine engine;
    struct orr_actor actors[ACTORS];
    struct orr_mutex lock;
    struct orr_spinlock spinlock;
    GString *log; /* letter of the actor and date, e.g. "a0 b5 " */
};

static inline int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    orr_engine_init(&f->engine, NULL);
    for (unsigned i = 0; i < ACTORS; i++)
        orr_actor_init(&f->actors[i], &f->engine);
    f->engine.horizon = ORR_NEVER;
    f->log = g_string_new(NULL);
    *state = f;
    return 0;
}

static inline int teardown(void **state)
{
    struct fixture *f = *state;

    orr_engine_clear(&f->engine);
    g_string_free(f->log, TRUE);
    g_free(f);
    return 0;
}

/* The locals of a procedure that such an actor performs, step by step. */
struct script {
    enum { BEGIN, MIDDLE, END } at;
    struct fixture *f;
    orr_time delay;
    struct orr_actor *other;
};

/* Has actor @i perform @procedure when it starts or acts next. */
static inline struct script *call(struct fixture *f, unsigned i,
                                  orr_procedure *procedure, orr_time delay)
{
    struct script *script =
        orr_actor_call(&f->actors[i], procedure, sizeof(*script));

    script->f = f;
    script->delay = delay;
    return script;
}

static inline void start(struct fixture *f, unsigned i,
                         orr_procedure *procedure, orr_time delay)
{
    call(f, i, procedure, delay);
    orr_actor_start(&f->actors[i]);
}

/* Logs the letter of @actor and the date in ns. */
static inline void note(struct fixture *f, const struct orr_actor *actor)
{
    g_string_append_printf(f->log, "%c%d ", (char)('a' + (actor - f->actors)),
                           (int)f->engine.now);
}

static inline void run(struct fixture *f)
{
    while (orr_actors_step(&f->engine))
        ;
}

#endif

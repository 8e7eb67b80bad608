/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TESTS_LOCKSTEP_H
#define ORR_TESTS_LOCKSTEP_H

#include "runtime/lockstep/lockstep.h"
#include "tests/support/cmocka_all.h"

/*
 * A few actors that take turns at one date, on an engine of their own. A clock
 * that takes every turn, before them, counts; so they can write down at which
 * turn they come to something.
 */
enum { ACTORS = 3 };

struct rounds {
    struct orr_engine engine;
    struct orr_actor actors[ACTORS];
    struct orr_event clock;
    unsigned turn;  /* of the date; 0 before the clock has begun */
    unsigned turns; /* so many it counts */
    void (*at_turn)(struct rounds *rounds); /* called at each, or NULL */
    GString *log; /* letter of the actor and turn, e.g. "a0 b5 " */
};

static inline void rounds_tick(void *arg)
{
    struct rounds *rounds = arg;

    rounds->turn++;
    if (rounds->at_turn)
        rounds->at_turn(rounds);
    if (rounds->turn < rounds->turns)
        orr_engine_in_turns(&rounds->engine, 1, &rounds->clock);
}

static inline void rounds_init_actor(struct rounds *rounds,
                                     struct orr_actor *actor, unsigned who)
{
    orr_actor_init(actor, &rounds->engine);
    orr_actor_in_turns(actor);
    actor->who = who;
}

static inline void rounds_init(struct rounds *rounds, unsigned turns)
{
    orr_engine_begin_rounds(&rounds->engine);
    rounds->clock = (struct orr_event){.fire = rounds_tick, .arg = rounds};
    rounds->turns = turns;
    rounds->log = g_string_new(NULL);
    for (unsigned i = 0; i < ACTORS; i++)
        rounds_init_actor(rounds, &rounds->actors[i], i);
}

static inline void rounds_clear(struct rounds *rounds)
{
    for (unsigned i = 0; i < ACTORS; i++)
        orr_actor_clear_account(&rounds->actors[i]);
    orr_engine_clear(&rounds->engine);
    g_string_free(rounds->log, TRUE);
}

static inline void rounds_note(struct rounds *rounds,
                               const struct orr_actor *actor)
{
    g_string_append_printf(rounds->log, "%c%u ", (char)('a' + actor->who),
                           rounds->turn);
}

static inline void rounds_run(struct rounds *rounds)
{
    while (orr_actors_step(&rounds->engine))
        ;
}

/* The same while the clock counts: before all who have turns already. */
static inline void rounds_run_with_clock(struct rounds *rounds)
{
    rounds->clock.turns = 1;
    rounds->clock.next = rounds->engine.turns;
    rounds->engine.turns = &rounds->clock;
    if (!rounds->clock.next)
        rounds->engine.last_turn = &rounds->clock;
    rounds_run(rounds);
}

#endif

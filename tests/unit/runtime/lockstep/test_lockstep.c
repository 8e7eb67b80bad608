/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns: what actors do at one date, operation by operation. Each plays a
 * script, one letter for what it does; what is written down is who came to a
 * "!", and at which turn of the date, which a clock counts that takes every
 * turn before the others.
 */
#include <string.h>

#include "tests/support/lockstep.h"

enum { TURNS = 16 };

struct fixture {
    struct rounds rounds; /* first */
    struct orr_mutex lock;
};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    rounds_init(&f->rounds, TURNS);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    rounds_clear(*state);
    g_free(*state);
    return 0;
}

struct script {
    struct fixture *f;
    struct orr_actor *actor;
    const char *at;
};

static void note(void *arg)
{
    struct script *script = arg;

    rounds_note(&script->f->rounds, script->actor);
}

/* What is merely counted, or happens at once. */
static void count(struct script *script, char what)
{
    struct orr_engine *engine = &script->f->rounds.engine;

    switch (what) {
    case '!':
        note(script);
        break;
    case 's': /* one more turn */
        orr_engine_spend(engine, 1);
        break;
    case 'd': /* by then, note */
        orr_engine_do(engine, note, script);
        break;
    case 't':
        orr_engine_take(engine, &script->f->lock);
        break;
    case 'g':
        orr_engine_give(engine, &script->f->lock);
        break;
    case 'S': /* tell the next actor */
        orr_actor_signal(script->actor + 1);
        break;
    case 'H':
        orr_actor_clear_signal(script->actor);
        break;
    default:
        fail_msg("no such letter: %c", what);
    }
}

static enum orr_next play(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;
    char what;

    for (;;) {
        what = *script->at++;
        switch (what) {
        case '\0':
            return ORR_DONE;
        case '0':
        case '1':
        case '2':
        case '3':
            return orr_actor_take_turns(actor, (unsigned)(what - '0'));
        case 'T':
            return orr_mutex_take_in_turn(&script->f->lock, actor);
        case 'G':
            return orr_mutex_give_in_turn(&script->f->lock, actor);
        case 'Z':
            return orr_actor_sleep(actor, 10);
        case 'W':
            return orr_actor_wait(actor);
        default:
            count(script, what);
        }
    }
}

/* All have their first turn at turn 1 of date 0. */
static void run(struct fixture *f, const char *a, const char *b, const char *c)
{
    const char *const texts[ACTORS] = {a, b, c};

    for (unsigned i = 0; i < ACTORS; i++) {
        struct script *script =
            orr_actor_call(&f->rounds.actors[i], play, sizeof(*script));

        *script = (struct script){f, &f->rounds.actors[i], texts[i]};
        orr_actor_resume(&f->rounds.actors[i]);
    }
    rounds_run_with_clock(&f->rounds);
}

static void turns_go_round(void **state)
{
    struct fixture *f = *state;

    run(f, "!1!1!", "!2!", "!1!");
    assert_string_equal(f->rounds.log->str, "a1 b1 c1 a2 c2 a3 b3 ");
}

static void who_is_alone_takes_all_its_turns_at_once(void **state)
{
    struct fixture *f = *state;

    f->rounds.turn = TURNS; /* the clock gives up after its first */
    run(f, "3sss!", "", "");
    assert_string_equal(f->rounds.log->str, "a17 ");
    assert_null(f->rounds.engine.turns);
    assert_int_equal(f->rounds.engine.now, 0);
}

static void an_account_is_settled_where_its_actor_passes(void **state)
{
    struct fixture *f = *state;

    /* Two turns and then the note; one more. Until then it merely counts. */
    run(f, "ssds!0!", "!3!", "");
    assert_string_equal(f->rounds.log->str, "a1 b1 a3 a4 b4 ");
}

static void or_where_it_sleeps(void **state)
{
    struct fixture *f = *state;

    /* b sleeps a turn later than a, and the last to is the first to wake. */
    run(f, "sZ!", "ssZ!", "");
    assert_string_equal(f->rounds.log->str, "b16 a16 ");
    assert_int_equal(f->rounds.engine.now, 10);
}

static void who_owes_less_wakes_later(void **state)
{
    struct fixture *f = *state;

    run(f, "ssZ!", "sZ!", "");
    assert_string_equal(f->rounds.log->str, "a16 b16 ");
}

static void who_owes_nothing_does_it_at_once(void **state)
{
    struct fixture *f = *state;

    run(f, "d1!", "", "");
    assert_string_equal(f->rounds.log->str, "a1 a2 ");
}

static void a_lock_is_had_in_turns(void **state)
{
    struct fixture *f = *state;

    /* a has it from turn 1, and gives it back at 4. b, to which it is given,
     * goes on at 5, ahead of the giver, and not a turn later for having taken
     * it: it waited meanwhile. c waits for b. */
    run(f, "T2G!", "T!G", "T!G");
    assert_string_equal(f->rounds.log->str, "b5 a5 c6 ");
    assert_null(f->lock.owner);
}

static void so_it_is_by_accounts(void **state)
{
    struct fixture *f = *state;

    /* Taken, held for two turns, given back: as above. */
    run(f, "tssg0!", "td0!g0", "td0!g0");
    assert_string_equal(f->rounds.log->str, "b5 b5 a5 c6 c6 ");
    assert_null(f->lock.owner);
}

static void signals_go_by_the_lock_of_the_condition(void **state)
{
    struct fixture *f = *state;

    /* a takes the lock at 4, signals at 5 and gives it back at 6; b, which
     * waits for it then, gives it back at 7, and goes on after that. */
    run(f, "3S0!", "W!", "");
    assert_string_equal(f->rounds.log->str, "a7 b8 ");
}

static void who_was_signalled_does_not_wait(void **state)
{
    struct fixture *f = *state;

    run(f, "S0!", "3W!", "");
    assert_string_equal(f->rounds.log->str, "a4 b5 ");
}

static void who_forgets_signals_waits(void **state)
{
    struct fixture *f = *state;

    run(f, "S0!", "3HW!", "");
    assert_string_equal(f->rounds.log->str, "a4 ");
    assert_true(f->rounds.actors[1].waiting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(turns_go_round),
        T(who_is_alone_takes_all_its_turns_at_once),
        T(an_account_is_settled_where_its_actor_passes),
        T(or_where_it_sleeps),
        T(who_owes_less_wakes_later),
        T(who_owes_nothing_does_it_at_once),
        T(a_lock_is_had_in_turns),
        T(so_it_is_by_accounts),
        T(signals_go_by_the_lock_of_the_condition),
        T(who_was_signalled_does_not_wait),
        T(who_forgets_signals_waits),
#undef T
    };

    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}

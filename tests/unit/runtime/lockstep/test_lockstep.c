/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns of actors at one date, operation by operation. Each actor executes a
 * script of letters, and at a "!" writes down its name and the tick.
 */
#include "tests/support/lockstep.h"

enum { TICKS = 16 };

struct fixture {
    struct lockstep_fixture base; /* first */
    struct orr_mutex lock;
};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    fixture_init(&f->base, TICKS);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture_clear(*state);
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

    fixture_note(&script->f->base, script->actor);
}

/* A letter that does not end the tick. */
static void say(struct script *script, char letter)
{
    struct orr_engine *engine = script->f->base.engine;

    switch (letter) {
    case '!':
        note(script);
        break;
    case 's': /* one more tick */
        orr_lockstep_add_ticks(engine, 1);
        break;
    case 'd': /* note, after the ticks so far */
        orr_act(engine, note, script);
        break;
    case 't':
        orr_lockstep_add_lock(engine, &script->f->lock);
        break;
    case 'g':
        orr_lockstep_add_unlock(engine, &script->f->lock);
        break;
    case 'S': /* signal the next actor */
        orr_actor_signal(script->actor + 1);
        break;
    case 'H':
        orr_actor_clear_signal(script->actor);
        break;
    default:
        fail_msg("no such letter: %c", letter);
    }
}

static enum orr_next execute(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;
    char letter;

    for (;;) {
        letter = *script->at++;
        switch (letter) {
        case '\0':
            return ORR_DONE;
        case '0':
        case '1':
        case '2':
        case '3':
            return orr_lockstep_pass(actor, (unsigned)(letter - '0'));
        case 'T':
            return orr_lockstep_lock(&script->f->lock, actor);
        case 'G':
            return orr_lockstep_unlock(&script->f->lock, actor);
        case 'Z':
            return orr_actor_sleep(actor, 10);
        case 'W':
            return orr_actor_wait(actor);
        default:
            say(script, letter);
        }
    }
}

/* All have their first tick at tick 1 of date 0. */
static void run(struct fixture *f, const char *a, const char *b, const char *c)
{
    const char *const texts[ACTORS] = {a, b, c};

    for (unsigned i = 0; i < ACTORS; i++) {
        struct script *script =
            orr_actor_call(&f->base.actors[i], execute, sizeof(*script));

        *script = (struct script){f, &f->base.actors[i], texts[i]};
        orr_actor_resume(&f->base.actors[i]);
    }
    fixture_run_counting(&f->base);
}

static void turns_go_round(void **state)
{
    struct fixture *f = *state;

    run(f, "!1!1!", "!2!", "!1!");
    assert_string_equal(f->base.log->str, "a1 b1 c1 a2 c2 a3 b3 ");
}

static void an_actor_alone_takes_all_its_turns_at_once(void **state)
{
    struct fixture *f = *state;

    f->base.tick = TICKS; /* the counter ends after its first */
    run(f, "3sss!", "", "");
    assert_string_equal(f->base.log->str, "a17 ");
    assert_false(orr_clock_is_busy(f->base.engine));
    assert_int_equal(f->base.engine->now, 0);
}

static void pending_operations_are_played_where_their_actor_passes(void **state)
{
    struct fixture *f = *state;

    /* Two ticks, the note, one more tick; all of it where a passes. */
    run(f, "ssds!0!", "!3!", "");
    assert_string_equal(f->base.log->str, "a1 b1 a3 a4 b4 ");
}

static void or_where_it_sleeps(void **state)
{
    struct fixture *f = *state;

    /* b goes to sleep a tick later than a, and so wakes first. */
    run(f, "sZ!", "ssZ!", "");
    assert_string_equal(f->base.log->str, "b16 a16 ");
    assert_int_equal(f->base.engine->now, 10);
}

static void the_actor_with_fewer_operations_wakes_later(void **state)
{
    struct fixture *f = *state;

    run(f, "ssZ!", "sZ!", "");
    assert_string_equal(f->base.log->str, "a16 b16 ");
}

static void acts_happen_at_once_where_nothing_is_pending(void **state)
{
    struct fixture *f = *state;

    run(f, "d1!", "", "");
    assert_string_equal(f->base.log->str, "a1 a2 ");
}

static void a_lock_passes_from_actor_to_actor(void **state)
{
    struct fixture *f = *state;

    /* a has the lock from tick 1 on and unlocks it at 4. b gets it then and
     * continues at 5, before a. (To lock takes a tick, but that has passed
     * while b waited.) c waits for b. */
    run(f, "T2G!", "T!G", "T!G");
    assert_string_equal(f->base.log->str, "b5 a5 c6 ");
    assert_null(f->lock.owner);
}

static void so_does_one_that_is_taken_by_a_pending_operation(void **state)
{
    struct fixture *f = *state;

    /* Locked, held for two ticks, unlocked: as above. */
    run(f, "tssg0!", "td0!g0", "td0!g0");
    assert_string_equal(f->base.log->str, "b5 b5 a5 c6 c6 ");
    assert_null(f->lock.owner);
}

static void signals_go_by_the_lock_of_the_condition(void **state)
{
    struct fixture *f = *state;

    /* a locks at 4, signals at 5 and unlocks at 6, when b gets the lock; b
     * unlocks at 7 and then continues. */
    run(f, "3S0!", "W!", "");
    assert_string_equal(f->base.log->str, "a7 b8 ");
}

static void an_actor_that_was_signalled_does_not_wait(void **state)
{
    struct fixture *f = *state;

    run(f, "S0!", "3W!", "");
    assert_string_equal(f->base.log->str, "a4 b5 ");
}

static void an_actor_that_forgets_signals_waits(void **state)
{
    struct fixture *f = *state;

    run(f, "S0!", "3HW!", "");
    assert_string_equal(f->base.log->str, "a4 ");
    assert_true(f->base.actors[1].waiting);
}

ORR_TESTS(lockstep)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(turns_go_round),
        T(an_actor_alone_takes_all_its_turns_at_once),
        T(pending_operations_are_played_where_their_actor_passes),
        T(or_where_it_sleeps),
        T(the_actor_with_fewer_operations_wakes_later),
        T(acts_happen_at_once_where_nothing_is_pending),
        T(a_lock_passes_from_actor_to_actor),
        T(so_does_one_that_is_taken_by_a_pending_operation),
        T(signals_go_by_the_lock_of_the_condition),
        T(an_actor_that_was_signalled_does_not_wait),
        T(an_actor_that_forgets_signals_waits),
#undef T
    };

    return cmocka_run_group_tests_name("lockstep", tests, NULL, NULL);
}

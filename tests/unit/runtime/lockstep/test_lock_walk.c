/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actors that walk through locks: each writes down the tick of the date at
 * which it continues. */
#include "runtime/lockstep/lock_walk.h"
#include "tests/support/lockstep.h"

enum { LOCKS = 3, TICKS = 12 };

struct fixture {
    struct lockstep_fixture base; /* first */
    /* from this tick on the last lock is skipped; 0: never */
    unsigned skips_at;
    struct orr_mutex locks[LOCKS];
    struct orr_walk_lock walk_locks[LOCKS];
    uint32_t bits;
};

static void skip_last(struct lockstep_fixture *base)
{
    struct fixture *f = (struct fixture *)base;

    if (base->tick == f->skips_at)
        f->bits = 1;
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    fixture_init(&f->base, TICKS);
    f->base.at_tick = skip_last;
    for (unsigned i = 0; i < LOCKS; i++)
        f->walk_locks[i].lock = &f->locks[i];
    f->walk_locks[LOCKS - 1].skip_mask = 1;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture_clear(*state);
    g_free(*state);
    return 0;
}

struct walk {
    enum { BEGIN, PASSED, END } at;
    struct fixture *f;
    struct orr_lock_walk walk;
    unsigned rest; /* ticks that it takes afterwards */
};

static enum orr_next walk(struct orr_actor *actor, void *locals)
{
    struct walk *walk = locals;
    struct fixture *f = walk->f;

    switch (walk->at) {
    case BEGIN:
        walk->at = PASSED;
        return orr_lock_walk_begin(&walk->walk, actor);
    case PASSED:
        walk->at = END;
        return orr_lockstep_pass(actor, walk->rest);
    case END:
        fixture_note(&f->base, actor);
        break;
    }
    return ORR_DONE;
}

/* The actor @i walks through the locks from @first to before @end, from its
 * tick number @tick on. */
static struct walk *enter(struct fixture *f, unsigned i, unsigned tick,
                          unsigned first, unsigned end)
{
    struct walk *locals =
        orr_actor_call(&f->base.actors[i], walk, sizeof(*locals));

    locals->f = f;
    locals->walk.next = &f->walk_locks[first];
    locals->walk.end = &f->walk_locks[end];
    locals->walk.bits = &f->bits;
    orr_clock_queue(&f->base.actors[i], tick);
    return locals;
}

static void each_lock_takes_two_ticks(void **state)
{
    struct fixture *f = *state;

    /* Taken at 1, 3, 5, given back at 2, 4, 6. */
    enter(f, 0, 1, 0, 3);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a7 ");
}

static void an_actor_alone_passes_at_once(void **state)
{
    struct fixture *f = *state;

    enter(f, 0, 1, 0, 3);
    fixture_run(&f->base);
    assert_string_equal(f->base.log->str, "a0 ");
    for (unsigned i = 0; i < LOCKS; i++)
        assert_null(f->locks[i].owner);
}

static void the_second_comes_one_turn_behind_the_first(void **state)
{
    struct fixture *f = *state;

    /* b gets each lock when a gives it back: at 2, 4, 6. */
    enter(f, 0, 1, 0, 3);
    enter(f, 1, 1, 0, 3);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a7 b8 ");
}

static void the_third_comes_one_behind_the_second(void **state)
{
    struct fixture *f = *state;

    enter(f, 0, 1, 0, 3);
    enter(f, 1, 1, 0, 3);
    enter(f, 2, 1, 0, 3);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a7 b8 c9 ");
}

static void an_actor_has_the_lock_that_it_is_given(void **state)
{
    struct fixture *f = *state;

    /* a gives it to b at 2, before c comes; b gives it to c at 3. */
    enter(f, 0, 1, 0, 1);
    enter(f, 1, 1, 0, 1);
    enter(f, 2, 2, 0, 1);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a3 b4 c5 ");
}

static void an_actor_that_comes_later_does_not_wait(void **state)
{
    struct fixture *f = *state;

    /* At 3, 5, 7, when a has given them back at 2, 4, 6. */
    enter(f, 0, 1, 0, 3);
    enter(f, 1, 3, 0, 3);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a7 b9 ");
}

static void an_actor_that_has_waited_comes_before_the_giver(void **state)
{
    struct fixture *f = *state;

    /* b locks the first lock at 2 and unlocks it at 3; it continues at 4, as a
     * does, which had entered before it but has two ticks to take. */
    enter(f, 0, 1, 0, 1)->rest = 1;
    enter(f, 1, 1, 0, 1);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "b4 a4 ");
}

static void an_actor_that_has_not_waited_keeps_its_place(void **state)
{
    struct fixture *f = *state;

    enter(f, 0, 1, 0, 1)->rest = 1;
    enter(f, 1, 2, 1, 2);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a4 b4 ");
}

static void a_lock_to_skip_is_left_out(void **state)
{
    struct fixture *f = *state;

    f->bits = 1;
    enter(f, 0, 1, 0, 3);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a5 ");
}

static void a_lock_may_become_one_to_skip_until_it_is_reached(void **state)
{
    struct fixture *f = *state;

    f->skips_at = 5;
    enter(f, 0, 1, 0, 3);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a5 ");
}

static void a_lock_that_has_been_passed_is_not_skipped(void **state)
{
    struct fixture *f = *state;

    f->skips_at = 6;
    enter(f, 0, 1, 0, 3);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a7 ");
}

static void a_signal_during_a_walk_is_not_lost(void **state)
{
    struct fixture *f = *state;

    enter(f, 0, 1, 0, 3);
    orr_actor_signal(&f->base.actors[0]);
    fixture_run_counting(&f->base);
    assert_true(f->base.actors[0].signalled);
    assert_string_equal(f->base.log->str, "a7 ");
}

ORR_TESTS(lock_walk)
{
#define T(behaviour) cmocka_unit_test_setup_teardown(behaviour, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(each_lock_takes_two_ticks),
        T(an_actor_alone_passes_at_once),
        T(the_second_comes_one_turn_behind_the_first),
        T(the_third_comes_one_behind_the_second),
        T(an_actor_has_the_lock_that_it_is_given),
        T(an_actor_that_comes_later_does_not_wait),
        T(an_actor_that_has_waited_comes_before_the_giver),
        T(an_actor_that_has_not_waited_keeps_its_place),
        T(a_lock_to_skip_is_left_out),
        T(a_lock_may_become_one_to_skip_until_it_is_reached),
        T(a_lock_that_has_been_passed_is_not_skipped),
        T(a_signal_during_a_walk_is_not_lost),
#undef T
    };

    return cmocka_run_group_tests_name("lock walk", tests, NULL, NULL);
}

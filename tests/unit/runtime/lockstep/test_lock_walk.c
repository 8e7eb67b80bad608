/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actors that pass locks: what is written down is at which turn of the date
 * each goes on. A clock that takes every turn, before the others, counts. */
#include "runtime/lockstep/lock_walk.h"
#include "tests/support/lockstep.h"

enum { GATES = 3, TURNS = 12 };

struct fixture {
    struct rounds rounds; /* first */
    unsigned shuts_at;    /* at this turn the last gate is shut; 0: never */
    struct orr_mutex locks[GATES];
    struct orr_walk_lock gates[GATES];
    uint32_t bits;
};

static void shut(struct rounds *rounds)
{
    struct fixture *f = (struct fixture *)rounds;

    if (rounds->turn == f->shuts_at)
        f->bits = 1;
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    rounds_init(&f->rounds, TURNS);
    f->rounds.at_turn = shut;
    for (unsigned i = 0; i < GATES; i++)
        f->gates[i].lock = &f->locks[i];
    f->gates[GATES - 1].shut = 1;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    rounds_clear(*state);
    g_free(*state);
    return 0;
}

struct walk {
    enum { BEGIN, PASSED, END } at;
    struct fixture *f;
    struct orr_lock_walk passage;
    unsigned rest; /* turns that it takes afterwards */
};

static enum orr_next walk(struct orr_actor *actor, void *locals)
{
    struct walk *walk = locals;
    struct fixture *f = walk->f;

    switch (walk->at) {
    case BEGIN:
        walk->at = PASSED;
        return orr_lock_walk_begin(&walk->passage, actor);
    case PASSED:
        walk->at = END;
        return orr_actor_take_turns(actor, walk->rest);
    case END:
        rounds_note(&f->rounds, actor);
        break;
    }
    return ORR_DONE;
}

/* The actor @i passes the gates from @first to before @end, from its turn
 * number @turn on. */
static struct walk *enter(struct fixture *f, unsigned i, unsigned turn,
                          unsigned first, unsigned end)
{
    struct walk *locals =
        orr_actor_call(&f->rounds.actors[i], walk, sizeof(*locals));

    locals->f = f;
    locals->passage.next = &f->gates[first];
    locals->passage.end = &f->gates[end];
    locals->passage.bits = &f->bits;
    orr_engine_in_turns(&f->rounds.engine, turn, &f->rounds.actors[i].event);
    return locals;
}

static void each_lock_takes_two_turns(void **state)
{
    struct fixture *f = *state;

    /* Taken at 1, 3, 5, given back at 2, 4, 6. */
    enter(f, 0, 1, 0, 3);
    rounds_run_with_clock(&f->rounds);
    assert_string_equal(f->rounds.log->str, "a7 ");
}

static void who_is_alone_passes_at_once(void **state)
{
    struct fixture *f = *state;

    enter(f, 0, 1, 0, 3);
    rounds_run(&f->rounds);
    assert_string_equal(f->rounds.log->str, "a0 ");
    for (unsigned i = 0; i < GATES; i++)
        assert_null(f->locks[i].owner);
}

static void the_second_comes_one_turn_behind_the_first(void **state)
{
    struct fixture *f = *state;

    /* b gets each lock when a gives it back: at 2, 4, 6. */
    enter(f, 0, 1, 0, 3);
    enter(f, 1, 1, 0, 3);
    rounds_run_with_clock(&f->rounds);
    assert_string_equal(f->rounds.log->str, "a7 b8 ");
}

static void the_third_comes_one_behind_the_second(void **state)
{
    struct fixture *f = *state;

    enter(f, 0, 1, 0, 3);
    enter(f, 1, 1, 0, 3);
    enter(f, 2, 1, 0, 3);
    rounds_run_with_clock(&f->rounds);
    assert_string_equal(f->rounds.log->str, "a7 b8 c9 ");
}

static void who_is_given_a_lock_has_it(void **state)
{
    struct fixture *f = *state;

    /* a gives it to b at 2, before c comes; b gives it to c at 3. */
    enter(f, 0, 1, 0, 1);
    enter(f, 1, 1, 0, 1);
    enter(f, 2, 2, 0, 1);
    rounds_run_with_clock(&f->rounds);
    assert_string_equal(f->rounds.log->str, "a3 b4 c5 ");
}

static void who_comes_later_does_not_wait(void **state)
{
    struct fixture *f = *state;

    /* At 3, 5, 7, when a has given them back at 2, 4, 6. */
    enter(f, 0, 1, 0, 3);
    enter(f, 1, 3, 0, 3);
    rounds_run_with_clock(&f->rounds);
    assert_string_equal(f->rounds.log->str, "a7 b9 ");
}

static void who_has_waited_comes_before_who_gave(void **state)
{
    struct fixture *f = *state;

    /* b gets the first at 2 and gives it back at 3; it goes on at 4, as a
     * does, which had entered before it but has two turns to take. */
    enter(f, 0, 1, 0, 1)->rest = 1;
    enter(f, 1, 1, 0, 1);
    rounds_run_with_clock(&f->rounds);
    assert_string_equal(f->rounds.log->str, "b4 a4 ");
}

static void who_has_not_waited_keeps_its_place(void **state)
{
    struct fixture *f = *state;

    enter(f, 0, 1, 0, 1)->rest = 1;
    enter(f, 1, 2, 1, 2);
    rounds_run_with_clock(&f->rounds);
    assert_string_equal(f->rounds.log->str, "a4 b4 ");
}

static void a_gate_that_is_shut_is_left_out(void **state)
{
    struct fixture *f = *state;

    f->bits = 1;
    enter(f, 0, 1, 0, 3);
    rounds_run_with_clock(&f->rounds);
    assert_string_equal(f->rounds.log->str, "a5 ");
}

static void a_gate_may_be_shut_until_it_is_reached(void **state)
{
    struct fixture *f = *state;

    f->shuts_at = 5;
    enter(f, 0, 1, 0, 3);
    rounds_run_with_clock(&f->rounds);
    assert_string_equal(f->rounds.log->str, "a5 ");
}

static void a_gate_that_is_shut_behind_it_is_passed(void **state)
{
    struct fixture *f = *state;

    f->shuts_at = 6;
    enter(f, 0, 1, 0, 3);
    rounds_run_with_clock(&f->rounds);
    assert_string_equal(f->rounds.log->str, "a7 ");
}

static void a_signal_in_a_passage_is_not_lost(void **state)
{
    struct fixture *f = *state;

    enter(f, 0, 1, 0, 3);
    orr_actor_signal_in_turn(&f->rounds.actors[0]);
    rounds_run_with_clock(&f->rounds);
    assert_true(f->rounds.actors[0].signalled);
    assert_string_equal(f->rounds.log->str, "a7 ");
}

int main(void)
{
#define T(behaviour) cmocka_unit_test_setup_teardown(behaviour, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(each_lock_takes_two_turns),
        T(who_is_alone_passes_at_once),
        T(the_second_comes_one_turn_behind_the_first),
        T(the_third_comes_one_behind_the_second),
        T(who_is_given_a_lock_has_it),
        T(who_comes_later_does_not_wait),
        T(who_has_waited_comes_before_who_gave),
        T(who_has_not_waited_keeps_its_place),
        T(a_gate_that_is_shut_is_left_out),
        T(a_gate_may_be_shut_until_it_is_reached),
        T(a_gate_that_is_shut_behind_it_is_passed),
        T(a_signal_in_a_passage_is_not_lost),
#undef T
    };

    return cmocka_run_group_tests_name("passage", tests, NULL, NULL);
}

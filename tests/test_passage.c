/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actors that pass locks: what is written down is at which turn of the date
 * each goes on. A clock that takes every turn, before the others, counts. */
#include "runtime/passage.h"
#include "runtime/turns.h"
#include "tests/cmocka_all.h"

enum { ACTORS = 3, GATES = 3, TURNS = 12 };

struct fixture {
    struct orr_engine engine;
    struct orr_actor actors[ACTORS];
    struct orr_event clock;
    unsigned turn;
    unsigned shuts_at; /* at this turn the last gate is shut; 0: never */
    struct orr_mutex locks[GATES];
    struct orr_gate gates[GATES];
    uint32_t bits;
    GString *log;
};

static void tick(void *arg)
{
    struct fixture *f = arg;

    f->turn++;
    if (f->turn == f->shuts_at)
        f->bits = 1;
    if (f->turn < TURNS)
        orr_engine_in_turns(&f->engine, 1, &f->clock);
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    orr_engine_begin_rounds(&f->engine);
    f->clock = (struct orr_event){.fire = tick, .arg = f};
    for (unsigned i = 0; i < ACTORS; i++) {
        orr_actor_init(&f->actors[i], &f->engine);
        orr_actor_in_turns(&f->actors[i]);
    }
    for (unsigned i = 0; i < GATES; i++)
        f->gates[i].lock = &f->locks[i];
    f->gates[GATES - 1].shut = 1;
    f->log = g_string_new(NULL);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = 0; i < ACTORS; i++)
        orr_actor_clear_account(&f->actors[i]);
    orr_engine_clear(&f->engine);
    g_string_free(f->log, TRUE);
    g_free(f);
    return 0;
}

struct walk {
    enum { BEGIN, PASSED, END } at;
    struct fixture *f;
    struct orr_passage passage;
    unsigned rest; /* turns that it takes afterwards */
};

static enum orr_next walk(struct orr_actor *actor, void *locals)
{
    struct walk *walk = locals;
    struct fixture *f = walk->f;

    switch (walk->at) {
    case BEGIN:
        walk->at = PASSED;
        return orr_passage_pass(&walk->passage, actor);
    case PASSED:
        walk->at = END;
        return orr_actor_take_turns(actor, walk->rest);
    case END:
        g_string_append_printf(f->log, "%c%u ",
                               (char)('a' + (actor - f->actors)), f->turn);
        break;
    }
    return ORR_DONE;
}

/* The actor @i passes the gates from @first to before @end, from its turn
 * number @turn on. */
static struct walk *enter(struct fixture *f, unsigned i, unsigned turn,
                          unsigned first, unsigned end)
{
    struct walk *locals = orr_actor_call(&f->actors[i], walk, sizeof(*locals));

    locals->f = f;
    locals->passage.next = &f->gates[first];
    locals->passage.end = &f->gates[end];
    locals->passage.bits = &f->bits;
    orr_engine_in_turns(&f->engine, turn, &f->actors[i].event);
    return locals;
}

static void run(struct fixture *f)
{
    while (orr_actors_step(&f->engine))
        ;
}

static void run_with_clock(struct fixture *f)
{
    struct orr_event *first = f->engine.turns;

    /* Before all others. */
    f->clock.turns = 1;
    f->clock.next = first;
    f->engine.turns = &f->clock;
    run(f);
}

static void each_lock_takes_two_turns(void **state)
{
    struct fixture *f = *state;

    /* Taken at 1, 3, 5, given back at 2, 4, 6. */
    enter(f, 0, 1, 0, 3);
    run_with_clock(f);
    assert_string_equal(f->log->str, "a7 ");
}

static void who_is_alone_passes_at_once(void **state)
{
    struct fixture *f = *state;

    enter(f, 0, 1, 0, 3);
    run(f);
    assert_string_equal(f->log->str, "a0 ");
    for (unsigned i = 0; i < GATES; i++)
        assert_null(f->locks[i].owner);
}

static void the_second_comes_one_turn_behind_the_first(void **state)
{
    struct fixture *f = *state;

    /* b gets each lock when a gives it back: at 2, 4, 6. */
    enter(f, 0, 1, 0, 3);
    enter(f, 1, 1, 0, 3);
    run_with_clock(f);
    assert_string_equal(f->log->str, "a7 b8 ");
}

static void the_third_comes_one_behind_the_second(void **state)
{
    struct fixture *f = *state;

    enter(f, 0, 1, 0, 3);
    enter(f, 1, 1, 0, 3);
    enter(f, 2, 1, 0, 3);
    run_with_clock(f);
    assert_string_equal(f->log->str, "a7 b8 c9 ");
}

static void who_is_given_a_lock_has_it(void **state)
{
    struct fixture *f = *state;

    /* a gives it to b at 2, before c comes; b gives it to c at 3. */
    enter(f, 0, 1, 0, 1);
    enter(f, 1, 1, 0, 1);
    enter(f, 2, 2, 0, 1);
    run_with_clock(f);
    assert_string_equal(f->log->str, "a3 b4 c5 ");
}

static void who_comes_later_does_not_wait(void **state)
{
    struct fixture *f = *state;

    /* At 3, 5, 7, when a has given them back at 2, 4, 6. */
    enter(f, 0, 1, 0, 3);
    enter(f, 1, 3, 0, 3);
    run_with_clock(f);
    assert_string_equal(f->log->str, "a7 b9 ");
}

static void who_has_waited_comes_before_who_gave(void **state)
{
    struct fixture *f = *state;

    /* b gets the first at 2 and gives it back at 3; it goes on at 4, as a
     * does, which had entered before it but has two turns to take. */
    enter(f, 0, 1, 0, 1)->rest = 1;
    enter(f, 1, 1, 0, 1);
    run_with_clock(f);
    assert_string_equal(f->log->str, "b4 a4 ");
}

static void who_has_not_waited_keeps_its_place(void **state)
{
    struct fixture *f = *state;

    enter(f, 0, 1, 0, 1)->rest = 1;
    enter(f, 1, 2, 1, 2);
    run_with_clock(f);
    assert_string_equal(f->log->str, "a4 b4 ");
}

static void a_gate_that_is_shut_is_left_out(void **state)
{
    struct fixture *f = *state;

    f->bits = 1;
    enter(f, 0, 1, 0, 3);
    run_with_clock(f);
    assert_string_equal(f->log->str, "a5 ");
}

static void a_gate_may_be_shut_until_it_is_reached(void **state)
{
    struct fixture *f = *state;

    f->shuts_at = 5;
    enter(f, 0, 1, 0, 3);
    run_with_clock(f);
    assert_string_equal(f->log->str, "a5 ");
}

static void a_gate_that_is_shut_behind_it_is_passed(void **state)
{
    struct fixture *f = *state;

    f->shuts_at = 6;
    enter(f, 0, 1, 0, 3);
    run_with_clock(f);
    assert_string_equal(f->log->str, "a7 ");
}

static void a_signal_in_a_passage_is_not_lost(void **state)
{
    struct fixture *f = *state;

    enter(f, 0, 1, 0, 3);
    orr_actor_signal_in_turn(&f->actors[0]);
    run_with_clock(f);
    assert_true(f->actors[0].signalled);
    assert_string_equal(f->log->str, "a7 ");
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

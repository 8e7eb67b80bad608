/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiting for the clock to advance, by actors that log when it has. */
#include "tests/support/actors.h"

static enum orr_next note_end(struct orr_actor *actor,
                              const struct script *script)
{
    note(script->f, actor);
    return ORR_DONE;
}

static enum orr_next nap(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    if (script->at == END)
        return note_end(actor, script);
    script->at = END;
    return orr_actor_sleep(actor, script->delay);
}

static enum orr_next listen_busily(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    if (script->at == END)
        return note_end(actor, script);
    script->at = END;
    return orr_actor_wait_busy(actor, script->delay);
}

static enum orr_next watch_clock(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    if (script->at == END)
        return note_end(actor, script);
    script->at = END;
    return orr_actor_wait_advance(actor);
}

static void who_waits_runs_first_at_the_next_date(void **state)
{
    struct fixture *f = *state;

    start(f, 0, nap, 4);
    start(f, 1, watch_clock, 0);
    start(f, 2, watch_clock, 0);
    run(f);
    assert_string_equal(f->log->str, "b4 c4 a4 ");
}

static void who_waits_while_nothing_happens_waits_a_us(void **state)
{
    struct fixture *f = *state;

    start(f, 1, watch_clock, 0);
    run(f);
    assert_string_equal(f->log->str, "b1000 ");
}

static void the_clock_advances_by_the_steps_of_a_busy_actor(void **state)
{
    struct fixture *f = *state;

    start(f, 0, listen_busily, 10); /* in two steps */
    start(f, 1, watch_clock, 0);
    run(f);
    start(f, 2, watch_clock, 0);
    run(f);
    assert_string_equal(f->log->str, "b5 c10 ");
}

static void the_clock_advances_for_who_waited_before(void **state)
{
    struct fixture *f = *state;

    start(f, 1, watch_clock, 0);
    start(f, 0, listen_busily, 10);
    run(f);
    assert_string_equal(f->log->str, "b5 ");
}

ORR_TESTS(advance)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(who_waits_runs_first_at_the_next_date),
        T(who_waits_while_nothing_happens_waits_a_us),
        T(the_clock_advances_by_the_steps_of_a_busy_actor),
        T(the_clock_advances_for_who_waited_before),
#undef T
    };

    return cmocka_run_group_tests_name("advance", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How far a step of the engine goes. */
#include "tests/support/actors.h"

enum { A, B };

struct doze {
    struct fixture *f;
    orr_time delay;
    unsigned times;
    bool interrupts;
    struct orr_actor *signalled;
};

/* Notes, and sleeps, so many times. */
static enum orr_next doze(struct orr_actor *actor, void *locals)
{
    struct doze *dozing = locals;
    struct fixture *f = dozing->f;

    note(f, actor);
    if (dozing->times-- == 0)
        return ORR_DONE;
    if (dozing->interrupts)
        orr_actors_interrupt(&f->engine);
    if (dozing->signalled)
        orr_actor_signal(dozing->signalled);
    return orr_actor_sleep(actor, dozing->delay);
}

static enum orr_next await_signal(struct orr_actor *actor, void *locals)
{
    (void)locals;
    return actor->signalled ? ORR_DONE : orr_actor_wait(actor);
}

static struct doze *start_doze(struct fixture *f, unsigned i, orr_time delay,
                               unsigned times)
{
    struct doze *dozing = orr_actor_call(&f->actors[i], doze, sizeof(*dozing));

    *dozing = (struct doze){.f = f, .delay = delay, .times = times};
    orr_actor_start(&f->actors[i]);
    return dozing;
}

static void a_start_ends_at_the_first_sleep(void **state)
{
    struct fixture *f = *state;

    start_doze(f, A, 5, 2);
    assert_string_equal(f->log->str, "a0 ");
}

static void a_step_goes_on_with_an_actor_who_is_next_anyway(void **state)
{
    struct fixture *f = *state;

    start_doze(f, A, 5, 2);
    orr_actors_step(&f->engine);
    assert_string_equal(f->log->str, "a0 a5 a10 ");
    assert_int_equal(f->engine.fired, 2);
}

static void a_step_ends_where_somebody_else_is_due(void **state)
{
    struct fixture *f = *state;

    start_doze(f, A, 4, 3);
    start_doze(f, B, 8, 1);
    orr_actors_step(&f->engine);
    assert_string_equal(f->log->str, "a0 b0 a4 ");
}

static void a_step_ends_where_it_is_interrupted(void **state)
{
    struct fixture *f = *state;

    start_doze(f, A, 5, 2)->interrupts = true;
    orr_actors_step(&f->engine);
    assert_string_equal(f->log->str, "a0 a5 ");
}

static void a_step_ends_at_the_horizon(void **state)
{
    struct fixture *f = *state;

    f->engine.horizon = 10;
    start_doze(f, A, 5, 2);
    orr_actors_step(&f->engine);
    assert_string_equal(f->log->str, "a0 a5 ");
    orr_actors_step(&f->engine);
    assert_string_equal(f->log->str, "a0 a5 a10 ");
    assert_int_equal(f->engine.fired, 2);
}

/* All is well until much has happened; then nothing more is to. */
static bool look(void *context)
{
    struct fixture *f = context;

    g_string_append_printf(f->log, "look%d ", (int)f->engine.now);
    f->engine.check_at += 2;
    return f->engine.check_at < 6;
}

static void nothing_happens_once_all_is_not_well(void **state)
{
    struct fixture *f = *state;

    f->engine.check = look;
    f->engine.check_at = 2;
    f->engine.context = f;
    f->engine.horizon = 0;
    start_doze(f, A, 5, 9);
    for (unsigned i = 0; i < 5; i++) {
        f->engine.fast_steps = 1;
        assert_int_equal(orr_actors_step(&f->engine), i < 4);
    }
    assert_string_equal(f->log->str, "a0 a5 a10 look10 a15 a20 look20 ");
}

static void it_is_looked_at_only_now_and_then(void **state)
{
    struct fixture *f = *state;
    unsigned steps = 0;

    f->engine.check = look;
    f->engine.check_at = 4;
    f->engine.context = f;
    f->engine.horizon = 0;
    f->engine.fast_steps = 1;
    start_doze(f, A, 5, 100000);
    while (orr_actors_step(&f->engine))
        steps++;
    assert_in_range(steps, 1000, 10000);
    assert_non_null(strstr(f->log->str, "look"));
}

static void a_step_ends_where_an_actor_has_ended(void **state)
{
    struct fixture *f = *state;

    start_doze(f, A, 5, 3)->signalled = &f->actors[B];
    orr_actor_call(&f->actors[B], await_signal, 0);
    orr_actor_start(&f->actors[B]);
    orr_actors_step(&f->engine);
    assert_string_equal(f->log->str, "a0 a5 ");
    assert_true(orr_actor_idle(&f->actors[B]));
}

ORR_TESTS(step)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(a_start_ends_at_the_first_sleep),
        T(a_step_goes_on_with_an_actor_who_is_next_anyway),
        T(a_step_ends_where_somebody_else_is_due),
        T(a_step_ends_where_it_is_interrupted),
        T(a_step_ends_at_the_horizon),
        T(nothing_happens_once_all_is_not_well),
        T(it_is_looked_at_only_now_and_then),
        T(a_step_ends_where_an_actor_has_ended),
#undef T
    };

    return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}

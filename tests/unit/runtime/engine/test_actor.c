/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actors and locks, with actors that log what they do and when. */
#include <string.h>

#include "tests/support/actors.h"

/* Notes, sleeps, notes. */
static enum orr_next nap(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    note(script->f, actor);
    if (script->at != BEGIN)
        return ORR_DONE;
    script->at = END;
    return orr_actor_sleep(actor, script->delay);
}

static void a_procedure_continues_after_its_sleep(void **state)
{
    struct fixture *f = *state;

    start(f, 0, nap, 5);
    assert_string_equal(f->log->str, "a0 ");
    assert_false(orr_actor_idle(&f->actors[0]));

    run(f);
    assert_string_equal(f->log->str, "a0 a5 ");
    assert_true(orr_actor_idle(&f->actors[0]));
}

static void who_acts_sleeps_at_once_until_others_are_due(void **state)
{
    struct fixture *f = *state;

    start(f, 1, nap, 7);
    call(f, 0, nap, 5);
    orr_actor_act(&f->actors[0]);
    assert_string_equal(f->log->str, "b0 a0 a5 ");
    assert_int_equal(f->engine.fired, 1);

    call(f, 0, nap, 2);
    orr_actor_act(&f->actors[0]);
    assert_string_equal(f->log->str, "b0 a0 a5 a5 ");
    run(f);
    assert_string_equal(f->log->str, "b0 a0 a5 a5 b7 a7 ");
}

static void a_sleep_of_no_time_needs_no_event(void **state)
{
    struct fixture *f = *state;

    start(f, 0, nap, 0);

    assert_string_equal(f->log->str, "a0 a0 ");
    assert_int_equal(f->engine.fired, 0);
}

/* Sleeps twice at once, if it may, notes. */
static enum orr_next doze(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    orr_actor_skip(actor, script->delay, 2);
    note(script->f, actor);
    return ORR_DONE;
}

static void sleeps_in_a_row_are_one_until_others_are_due(void **state)
{
    struct fixture *f = *state;

    start(f, 1, nap, 8);
    call(f, 0, doze, 3);
    orr_actor_act(&f->actors[0]);
    assert_string_equal(f->log->str, "b0 a6 ");
    assert_int_equal(f->engine.fired, 2);

    call(f, 0, doze, 1); /* the second would end when the other's does */
    orr_actor_act(&f->actors[0]);
    assert_string_equal(f->log->str, "b0 a6 a6 ");
    call(f, 0, doze, 0);
    orr_actor_act(&f->actors[0]);
    assert_int_equal(f->engine.fired, 2);
}

/* Sleeps, gives way, notes. */
static enum orr_next give_way(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    switch (script->at) {
    case BEGIN:
        script->at = MIDDLE;
        return orr_actor_sleep(actor, script->delay);
    case MIDDLE:
        script->at = END;
        return orr_actor_yield(actor);
    case END:
        note(script->f, actor);
        break;
    }
    return ORR_DONE;
}

static void who_yields_lets_all_else_at_that_date_go_first(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = 0; i < ACTORS; i++) {
        start(f, i, i % 2 == 1 ? give_way : nap, 5);
    }
    run(f);

    /* The latest to go to sleep is the first to awake. */
    assert_string_equal(f->log->str, "a0 c0 c5 a5 d5 b5 ");
}

/* Notes, calls a nap, notes once that has ended, and naps again. */
static enum orr_next nap_twice(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;
    unsigned index = (unsigned)(actor - script->f->actors);

    note(script->f, actor);
    if (script->at == END)
        return ORR_DONE;
    script->at = script->at == BEGIN ? MIDDLE : END;
    call(script->f, index, nap, script->delay);
    return ORR_CONTINUE;
}

static void a_caller_continues_when_the_called_procedure_ends(void **state)
{
    struct fixture *f = *state;

    start(f, 0, nap_twice, 3);
    run(f);

    /* begins; nap from 0 to 3; in between; nap from 3 to 6; ends */
    assert_string_equal(f->log->str, "a0 a0 a3 a3 a3 a6 a6 ");
    assert_true(orr_actor_idle(&f->actors[0]));
}

static enum orr_next check_zero(struct orr_actor *actor, void *locals)
{
    const unsigned char *bytes = locals;

    (void)actor;
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(bytes[i], 0);
    memset(locals, 0xff, 100);
    return ORR_DONE;
}

static void locals_are_zero_even_where_others_were_before(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = 0; i < 2; i++) {
        orr_actor_call(&f->actors[0], check_zero, 100);
        orr_actor_start(&f->actors[0]);
    }
    assert_true(orr_actor_idle(&f->actors[0]));
}

/* Waits for a signal and notes it. */
static enum orr_next listen(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    if (script->at == END) {
        note(script->f, actor);
        return ORR_DONE;
    }
    script->at = END;
    return orr_actor_wait_busy(actor, script->delay);
}

/* Notes, signals another actor, notes, sleeps, notes. */
static enum orr_next call_out(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    note(script->f, actor);
    if (script->at == END)
        return ORR_DONE;
    orr_actor_signal(script->other);
    note(script->f, actor);
    script->at = END;
    return orr_actor_sleep(actor, script->delay);
}

static void a_signal_wakes_an_actor_before_the_signaller_sleeps(void **state)
{
    struct fixture *f = *state;

    start(f, 1, listen, 0);
    call(f, 0, call_out, 4)->other = &f->actors[1];
    orr_actor_start(&f->actors[0]);
    run(f);

    assert_string_equal(f->log->str, "a0 a0 b0 a4 ");
}

static void a_signal_that_came_before_is_not_lost(void **state)
{
    struct fixture *f = *state;

    orr_actor_signal(&f->actors[1]);
    start(f, 1, listen, 0);

    assert_string_equal(f->log->str, "b0 ");
}

static void a_signal_that_woke_holds_until_heeded(void **state)
{
    struct fixture *f = *state;

    start(f, 1, listen, 0);
    orr_actor_signal(&f->actors[1]);
    run(f);
    start(f, 1, listen, 0);

    assert_string_equal(f->log->str, "b0 b0 ");
}

static void a_signal_that_was_heeded_is_over(void **state)
{
    struct fixture *f = *state;

    orr_actor_signal(&f->actors[1]);
    orr_actor_clear_signal(&f->actors[1]);
    start(f, 1, listen, 0);
    run(f);

    assert_string_equal(f->log->str, "");
    assert_false(orr_actor_idle(&f->actors[1]));
}

static void a_busy_actor_heeds_an_early_signal_when_it_is_free(void **state)
{
    struct fixture *f = *state;

    start(f, 1, listen, 10);
    start(f, 0, nap, 4); /* so that time passes */
    run(f);
    orr_actor_signal(&f->actors[1]);
    run(f);

    assert_string_equal(f->log->str, "a0 a4 b10 ");
}

static void a_busy_actor_heeds_a_late_signal_at_once(void **state)
{
    struct fixture *f = *state;

    start(f, 1, listen, 10);
    start(f, 0, nap, 14);
    run(f);
    call(f, 0, call_out, 0)->other = &f->actors[1];
    orr_actor_start(&f->actors[0]);

    assert_string_equal(f->log->str, "a0 a14 a14 a14 a14 b14 ");
}

static void a_busy_actor_signalled_before_stays_busy(void **state)
{
    struct fixture *f = *state;

    orr_actor_signal(&f->actors[1]);
    start(f, 1, listen, 10);
    run(f);

    assert_string_equal(f->log->str, "b10 ");
}

/* Suspends itself and records when it is resumed. */
static enum orr_next hibernate(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    if (script->at == END) {
        note(script->f, actor);
        return ORR_DONE;
    }
    script->at = END;
    return orr_actor_suspend(actor);
}

static void a_suspended_actor_heeds_no_signal(void **state)
{
    struct fixture *f = *state;

    start(f, 1, hibernate, 0);
    orr_actor_signal(&f->actors[1]);
    run(f);
    assert_string_equal(f->log->str, "");

    orr_actor_resume(&f->actors[1]);
    run(f);
    assert_string_equal(f->log->str, "b0 ");
}

/* Checks which actor acts, wakes another, checks again a little later. */
static enum orr_next check_acting(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    assert_ptr_equal(script->f->engine.acting, actor);
    if (script->at == END)
        return ORR_DONE;
    script->at = END;
    if (script->other)
        orr_actor_signal(script->other);
    return orr_actor_sleep(actor, 1);
}

static void the_engine_knows_who_acts(void **state)
{
    struct fixture *f = *state;

    start(f, 1, listen, 0);
    call(f, 0, check_acting, 0)->other = &f->actors[1];
    orr_actor_start(&f->actors[0]);
    run(f);

    assert_null(f->engine.acting);
    assert_true(orr_actor_idle(&f->actors[0]));
}

/* Takes the lock, notes, keeps it for the delay, notes and gives it back. */
static enum orr_next lock_up(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    switch (script->at) {
    case BEGIN:
        script->at = MIDDLE;
        return orr_mutex_lock(&script->f->lock, actor);
    case MIDDLE:
        note(script->f, actor);
        script->at = END;
        return orr_actor_sleep(actor, script->delay);
    case END:
        note(script->f, actor);
        orr_mutex_unlock(&script->f->lock);
        break;
    }
    return ORR_DONE;
}

static void a_free_lock_is_taken_at_once(void **state)
{
    struct fixture *f = *state;

    start(f, 0, lock_up, 10);
    assert_string_equal(f->log->str, "a0 ");
    assert_ptr_equal(f->lock.owner, &f->actors[0]);

    run(f);
    assert_null(f->lock.owner);
}

static void a_lock_goes_round_first_come_first_served(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = 0; i < ACTORS; i++) {
        start(f, i, lock_up, 10);
    }
    run(f);

    assert_string_equal(f->log->str, "a0 a10 b10 b20 c20 c30 d30 d40 ");
    assert_null(f->lock.owner);
}

static void a_waiting_actor_gets_the_lock_whatever_signals_come(void **state)
{
    struct fixture *f = *state;

    start(f, 0, lock_up, 10);
    start(f, 1, lock_up, 10);
    orr_actor_signal(&f->actors[1]);
    run(f);

    assert_string_equal(f->log->str, "a0 a10 b10 b20 ");
}

ORR_TESTS(actor)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(a_procedure_continues_after_its_sleep),
        T(who_acts_sleeps_at_once_until_others_are_due),
        T(a_sleep_of_no_time_needs_no_event),
        T(sleeps_in_a_row_are_one_until_others_are_due),
        T(who_yields_lets_all_else_at_that_date_go_first),
        T(a_caller_continues_when_the_called_procedure_ends),
        T(locals_are_zero_even_where_others_were_before),
        T(a_signal_wakes_an_actor_before_the_signaller_sleeps),
        T(a_signal_that_came_before_is_not_lost),
        T(a_signal_that_woke_holds_until_heeded),
        T(a_signal_that_was_heeded_is_over),
        T(a_busy_actor_heeds_an_early_signal_when_it_is_free),
        T(a_busy_actor_heeds_a_late_signal_at_once),
        T(a_busy_actor_signalled_before_stays_busy),
        T(a_suspended_actor_heeds_no_signal),
        T(the_engine_knows_who_acts),
        T(a_free_lock_is_taken_at_once),
        T(a_lock_goes_round_first_come_first_served),
        T(a_waiting_actor_gets_the_lock_whatever_signals_come),
#undef T
    };

    return cmocka_run_group_tests_name("actor", tests, NULL, NULL);
}

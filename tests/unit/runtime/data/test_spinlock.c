/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lock of a datum, between actors that log when they got it. */
#include "runtime/data/request.h"
#include "runtime/run.h"
#include "tests/support/actors.h"

/* In us, so that the steps of a waiting actor are whole numbers. */
static void note_us(struct fixture *f, const struct orr_actor *actor)
{
    g_string_append_printf(f->log, "%c%g ", (char)('a' + (actor - f->actors)),
                           (double)f->engine.now / ORR_US);
}

/* Locks for a known time, and records the end. */
static enum orr_next hold(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    if (script->at == END) {
        note_us(script->f, actor);
        return ORR_DONE;
    }
    script->at = END;
    orr_spinlock_lock_for(&script->f->spinlock, &script->f->engine,
                          script->delay);
    return orr_actor_sleep(actor, script->delay);
}

/* Locks without a known end, and unlocks after a while. */
static enum orr_next keep(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    if (script->at == END) {
        orr_spinlock_unlock(&script->f->spinlock, &script->f->engine);
        note_us(script->f, actor);
        return ORR_DONE;
    }
    script->at = END;
    orr_spinlock_lock(&script->f->spinlock, &script->f->engine);
    return orr_actor_sleep(actor, script->delay);
}

/* After a delay, waits until the lock is free, and notes when. */
static enum orr_next get(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;

    switch (script->at) {
    case BEGIN:
        script->at = MIDDLE;
        return orr_actor_sleep(actor, script->delay);
    case MIDDLE:
        script->at = END;
        orr_spinlock_await(actor, &script->f->spinlock);
        return ORR_CONTINUE;
    case END:
        note_us(script->f, actor);
        break;
    }
    return ORR_DONE;
}

static void a_new_lock_is_free(void **state)
{
    struct fixture *f = *state;

    assert_false(orr_spinlock_is_held(&f->spinlock, &f->engine));
    assert_false(orr_spinlock_is_taken(&f->spinlock, &f->engine));
    start(f, 0, get, 0);
    assert_string_equal(f->log->str, "a0 ");
}

static void a_lock_is_held_for_others_only(void **state)
{
    struct fixture *f = *state;

    start(f, 0, hold, 10 * ORR_US);
    assert_true(orr_spinlock_is_held(&f->spinlock, &f->engine));
    f->engine.acting = &f->actors[0];
    assert_false(orr_spinlock_is_held(&f->spinlock, &f->engine));
    f->engine.acting = NULL;
}

static void a_lock_is_held_until_its_date_has_passed(void **state)
{
    struct fixture *f = *state;

    start(f, 0, hold, 10 * ORR_US);
    run(f);
    assert_int_equal(f->engine.now, 10 * ORR_US);
    assert_true(orr_spinlock_is_held(&f->spinlock, &f->engine));
    f->engine.now++;
    assert_false(orr_spinlock_is_held(&f->spinlock, &f->engine));
}

/* Others wait as for a lock that is held, and see it free afterwards. */
static void a_lock_is_kept_until_it_is_given(void **state)
{
    struct fixture *f = *state;

    start(f, 0, keep, 10 * ORR_US);
    assert_true(orr_spinlock_is_kept(&f->spinlock));
    start(f, 1, get, 0);
    run(f);
    assert_string_equal(f->log->str, "a10 b11 ");
    assert_false(orr_spinlock_is_kept(&f->spinlock));
    assert_false(orr_spinlocks_contended(&f->engine));
}

static void a_touched_lock_is_taken_for_others_at_that_date(void **state)
{
    struct fixture *f = *state;

    f->engine.acting = &f->actors[0];
    orr_spinlock_lock_briefly(&f->spinlock, &f->engine);
    assert_false(orr_spinlock_is_taken(&f->spinlock, &f->engine));
    f->engine.acting = &f->actors[1];
    assert_true(orr_spinlock_is_taken(&f->spinlock, &f->engine));
    assert_false(orr_spinlock_is_held(&f->spinlock, &f->engine));
    f->engine.now++;
    assert_false(orr_spinlock_is_taken(&f->spinlock, &f->engine));
    f->engine.acting = NULL;
}

static void who_finds_the_lock_touched_waits_a_us(void **state)
{
    struct fixture *f = *state;

    f->engine.acting = &f->actors[0];
    orr_spinlock_lock_briefly(&f->spinlock, &f->engine);
    f->engine.acting = NULL;
    start(f, 1, get, 0);
    run(f);
    assert_string_equal(f->log->str, "b1 ");
}

static void who_waits_alone_misses_the_date_of_the_release(void **state)
{
    struct fixture *f = *state;

    start(f, 0, hold, 10 * ORR_US);
    start(f, 1, get, 0);
    run(f);
    assert_string_equal(f->log->str, "a10 b11 ");
}

static void of_two_that_wait_the_second_gets_it_at_the_release(void **state)
{
    struct fixture *f = *state;

    start(f, 0, hold, 10 * ORR_US);
    start(f, 1, get, 2 * ORR_US);
    start(f, 2, get, 5 * ORR_US);
    run(f);
    assert_string_equal(f->log->str, "c10 a10 b11 ");
}

static void of_three_the_third_gets_the_lock_of_a_copy_that_starts(void **state)
{
    struct fixture *f = *state;
    struct orr_copy_stream used[4] = {
        {.used = true}, {.used = true}, {.used = true}, {.used = true}};
    struct orr_run machine = {
        .node_count = 2,
        .store = {.node_count = 2, .copies = {.streams = used}}};
    struct orr_replicate ends[2] = {{.node = 0}, {.node = 1}};
    struct orr_request request = {
        .store = &machine.store, .from = &ends[0], .to = &ends[1]};

    start(f, 0, hold, 10 * ORR_US);
    f->spinlock.request = &request;
    start(f, 1, get, 2 * ORR_US);
    start(f, 2, get, 5 * ORR_US);
    start(f, 3, get, 7 * ORR_US);
    run(f);
    assert_string_equal(f->log->str, "d10 a10 b11 c12 ");
}

static void of_three_that_look_together_the_second_finds_it_taken(void **state)
{
    struct fixture *f = *state;

    start(f, 0, hold, 10 * ORR_US);
    start(f, 1, get, 2 * ORR_US);
    start(f, 2, get, 5 * ORR_US);
    start(f, 3, get, 7 * ORR_US);
    run(f); /* at 10, b is too early, d too late; at 11, d is the second */
    assert_string_equal(f->log->str, "c10 a10 b11 d12 ");
}

static void who_waits_looks_again_whenever_something_happens(void **state)
{
    struct fixture *f = *state;

    start(f, 0, hold, 10 * ORR_US);
    start(f, 1, get, 0);
    start(f, 2, get, 10 * ORR_US + 1); /* asks a moment after the release */
    run(f);
    assert_string_equal(f->log->str, "a10 b10.001 c10.001 ");
}

ORR_TESTS(spinlock)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(a_new_lock_is_free),
        T(a_lock_is_held_for_others_only),
        T(a_lock_is_held_until_its_date_has_passed),
        T(a_lock_is_kept_until_it_is_given),
        T(a_touched_lock_is_taken_for_others_at_that_date),
        T(who_finds_the_lock_touched_waits_a_us),
        T(who_waits_alone_misses_the_date_of_the_release),
        T(of_two_that_wait_the_second_gets_it_at_the_release),
        T(of_three_the_third_gets_the_lock_of_a_copy_that_starts),
        T(of_three_that_look_together_the_second_finds_it_taken),
        T(who_waits_looks_again_whenever_something_happens),
#undef T
    };

    return cmocka_run_group_tests_name("spinlock", tests, NULL, NULL);
}

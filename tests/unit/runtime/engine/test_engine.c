/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/engine/engine.h"
#include "tests/support/cmocka_all.h"

/* An event that writes its letter into the fixture's log. */
struct mark {
    struct orr_event event;
    struct fixture *fixture;
    char letter;
    unsigned repeats; /* it schedules itself again, for the same date */
};

struct fixture {
    struct orr_engine engine;
    GString *log;
    orr_time last; /* date of the latest event, ns */
    struct mark a, b, c;
};

static void write_letter(void *arg)
{
    struct mark *mark = arg;
    struct fixture *f = mark->fixture;

    assert_true(f->engine.now >= f->last);
    f->last = f->engine.now;
    g_string_append_c(f->log, mark->letter);
    if (mark->repeats > 0) {
        mark->repeats--;
        orr_engine_at(&f->engine, f->engine.now, &mark->event);
    }
}

static void prepare(struct fixture *f, struct mark *mark, char letter)
{
    mark->event = (struct orr_event){.fire = write_letter, .arg = mark};
    mark->fixture = f;
    mark->letter = letter;
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    orr_engine_init(&f->engine, NULL);
    f->log = g_string_new(NULL);
    prepare(f, &f->a, 'a');
    prepare(f, &f->b, 'b');
    prepare(f, &f->c, 'c');
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_engine_clear(&f->engine);
    g_string_free(f->log, TRUE);
    g_free(f);
    return 0;
}

static void run(struct fixture *f)
{
    while (orr_engine_step(&f->engine))
        ;
}

static void events_fire_in_order_of_date(void **state)
{
    struct fixture *f = *state;

    orr_engine_at(&f->engine, 30, &f->a.event);
    orr_engine_at(&f->engine, 10, &f->b.event);
    orr_engine_at(&f->engine, 20, &f->c.event);

    run(f);
    assert_string_equal(f->log->str, "bca");
    assert_int_equal(f->engine.now, 30);
    assert_int_equal(f->engine.fired, 3);
}

static void of_equal_dates_the_latest_scheduled_fires_first(void **state)
{
    struct fixture *f = *state;

    orr_engine_at(&f->engine, 5, &f->c.event);
    orr_engine_at(&f->engine, 5, &f->a.event);
    orr_engine_at(&f->engine, 5, &f->b.event);

    run(f);
    assert_string_equal(f->log->str, "bac");
}

static void what_was_scheduled_at_an_earlier_date_fires_before(void **state)
{
    struct fixture *f = *state;

    orr_engine_at(&f->engine, 10, &f->c.event);
    orr_engine_advance(&f->engine, 4);
    orr_engine_at(&f->engine, 10, &f->a.event);
    orr_engine_at(&f->engine, 10, &f->b.event);

    run(f);
    assert_string_equal(f->log->str, "cba");
}

static void so_it_is_after_hours(void **state)
{
    struct fixture *f = *state;
    orr_time hours = (orr_time)1 << 44; /* ns: five */

    orr_engine_at(&f->engine, hours - 1, &f->a.event);
    run(f);
    orr_engine_at(&f->engine, hours + 5, &f->b.event);
    orr_engine_at(&f->engine, hours + 1, &f->a.event);
    orr_engine_step(&f->engine);
    orr_engine_at(&f->engine, hours + 5, &f->c.event);
    run(f);
    assert_string_equal(f->log->str, "aabc");
}

static void an_event_may_stand_for_two_in_a_row(void **state)
{
    struct fixture *f = *state;

    orr_engine_at_via(&f->engine, 10, 5, &f->a.event);
    orr_engine_at(&f->engine, 10, &f->b.event); /* at 0 */
    orr_engine_advance(&f->engine, 7);
    orr_engine_at(&f->engine, 10, &f->c.event); /* at 7 */

    run(f);
    assert_string_equal(f->log->str, "bac");
}

/* Whichever of them is scheduled first. */
static void an_event_via_a_date_comes_after_those_scheduled_then(void **state)
{
    struct fixture *f = *state;

    orr_engine_at_via(&f->engine, 10, 5, &f->a.event);
    orr_engine_advance(&f->engine, 5);
    orr_engine_at(&f->engine, 10, &f->b.event);
    orr_engine_advance(&f->engine, 7);
    orr_engine_at_via(&f->engine, 10, 5, &f->c.event);

    run(f);
    assert_int_equal(f->log->str[0], 'b');
}

static void an_event_may_schedule_itself_again_behind_its_equals(void **state)
{
    struct fixture *f = *state;

    f->a.repeats = 2;
    orr_engine_at(&f->engine, 5, &f->b.event);
    orr_engine_at(&f->engine, 5, &f->a.event);
    orr_engine_at(&f->engine, 6, &f->c.event);

    run(f);
    assert_string_equal(f->log->str, "abaac");
}

static void a_step_fires_one_event_and_the_clock_is_its_date(void **state)
{
    struct fixture *f = *state;

    orr_engine_at(&f->engine, 7, &f->a.event);
    orr_engine_at(&f->engine, 9, &f->b.event);
    assert_int_equal(f->engine.now, 0);

    assert_true(orr_engine_step(&f->engine));
    assert_string_equal(f->log->str, "a");
    assert_int_equal(f->engine.now, 7);
}

static void an_engine_without_events_says_so_and_stands_still(void **state)
{
    struct fixture *f = *state;

    orr_engine_at(&f->engine, 7, &f->a.event);
    run(f);

    assert_false(orr_engine_step(&f->engine));
    assert_int_equal(f->engine.now, 7);
    assert_int_equal(f->engine.fired, 1);
}

static void the_clock_may_advance_up_to_the_next_event(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(orr_engine_next(&f->engine), ORR_NEVER);
    orr_engine_at(&f->engine, 9, &f->b.event);
    orr_engine_at(&f->engine, 7, &f->a.event);
    assert_int_equal(orr_engine_next(&f->engine), 7);
    orr_engine_advance(&f->engine, 5);
    assert_int_equal(f->engine.now, 5);
    orr_engine_advance(&f->engine, 7);

    assert_int_equal(f->engine.fired, 0);
    run(f);
    assert_string_equal(f->log->str, "ab");
}

static void a_cancelled_event_does_not_fire(void **state)
{
    struct fixture *f = *state;

    orr_engine_at(&f->engine, 1, &f->a.event);
    orr_engine_at(&f->engine, 2, &f->b.event);
    orr_engine_cancel(&f->engine, &f->a.event);
    orr_engine_cancel(&f->engine, &f->a.event);

    run(f);
    assert_string_equal(f->log->str, "b");
}

static void a_cancelled_event_may_be_scheduled_anew(void **state)
{
    struct fixture *f = *state;

    orr_engine_at(&f->engine, 1, &f->a.event);
    orr_engine_at(&f->engine, 2, &f->b.event);
    orr_engine_cancel(&f->engine, &f->a.event);
    orr_engine_at(&f->engine, 3, &f->a.event);

    run(f);
    assert_string_equal(f->log->str, "ba");
}

static void order_holds_under_random_cancels(void **state)
{
    enum { N = 1000 };
    struct fixture *f = *state;
    g_autofree struct mark *marks = g_new0(struct mark, N);
    g_autoptr(GRand) rand = g_rand_new_with_seed(42);

    for (int i = 0; i < N; i++) {
        prepare(f, &marks[i], 'x');
        orr_engine_at(&f->engine, g_rand_int_range(rand, 0, 100),
                      &marks[i].event);
    }
    for (int i = 0; i < N; i += 3)
        orr_engine_cancel(&f->engine, &marks[i].event);

    run(f); /* write_letter() checks the order */
    assert_int_equal(f->log->len, N - (N + 2) / 3);
}

ORR_TESTS(engine)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(events_fire_in_order_of_date),
        T(of_equal_dates_the_latest_scheduled_fires_first),
        T(what_was_scheduled_at_an_earlier_date_fires_before),
        T(so_it_is_after_hours),
        T(an_event_may_stand_for_two_in_a_row),
        T(an_event_via_a_date_comes_after_those_scheduled_then),
        T(an_event_may_schedule_itself_again_behind_its_equals),
        T(a_step_fires_one_event_and_the_clock_is_its_date),
        T(an_engine_without_events_says_so_and_stands_still),
        T(the_clock_may_advance_up_to_the_next_event),
        T(a_cancelled_event_does_not_fire),
        T(a_cancelled_event_may_be_scheduled_anew),
        T(order_holds_under_random_cancels),
#undef T
    };

    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Engines without an interleaving, and with one that does nothing but write
 * down a word for each call.
 */
#include "runtime/engine/actor.h"

#include <string.h>

#include "tests/support/cmocka_all.h"

enum { RUN_BYTES = 40, ACTOR_BYTES = 24 };

struct fixture {
    struct orr_engine engine; /* first */
    struct orr_actor actor;
    struct orr_mutex mutex;
    unsigned steps, revivals; /* that there still are */
    GString *log;
};

static void note(const struct orr_engine *engine, const char *word)
{
    g_string_append_printf(((const struct fixture *)engine)->log, "%s ", word);
}

static bool step(struct orr_engine *engine)
{
    note(engine, "step");
    return ((struct fixture *)engine)->steps-- > 0;
}

static void schedule(struct orr_engine *engine, orr_time date,
                     struct orr_event *event)
{
    (void)event;
    note(engine, "schedule");
    assert_int_equal(date, 7);
}

static void schedule_end(struct orr_engine *engine, double seconds,
                         struct orr_event *event)
{
    (void)event;
    note(engine, "schedule_end");
    assert_true(seconds == 7.25e-9);
}

static void forget(struct orr_engine *engine)
{
    note(engine, "forget");
}

static void point(struct orr_engine *engine, enum orr_point point, void *object)
{
    note(engine, "point");
    assert_int_equal(point, ORR_POINT_NO_ROOM);
    assert_ptr_equal(object, engine);
}

static void defer(struct orr_engine *engine, void (*act)(void *arg), void *arg)
{
    (void)arg;
    note(engine, "act");
    assert_non_null(act);
}

static void init_actor(struct orr_actor *actor)
{
    note(actor->engine, "init_actor");
}

static void clear_actor(struct orr_actor *actor)
{
    note(actor->engine, "clear_actor");
    assert_non_null(actor->interleaved);
}

static enum orr_next pass(struct orr_actor *actor)
{
    note(actor->engine, "pass");
    return ORR_ASLEEP;
}

static enum orr_next sleep_until(struct orr_actor *actor, orr_time date)
{
    note(actor->engine, "sleep");
    assert_int_equal(date, 7);
    return ORR_ASLEEP;
}

static enum orr_next wait_signal(struct orr_actor *actor)
{
    note(actor->engine, "wait");
    return ORR_ASLEEP;
}

static enum orr_next wait_advance(struct orr_actor *actor)
{
    note(actor->engine, "wait_advance");
    return ORR_ASLEEP;
}

static void suspend(struct orr_actor *actor)
{
    note(actor->engine, "suspend");
}

static void resume(struct orr_actor *actor)
{
    note(actor->engine, "resume");
}

static void signal_actor(struct orr_actor *actor)
{
    note(actor->engine, "signal");
}

static void clear_signal(struct orr_actor *actor)
{
    note(actor->engine, "clear_signal");
}

static enum orr_next take(struct orr_mutex *mutex, struct orr_actor *actor)
{
    note(actor->engine, "take");
    assert_ptr_equal(mutex, &((struct fixture *)actor->engine)->mutex);
    return ORR_ASLEEP;
}

static const struct orr_interleaving noting = {
    .run_bytes = RUN_BYTES,
    .actor_bytes = ACTOR_BYTES,
    .step = step,
    .schedule = schedule,
    .schedule_end = schedule_end,
    .cancel_all = forget,
    .point = point,
    .act = defer,
    .init_actor = init_actor,
    .clear_actor = clear_actor,
    .pass = pass,
    .sleep = sleep_until,
    .wait = wait_signal,
    .wait_advance = wait_advance,
    .suspend = suspend,
    .resume = resume,
    .signal = signal_actor,
    .clear_signal = clear_signal,
    .lock = take,
};

static struct fixture *prepare(const struct orr_interleaving *interleaving)
{
    struct fixture *f = g_new0(struct fixture, 1);

    f->log = g_string_new(NULL);
    orr_engine_init(&f->engine, interleaving);
    orr_actor_init(&f->actor, &f->engine);
    return f;
}

static int set_up_plain(void **state)
{
    *state = prepare(NULL);
    return 0;
}

static int set_up_noting(void **state)
{
    struct fixture *f = prepare(&noting);

    assert_string_equal(f->log->str, "init_actor ");
    g_string_truncate(f->log, 0);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_actor_clear(&f->actor);
    orr_engine_clear(&f->engine);
    g_string_free(f->log, TRUE);
    g_free(f);
    return 0;
}

static void count_up(void *arg)
{
    ++*(unsigned *)arg;
}

static void a_plain_engine_ignores_points(void **state)
{
    struct fixture *f = *state;
    struct orr_engine before;

    f->engine.acting = &f->actor;
    memcpy(&before, &f->engine, sizeof(before));
    for (enum orr_point point = 0; point < ORR_POINTS; point++)
        orr_point(&f->engine, point, NULL);
    assert_memory_equal(&f->engine, &before, sizeof(before));
}

static void in_a_plain_engine_acts_happen_at_once(void **state)
{
    struct fixture *f = *state;
    unsigned count = 0;

    f->engine.acting = &f->actor;
    orr_point(&f->engine, ORR_POINT_TASK_SUBMITTED, NULL);
    orr_act(&f->engine, count_up, &count);
    assert_int_equal(count, 1);
    assert_int_equal(orr_actor_pass(&f->actor), ORR_CONTINUE);
}

static void plain_engines_and_actors_have_no_other_state(void **state)
{
    struct fixture *f = *state;

    assert_null(f->engine.interleaving);
    assert_null(f->engine.interleaved);
    assert_null(f->actor.interleaved);
}

static void an_interleaving_gets_zeroed_state(void **state)
{
    static const unsigned char zeroes[RUN_BYTES];
    struct fixture *f = *state;

    assert_memory_equal(f->engine.interleaved, zeroes, RUN_BYTES);
    assert_memory_equal(f->actor.interleaved, zeroes, ACTOR_BYTES);
}

static void its_actors_are_cleared_once(void **state)
{
    struct fixture *f = *state;

    orr_actor_clear(&f->actor);
    orr_actor_clear(&f->actor);
    assert_string_equal(f->log->str, "clear_actor ");
}

static void it_hears_of_points_and_acts(void **state)
{
    struct fixture *f = *state;
    unsigned count = 0;

    orr_point(&f->engine, ORR_POINT_NO_ROOM, &f->engine);
    orr_act(&f->engine, count_up, &count);
    assert_string_equal(f->log->str, "point act ");
    assert_int_equal(count, 0);
}

static void it_schedules_events(void **state)
{
    struct fixture *f = *state;

    orr_engine_at(&f->engine, 7, &f->actor.event);
    orr_engine_move(&f->engine, 7, &f->actor.event);
    orr_engine_at_end(&f->engine, 7, 7.25e-9, &f->actor.event);
    orr_engine_cancel_all(&f->engine);
    assert_string_equal(f->log->str, "schedule schedule schedule_end forget ");
    assert_true(orr_engine_is_empty(&f->engine));
}

static void its_actors_sleep_and_wait_by_it(void **state)
{
    struct fixture *f = *state;
    struct orr_actor *actor = &f->actor;

    f->engine.now = 4;
    assert_int_equal(orr_actor_sleep(actor, 3), ORR_ASLEEP);
    assert_int_equal(orr_actor_wait(actor), ORR_ASLEEP);
    assert_int_equal(orr_actor_wait_advance(actor), ORR_ASLEEP);
    assert_int_equal(orr_actor_suspend(actor), ORR_ASLEEP);
    assert_int_equal(orr_actor_pass(actor), ORR_ASLEEP);
    assert_int_equal(orr_mutex_lock(&f->mutex, actor), ORR_ASLEEP);
    assert_string_equal(f->log->str,
                        "sleep wait wait_advance suspend pass take ");
}

static void they_are_resumed_and_signalled_by_it(void **state)
{
    struct fixture *f = *state;

    orr_actor_resume(&f->actor);
    orr_actor_signal(&f->actor);
    orr_actor_clear_signal(&f->actor);
    assert_string_equal(f->log->str, "resume signal clear_signal ");
    assert_null(f->engine.woken);
}

static void neither_no_sleep_nor_a_yield_is_its_business(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(orr_actor_sleep(&f->actor, 0), ORR_CONTINUE);
    assert_int_equal(orr_actor_yield(&f->actor), ORR_CONTINUE);
    assert_string_equal(f->log->str, "");
}

static bool on_stall(void *context)
{
    struct fixture *f = context;

    note(&f->engine, "revive");
    return f->revivals-- > 0;
}

static void every_step_is_its_own(void **state)
{
    struct fixture *f = *state;

    f->steps = 2;
    assert_true(orr_actors_step(&f->engine));
    assert_true(orr_actors_step(&f->engine));
    assert_false(orr_actors_step(&f->engine));
    assert_string_equal(f->log->str, "step step step ");
}

static void a_stalled_engine_may_go_on(void **state)
{
    struct fixture *f = *state;

    f->revivals = 1;
    f->engine.on_stall = on_stall;
    f->engine.context = f;
    assert_true(orr_actors_step(&f->engine));
    f->steps = 0;
    assert_false(orr_actors_step(&f->engine));
    assert_string_equal(f->log->str, "step revive step revive ");
}

ORR_TESTS(interleaving)
{
#define P(test) cmocka_unit_test_setup_teardown(test, set_up_plain, teardown)
#define T(test) cmocka_unit_test_setup_teardown(test, set_up_noting, teardown)
    const struct CMUnitTest tests[] = {
        P(a_plain_engine_ignores_points),
        P(in_a_plain_engine_acts_happen_at_once),
        P(plain_engines_and_actors_have_no_other_state),
        T(an_interleaving_gets_zeroed_state),
        T(its_actors_are_cleared_once),
        T(it_hears_of_points_and_acts),
        T(it_schedules_events),
        T(its_actors_sleep_and_wait_by_it),
        T(they_are_resumed_and_signalled_by_it),
        T(neither_no_sleep_nor_a_yield_is_its_business),
        T(every_step_is_its_own),
        T(a_stalled_engine_may_go_on),
#undef T
#undef P
    };

    return cmocka_run_group_tests_name("engine interleaving", tests, NULL,
                                       NULL);
}

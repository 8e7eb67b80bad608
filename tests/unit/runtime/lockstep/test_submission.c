/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The application waits for its window, in ticks. */
#include "tests/support/lockstep.h"

enum { TICKS = 30 };

/* Two jobs live, one of which is about to be submitted. The window shuts at
 * @shuts tasks in flight, and opens at none. */
static struct lockstep_fixture *begin(uint64_t shuts)
{
    struct lockstep_fixture *f = g_new0(struct lockstep_fixture, 1);

    fixture_init(f, TICKS);
    f->run.switches.quirks = ORR_QUIRKS_EXACT;
    f->run.graph.live = 2;
    f->run.window.submits = 1;
    f->run.app.thread = &f->run.app.main;
    f->run.app.main.limits.shuts = shuts;
    orr_actor_init(&f->run.app.main.actor, f->engine);
    return f;
}

static void end(struct lockstep_fixture *f)
{
    orr_actor_clear(&f->run.app.main.actor);
    fixture_clear(f);
    g_free(f);
}

struct count_out {
    struct lockstep_fixture *f;
};

/* An actor has ended a task, and counts it out. */
static enum orr_next count_out(struct orr_actor *actor, void *locals)
{
    struct lockstep_fixture *f = ((struct count_out *)locals)->f;

    if (f->run.graph.live == 1) {
        fixture_note(f, actor);
        return ORR_DONE;
    }
    actor->index = ORR_NO_WORKER;
    orr_point(f->engine, ORR_POINT_SUCCESSORS_NOTIFIED, NULL);
    actor->index = 0;
    f->run.graph.live--;
    return orr_actor_pass(actor);
}

static void note_open(struct lockstep_fixture *f)
{
    if (f->run.graph.live == 1 && orr_actor_idle(&f->run.app.main.actor)) {
        g_string_append_printf(f->log, "open%u ", f->tick);
        f->run.graph.live = 0;
    }
}

static void it_goes_on_at_once_where_the_window_is_open(void **state)
{
    struct lockstep_fixture *f = begin(2);

    (void)state;
    orr_submission_await(&f->run);
    fixture_run(f);
    assert_true(orr_actor_idle(&f->run.app.main.actor));
    assert_false(f->run.window.closed);
    end(f);
}

/*
 * Six ticks, then two for each of three locks. The fourth is locked at tick 13,
 * when the application is signalled; that is a tick more, so it is unlocked at
 * 15. The application has it at 16, unlocks it, continues at 17, and is seen at
 * 18.
 */
static void a_worker_that_ends_the_last_task_signals_it(void **state)
{
    struct lockstep_fixture *f = begin(1);
    struct count_out *locals =
        orr_actor_call(&f->actors[0], count_out, sizeof(*locals));

    (void)state;
    locals->f = f;
    f->at_tick = note_open;
    orr_submission_await(&f->run);
    fixture_run(f);
    assert_true(f->run.window.closed);
    assert_false(orr_actor_idle(&f->run.app.main.actor));
    orr_clock_queue(&f->actors[0], 1);
    fixture_run_counting(f);
    assert_true(orr_actor_idle(&f->run.app.main.actor));
    assert_string_equal(f->log->str, "a16 open18 ");
    end(f);
}

/* It checks again, as StarPU counts an ended task for some ticks. */
static void nobody_signals_it_while_a_task_is_still_counted(void **state)
{
    struct lockstep_fixture *f = begin(1);

    (void)state;
    orr_submission_await(&f->run);
    fixture_run(f);
    orr_lockstep_run(f->engine)->uncounted = 1;
    f->run.graph.live--;
    assert_false(orr_submission_notify(&f->run));
    orr_lockstep_run(f->engine)->uncounted = 0;
    assert_true(orr_submission_notify(&f->run));
    fixture_run(f);
    assert_true(orr_actor_idle(&f->run.app.main.actor));
    end(f);
}

ORR_TESTS(submission)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_goes_on_at_once_where_the_window_is_open),
        cmocka_unit_test(a_worker_that_ends_the_last_task_signals_it),
        cmocka_unit_test(nobody_signals_it_while_a_task_is_still_counted),
    };

    return cmocka_run_group_tests_name("submission", tests, NULL, NULL);
}

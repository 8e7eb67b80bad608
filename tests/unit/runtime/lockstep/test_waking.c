/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A look at a worker in order to wake it, by another or by an actor that is no
 * worker, and the tick at which it has ended. */
#include "runtime/lockstep/scheduling.h"

#include "runtime/lockstep/worker_state.h"
#include "tests/support/lockstep.h"

enum { WORKERS = 2, TICKS = 30 };

struct fixture {
    struct lockstep_fixture base;       /* first */
    struct orr_worker *sleeper, *other; /* both sleep */
    unsigned ended;                     /* at this tick the look had */
    bool woken;
};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    fixture_init(&f->base, TICKS);
    fixture_add_workers(&f->base, WORKERS);
    f->sleeper = f->base.run.workers[0];
    f->other = f->base.run.workers[1];
    f->sleeper->sleeping = true;
    f->other->sleeping = true;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture_clear(*state);
    g_free(*state);
    return 0;
}

/* Worker @by, or no worker, looks at the sleeper. */
struct looking {
    bool looked;
    struct fixture *f;
    struct orr_worker *by;
};

static enum orr_next look(struct orr_actor *actor, void *locals)
{
    struct looking *looking = locals;
    struct fixture *f = looking->f;

    if (looking->looked) {
        f->ended = f->base.tick;
        return ORR_DONE;
    }
    looking->looked = true;
    orr_waking_call(actor, looking->by, f->sleeper, &f->woken);
    return ORR_CONTINUE;
}

static void start(struct fixture *f, struct orr_worker *by)
{
    struct orr_actor *actor = by ? &by->actor : &f->base.actors[0];
    struct looking *looking = orr_actor_call(actor, look, sizeof(*looking));

    looking->f = f;
    looking->by = by;
    orr_actor_resume(actor);
}

static void run(struct fixture *f, struct orr_worker *by)
{
    start(f, by);
    fixture_run_counting(&f->base);
}

static void a_sleeping_worker_is_woken(void **state)
{
    struct fixture *f = *state;

    /* Its state is locked at tick 1, its condition at 3, which is signalled at
     * 4 and unlocked at 5; its state is unlocked at 8, since it sleeps: done at
     * 9. */
    run(f, NULL);
    assert_true(f->woken);
    assert_true(f->sleeper->actor.woken);
    assert_true(f->sleeper->actor.signalled);
    assert_int_equal(f->ended, 9);
}

static void one_that_does_not_sleep_is_told_a_turn_sooner(void **state)
{
    struct fixture *f = *state;

    f->sleeper->sleeping = false;
    run(f, NULL);
    assert_false(f->woken);
    assert_true(f->sleeper->actor.signalled);
    assert_int_equal(f->ended, 8);
}

static void one_that_is_woken_already_does_not_count(void **state)
{
    struct fixture *f = *state;

    f->sleeper->actor.woken = true;
    run(f, NULL);
    assert_false(f->woken);
}

static void one_that_is_about_to_pop_need_not_be_told(void **state)
{
    struct fixture *f = *state;

    orr_lockstep_worker(f->sleeper)->closed = true;
    f->sleeper->scheduling = true;
    run(f, NULL);
    assert_true(f->woken);
    assert_true(f->sleeper->actor.woken);
    assert_false(f->sleeper->actor.signalled);
    assert_int_equal(f->ended, 3); /* the lock is taken and given */
}

static void a_worker_lets_others_look_at_it_while_it_looks(void **state)
{
    struct fixture *f = *state;

    /* To open its state takes three ticks before, to close it two after. */
    run(f, f->other);
    assert_true(f->woken);
    assert_true(orr_lockstep_worker(f->other)->closed);
    assert_int_equal(f->ended, 9 + 3 + 2);
}

static void a_worker_looks_at_itself_without_asking(void **state)
{
    struct fixture *f = *state;

    orr_lockstep_worker(f->sleeper)->closed = true;
    run(f, f->sleeper);
    assert_true(f->woken);
    assert_int_equal(f->ended, 9);
}

/* Opens its state after ten ticks. */
struct resting {
    enum { REST_WAIT, REST_RELAX, REST_END } at;
    struct orr_worker *worker;
};

static enum orr_next rest(struct orr_actor *actor, void *locals)
{
    struct resting *resting = locals;

    switch (resting->at) {
    case REST_WAIT:
        resting->at = REST_RELAX;
        return orr_lockstep_pass(actor, 10);
    case REST_RELAX:
        resting->at = REST_END;
        return orr_worker_state_set_open(actor, resting->worker, true);
    case REST_END:
        break;
    }
    return ORR_DONE;
}

static void a_closed_worker_is_looked_at_once_it_opens(void **state)
{
    struct fixture *f = *state;
    struct orr_worker *busy = f->sleeper;
    struct resting *resting =
        orr_actor_call(&busy->actor, rest, sizeof(*resting));

    resting->worker = busy;
    orr_lockstep_worker(busy)->closed = true;
    orr_actor_resume(&busy->actor);
    run(f, NULL);

    /* It has the lock from tick 11 and gives it back at 13. The other has it
     * at 14 then, and seven ticks to go. */
    assert_true(f->woken);
    assert_null(orr_lockstep_worker(busy)->first_waiter);
    assert_int_equal(f->ended, 21);
}

ORR_TESTS(waking)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(a_sleeping_worker_is_woken),
        T(one_that_does_not_sleep_is_told_a_turn_sooner),
        T(one_that_is_woken_already_does_not_count),
        T(one_that_is_about_to_pop_need_not_be_told),
        T(a_worker_lets_others_look_at_it_while_it_looks),
        T(a_worker_looks_at_itself_without_asking),
        T(a_closed_worker_is_looked_at_once_it_opens),
#undef T
    };

    return cmocka_run_group_tests_name("waking", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * In a run by rounds: who looks at whom in order to wake it, and when. The
 * turn of the date is counted by a clock that takes every turn before others.
 */
#include "runtime/lockstep/waking.h"

#include "runtime/lockstep/lockstep.h"
#include "runtime/lockstep/worker_state.h"
#include "tests/support/cmocka_all.h"

enum { WORKERS = 2, TURNS = 30 };

struct fixture {
    struct orr_engine engine;
    struct orr_worker workers[WORKERS];
    struct orr_actor pusher; /* no worker */
    struct orr_event clock;
    unsigned turn;
    unsigned ended; /* in this turn the pusher had looked */
    bool woken;
};

static void tick(void *arg)
{
    struct fixture *f = arg;

    f->turn++;
    if (f->turn < TURNS)
        orr_engine_in_turns(&f->engine, 1, &f->clock);
}

static void prepare(struct fixture *f, struct orr_actor *actor)
{
    orr_actor_init(actor, &f->engine);
    orr_actor_in_turns(actor);
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    orr_engine_begin_rounds(&f->engine);
    f->clock = (struct orr_event){.fire = tick, .arg = f};
    orr_engine_in_turns(&f->engine, 1, &f->clock);
    prepare(f, &f->pusher);
    for (unsigned i = 0; i < WORKERS; i++) {
        f->workers[i].sleeping = true;
        f->workers[i].relaxed = true;
        prepare(f, &f->workers[i].actor);
    }
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_actor_clear_account(&f->pusher);
    for (unsigned i = 0; i < WORKERS; i++)
        orr_actor_clear_account(&f->workers[i].actor);
    orr_engine_clear(&f->engine);
    g_free(f);
    return 0;
}

/* Worker @by, or none, looks at the first worker. */
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
        f->ended = f->turn;
        return ORR_DONE;
    }
    looking->looked = true;
    orr_waking_call(actor, looking->by, &f->workers[0], &f->woken);
    return ORR_CONTINUE;
}

static void start(struct fixture *f, struct orr_worker *by)
{
    struct orr_actor *actor = by ? &by->actor : &f->pusher;
    struct looking *looking = orr_actor_call(actor, look, sizeof(*looking));

    looking->f = f;
    looking->by = by;
    orr_actor_resume(actor);
}

static void run(struct fixture *f, struct orr_worker *by)
{
    start(f, by);
    while (orr_actors_step(&f->engine))
        ;
}

static void who_sleeps_is_woken(void **state)
{
    struct fixture *f = *state;

    /* The lock of its state at turn 1, of its condition at 3, which is
     * signalled at 4 and given back at 5; that of the state at 8, since it
     * sleeps: done at 9. */
    run(f, NULL);
    assert_true(f->woken);
    assert_true(f->workers[0].woken);
    assert_true(f->workers[0].actor.signalled);
    assert_int_equal(f->ended, 9);
}

static void who_does_not_sleep_is_told_a_turn_sooner(void **state)
{
    struct fixture *f = *state;

    f->workers[0].sleeping = false;
    run(f, NULL);
    assert_false(f->woken);
    assert_true(f->workers[0].actor.signalled);
    assert_int_equal(f->ended, 8);
}

static void who_is_woken_already_does_not_count(void **state)
{
    struct fixture *f = *state;

    f->workers[0].woken = true;
    run(f, NULL);
    assert_false(f->woken);
}

static void who_is_about_to_pop_need_not_be_told(void **state)
{
    struct fixture *f = *state;

    f->workers[0].relaxed = false;
    f->workers[0].scheduling = true;
    run(f, NULL);
    assert_true(f->woken);
    assert_true(f->workers[0].woken);
    assert_false(f->workers[0].actor.signalled);
    assert_int_equal(f->ended, 3); /* the lock is taken and given */
}

static void a_worker_lets_others_look_at_it_while_it_looks(void **state)
{
    struct fixture *f = *state;

    /* Relaxing takes three turns before, and ending that two after. */
    run(f, &f->workers[1]);
    assert_true(f->woken);
    assert_false(f->workers[1].relaxed);
    assert_int_equal(f->ended, 9 + 3 + 2);
}

static void a_worker_looks_at_itself_without_asking(void **state)
{
    struct fixture *f = *state;

    f->workers[0].relaxed = false;
    run(f, &f->workers[0]);
    assert_true(f->woken);
    assert_int_equal(f->ended, 9);
}

/* Waits for so many turns and relaxes. */
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
        return orr_actor_take_turns(actor, 10);
    case REST_RELAX:
        resting->at = REST_END;
        return orr_worker_state_relax(actor, resting->worker, true);
    case REST_END:
        break;
    }
    return ORR_DONE;
}

static void who_is_busy_is_looked_at_once_it_relaxes(void **state)
{
    struct fixture *f = *state;
    struct orr_worker *busy = &f->workers[0];
    struct resting *resting =
        orr_actor_call(&busy->actor, rest, sizeof(*resting));

    resting->worker = busy;
    busy->relaxed = false;
    orr_actor_resume(&busy->actor);
    run(f, NULL);

    /* It has the lock from turn 11 and gives it back at 13. The other has it
     * at 14 then, and seven turns to go. */
    assert_true(f->woken);
    assert_null(busy->first_looker);
    assert_int_equal(f->ended, 21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(who_sleeps_is_woken),
        T(who_does_not_sleep_is_told_a_turn_sooner),
        T(who_is_woken_already_does_not_count),
        T(who_is_about_to_pop_need_not_be_told),
        T(a_worker_lets_others_look_at_it_while_it_looks),
        T(a_worker_looks_at_itself_without_asking),
        T(who_is_busy_is_looked_at_once_it_relaxes),
#undef T
    };

    return cmocka_run_group_tests_name("waking", tests, NULL, NULL);
}

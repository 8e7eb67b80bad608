/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A worker pops, or steals from another, operation by operation, and writes
 * down the tick at which it is done. */
#include "runtime/lockstep/scheduling.h"

#include "tests/support/lockstep.h"

enum { WORKERS = 2, TICKS = 20 };

struct fixture {
    struct lockstep_fixture base; /* first */
    struct orr_worker *thief, *victim;
    struct orr_sched_host host;
    struct orr_task task, *got;
    unsigned taken_at; /* at this tick another actor takes the thief's lock */
    unsigned open_from, open; /* ticks at which others may look at the thief */
};

/* The state of the policy. */
struct plan {
    unsigned victim;
    struct orr_task *task; /* that the victim has */
    unsigned concluded;    /* so often, */
    bool busy;             /* the last time with something to do */
};

static unsigned name_victim(struct orr_sched *sched, unsigned thief)
{
    assert_int_equal(thief, 0);
    return ((struct plan *)orr_sched_state(sched))->victim;
}

static struct orr_task *take_stolen(struct orr_sched *sched, unsigned thief,
                                    unsigned victim)
{
    assert_int_equal(thief, 0);
    assert_int_equal(victim, 1);
    return ((struct plan *)orr_sched_state(sched))->task;
}

static void conclude(struct orr_sched *sched, unsigned thief, bool busy)
{
    struct plan *plan = orr_sched_state(sched);

    assert_int_equal(thief, 0);
    plan->concluded++;
    plan->busy = busy;
}

static const struct orr_sched_steal steal = {
    .victim = name_victim,
    .take = take_stolen,
    .conclude = conclude,
};

static const struct orr_sched_ops policy = {
    .name = "robber",
    .state_size = sizeof(struct plan),
};

static const struct orr_queueing queueing = {.steal = &steal};

static void watch(struct lockstep_fixture *base)
{
    struct fixture *f = (struct fixture *)base;
    struct orr_mutex *lock = orr_worker_state_lock(f->thief);

    if (base->tick == f->taken_at)
        lock->owner = &base->actors[0];
    if (orr_lockstep_worker(f->thief)->closed || lock->owner)
        return;
    if (!f->open)
        f->open_from = base->tick;
    f->open++;
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);
    struct plan *plan;

    fixture_init(&f->base, TICKS);
    f->base.at_tick = watch;
    fixture_add_workers(&f->base, WORKERS);
    f->thief = f->base.run.workers[0];
    f->victim = f->base.run.workers[1];
    orr_lockstep_worker(f->thief)->closed = true;
    f->base.run.policy.ops = &policy;
    f->base.run.policy.queueing = &queueing;
    f->host.workers = WORKERS;
    f->base.run.policy.sched = orr_sched_new(&policy, &f->host);
    plan = orr_sched_state(f->base.run.policy.sched);
    *plan = (struct plan){.victim = 1, .task = &f->task};
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_sched_free(f->base.run.policy.sched);
    fixture_clear(&f->base);
    g_free(f);
    return 0;
}

struct raid {
    bool ended;
    struct fixture *f;
};

static enum orr_next raid(struct orr_actor *actor, void *locals)
{
    struct raid *raid = locals;
    struct fixture *f = raid->f;

    if (raid->ended) {
        fixture_note(&f->base, actor);
        return ORR_DONE;
    }
    raid->ended = true;
    orr_steal_call(actor, f->thief, &f->got);
    return ORR_CONTINUE;
}

static void run(struct fixture *f)
{
    struct orr_actor *actor = &f->thief->actor;
    struct raid *locals = orr_actor_call(actor, raid, sizeof(*locals));

    locals->f = f;
    orr_actor_resume(actor);
    fixture_run_counting(&f->base);
}

static const struct plan *plan_of(const struct fixture *f)
{
    return orr_sched_state(f->base.run.policy.sched);
}

static void a_worker_gets_what_its_victim_has(void **state)
{
    struct fixture *f = *state;

    /* It closes its state at 1 and 2, locks its own lock at 3, its victim's at
     * 4, opens its state at 5, unlocks its own lock at 6, the victim's at 7,
     * and closes its state again at 8 and 9. */
    run(f);
    assert_string_equal(f->base.log->str, "a10 ");
    assert_ptr_equal(f->got, &f->task);
    assert_int_equal(plan_of(f)->concluded, 1);
    assert_true(plan_of(f)->busy);
    assert_true(orr_lockstep_worker(f->thief)->closed);
    assert_null(orr_worker_state_lock(f->thief)->owner);
    assert_null(orr_worker_state_lock(f->victim)->owner);
}

static void others_may_look_at_it_while_it_steals(void **state)
{
    struct fixture *f = *state;

    /* From when it has given its lock back at 6 until it takes it at 8. */
    run(f);
    assert_int_equal(f->open_from, 7);
    assert_int_equal(f->open, 2);
}

static void a_victim_may_have_nothing(void **state)
{
    struct fixture *f = *state;

    ((struct plan *)orr_sched_state(f->base.run.policy.sched))->task = NULL;
    run(f);
    assert_string_equal(f->base.log->str, "a10 ");
    assert_null(f->got);
    assert_int_equal(plan_of(f)->concluded, 1);
    assert_false(plan_of(f)->busy);
}

static void without_a_victim_it_is_over_soon(void **state)
{
    struct fixture *f = *state;

    ((struct plan *)orr_sched_state(f->base.run.policy.sched))->victim =
        ORR_NO_WORKER;
    run(f);
    assert_string_equal(f->base.log->str, "a3 ");
    assert_null(f->got);
    assert_int_equal(plan_of(f)->concluded, 0);
}

/* It got nothing, slept for 1 us, and has woken itself to try again. */
static void assert_failed(const struct fixture *f)
{
    assert_null(f->got);
    assert_int_equal(plan_of(f)->concluded, 0);
    assert_int_equal(f->base.engine->now, ORR_US);
    assert_true(f->thief->actor.woken);
    assert_true(f->thief->actor.signalled);
    assert_true(orr_lockstep_worker(f->thief)->closed);
    assert_null(orr_worker_state_lock(f->thief)->owner);
}

static void it_fails_where_its_victim_is_looked_at(void **state)
{
    struct fixture *f = *state;

    orr_worker_state_lock(f->victim)->owner = &f->base.actors[0];
    run(f);
    assert_failed(f);
    assert_ptr_equal(orr_worker_state_lock(f->victim)->owner,
                     &f->base.actors[0]);
}

static void or_where_its_victim_is_closed(void **state)
{
    struct fixture *f = *state;

    orr_lockstep_worker(f->victim)->closed = true;
    run(f);
    assert_failed(f);
    assert_null(orr_worker_state_lock(f->victim)->owner);
}

static void give_back(void *arg)
{
    ((struct orr_mutex *)arg)->owner = NULL;
}

static void or_where_it_is_looked_at_itself(void **state)
{
    struct fixture *f = *state;
    struct orr_event event = {.fire = give_back,
                              .arg = orr_worker_state_lock(f->thief)};

    /* It finds its own lock taken at 3, which is given back while it sleeps. */
    f->taken_at = 3;
    orr_engine_at(f->base.engine, ORR_US / 2, &event);
    run(f);
    assert_failed(f);
    assert_null(orr_worker_state_lock(f->victim)->owner);
}

struct popping {
    bool ended;
    struct fixture *f;
    bool found;
};

static enum orr_next pop(struct orr_actor *actor, void *locals)
{
    struct popping *popping = locals;

    if (popping->ended) {
        assert_false(popping->found);
        fixture_note(&popping->f->base, actor);
        return ORR_DONE;
    }
    popping->ended = true;
    orr_popping_call(actor, popping->f->thief, &popping->found);
    return ORR_CONTINUE;
}

/* The tick after which the worker has found nothing in the shared queue. */
static void expect_empty_pop(struct fixture *f, const char *tick)
{
    static const struct orr_queueing shared = {.steal = NULL};
    struct orr_actor *actor = &f->thief->actor;
    struct popping *locals = orr_actor_call(actor, pop, sizeof(*locals));

    f->base.run.policy.queueing = &shared;
    locals->f = f;
    orr_actor_resume(actor);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, tick);
    assert_true(f->thief->sleeping);
    assert_true(f->thief->scheduling);
    assert_false(orr_lockstep_worker(f->thief)->closed);
}

/* It takes its lock at 1, changes its status to scheduling until 3, gives the
 * lock back at 4, takes it again at 5, changes its status to sleeping until 7,
 * opens its state at 8 and gives the lock back at 9. */
static void a_worker_that_falls_asleep_changes_its_status_twice(void **state)
{
    expect_empty_pop(*state, "a10 ");
}

static void one_that_slept_and_finds_nothing_does_not(void **state)
{
    struct fixture *f = *state;

    f->thief->sleeping = f->thief->scheduling = true;
    expect_empty_pop(f, "a6 ");
}

ORR_TESTS(steal)
{
#define T(behaviour) cmocka_unit_test_setup_teardown(behaviour, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(a_worker_gets_what_its_victim_has),
        T(others_may_look_at_it_while_it_steals),
        T(a_victim_may_have_nothing),
        T(without_a_victim_it_is_over_soon),
        T(it_fails_where_its_victim_is_looked_at),
        T(or_where_its_victim_is_closed),
        T(or_where_it_is_looked_at_itself),
        T(a_worker_that_falls_asleep_changes_its_status_twice),
        T(one_that_slept_and_finds_nothing_does_not),
#undef T
    };

    return cmocka_run_group_tests_name("steal", tests, NULL, NULL);
}

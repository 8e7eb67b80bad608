/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * In a run by rounds: a worker robs another, operation by operation. Written
 * down is at which turn it is done, and at which it goes to sleep.
 */
#include "runtime/lockstep/steal.h"

#include "runtime/run.h"
#include "tests/support/lockstep.h"

enum { WORKERS = 2, TURNS = 20 };

struct fixture {
    struct rounds rounds; /* first */
    struct orr_run run;
    struct orr_worker workers[WORKERS]; /* the thief and its victim */
    struct orr_worker *places[WORKERS];
    struct orr_sched_host host;
    struct orr_task task, *got;
    unsigned taken_at;        /* at this turn somebody takes the thief's lock */
    unsigned open_from, open; /* turns at which one may look at the thief */
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

static struct orr_task *rob(struct orr_sched *sched, unsigned thief,
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
    .take = rob,
    .conclude = conclude,
};

static const struct orr_sched_ops policy = {
    .name = "robber",
    .state_size = sizeof(struct plan),
    .steal = &steal,
};

static void watch(struct rounds *rounds)
{
    struct fixture *f = (struct fixture *)rounds;
    struct orr_worker *thief = &f->workers[0];

    if (rounds->turn == f->taken_at)
        thief->lock.owner = &rounds->actors[0];
    if (!thief->relaxed || thief->lock.owner)
        return;
    if (!f->open)
        f->open_from = rounds->turn;
    f->open++;
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);
    struct plan *plan;

    rounds_init(&f->rounds, TURNS);
    f->rounds.at_turn = watch;
    f->run.policy = &policy;
    f->run.workers = f->places;
    f->run.worker_count = f->host.workers = WORKERS;
    f->run.sched = orr_sched_new(&policy, &f->host);
    for (unsigned i = 0; i < WORKERS; i++) {
        rounds_init_actor(&f->rounds, &f->workers[i].actor, i);
        f->workers[i].run = &f->run;
        f->workers[i].index = i;
        f->places[i] = &f->workers[i];
    }
    f->workers[1].relaxed = true;
    plan = orr_sched_state(f->run.sched);
    *plan = (struct plan){.victim = 1, .task = &f->task};
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_sched_free(f->run.sched);
    for (unsigned i = 0; i < WORKERS; i++)
        orr_actor_clear_account(&f->workers[i].actor);
    rounds_clear(&f->rounds);
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
        rounds_note(&f->rounds, actor);
        return ORR_DONE;
    }
    raid->ended = true;
    orr_steal_call(actor, &f->workers[0], &f->got);
    return ORR_CONTINUE;
}

static void run(struct fixture *f)
{
    struct orr_actor *actor = &f->workers[0].actor;
    struct raid *locals = orr_actor_call(actor, raid, sizeof(*locals));

    locals->f = f;
    orr_actor_resume(actor);
    rounds_run_with_clock(&f->rounds);
}

static const struct plan *plan_of(const struct fixture *f)
{
    return orr_sched_state(f->run.sched);
}

static void a_worker_gets_what_its_victim_has(void **state)
{
    struct fixture *f = *state;

    /* It ends to be relaxed at 1 and 2, takes its lock at 3, that of its victim
     * at 4, relaxes at 5, gives its lock back at 6, the other at 7, and ends to
     * be relaxed again at 8 and 9. */
    run(f);
    assert_string_equal(f->rounds.log->str, "a10 ");
    assert_ptr_equal(f->got, &f->task);
    assert_int_equal(plan_of(f)->concluded, 1);
    assert_true(plan_of(f)->busy);
    assert_false(f->workers[0].relaxed);
    assert_null(f->workers[0].lock.owner);
    assert_null(f->workers[1].lock.owner);
}

static void one_may_look_at_it_while_it_robs(void **state)
{
    struct fixture *f = *state;

    /* From when it has given its lock back at 6 until it takes it at 8. */
    run(f);
    assert_int_equal(f->open_from, 7);
    assert_int_equal(f->open, 2);
}

static void who_has_nothing_is_robbed_in_vain(void **state)
{
    struct fixture *f = *state;

    ((struct plan *)orr_sched_state(f->run.sched))->task = NULL;
    run(f);
    assert_string_equal(f->rounds.log->str, "a10 ");
    assert_null(f->got);
    assert_int_equal(plan_of(f)->concluded, 1);
    assert_false(plan_of(f)->busy);
}

static void without_a_victim_it_is_over_soon(void **state)
{
    struct fixture *f = *state;

    ((struct plan *)orr_sched_state(f->run.sched))->victim = ORR_NO_WORKER;
    run(f);
    assert_string_equal(f->rounds.log->str, "a3 ");
    assert_null(f->got);
    assert_int_equal(plan_of(f)->concluded, 0);
}

/* It got nothing, slept for 1 us, and has told itself to come back. */
static void assert_failed(const struct fixture *f)
{
    assert_null(f->got);
    assert_int_equal(plan_of(f)->concluded, 0);
    assert_int_equal(f->rounds.engine.now, ORR_US);
    assert_true(f->workers[0].woken);
    assert_true(f->workers[0].actor.signalled);
    assert_false(f->workers[0].relaxed);
    assert_null(f->workers[0].lock.owner);
}

static void it_fails_where_its_victim_is_looked_at(void **state)
{
    struct fixture *f = *state;

    f->workers[1].lock.owner = &f->rounds.actors[0];
    run(f);
    assert_failed(f);
    assert_ptr_equal(f->workers[1].lock.owner, &f->rounds.actors[0]);
}

static void or_where_it_must_not_be(void **state)
{
    struct fixture *f = *state;

    f->workers[1].relaxed = false;
    run(f);
    assert_failed(f);
    assert_null(f->workers[1].lock.owner);
}

static void give_back(void *arg)
{
    ((struct orr_mutex *)arg)->owner = NULL;
}

static void or_where_it_is_looked_at_itself(void **state)
{
    struct fixture *f = *state;
    struct orr_event event = {.fire = give_back, .arg = &f->workers[0].lock};

    /* It finds its own lock taken at 3, which is given back while it sleeps. */
    f->taken_at = 3;
    orr_engine_at(&f->rounds.engine, ORR_US / 2, &event);
    run(f);
    assert_failed(f);
    assert_null(f->workers[1].lock.owner);
}

int main(void)
{
#define T(behaviour) cmocka_unit_test_setup_teardown(behaviour, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(a_worker_gets_what_its_victim_has),
        T(one_may_look_at_it_while_it_robs),
        T(who_has_nothing_is_robbed_in_vain),
        T(without_a_victim_it_is_over_soon),
        T(it_fails_where_its_victim_is_looked_at),
        T(or_where_it_must_not_be),
        T(or_where_it_is_looked_at_itself),
#undef T
    };

    return cmocka_run_group_tests_name("theft", tests, NULL, NULL);
}

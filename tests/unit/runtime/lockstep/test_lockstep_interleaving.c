/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs that go in lock-step, and the state that they leave behind. */
#include "runtime/config/run_config.h"
#include "runtime/engine/decision.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"
#include "tests/support/random_run.h"

enum { PLANS = 60 };

static bool is_lockstep(struct orr_config *config)
{
    struct unit_run *unit = unit_run_new("three-gpus.xml", config);
    bool answer = unit->run->turns == orr_turns_lockstep;

    assert_ptr_equal(unit->run->engine.interleaving,
                     answer ? orr_turns_lockstep->engine : NULL);

    unit_run_free(unit);
    return answer;
}

static struct orr_config with_cpus(const char *sched)
{
    struct orr_config config;

    orr_config_init(&config);
    config.sched = sched;
    config.cpus = 2;
    config.gpus = 2;
    return config;
}

static void policies_that_say_how_they_push_and_pop_do(void **state)
{
    static const char *const scheds[] = {"eager", "prio", "ws", "lws"};
    static const char *const others[] = {"dmda", "random", "heteroprio"};
    static const char *const exact[] = {"dm",         "dmda",  "dmdap",
                                        "dmdar",      "dmdas", "dmdasd",
                                        "heteroprio", "random"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(scheds); i++) {
        struct orr_config config = with_cpus(scheds[i]);

        assert_true(is_lockstep(&config));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(others); i++) {
        struct orr_config config = with_cpus(others[i]);

        assert_false(is_lockstep(&config));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(exact); i++) {
        struct orr_config config = with_cpus(exact[i]);

        config.models = "quirks=exact";
        assert_true(is_lockstep(&config));
    }
}

static void runs_without_cpus_do_not(void **state)
{
    struct orr_config config = with_cpus("eager");

    (void)state;
    config.cpus = 0;
    assert_false(is_lockstep(&config));
}

static void unless_it_is_to_be_exact(void **state)
{
    struct orr_config config = with_cpus("eager");

    (void)state;
    config.cpus = 0;
    config.models = "quirks=exact";
    assert_true(is_lockstep(&config));
    config.sched = "dmda";
    assert_true(is_lockstep(&config));
    config.sched = "darts";
    assert_false(is_lockstep(&config));
}

static void nor_do_runs_that_differ_from_the_reference(void **state)
{
    struct orr_config config = with_cpus("eager");

    (void)state;
    config.models = "quirks=off";
    assert_false(is_lockstep(&config));
    config.models = "clean";
    assert_false(is_lockstep(&config));
    config.models = "overheads=off";
    assert_false(is_lockstep(&config));
}

static unsigned take_the_first(struct orr_decider *decider,
                               const struct orr_decision *decision)
{
    (void)decider;
    (void)decision;
    return 0;
}

static void nor_do_runs_with_a_decider(void **state)
{
    struct orr_decider decider = {.decide = take_the_first};
    struct orr_config config = with_cpus("eager");

    (void)state;
    config.decider = &decider;
    assert_false(is_lockstep(&config));
}

static void check_free(const struct orr_mutex *mutex)
{
    assert_null(mutex->owner);
    assert_null(mutex->first_waiter);
}

/* No actor is left with a lock, waits for one, or has anything pending. */
static void check_left(const struct orr_run *run)
{
    const struct orr_lockstep_run *own = orr_lockstep_run(&run->engine);

    assert_false(orr_clock_is_busy(&run->engine));
    check_free(&own->clock.advancing);
    for (unsigned i = 0; i < ORR_COMMON_LOCKS; i++)
        check_free(&own->common[i]);
    for (unsigned i = 0; i < run->node_count; i++)
        check_free(&own->nodes[i]);
    assert_int_equal(own->queued, 0);
    assert_true(orr_actor_idle(&run->app.main.actor));
    for (unsigned i = 0; i < run->worker_count; i++) {
        const struct orr_worker *worker = run->workers[i];

        check_free(orr_worker_state_lock(worker));
        check_free(&orr_lockstep_actor(&worker->actor)->signal_lock);
        assert_null(orr_lockstep_worker(worker)->first_waiter);
        assert_true(worker->actor.waiting);
        assert_false(orr_lockstep_has_pending(&worker->actor));
    }
}

struct ending {
    uint64_t digest;
    orr_time makespan_ns;
};

/* Performs @plan; then lets all that is under way come to its end. */
static struct ending perform(const struct random_plan *plan)
{
    struct random_run random;
    const struct orr_report *report;
    struct ending ending;

    random_run_begin(&random, plan);
    assert_ptr_equal(random.unit->run->engine.interleaving,
                     orr_turns_lockstep->engine);
    random_run_finish(&random);
    report = orr_run_report(random.unit->run);
    ending = (struct ending){report->digest, report->makespan_ns};
    while (orr_actors_step(&random.unit->run->engine))
        ;
    check_left(random.unit->run);
    random_run_end(&random);
    return ending;
}

static void check_repeats(const struct random_plan *plan)
{
    struct ending first = perform(plan), second = perform(plan);

    assert_true(first.digest == second.digest);
    assert_int_equal(first.makespan_ns, second.makespan_ns);
}

static void random_graphs_end_alike_and_leave_nothing_taken(void **state)
{
    static const char *const scheds[] = {"eager", "prio", "ws", "lws"};

    (void)state;
    for (uint32_t seed = 0; seed < PLANS; seed++) {
        struct random_plan plan;

        random_plan_draw(&plan, scheds[seed % G_N_ELEMENTS(scheds)], seed);
        plan.config.models = NULL;
        plan.config.cpus += plan.config.cpus == 0;
        check_repeats(&plan);
    }
}

static void so_do_those_of_policies_that_are_played_if_exact(void **state)
{
    static const char *const scheds[] = {"dm",         "dmda",  "dmdap",
                                         "dmdar",      "dmdas", "dmdasd",
                                         "heteroprio", "random"};

    (void)state;
    for (uint32_t seed = 0; seed < PLANS; seed++) {
        struct random_plan plan;

        random_plan_draw(&plan, scheds[seed % G_N_ELEMENTS(scheds)], seed);
        plan.config.models = "quirks=exact";
        check_repeats(&plan);
    }
}

ORR_TESTS(lockstep_interleaving)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_that_say_how_they_push_and_pop_do),
        cmocka_unit_test(runs_without_cpus_do_not),
        cmocka_unit_test(unless_it_is_to_be_exact),
        cmocka_unit_test(nor_do_runs_that_differ_from_the_reference),
        cmocka_unit_test(nor_do_runs_with_a_decider),
        cmocka_unit_test(random_graphs_end_alike_and_leave_nothing_taken),
        cmocka_unit_test(so_do_those_of_policies_that_are_played_if_exact),
    };

    return cmocka_run_group_tests_name("interleaving", tests, NULL, NULL);
}

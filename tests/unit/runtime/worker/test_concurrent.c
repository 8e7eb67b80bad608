/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Concurrent policies under thousands of schedules. */
#include "runtime/config/run_config.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/run.h"
#include "runtime/worker/lock.h"
#include "tests/support/chance.h"
#include "tests/support/concurrent_policies.h"
#include "tests/support/random_run.h"

enum { FEW_SCHEDULES = 400 };

static uint32_t count_schedules(void)
{
    return orr_tests_are_full() ? 1500 : MIN(orr_tests_share(1500), 300);
}

static const struct orr_sched_ops *const correct[] = {
    &policy_central,
    &policy_stealing,
};

/* Whether @run finished; if not, it hangs for the reason @kind. */
static bool check_end(struct orr_run *run, enum orr_hang_kind kind)
{
    g_autoptr(GError) error = NULL;

    if (orr_run_wait(run, &error))
        return true;
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_STALLED));
    if (orr_run_hang(run)->kind != kind)
        fail_msg("%s", error->message);
    return false;
}

/* A random graph on a random machine, or one without GPUs, in a random
 * schedule. Returns whether the run finished. */
static bool run_plan(const struct orr_sched_ops *policy, uint32_t seed,
                     bool cpus_only, struct chance *chance)
{
    struct random_plan plan;
    struct random_run random;
    bool finished;

    random_plan_draw(&plan, NULL, seed);
    while (cpus_only && plan.config.gpus > 0)
        random_plan_draw(&plan, NULL, seed += 100000);
    plan.config.policy = policy;
    plan.config.decider = chance ? &chance->decider : NULL;
    random_run_begin(&random, &plan);
    while (random_run_go_on(&random))
        ;
    finished = check_end(random.unit->run, ORR_HANG_LOCK_CYCLE);
    if (finished)
        assert_int_equal(random.unit->tasks->len,
                         random.unit->run->graph.submitted);
    random_run_end(&random);
    return finished;
}

static bool run_schedule(const struct orr_sched_ops *policy, uint32_t seed,
                         bool cpus_only)
{
    struct chance chance;
    bool finished;

    chance_init(&chance, seed, (gint32)(seed % 8));
    finished = run_plan(policy, seed, cpus_only, &chance);
    chance_clear(&chance);
    return finished;
}

static void correct_policies_run_without_a_decider(void **state)
{
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(correct); i++) {
        for (uint32_t seed = 0; seed < 60; seed++)
            assert_true(run_plan(correct[i], seed, false, NULL));
    }
}

static void check_finishes(const struct orr_sched_ops *policy)
{
    for (uint32_t seed = 0; seed < count_schedules(); seed++) {
        if (!run_schedule(policy, seed, false))
            fail_msg("%s hangs with seed %u", policy->name, seed);
    }
}

static void correct_policies_finish_under_all_schedules(void **state)
{
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(correct); i++)
        check_finishes(correct[i]);
}

static void a_condition_wakes_whom_it_should_under_all_schedules(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < count_schedules(); seed++) {
        if (!run_schedule(&policy_waiting, seed, true))
            fail_msg("it hangs with seed %u", seed);
    }
}

/* An application that waits for each task before it submits the next. */
static bool run_one_by_one(const struct orr_sched_ops *policy, uint32_t seed,
                           int cpus)
{
    struct chance chance;
    struct orr_config config;
    struct unit_run *unit;
    bool finished = true;

    chance_init(&chance, seed, 3);
    orr_config_init(&config);
    config.cpus = cpus;
    config.gpus = 0;
    config.policy = policy;
    config.decider = &chance.decider;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < 10 && finished; i++) {
        unit_submit_bare(unit);
        finished = check_end(unit->run, ORR_HANG_LOST_WAKEUP);
    }
    unit_run_free(unit);
    chance_clear(&chance);
    return finished;
}

static void a_lost_wakeup_hangs_under_some_schedule_only(void **state)
{
    unsigned forgetful = 0, early = 0;

    (void)state;
    for (uint32_t seed = 0; seed < count_schedules(); seed++) {
        assert_true(run_one_by_one(&policy_central, seed, 1));
        assert_true(run_one_by_one(&policy_waiting, seed, 1));
        forgetful += !run_one_by_one(&policy_forgetful, seed, 1);
        early += !run_one_by_one(&policy_early, seed, 1);
    }
    assert_in_range(forgetful, 1, count_schedules() - 1);
    assert_in_range(early, 1, count_schedules() - 1);
}

static void locks_in_two_orders_hang_under_some_schedule_only(void **state)
{
    unsigned hangs = 0;

    (void)state;
    for (uint32_t seed = 0; seed < FEW_SCHEDULES; seed++) {
        assert_true(run_plan(&policy_inverted, seed, false, NULL));
        hangs += !run_schedule(&policy_inverted, seed, false);
    }
    assert_in_range(hangs, 1, FEW_SCHEDULES - 1);
}

/* A policy with all optional notifications, guarded by a lock. */
struct telling {
    struct central central; /* first */
    unsigned started, done;
};

static void tell_started(struct orr_sched *sched, struct orr_task *task,
                         unsigned worker)
{
    struct telling *telling = orr_sched_state(sched);

    (void)task;
    (void)worker;
    orr_lock_acquire(telling->central.lock);
    telling->started++;
    orr_lock_release(telling->central.lock);
}

static void tell_done(struct orr_sched *sched, struct orr_task *task,
                      unsigned worker)
{
    struct telling *telling = orr_sched_state(sched);

    (void)task;
    (void)worker;
    orr_lock_acquire(telling->central.lock);
    telling->done++;
    orr_lock_release(telling->central.lock);
}

static void it_is_told_of_each_start_and_end(void **state)
{
    struct orr_sched_ops ops = policy_central;
    const struct telling *telling;
    struct chance chance;
    struct orr_config config;
    struct unit_run *unit;

    (void)state;
    ops.state_size = sizeof(struct telling);
    ops.started = tell_started;
    ops.done = tell_done;
    orr_config_init(&config);
    chance_init(&chance, 1, 3);
    config.policy = &ops;
    config.decider = &chance.decider;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < 30; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    telling = orr_sched_state(unit->run->policy.sched);
    assert_int_equal(telling->started, 30);
    assert_int_equal(telling->done, 30);
    unit_run_free(unit);
    chance_clear(&chance);
}

/* The digest of a run under @chance, or without a decider. */
static uint64_t find_digest(const struct orr_sched_ops *policy, uint32_t seed,
                            struct chance *chance)
{
    struct random_plan plan;
    struct random_run random;
    uint64_t digest;

    random_plan_draw(&plan, NULL, seed);
    plan.config.policy = policy;
    plan.config.decider = chance ? &chance->decider : NULL;
    random_run_begin(&random, &plan);
    random_run_finish(&random);
    digest = orr_run_report(random.unit->run)->digest;
    random_run_end(&random);
    return digest;
}

static void a_decider_of_defaults_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(correct); i++) {
        for (uint32_t seed = 0; seed < 60; seed++) {
            struct chance never;

            chance_init(&never, seed, G_MAXINT32 - 1);
            assert_true(find_digest(correct[i], seed, &never) ==
                        find_digest(correct[i], seed, NULL));
            chance_clear(&never);
        }
    }
}

static void same_decisions_make_the_same_run(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 60; seed++) {
        struct chance one, same;

        chance_init(&one, seed, 3);
        chance_init(&same, seed, 3);
        assert_true(find_digest(&policy_stealing, seed, &one) ==
                    find_digest(&policy_stealing, seed, &same));
        assert_int_equal(one.asked[ORR_DECIDE_STEP],
                         same.asked[ORR_DECIDE_STEP]);
        chance_clear(&one);
        chance_clear(&same);
    }
}

/* The effects of a call on locks, and the number of decisions about it. */
struct operations {
    unsigned expected;
    void (*push)(struct orr_sched *sched, struct orr_task *task);
};

static void push_unlocked(struct orr_sched *sched, struct orr_task *task)
{
    struct central *central = orr_sched_state(sched);

    fifo_put(&central->list, task);
}

static void push_with_lock(struct orr_sched *sched, struct orr_task *task)
{
    const struct central *central = orr_sched_state(sched);

    orr_lock_acquire(central->lock);
    push_unlocked(sched, task);
    orr_lock_release(central->lock);
}

static void push_and_tell(struct orr_sched *sched, struct orr_task *task)
{
    const struct central *central = orr_sched_state(sched);

    push_unlocked(sched, task);
    orr_cond_signal(central->filled);
    orr_cond_broadcast(central->filled);
    orr_sched_wake(sched, 0);
}

static void push_if_free(struct orr_sched *sched, struct orr_task *task)
{
    const struct central *central = orr_sched_state(sched);

    push_unlocked(sched, task);
    if (orr_lock_try(central->lock))
        orr_lock_release(central->lock);
}

/* Before the first operation and after each. */
static void others_may_come_at_each_operation(void **state)
{
    static const struct operations cases[] = {
        {0, push_unlocked},
        {3, push_with_lock},
        {4, push_and_tell},
        {3, push_if_free},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct orr_sched_ops ops = policy_central;
        struct orr_config config;
        struct unit_run *unit;
        struct chance never;

        chance_init(&never, 1, G_MAXINT32 - 1);
        ops.push = cases[i].push;
        orr_config_init(&config);
        config.cpus = 1;
        config.gpus = 0;
        config.models = "overheads=off";
        config.policy = &ops;
        config.decider = &never.decider;
        unit = unit_run_new("three-gpus.xml", &config);
        unit_submit_bare(unit);
        assert_int_equal(never.asked[ORR_DECIDE_STEP], cases[i].expected);
        unit_run_free(unit);
        chance_clear(&never);
    }
}

static struct orr_task *pop_nothing(struct orr_sched *sched, unsigned worker)
{
    const struct central *central = orr_sched_state(sched);

    (void)worker;
    orr_lock_acquire(central->lock);
    orr_lock_release(central->lock);
    return NULL;
}

static struct orr_task *pop_and_wait(struct orr_sched *sched, unsigned worker)
{
    const struct central *central = orr_sched_state(sched);

    (void)worker;
    orr_lock_acquire(central->lock);
    orr_cond_wait(central->filled, central->lock);
    orr_lock_release(central->lock);
    return NULL;
}

static enum orr_hang_kind find_kind(const struct orr_sched_ops *policy)
{
    struct orr_config config;
    struct unit_run *unit;
    enum orr_hang_kind kind;

    orr_config_init(&config);
    config.cpus = 2;
    config.gpus = 0;
    config.policy = policy;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < 3; i++)
        unit_submit_bare(unit);
    assert_false(orr_run_wait(unit->run, NULL));
    kind = orr_run_hang(unit->run)->kind;
    unit_run_free(unit);
    return kind;
}

static void what_is_not_given_or_not_told_is_known(void **state)
{
    struct orr_sched_ops keeps = policy_central, mute = policy_central,
                         waits = policy_central;

    (void)state;
    keeps.pop = pop_nothing;
    mute.push = push_with_lock;
    waits.pop = pop_and_wait;
    assert_int_equal(find_kind(&keeps), ORR_HANG_NEVER_OFFERED);
    assert_int_equal(find_kind(&mute), ORR_HANG_TASKS_HELD);
    assert_int_equal(find_kind(&waits), ORR_HANG_LOST_WAKEUP);
}

ORR_TESTS(concurrent)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correct_policies_run_without_a_decider),
        cmocka_unit_test(correct_policies_finish_under_all_schedules),
        cmocka_unit_test(a_condition_wakes_whom_it_should_under_all_schedules),
        cmocka_unit_test(a_lost_wakeup_hangs_under_some_schedule_only),
        cmocka_unit_test(locks_in_two_orders_hang_under_some_schedule_only),
        cmocka_unit_test(it_is_told_of_each_start_and_end),
        cmocka_unit_test(a_decider_of_defaults_changes_nothing),
        cmocka_unit_test(same_decisions_make_the_same_run),
        cmocka_unit_test(others_may_come_at_each_operation),
        cmocka_unit_test(what_is_not_given_or_not_told_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

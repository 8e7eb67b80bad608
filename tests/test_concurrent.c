/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Concurrent policies: correct ones finish. */
#include "runtime/lock.h"
#include "runtime/run.h"
#include "tests/concurrent_policies.h"
#include "tests/random_run.h"

static const struct orr_sched_ops *const correct[] = {
    &policy_central,
    &policy_stealing,
};

/* A random graph on a random machine. */
static void run_plan(const struct orr_sched_ops *policy, uint32_t seed)
{
    struct random_plan plan;
    struct random_run random;

    random_plan_draw(&plan, NULL, seed);
    plan.config.policy = policy;
    random_run_begin(&random, &plan);
    random_run_finish(&random);
    assert_int_equal(random.unit->tasks->len,
                     random.unit->run->graph.submitted);
    random_run_end(&random);
}

static void correct_policies_finish(void **state)
{
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(correct); i++) {
        for (uint32_t seed = 0; seed < 60; seed++)
            run_plan(correct[i], seed);
    }
}

/* Tasks with every possibility to be told of, which are guarded by a lock. */
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
    struct orr_config config;
    struct unit_run *unit;

    (void)state;
    ops.state_size = sizeof(struct telling);
    ops.started = tell_started;
    ops.done = tell_done;
    orr_config_init(&config);
    config.policy = &ops;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < 30; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    telling = orr_sched_state(unit->run->sched);
    assert_int_equal(telling->started, 30);
    assert_int_equal(telling->done, 30);
    unit_run_free(unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correct_policies_finish),
        cmocka_unit_test(it_is_told_of_each_start_and_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

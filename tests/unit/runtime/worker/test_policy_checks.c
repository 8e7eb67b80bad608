/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Errors of policies in runs that finish. */
#include "models/base/error.h"
#include "runtime/config/run_config.h"
#include "runtime/diagnosis/hang.h"
#include "tests/support/unit_run.h"
#include "tests/zoo/fifo.h"

#define MS ((int64_t)1000000)

static void first_come_push(struct orr_sched *sched, struct orr_task *task)
{
    fifo_put(orr_sched_state(sched), task);
    fifo_wake_all(sched, task);
}

/* Lets the first worker alone do all work. */
static void lazy_push(struct orr_sched *sched, struct orr_task *task)
{
    fifo_put(orr_sched_state(sched), task);
    orr_sched_wake(sched, 0);
}

static void last_come_push(struct orr_sched *sched, struct orr_task *task)
{
    struct fifo *fifo = orr_sched_state(sched);

    task->next = fifo->first;
    fifo->first = task;
    if (!fifo->last)
        fifo->last = task;
    fifo_wake_all(sched, task);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    return fifo_take(sched, orr_sched_state(sched), worker);
}

static struct orr_task *lazy_pop(struct orr_sched *sched, unsigned worker)
{
    return worker == 0 ? pop(sched, worker) : NULL;
}

static const struct orr_sched_ops first_come = {
    .name = "first-come",
    .summary = "for a test",
    .state_size = sizeof(struct fifo),
    .priorities = true,
    .push = first_come_push,
    .pop = pop,
};

static const struct orr_sched_ops lazy = {
    .name = "lazy",
    .summary = "for a test",
    .state_size = sizeof(struct fifo),
    .priorities = true,
    .push = lazy_push,
    .pop = lazy_pop,
};

/* Lets the first two workers do all work. */
static void half_lazy_push(struct orr_sched *sched, struct orr_task *task)
{
    fifo_put(orr_sched_state(sched), task);
    orr_sched_wake(sched, 0);
    orr_sched_wake(sched, 1);
}

static struct orr_task *half_lazy_pop(struct orr_sched *sched, unsigned worker)
{
    return worker < 2 ? pop(sched, worker) : NULL;
}

static const struct orr_sched_ops half_lazy = {
    .name = "half-lazy",
    .summary = "for a test",
    .state_size = sizeof(struct fifo),
    .concurrent = true,
    .push = half_lazy_push,
    .pop = half_lazy_pop,
};

static const struct orr_sched_ops last_come = {
    .name = "last-come",
    .summary = "for a test",
    .state_size = sizeof(struct fifo),
    .priorities = true,
    .push = last_come_push,
    .pop = pop,
};

/* The error that the checks find with independent tasks of 1 ms with these
 * @priorities on @cpus; NULL: none. To be freed. */
static char *judge(struct orr_config *config, int cpus, const int *priorities,
                   unsigned count, const char *kind)
{
    struct unit_run *unit;
    g_autoptr(GError) error = NULL;

    config->cpus = cpus;
    config->gpus = 0;
    unit = unit_run_new("three-gpus.xml", config);
    for (unsigned i = 0; i < count; i++) {
        struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                     .priority = priorities[i]};

        orr_task_submit(unit->run, &spec);
    }
    orr_run_wait(unit->run, &error);
    unit_run_free(unit);
    if (error)
        assert_string_equal(orr_error_policy_kind(error), kind);
    return error ? g_strdup(error->message) : NULL;
}

/* Three tasks on the first of two CPUs: the last waits for 2 ms. */
static char *judge_wait(const struct orr_sched_ops *policy, int64_t limit)
{
    static const int priorities[] = {0, 0, 0};
    struct orr_config config;

    orr_config_init(&config);
    config.policy = policy;
    config.max_wait = limit;
    return judge(&config, 2, priorities, 3, "starvation");
}

static void a_task_waits_too_long_while_a_worker_sleeps(void **state)
{
    g_autofree char *said = judge_wait(&lazy, 3 * MS / 2);
    g_autofree char *patient = judge_wait(&lazy, 5 * MS / 2);
    g_autofree char *busy = judge_wait(&first_come, 3 * MS / 2);

    (void)state;
    assert_non_null(said);
    assert_non_null(strstr(said, "task 2 (unit) waited for 2"));
    assert_non_null(strstr(said, "while CPU1, which could run it, slept"));
    assert_null(patient);
    assert_null(busy);
}

/*
 * The first two of eight tasks run on CPU0 and CPU1, the third waits, although
 * CPU2 sleeps, and four more wait for the first. The window lets no other in
 * before three are left. The first ends, and CPU0 takes 4 us to push those that
 * waited for it; 1 us after it the second ends, and CPU1 takes the third. Then
 * the policy is blamed, and CPU0 calls it no more: the first task stays in the
 * window. That is no hang. Submissions take 1 us each: the third task waits for
 * 999 us.
 */
static void it_is_told_while_the_window_is_shut(void **state)
{
    struct orr_config config = unit_config(NULL, 3, 0);
    struct unit_run *unit;
    struct orr_data *datum;
    g_autoptr(GError) error = NULL;

    (void)state;
    config.policy = &half_lazy;
    config.max_wait = MS / 2;
    config.window.most = 6;
    config.window.least = 3;
    unit = unit_run_new("three-gpus.xml", &config);
    datum = orr_data_register(unit->run, 8);
    for (unsigned i = 0; i < 8; i++) {
        const struct orr_access access = {datum, i == 0 ? ORR_W : ORR_R};
        struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                     .count = i == 0 || i > 2,
                                     .accesses = &access};

        orr_task_submit(unit->run, &spec);
    }
    assert_false(orr_run_wait(unit->run, &error));
    assert_null(orr_run_hang(unit->run));
    assert_string_equal(orr_error_policy_kind(error), "starvation");
    assert_string_equal(error->message,
                        "policy half-lazy: task 2 (unit) waited for 999 us "
                        "while CPU2, which could run it, slept");
    unit_run_free(unit);
}

/* While the first task runs, two more are pushed; the one that is pushed first
 * is the more urgent one. */
static char *judge_order(const struct orr_sched_ops *policy, bool checks,
                         int last)
{
    const int priorities[] = {9, 5, last};
    struct orr_config config;

    orr_config_init(&config);
    config.policy = policy;
    config.check_priorities = checks;
    return judge(&config, 1, priorities, 3, "priority");
}

static void a_less_urgent_task_comes_first(void **state)
{
    g_autofree char *said = judge_order(&last_come, true, 1);
    g_autofree char *fine = judge_order(&first_come, true, 1);
    g_autofree char *equal = judge_order(&last_come, true, 5);
    g_autofree char *late = judge_order(&first_come, true, 7);
    g_autofree char *unasked = judge_order(&last_come, false, 1);

    (void)state;
    assert_non_null(said);
    assert_non_null(strstr(said, "CPU0 got task 2 (unit) of priority 1, "
                                 "although it could have run task 1 (unit) of "
                                 "priority 5"));
    assert_null(fine);
    assert_null(equal);
    assert_non_null(late);
    assert_null(unasked);
}

/* Fails with the second task, and takes the third nevertheless. */
static struct orr_task *failing_pop(struct orr_sched *sched, unsigned worker)
{
    struct orr_task *task = pop(sched, worker);

    if (task && task->id == 1)
        orr_sched_fail(sched, "does not know task 1");
    if (task && task->id == 2)
        orr_sched_fail(sched, "does not know task 2");
    return task;
}

static void a_policy_ends_the_run_and_returns(void **state)
{
    static const struct orr_sched_ops failing = {
        .name = "failing",
        .summary = "for a test",
        .state_size = sizeof(struct fifo),
        .push = first_come_push,
        .pop = failing_pop,
    };
    struct unit_run *unit;
    struct orr_config config;
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_config_init(&config);
    config.policy = &failing;
    config.cpus = 1;
    config.gpus = 0;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < 5; i++) {
        struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit};

        orr_task_submit(unit->run, &spec);
    }
    assert_false(orr_run_wait(unit->run, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_POLICY));
    assert_string_equal(error->message, "policy failing: does not know task 1");
    assert_int_equal(orr_run_report(unit->run)->tasks, 1);
    unit_run_free(unit);
}

ORR_TESTS(oracle)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_ends_the_run_and_returns),
        cmocka_unit_test(a_task_waits_too_long_while_a_worker_sleeps),
        cmocka_unit_test(it_is_told_while_the_window_is_shut),
        cmocka_unit_test(a_less_urgent_task_comes_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

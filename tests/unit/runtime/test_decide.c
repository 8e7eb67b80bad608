/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs in which the program decides. */
#include "sched/registry.h"
#include "tests/support/unit_run.h"

static struct unit_run *decided_run(int cpus, int gpus)
{
    struct orr_config config = unit_config(NULL, cpus, gpus);

    config.policy = orr_sched_decide();
    return unit_run_new("three-gpus.xml", &config);
}

static const struct orr_sched_decision *next(struct unit_run *unit)
{
    g_autoptr(GError) error = NULL;
    const struct orr_sched_decision *decision =
        orr_run_decide(unit->run, &error);

    if (error)
        fail_msg("%s", error->message);
    return decision;
}

static void expect_end(struct unit_run *unit, uint64_t tasks)
{
    assert_null(next(unit));
    assert_int_equal(orr_run_report(unit->run)->tasks, tasks);
    assert_int_equal(unit->tasks->len, tasks);
}

static void expect_error(struct unit_run *unit, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_null(orr_run_decide(unit->run, &error));
    if (!error || !strstr(error->message, message))
        fail_msg("%s: expected %s", error ? error->message : "no error",
                 message);
}

/* A CPU worker holds one task: it asks when a task is ready, and when its
 * kernel has ended. */
static void decisions_of_one_worker(void **state)
{
    struct unit_run *unit = decided_run(1, 0);
    const struct orr_sched_decision *decision;

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        unit_submit_bare(unit);
    decision = next(unit);
    assert_int_equal(decision->worker, 0);
    assert_int_equal(decision->count, 1);
    assert_int_equal(decision->tasks[0]->id, 0);
    assert_string_equal(decision->tasks[0]->kernel, "unit");
    assert_int_equal(orr_sched_duration(decision->sched, decision->tasks[0], 0),
                     1000000);
    orr_run_choose(unit->run, 0);
    decision = next(unit);
    assert_int_equal(decision->count, 2);
    assert_int_equal(decision->tasks[0]->id, 1);
    assert_int_equal(decision->tasks[1]->id, 2);
    orr_run_choose(unit->run, 0);
    orr_run_choose(unit->run, 1); /* the last choice counts */
    decision = next(unit);
    assert_int_equal(decision->count, 1);
    assert_int_equal(decision->tasks[0]->id, 1);
    orr_run_choose(unit->run, 0);
    expect_end(unit, 3);
    assert_int_equal(unit_task(unit, 0)->order, 0);
    assert_int_equal(unit_task(unit, 1)->order, 2);
    assert_int_equal(unit_task(unit, 2)->order, 1);
    unit_run_free(unit);
}

/* A worker that gets no task is not asked again before something has
 * happened; the other one is. */
static void declined(void **state)
{
    struct unit_run *unit = decided_run(2, 0);
    const struct orr_sched_decision *decision;
    unsigned first;

    (void)state;
    unit_submit_bare(unit);
    unit_submit_bare(unit);
    decision = next(unit);
    assert_int_equal(decision->count, 1);
    first = decision->worker;
    decision = next(unit); /* no choice before it; both tasks are ready now */
    assert_int_equal(decision->worker, 1 - first);
    assert_int_equal(decision->count, 2);
    orr_run_choose(unit->run, 0);
    decision = next(unit); /* another task is ready */
    assert_int_equal(decision->worker, first);
    assert_int_equal(decision->tasks[0]->id, 1);
    decision = next(unit); /* the first task has ended */
    assert_int_equal(decision->tasks[0]->id, 1);
    orr_run_choose(unit->run, 0);
    expect_end(unit, 2);
    unit_run_free(unit);
}

static void all_declined(void **state)
{
    struct unit_run *unit = decided_run(2, 0);

    (void)state;
    unit_submit_bare(unit);
    assert_non_null(next(unit));
    assert_non_null(next(unit));
    expect_error(unit, "policy decide");
    expect_error(unit, "policy decide");
    unit_run_free(unit);
}

/* Tasks that are submitted between decisions, and after the end. */
static void submissions_between(void **state)
{
    struct unit_run *unit = decided_run(1, 0);

    (void)state;
    assert_null(next(unit));
    unit_submit_bare(unit);
    assert_int_equal(next(unit)->tasks[0]->id, 0);
    unit_submit_bare(unit);
    orr_run_choose(unit->run, 0);
    assert_int_equal(next(unit)->tasks[0]->id, 1);
    orr_run_choose(unit->run, 0);
    expect_end(unit, 2);
    unit_submit_bare(unit);
    assert_int_equal(next(unit)->tasks[0]->id, 2);
    orr_run_choose(unit->run, 0);
    expect_end(unit, 3);
    /* 1 us to submit each: the second one while the first one runs */
    assert_true(unit_task(unit, 1)->submitted <
                unit_task(unit, 0)->kernel_ended);
    unit_run_free(unit);
}

/* Five rounds over twelve data: each task reads one and updates another. */
static void submit_graph(struct unit_run *unit)
{
    struct orr_data *data[12];

    for (unsigned i = 0; i < G_N_ELEMENTS(data); i++)
        data[i] = orr_data_register(unit->run, 1000000);
    for (unsigned round = 0; round < 5; round++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(data); i++)
            unit_submit_pair(unit, data[(i * 7 + round) % 12],
                             data[(i + round + 5) % 12]);
    }
}

/* To take the oldest task always is the policy eager, to the nanosecond. */
static void oldest_first(const char *models)
{
    /* a copy, which is no built-in policy: not in lock-step */
    const struct orr_sched_ops copy = *orr_sched_find("eager");
    struct orr_config config = unit_config(NULL, 3, 2);
    struct unit_run *eager, *unit;
    uint64_t decisions = 0;

    config.models = models;
    config.policy = &copy;
    eager = unit_run_new("three-gpus.xml", &config);
    config.policy = orr_sched_decide();
    unit = unit_run_new("three-gpus.xml", &config);
    submit_graph(eager);
    unit_wait(eager);
    submit_graph(unit);
    while (next(unit)) {
        orr_run_choose(unit->run, 0);
        decisions++;
    }
    assert_int_equal(decisions, 60);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns,
                     orr_run_report(eager->run)->makespan_ns);
    assert_int_equal(orr_run_report(unit->run)->digest,
                     orr_run_report(eager->run)->digest);
    unit_run_free(unit);
    unit_run_free(eager);
}

static void equals_eager(void **state)
{
    (void)state;
    oldest_first(NULL);
    oldest_first("quirks=off");
    oldest_first("overheads=off");
}

/* A run is freed in the middle of a decision. */
static void freed_early(void **state)
{
    struct unit_run *unit = decided_run(1, 1);

    (void)state;
    submit_graph(unit);
    assert_non_null(next(unit));
    orr_run_choose(unit->run, 0);
    assert_non_null(next(unit));
    unit_run_free(unit);
}

static void wrong_calls(void **state)
{
    struct unit_run *unit = decided_run(1, 0);
    struct unit_run *eager = unit_run_on("eager", 1, 0);
    struct orr_config config = unit_config(NULL, 1, 0);
    g_autoptr(GError) error = NULL;

    (void)state;
    unit_submit_bare(unit);
    assert_non_null(next(unit));
    orr_run_choose(unit->run, 1);
    expect_error(unit, "task 1 is chosen, but the decision has 1 tasks");
    unit_run_free(unit);

    unit = decided_run(1, 0);
    unit_submit_bare(unit);
    assert_false(orr_run_wait(unit->run, &error));
    assert_non_null(strstr(error->message, "only orr_run_decide() waits"));
    g_clear_error(&error);
    unit_run_free(unit);

    expect_error(eager, "the policy of the run is eager");
    unit_run_free(eager);

    unit = decided_run(1, 0);
    orr_run_keep_for_bounds(unit->run);
    unit_submit_bare(unit);
    expect_error(unit, "keeps its tasks for bounds");
    unit_wait(unit);
    unit_run_free(unit);

    config.platform = "attila";
    config.policy = orr_sched_decide();
    config.window.most = 5;
    assert_null(orr_run_new(&config, &error));
    assert_string_equal(error->message, "window: the policy decide has none");
}

ORR_TESTS(decide)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decisions_of_one_worker),
        cmocka_unit_test(declined),
        cmocka_unit_test(all_declined),
        cmocka_unit_test(submissions_between),
        cmocka_unit_test(equals_eager),
        cmocka_unit_test(freed_early),
        cmocka_unit_test(wrong_calls),
    };

    return cmocka_run_group_tests_name("decide", tests, NULL, NULL);
}

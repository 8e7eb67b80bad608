/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions of the application that are called at the ends of tasks. */
#include "runtime/config/run_config.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

/* The submissions of a callback. */
struct plan {
    struct unit_run *unit;
    struct orr_data *data;
    bool regenerates; /* callbacks submit the same task again */
    unsigned calls;   /* so far */
    unsigned chain;   /* tasks that each submit the next one */
    int64_t called;   /* date of the last call */
};

static void go_on(struct orr_run *run, void *data);

static void submit_next(struct plan *plan, bool regenerated)
{
    const struct orr_access access = {plan->data, ORR_RW};
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,        .kernel = plan->unit->unit,
        .name = "chain",           .count = 1,
        .accesses = &access,       .callback = go_on,
        .callback_data = plan,     .unordered = plan->regenerates,
        .regenerated = regenerated};

    orr_task_submit(plan->unit->run, &spec);
}

static void go_on(struct orr_run *run, void *data)
{
    struct plan *plan = data;

    plan->calls++;
    plan->called = run->engine.now;
    if (plan->chain-- > 0)
        submit_next(plan, plan->regenerates);
}

static void check_chain(const char *models, bool regenerates, int64_t each)
{
    struct orr_config config = unit_config("eager", 1, 0);
    struct plan plan = {.chain = 3, .regenerates = regenerates};

    config.models = models;
    plan.unit = unit_run_new("three-gpus.xml", &config);
    plan.data = orr_data_register(plan.unit->run, 1000);
    submit_next(&plan, false);
    unit_wait(plan.unit);
    assert_int_equal(plan.calls, 4);
    assert_int_equal(plan.unit->tasks->len, 4);
    for (unsigned i = 1; i < 4; i++)
        assert_int_equal(unit_task(plan.unit, i)->started -
                             unit_task(plan.unit, i - 1)->ended,
                         each);
    unit_run_free(plan.unit);
}

/* The worker submits the next one: 1 us to push it, and 1 us more to submit it.
 * Between two tasks with a datum are 2 us anyway. */
static void each_task_may_submit_the_next(void **state)
{
    (void)state;
    check_chain("overheads=off", false, 0);
    check_chain(NULL, false, 4 * US);
}

/* Only the push of the next one takes 1 us. */
static void a_task_may_be_regenerated(void **state)
{
    (void)state;
    check_chain("overheads=off", true, 0);
    check_chain(NULL, true, 3 * US);
    if (orr_turns_lockstep)
        check_chain("quirks=exact", true, 3 * US);
}

static void only_callbacks_regenerate(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .regenerated = true};
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_task_submit(unit->run, &spec);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message, "task 0 (unit): it is regenerated, but "
                                        "no callback submits it");
    unit_run_free(unit);
}

static void submit_ordered(struct orr_run *run, void *data)
{
    const struct orr_access access = {((struct plan *)data)->data, ORR_R};
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT, .kernel = ((struct plan *)data)->unit->unit,
        .count = 1, .accesses = &access, .regenerated = true};

    orr_task_submit(run, &spec);
}

static void regenerated_accesses_are_unordered(void **state)
{
    struct plan plan = {.unit = unit_run_on("eager", 1, 0)};
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = plan.unit->unit,
                                 .callback = submit_ordered,
                                 .callback_data = &plan};
    g_autoptr(GError) error = NULL;

    (void)state;
    plan.data = orr_data_register(plan.unit->run, 1000);
    orr_task_submit(plan.unit->run, &spec);
    assert_false(orr_run_wait(plan.unit->run, &error));
    assert_string_equal(error->message, "task 1 (unit): it is regenerated, but "
                                        "its accesses are ordered");
    unit_run_free(plan.unit);
}

static void note_call(struct orr_run *run, void *data)
{
    *(int64_t *)data = run->engine.now;
}

/* Those that wait for the task come first: 1 us each, to be pushed. */
static void it_comes_after_the_successors(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    int64_t called = 0;
    struct orr_data *data = orr_data_register(unit->run, 1000);
    const struct orr_access access = {data, ORR_RW};
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,  .kernel = unit->unit,  .count = 1,
        .accesses = &access, .callback = note_call, .callback_data = &called};

    (void)state;
    orr_task_submit(unit->run, &spec);
    unit_submit(unit, data, ORR_R);
    unit_wait(unit);
    assert_int_equal(called, unit_task(unit, 0)->ended + 1 * US);
    unit_run_free(unit);
}

/* Its task has no worker: it is called when the last of those before ends. */
static void tasks_that_synchronise_call_too(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    int64_t called = 0;
    struct orr_data *data = orr_data_register(unit->run, 1000);
    const struct orr_access access = {data, ORR_RW};
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,      .synchronises = true,  .count = 1,
        .accesses = &access,     .coordinate_count = 2, .callback = note_call,
        .callback_data = &called};

    (void)state;
    unit_submit(unit, data, ORR_RW);
    orr_task_submit(unit->run, &spec);
    unit_wait(unit);
    assert_int_equal(called, unit_task(unit, 0)->ended + 1 * US);
    unit_run_free(unit);
}

static void submit_many(struct orr_run *run, void *data)
{
    (void)run;
    for (unsigned i = 0; i < 5; i++)
        unit_submit_bare(data);
}

/* The window would never open for the worker that would have to open it. */
static void no_window_delays_them(void **state)
{
    struct orr_config config = unit_with_window(1);
    struct unit_run *unit = unit_run_new("three-gpus.xml", &config);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .callback = submit_many,
                                 .callback_data = unit};

    (void)state;
    orr_task_submit(unit->run, &spec);
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, 6);
    unit_run_free(unit);
}

/* The worker submits number 1 while the application waits for its window, to
 * submit number 2. */
static void each_task_has_a_number_of_its_own(void **state)
{
    struct orr_config config = unit_with_window(1);
    struct unit_run *unit = unit_run_new("three-gpus.xml", &config);
    struct plan plan = {.unit = unit, .chain = 1};
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit};

    (void)state;
    plan.data = orr_data_register(unit->run, 1000);
    submit_next(&plan, false);
    assert_int_equal(orr_task_submit(unit->run, &spec), 2);
    unit_wait(unit);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(unit_task(unit, i)->order, i);
    unit_run_free(unit);
}

static void wait_in_it(struct orr_run *run, void *data)
{
    (void)data;
    assert_false(orr_run_wait_task(run, 0, NULL));
    assert_false(orr_run_wait(run, NULL));
}

static void acquire_in_it(struct orr_run *run, void *data)
{
    assert_false(orr_data_acquire(run, data, ORR_R, NULL));
}

static void check_refusal(void (*callback)(struct orr_run *, void *))
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT, .kernel = unit->unit, .callback = callback,
        .callback_data = orr_data_register(unit->run, 1000)};
    g_autoptr(GError) error = NULL;

    orr_task_submit(unit->run, &spec);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message,
                        "the application waits, sleeps, acquires or "
                        "unregisters data in a callback");
    unit_run_free(unit);
}

static void it_may_not_wait(void **state)
{
    (void)state;
    check_refusal(wait_in_it);
    check_refusal(acquire_in_it);
}

ORR_TESTS(callback)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_may_submit_the_next),
        cmocka_unit_test(a_task_may_be_regenerated),
        cmocka_unit_test(only_callbacks_regenerate),
        cmocka_unit_test(regenerated_accesses_are_unordered),
        cmocka_unit_test(it_comes_after_the_successors),
        cmocka_unit_test(tasks_that_synchronise_call_too),
        cmocka_unit_test(no_window_delays_them),
        cmocka_unit_test(each_task_has_a_number_of_its_own),
        cmocka_unit_test(it_may_not_wait),
    };

    return cmocka_run_group_tests_name("callback", tests, NULL, NULL);
}

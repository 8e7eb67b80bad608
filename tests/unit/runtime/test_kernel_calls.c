/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels that are functions of the application. */
#include <limits.h>
#include <string.h>

#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define MS ((int64_t)1000000)

/* A kernel, and what it finds when it is called. */
struct kernel {
    int64_t takes; /* below 0: it does not say */
    int64_t date;
    unsigned worker;
};

static void call(struct orr_run *run, void *data)
{
    struct kernel *kernel = data;

    kernel->date = orr_run_now(run);
    kernel->worker = orr_run_acting_worker(run);
    if (kernel->takes >= 0)
        orr_kernel_takes(run, kernel->takes);
}

static void submit(struct unit_run *unit, struct kernel *kernel)
{
    const struct orr_task_calls calls = {ORR_TASK_CALLS_INIT,
                                         .kernel = {call, kernel}};
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                       .calls = &calls};

    orr_task_submit(unit->run, &spec);
}

static struct unit_run *begin(int cpus, int gpus, const char *models)
{
    struct orr_config config = unit_config("eager", cpus, gpus);

    config.models = models;
    return unit_run_new("three-gpus.xml", &config);
}

static void they_say_how_long_they_take(void **state)
{
    struct kernel kernels[] = {{.takes = 30 * US}, {.takes = 0}, {.takes = -1}};
    struct unit_run *unit = begin(1, 0, "overheads=off");

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(kernels); i++)
        submit(unit, &kernels[i]);
    unit_wait(unit);
    assert_int_equal(kernels[0].date, 0);
    assert_int_equal(kernels[1].date, 30 * US);
    assert_int_equal(kernels[2].date, 30 * US);
    assert_int_equal(kernels[2].worker, 0);
    assert_int_equal(orr_run_now(unit->run), 30 * US + MS);
    assert_int_equal(unit_task(unit, 0)->ended - unit_task(unit, 0)->started,
                     30 * US);
    assert_int_equal(orr_run_acting_worker(unit->run), UINT_MAX);
    unit_run_free(unit);
}

/* A GPU otherwise starts a task while it runs another one. */
static void they_begin_when_a_gpu_is_free(void **state)
{
    static const char *const models[] = {"overheads=off", "quirks=exact"};

    (void)state;
    for (unsigned m = 0; m < G_N_ELEMENTS(models); m++) {
        struct kernel kernels[] = {{.takes = 30 * US}, {.takes = 50 * US}};
        struct unit_run *unit = begin(0, 1, models[m]);

        for (unsigned i = 0; i < G_N_ELEMENTS(kernels); i++)
            submit(unit, &kernels[i]);
        unit_wait(unit);
        assert_true(kernels[1].date >= kernels[0].date + 30 * US);
        assert_int_equal(unit->tasks->len, 2);
        assert_int_equal(unit_task(unit, 1)->ended, kernels[1].date + 50 * US);
        unit_run_free(unit);
    }
}

/* What an epilogue finds. */
struct execution {
    bool known;
    unsigned worker;
    int64_t started_ns, ended_ns;
};

static void note_execution(struct orr_run *run, void *data)
{
    struct execution *execution = data;

    execution->known = orr_run_execution(
        run, &execution->worker, &execution->started_ns, &execution->ended_ns);
}

/* Two CPUs run three tasks of 1 ms. */
static void epilogues_know_the_execution(void **state)
{
    struct execution executions[3] = {{.known = false}}, none;
    struct unit_run *unit = begin(2, 0, "overheads=off");

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(executions); i++) {
        const struct orr_task_calls calls = {
            ORR_TASK_CALLS_INIT, .epilogue = {note_execution, &executions[i]}};

        orr_task_submit(unit->run, &(struct orr_task_spec){ORR_TASK_SPEC_INIT,
                                                           .kernel = unit->unit,
                                                           .calls = &calls});
    }
    unit_wait(unit);
    for (unsigned i = 0; i < G_N_ELEMENTS(executions); i++) {
        assert_true(executions[i].known);
        assert_int_equal(executions[i].started_ns, i / 2 * MS);
        assert_int_equal(executions[i].ended_ns, (i / 2 + 1) * MS);
    }
    assert_int_not_equal(executions[0].worker, executions[1].worker);
    note_execution(unit->run, &none);
    assert_false(none.known);
    unit_run_free(unit);
}

static void expect_error(struct unit_run *unit, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    if (!strstr(error->message, message))
        fail_msg("%s", error->message);
    unit_run_free(unit);
}

static void take_wrongly(struct orr_run *run, void *data)
{
    (void)data;
    orr_kernel_takes(run, 1);
}

static void wrong_calls_are_refused(void **state)
{
    const struct orr_task_calls calls = {ORR_TASK_CALLS_INIT,
                                         .kernel = {take_wrongly, NULL}};
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .synchronises = true,
                                       .calls = &calls};
    struct kernel too_long = {.takes = INT64_MAX};
    struct unit_run *unit = begin(1, 0, NULL);

    (void)state;
    orr_kernel_takes(unit->run, 1);
    expect_error(unit, "orr_kernel_takes() is called in no kernel");

    unit = begin(1, 0, NULL);
    submit(unit, &too_long);
    expect_error(unit, "a kernel takes 9223372036854775807 ns");

    unit = begin(1, 0, NULL);
    orr_task_submit(unit->run, &spec);
    expect_error(unit, "it synchronises, but is a kernel of the application");
}

ORR_TESTS(kernel_calls)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_say_how_long_they_take),
        cmocka_unit_test(they_begin_when_a_gpu_is_free),
        cmocka_unit_test(epilogues_know_the_execution),
        cmocka_unit_test(wrong_calls_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

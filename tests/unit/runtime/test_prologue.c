/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions of the application that are called while a task is on its way. */
#include "models/base/error.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

/* The dates of the calls of one task, and what its prologue submits. */
struct dates {
    int64_t prologue, prologue_pop, epilogue, callback;
    struct unit_run *submits; /* a task "added"; NULL: none */
};

static void note(struct orr_run *run, void *data)
{
    assert_int_equal(*(int64_t *)data, 0);
    *(int64_t *)data = orr_run_now(run);
}

static void submit_named(struct unit_run *unit, const char *name)
{
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .name = name};

    orr_task_submit(unit->run, &spec);
}

static void note_prologue(struct orr_run *run, void *data)
{
    struct dates *dates = data;

    note(run, &dates->prologue);
    if (dates->submits)
        submit_named(dates->submits, "added");
}

static struct orr_task_calls calls_of(struct dates *dates)
{
    return (struct orr_task_calls){
        ORR_TASK_CALLS_INIT,
        .prologue = {note_prologue, dates},
        .prologue_pop = {note, &dates->prologue_pop},
        .epilogue = {note, &dates->epilogue},
    };
}

/* Submits a task with calls that updates @data; NULL: none. */
static void submit_calling(struct unit_run *unit, struct dates *dates,
                           struct orr_data *data, bool synchronises)
{
    const struct orr_task_calls calls = calls_of(dates);
    const struct orr_access access = {data, ORR_RW};
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = synchronises ? NULL : unit->unit,
        .name = "calling",
        .synchronises = synchronises,
        .count = data != NULL,
        .accesses = &access,
        .coordinate_count = 1,
        .callback = note,
        .callback_data = &dates->callback,
        .calls = &calls,
    };

    orr_task_submit(unit->run, &spec);
}

static const struct orr_trace_task *find(const struct unit_run *unit,
                                         const char *name)
{
    unsigned i = 0;

    while (strcmp(unit_task(unit, i)->name, name) != 0)
        i++;
    return unit_task(unit, i);
}

/* A push takes 1 us, of the task and of its successor. */
static void each_has_its_place(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    struct dates dates = {0};
    const struct orr_trace_task *task;

    (void)state;
    submit_calling(unit, &dates, data, false);
    unit_submit(unit, data, ORR_R);
    unit_wait(unit);
    task = find(unit, "calling");
    assert_int_equal(dates.prologue, 1 * US);
    assert_int_equal(dates.prologue_pop, task->taken);
    assert_int_equal(dates.epilogue, task->ended);
    assert_int_equal(dates.callback, task->ended + 1 * US);
    unit_run_free(unit);
}

/* The application, which pushes the task, pushes and submits the other one
 * first: 1 us each. A worker takes a task 1 us after its push. */
static void a_prologue_may_submit_tasks(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 2, 0);
    struct dates dates = {.submits = unit};

    (void)state;
    submit_calling(unit, &dates, NULL, false);
    unit_wait(unit);
    assert_int_equal(find(unit, "added")->taken, 3 * US);
    assert_int_equal(find(unit, "calling")->taken, 4 * US);
    unit_run_free(unit);
}

/* The worker that ends the task before pushes it: 1 us. */
static void tasks_that_synchronise_call_too(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    struct dates dates = {0};
    int64_t ended;

    (void)state;
    unit_submit(unit, data, ORR_RW);
    submit_calling(unit, &dates, data, true);
    unit_submit(unit, data, ORR_R);
    unit_wait(unit);
    ended = unit_task(unit, 0)->ended;
    assert_int_equal(dates.prologue, ended + 1 * US);
    assert_int_equal(dates.prologue_pop, ended + 1 * US);
    assert_int_equal(dates.epilogue, ended + 1 * US);
    assert_int_equal(dates.callback, ended + 2 * US);
    unit_run_free(unit);
}

/* The task "child", of 1000 us on the other worker, starts when the task ends.
 */
static void the_epilogue_comes_after_end_dependencies(void **state)
{
    const uint64_t child = 7, parent = 3;

    (void)state;
    for (unsigned synchronises = 0; synchronises < 2; synchronises++) {
        struct orr_config config = unit_config("eager", 2, 0);
        struct unit_run *unit;
        struct dates dates = {0};
        const struct orr_task_calls calls = calls_of(&dates);
        struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .tag = parent,
                                     .end_tags = &child, .end_count = 1,
                                     .calls = &calls};
        struct orr_task_spec first = {ORR_TASK_SPEC_INIT, .tag = child};

        config.models = "overheads=off";
        unit = unit_run_new("three-gpus.xml", &config);
        spec.synchronises = synchronises;
        spec.kernel = synchronises ? NULL : unit->unit;
        first.kernel = unit->unit;
        orr_task_submit(unit->run, &spec);
        assert_true(orr_run_sleep(unit->run, 500 * US, NULL));
        orr_task_submit(unit->run, &first);
        unit_wait(unit);
        assert_int_equal(dates.epilogue, 1500 * US);
        unit_run_free(unit);
    }
}

/* 20 accesses, one of them to a datum twice. */
static void a_task_may_have_many_accesses(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_access accesses[20];
    const struct orr_trace_task *ended;
    struct dates dates = {0};
    const struct orr_task_calls calls = calls_of(&dates);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .name = "calling", .accesses = accesses,
                                 .calls = &calls};

    (void)state;
    for (spec.count = 0; spec.count < 20; spec.count++)
        accesses[spec.count] = (struct orr_access){
            spec.count == 19 ? accesses[0].data
                             : orr_data_register(unit->run, 1000),
            ORR_RW};
    for (; spec.count > 0; spec.count--) {
        dates = (struct dates){0};
        orr_task_submit(unit->run, &spec);
        unit_wait(unit);
        ended = unit_task(unit, unit->tasks->len - 1);
        assert_int_equal(dates.prologue_pop, ended->taken);
        assert_int_equal(dates.epilogue, ended->ended);
        assert_true(dates.prologue <= dates.prologue_pop);
    }
    unit_run_free(unit);
}

/* As with the plain interleaving. */
static void they_are_called_in_lock_step(void **state)
{
    struct orr_config config = unit_config("eager", 1, 0);
    struct unit_run *unit;
    struct dates dates = {0};

    (void)state;
    if (!orr_turns_lockstep)
        skip();
    config.models = "quirks=exact";
    unit = unit_run_new("three-gpus.xml", &config);
    submit_calling(unit, &dates, NULL, false);
    unit_wait(unit);
    assert_int_equal(dates.prologue, 1 * US);
    assert_int_equal(dates.prologue_pop, find(unit, "calling")->taken);
    assert_int_equal(dates.epilogue, find(unit, "calling")->ended);
    assert_int_equal(dates.callback, find(unit, "calling")->ended);
    unit_run_free(unit);
}

static void wait_in_it(struct orr_run *run, void *data)
{
    (void)data;
    assert_false(orr_run_wait(run, NULL));
}

static char *complaint_about(struct orr_task_calls *calls)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .calls = calls};
    g_autoptr(GError) error = NULL;

    orr_task_submit(unit->run, &spec);
    assert_false(orr_run_wait(unit->run, &error));
    unit_run_free(unit);
    return g_strdup(error->message);
}

static void what_is_wrong_is_refused(void **state)
{
    struct orr_task_calls calls = {.prologue = {wait_in_it, NULL}};
    g_autofree char *sized = NULL, *waits = NULL;

    (void)state;
    sized = complaint_about(&calls);
    assert_string_equal(sized, "task 0: the size of struct orr_task_calls is "
                               "0: begin it with ORR_TASK_CALLS_INIT");
    calls.size = sizeof(calls);
    waits = complaint_about(&calls);
    assert_string_equal(waits, "the application waits, sleeps, acquires or "
                               "unregisters data in a callback");
}

ORR_TESTS(prologue)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_its_place),
        cmocka_unit_test(a_prologue_may_submit_tasks),
        cmocka_unit_test(tasks_that_synchronise_call_too),
        cmocka_unit_test(the_epilogue_comes_after_end_dependencies),
        cmocka_unit_test(a_task_may_have_many_accesses),
        cmocka_unit_test(they_are_called_in_lock_step),
        cmocka_unit_test(what_is_wrong_is_refused),
    };

    return cmocka_run_group_tests_name("prologue", tests, NULL, NULL);
}

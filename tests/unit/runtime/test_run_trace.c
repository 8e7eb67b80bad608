/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The records that a trace gets. */
#include "runtime/config/run_config.h"
#include "runtime/orrery.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define BYTES 4000000
#define LARGE 5000000 /* a buffer of its own: suballoc.h */

/* A GPU starts the second kernel when the first ends; its driver sees that
 * after it has pushed the third task, which awaits the first. */
static void kernels_have_dates_of_their_own(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 0, 1);
    struct orr_data *data = orr_data_register(unit->run, BYTES);
    const struct orr_trace_task *tasks[3];

    (void)state;
    unit_submit(unit, data, ORR_RW);
    unit_submit_bare(unit);
    unit_submit(unit, data, ORR_R);
    unit_wait(unit);
    for (unsigned i = 0; i < 3; i++) {
        tasks[i] = unit_task(unit, i);
        assert_int_equal(tasks[i]->kernel_ended - tasks[i]->kernel_started,
                         1000 * US);
        assert_true(tasks[i]->kernel_ended <= tasks[i]->ended);
    }
    assert_int_equal(tasks[1]->kernel_started, tasks[0]->kernel_ended);
    assert_int_equal(tasks[1]->started, tasks[0]->ended + 1 * US);
    unit_run_free(unit);
}

/* The first task of a GPU waits for its datum, which has the links alone. */
static void a_trace_tells_what_a_task_waited_for(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    struct orr_data *data = orr_data_register(unit->run, BYTES);
    const struct orr_trace_task *task;
    const struct orr_trace_copy *copy;

    (void)state;
    assert_true(
        orr_kernel_set_where(unit->run, unit->unit, ORR_WHERE_GPU, NULL));
    unit_submit(unit, data, ORR_R);
    unit_wait(unit);
    task = unit_task(unit, 0);
    copy = &g_array_index(unit->copies, struct orr_trace_copy, 0);
    assert_int_equal(task->memory_nodes, 2);
    assert_true(task->ready <= task->taken);
    assert_true(task->taken <= copy->started);
    assert_true(copy->ended <= task->arrived);
    assert_true(task->arrived <= task->kernel_started);
    assert_int_equal(copy->from_node, 0);
    assert_int_equal(copy->to_node, 1);
    assert_int_equal(copy->alone, 410 * US); /* 10 us, 10 GB/s */
    unit_run_free(unit);
}

/* A GPU gets its datum by one copy. */
static void a_trace_tells_names(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 0, 1);
    struct orr_data *data = orr_data_register(unit->run, BYTES);

    (void)state;
    unit_submit(unit, data, ORR_R);
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, 1);
    assert_string_equal(unit_task(unit, 0)->kernel, "unit");
    assert_string_equal(unit_task(unit, 0)->worker_name, "CUDA0");
    unit_run_free(unit);
}

/* Of three data, a GPU has room for two: the first one goes before the third
 * comes. */
static void a_trace_tells_of_buffers(void **state)
{
    struct orr_config config = unit_config("eager", 0, 1);
    struct unit_run *unit;
    const struct orr_trace_allocation *allocations;
    const struct orr_trace_eviction *eviction;

    (void)state;
    config.gpu_memory_bytes = (uint64_t)5 * LARGE / 2;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < 3; i++) {
        unit_submit(unit, orr_data_register(unit->run, LARGE), ORR_R);
        unit_wait(unit);
    }
    assert_int_equal(unit->allocations->len, 3);
    assert_int_equal(unit->evictions->len, 1);
    allocations = (const void *)unit->allocations->data;
    eviction = (const void *)unit->evictions->data;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(allocations[i].memory_node, 1);
        assert_int_equal(allocations[i].datum.number, i);
        assert_int_equal(allocations[i].datum.bytes, LARGE);
    }
    assert_int_equal(eviction->memory_node, 1);
    assert_int_equal(eviction->datum.number, 0);
    assert_true(allocations[1].date < eviction->date);
    assert_true(eviction->date <= allocations[2].date);
    unit_run_free(unit);
}

/* The second task awaits the first; a third one is ready at once. */
static void a_trace_tells_how_many_tasks_are_ready(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_data *data = orr_data_register(unit->run, BYTES);
    const struct orr_trace_ready *ready;
    uint64_t most = 0;

    (void)state;
    unit_submit(unit, data, ORR_RW);
    unit_submit(unit, data, ORR_RW);
    unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(unit->ready->len, 6); /* each comes, and is taken */
    ready = (const void *)unit->ready->data;
    for (unsigned i = 0; i < 6; i++) {
        assert_true(i == 0 || ready[i].date >= ready[i - 1].date);
        most = MAX(most, ready[i].count);
    }
    assert_int_equal(ready[0].date, unit_task(unit, 0)->ready);
    assert_int_equal(ready[0].count, 1);
    assert_int_equal(ready[5].date, unit_task(unit, 2)->taken);
    assert_int_equal(ready[5].count, 0);
    assert_int_equal(most, 2);
    unit_run_free(unit);
}

static void a_trace_may_lack_functions(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 0, 1);
    struct orr_data *data = orr_data_register(unit->run, BYTES);

    (void)state;
    unit->run->totals.calls = (struct orr_trace){ORR_TRACE_INIT, .task = NULL};
    unit_submit(unit, data, ORR_R);
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, 0);
    assert_int_equal(unit->copies->len, 0);
    assert_int_equal(orr_run_report(unit->run)->copies, 1);
    unit_run_free(unit);
}

static void names_of_data_are_copied(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_data *first = orr_data_register(unit->run, 1);
    struct orr_data *second = orr_data_register(unit->run, 1);
    char name[] = "sum";

    (void)state;
    orr_data_set_name(first, name);
    orr_data_set_name(second, "sum");
    name[0] = 'h';
    assert_string_equal(first->name, "sum");
    assert_int_equal(second->root, first->id); /* parts of one whole */
    orr_data_set_name(first, first->name);
    assert_string_equal(first->name, "sum");
    orr_data_set_name(first, name);
    assert_string_equal(first->name, "hum");
    orr_data_set_name(first, "");
    assert_null(first->name);
    unit_run_free(unit);
}

static void a_run_keeps_texts(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    char name[] = "mine";
    const char *kept = orr_run_keep_text(unit->run, name);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .name = kept};

    (void)state;
    assert_null(orr_run_keep_text(unit->run, NULL));
    assert_ptr_equal(orr_run_keep_text(unit->run, "mine"), kept);
    name[0] = 'n';
    assert_string_equal(orr_run_keep_text(unit->run, name), "nine");
    orr_task_submit(unit->run, &spec);
    unit_wait(unit);
    assert_string_equal(unit_task(unit, 0)->name, "mine");
    unit_run_free(unit);
}

static void the_trace_tells_what_the_application_said(void **state)
{
    struct unit_run *unit = unit_run_on("dmdas", 1, 0);
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = unit->unit,
        .name = "mine",
        .priority = -3,
        .count = 2,
        .accesses =
            (const struct orr_access[]){
                {orr_data_register(unit->run, 1), ORR_R},
                {orr_data_register(unit->run, 1), ORR_W}},
    };

    (void)state;
    unit_submit_bare(unit);
    orr_task_submit(unit->run, &spec);
    unit_wait(unit);
    assert_string_equal(unit_task(unit, 0)->name, "unit");
    assert_string_equal(unit_task(unit, 1)->name, "mine");
    assert_int_equal(unit_task(unit, 1)->order, 1);
    assert_int_equal(unit_task(unit, 1)->priority, -3);
    assert_int_equal(unit_task(unit, 1)->access_count, 2);
    assert_int_equal(unit_task(unit, 0)->submitted, 0);
    assert_int_equal(unit_task(unit, 1)->submitted, 2 * US);
    unit_run_free(unit);
}

/* Of three tasks that use one datum, each is submitted when the one before has
 * taken its 1 us; only the first is pushed, which takes another. In lock-step
 * and, with the clean models, out of it. */
static void a_task_that_waits_is_submitted_when_it_is_its_turn(void **state)
{
    static const char *const models[] = {"reference", "clean"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(models); i++) {
        struct orr_config config = unit_config("eager", 1, 0);
        struct unit_run *unit;
        struct orr_data *data;

        config.models = models[i];
        unit = unit_run_new("three-gpus.xml", &config);
        data = orr_data_register(unit->run, BYTES);
        for (unsigned t = 0; t < 3; t++)
            unit_submit(unit, data, ORR_RW);
        unit_wait(unit);
        assert_int_equal(unit_task(unit, 0)->submitted, 0);
        assert_int_equal(unit_task(unit, 1)->submitted, 2 * US);
        assert_int_equal(unit_task(unit, 2)->submitted, 3 * US);
        unit_run_free(unit);
    }
}

ORR_TESTS(run_trace)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_have_dates_of_their_own),
        cmocka_unit_test(a_trace_tells_what_a_task_waited_for),
        cmocka_unit_test(a_trace_tells_names),
        cmocka_unit_test(a_trace_tells_of_buffers),
        cmocka_unit_test(a_trace_tells_how_many_tasks_are_ready),
        cmocka_unit_test(a_trace_may_lack_functions),
        cmocka_unit_test(names_of_data_are_copied),
        cmocka_unit_test(a_run_keeps_texts),
        cmocka_unit_test(the_trace_tells_what_the_application_said),
        cmocka_unit_test(a_task_that_waits_is_submitted_when_it_is_its_turn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

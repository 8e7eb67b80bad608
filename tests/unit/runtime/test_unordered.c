/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Accesses that imply no dependencies: all accesses to a datum, or all of a
 * task. */
#include "runtime/config/run_config.h"
#include "runtime/recording.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

struct task {
    const char *name;
    struct orr_access accesses[2]; /* without data: none */
    bool unordered;
    int priority;
    uint64_t tag, awaited; /* or 0 */
};

static void submit(struct unit_run *unit, const struct task *task)
{
    struct orr_access accesses[2];
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = unit->unit,
        .name = task->name,
        .accesses = accesses,
        .priority = task->priority,
        .unordered = task->unordered,
        .tag = task->tag,
        .wait_count = task->awaited != 0,
        .wait_tags = &task->awaited,
    };

    for (unsigned i = 0; i < 2; i++) {
        if (task->accesses[i].data)
            accesses[spec.count++] = task->accesses[i];
    }
    orr_task_submit(unit->run, &spec);
}

/* Four CPUs; nothing but kernels takes time. */
static struct unit_run *make(void)
{
    struct orr_config config = unit_config("prio", 4, 0);

    config.models = "overheads=off";
    return unit_run_new("three-gpus.xml", &config);
}

static struct orr_data *datum(struct unit_run *unit, bool unordered)
{
    struct orr_data *data = orr_data_register(unit->run, 1000);

    orr_data_set_unordered(unit->run, data, unordered);
    return data;
}

/* "late" waits for another task; "early", which is submitted after it and
 * accesses the same datum, does not wait for it without order. */
static void check_overtaking(bool by_datum, bool by_task,
                             enum orr_access_mode mode)
{
    struct unit_run *unit = make();
    struct orr_data *data = datum(unit, by_datum);
    const struct task tasks[] = {
        {.name = "panel", .tag = 7},
        {.name = "late", .accesses = {{data, ORR_RW}}, .awaited = 7},
        {.name = "early", .accesses = {{data, mode}}, .unordered = by_task},
    };
    bool overtakes = by_datum || by_task;

    for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
        submit(unit, &tasks[i]);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "late"), 1000 * US);
    assert_int_equal(unit_start_of(unit, "early"), overtakes ? 0 : 2000 * US);
    unit_run_free(unit);
}

static void they_do_not_wait_for_tasks_before(void **state)
{
    (void)state;
    check_overtaking(false, false, ORR_RW);
    check_overtaking(true, false, ORR_RW);
    check_overtaking(false, true, ORR_RW);
    check_overtaking(true, false, ORR_R);
    check_overtaking(false, true, ORR_R);
    check_overtaking(false, true, ORR_W);
}

static void writers_have_the_datum_one_at_a_time(void **state)
{
    struct unit_run *unit = make();
    struct orr_data *data = datum(unit, true);
    const struct task tasks[] = {
        {.name = "first", .accesses = {{data, ORR_RW}}},
        {.name = "idle", .accesses = {{data, ORR_W}}, .priority = -1},
        {.name = "urgent", .accesses = {{data, ORR_RW}}, .priority = 5},
        {.name = "other", .accesses = {{data, ORR_RW}}},
    };
    static const char *const expected[] = {"first", "urgent", "other", "idle"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
        submit(unit, &tasks[i]);
    unit_wait(unit);
    for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
        assert_int_equal(unit_start_of(unit, expected[i]), 1000 * US * i);
    unit_run_free(unit);
}

static void readers_have_it_together(void **state)
{
    struct unit_run *unit = make();
    struct orr_data *data = datum(unit, true);
    const struct task tasks[] = {
        {.name = "write", .accesses = {{data, ORR_RW}}},
        {.name = "read", .accesses = {{data, ORR_R}}},
        {.name = "read too", .accesses = {{data, ORR_R}}},
        {.name = "write again", .accesses = {{data, ORR_RW}}},
        {.name = "read late", .accesses = {{data, ORR_R}}},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
        submit(unit, &tasks[i]);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "read"), 1000 * US);
    assert_int_equal(unit_start_of(unit, "read too"), 1000 * US);
    assert_int_equal(unit_start_of(unit, "write again"), 2000 * US);
    assert_int_equal(unit_start_of(unit, "read late"), 3000 * US);
    unit_run_free(unit);
}

/* A task in order waits for the datum, though not for the task. */
static void tasks_in_order_wait_for_the_datum(void **state)
{
    struct unit_run *unit = make();
    struct orr_data *data = datum(unit, false);
    const struct task tasks[] = {
        {.name = "panel", .tag = 7},
        {.name = "free",
         .accesses = {{data, ORR_RW}},
         .unordered = true,
         .awaited = 7},
        {.name = "read", .accesses = {{data, ORR_R}}, .awaited = 7},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
        submit(unit, &tasks[i]);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "free"), 1000 * US);
    assert_int_equal(unit_start_of(unit, "read"), 2000 * US);
    unit_run_free(unit);
}

/* Each writes what the other reads. */
static void two_data_are_taken_in_one_order(void **state)
{
    struct unit_run *unit = make();
    struct orr_data *a = datum(unit, true), *b = datum(unit, true);

    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        const struct task task = {
            .name = "both",
            .accesses = {{i % 2 ? a : b, ORR_RW}, {i % 2 ? b : a, ORR_R}},
        };

        submit(unit, &task);
    }
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 7)->ended, 8000 * US);
    unit_run_free(unit);
}

static void a_datum_may_be_in_order_again(void **state)
{
    struct unit_run *unit = make();
    struct orr_data *data = datum(unit, true);
    struct task task = {.name = "free", .accesses = {{data, ORR_R}}};

    (void)state;
    submit(unit, &task);
    orr_data_set_unordered(unit->run, data, false);
    task = (struct task){
        .name = "write", .accesses = {{data, ORR_RW}}, .awaited = 7};
    submit(unit, &task);
    task = (struct task){.name = "read", .accesses = {{data, ORR_R}}};
    submit(unit, &task);
    task = (struct task){.name = "tag", .tag = 7};
    submit(unit, &task);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "write"), 1000 * US);
    assert_int_equal(unit_start_of(unit, "read"), 2000 * US);
    unit_run_free(unit);
}

static void a_hint_waits_for_the_writer(void **state)
{
    struct unit_run *unit = make();
    struct orr_data *data = datum(unit, true);
    const struct task write = {.name = "write", .accesses = {{data, ORR_RW}}};

    (void)state;
    submit(unit, &write);
    orr_data_wont_use(unit->run, data);
    submit(unit, &write);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 1)->ended, 2000 * US);
    assert_int_equal(data->users, 0);
    unit_run_free(unit);
}

/* Bounds know no dependency either. */
static void graphs_have_no_edges_of_them(void **state)
{
    struct unit_run *unit = make();
    struct orr_data *data = datum(unit, true);
    const struct task write = {.name = "write", .accesses = {{data, ORR_RW}}};
    struct orr_workload *workload;

    (void)state;
    orr_run_record(unit->run, UINT64_MAX);
    submit(unit, &write);
    submit(unit, &write);
    workload = orr_run_workload(unit->run);
    assert_int_equal(workload->first_predecessor[2], 0);
    orr_workload_free(workload);
    unit_run_free(unit);
}

ORR_TESTS(unordered)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_do_not_wait_for_tasks_before),
        cmocka_unit_test(writers_have_the_datum_one_at_a_time),
        cmocka_unit_test(readers_have_it_together),
        cmocka_unit_test(tasks_in_order_wait_for_the_datum),
        cmocka_unit_test(two_data_are_taken_in_one_order),
        cmocka_unit_test(a_datum_may_be_in_order_again),
        cmocka_unit_test(a_hint_waits_for_the_writer),
        cmocka_unit_test(graphs_have_no_edges_of_them),
    };

    return cmocka_run_group_tests_name("unordered", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks of many data, in whole runs. */
#include "runtime/config/run_config.h"
#include "runtime/run.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/unit_run.h"

#define COMMUTE ((enum orr_access_mode)(ORR_RW | ORR_COMMUTE))

enum { BYTES = 1000 };

static void submit(struct unit_run *unit, const char *name,
                   const struct orr_access *accesses, unsigned count)
{
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT, .kernel = unit->unit, .name = name,
        .count = count,     .accesses = accesses,
    };

    orr_task_submit(unit->run, &spec);
}

static const struct orr_trace_task *find(const struct unit_run *unit,
                                         uint64_t order)
{
    for (unsigned i = 0; i < unit->tasks->len; i++) {
        if (unit_task(unit, i)->order == order)
            return unit_task(unit, i);
    }
    fail_msg("task %u has not run", (unsigned)order);
    return NULL;
}

/* Tasks that write one datum each, one that reads all and updates a sum, and
 * tasks that overwrite one datum each. */
static struct unit_run *reduce(const struct orr_config *config, unsigned parts)
{
    struct unit_run *unit = unit_run_new("three-gpus.xml", config);
    g_autofree struct orr_access *all = g_new(struct orr_access, parts + 1);

    for (unsigned i = 0; i < parts; i++)
        all[i] =
            (struct orr_access){orr_data_register(unit->run, BYTES), ORR_R};
    all[parts] =
        (struct orr_access){orr_data_register(unit->run, BYTES), ORR_RW};
    for (unsigned i = 0; i < parts; i++)
        submit(unit, "make", &(struct orr_access){all[i].data, ORR_W}, 1);
    submit(unit, "sum", all, parts + 1);
    for (unsigned i = 0; i < parts; i++)
        submit(unit, "remake", &(struct orr_access){all[i].data, ORR_W}, 1);
    unit_wait(unit);
    return unit;
}

static void check_reduction(const char *sched, int cpus, int gpus,
                            unsigned parts)
{
    struct orr_config config = unit_config(sched, cpus, gpus);
    struct unit_run *unit = reduce(&config, parts);
    const struct orr_trace_task *sum = find(unit, parts);

    assert_int_equal(unit->tasks->len, 2 * parts + 1);
    for (unsigned i = 0; i < parts; i++) {
        assert_true(find(unit, i)->kernel_ended <= sum->kernel_started);
        assert_true(find(unit, parts + 1 + i)->kernel_started >=
                    sum->kernel_ended);
    }
    unit_run_free(unit);
}

static void a_task_waits_for_all_its_data_and_others_for_it(void **state)
{
    static const unsigned parts[] = {7, 8, 9, 15, 16, 100, 1000};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        check_reduction("dmda", 1, 2, parts[i]);
}

/* With CPUs, eager and lws take turns operation by operation, as the reference
 * does; sorted policies watch the data of tasks; prefetches come first. */
static void every_policy_runs_tasks_of_many_data(void **state)
{
    static const char *const scheds[] = {
        "eager",      "prio",         "random",        "ws",    "lws",
        "dm",         "dmdap",        "dmdar",         "dmdas", "dmdasd",
        "heteroprio", "modular-heft", "modular-heft2", "darts"};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(scheds); i++) {
        check_reduction(scheds[i], 2, 0, 40);
        check_reduction(scheds[i], 0, 2, 40);
        check_reduction(scheds[i], 2, 2, 40);
    }
}

static void all_that_is_read_is_copied_once(void **state)
{
    enum { PARTS = 300 };
    struct unit_run *unit = unit_run_on("eager", 0, 1);
    struct orr_access all[PARTS];

    (void)state;
    for (unsigned i = 0; i < PARTS; i++)
        all[i] =
            (struct orr_access){orr_data_register(unit->run, BYTES), ORR_R};
    submit(unit, "sum", all, PARTS);
    submit(unit, "sum", all, PARTS);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, PARTS);
    unit_run_free(unit);
}

static void a_datum_listed_many_times_is_fetched_once(void **state)
{
    enum { TIMES = 200 };
    struct unit_run *unit = unit_run_on("eager", 0, 1);
    struct orr_data *data = orr_data_register(unit->run, BYTES);
    struct orr_access all[TIMES];

    (void)state;
    for (unsigned i = 0; i < TIMES; i++)
        all[i] = (struct orr_access){data, i == 150 ? ORR_RW : ORR_R};
    submit(unit, "sum", all, TIMES);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    assert_int_equal(unit_task(unit, 0)->access_count, TIMES);
    unit_run_free(unit);
}

static void many_data_may_be_updated_in_any_order(void **state)
{
    enum { PARTS = 50, TASKS = 6 };
    struct unit_run *unit = unit_run_on("eager", 3, 1);
    struct orr_access all[PARTS];

    (void)state;
    for (unsigned i = 0; i < PARTS; i++)
        all[i] = (struct orr_access){orr_data_register(unit->run, BYTES),
                                     i % 3 == 0 ? ORR_R : COMMUTE};
    for (unsigned i = 0; i < TASKS; i++)
        submit(unit, "add", all, PARTS);
    unit_wait(unit);
    for (unsigned i = 1; i < TASKS; i++)
        assert_true(unit_task(unit, i)->kernel_started >=
                    unit_task(unit, i - 1)->kernel_ended);
    unit_run_free(unit);
}

static void data_that_do_not_fit_into_a_gpu_need_a_cpu(void **state)
{
    enum { PARTS = 40 };
    struct orr_config config = unit_config("dmda", 0, 1);
    struct unit_run *unit;
    struct orr_access all[PARTS];
    g_autoptr(GError) error = NULL;

    (void)state;
    config.gpu_memory_bytes = UINT64_C(64) << 20;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < PARTS; i++)
        all[i] = (struct orr_access){
            orr_data_register(unit->run, UINT64_C(2) << 20), ORR_R};
    submit(unit, "small", all, 9);
    submit(unit, "large", all, PARTS);
    assert_false(orr_run_wait(unit->run, &error));
    assert_non_null(strstr(error->message, "the data of task large of tile "));
    unit_run_free(unit);
}

ORR_TESTS(many_accesses)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_waits_for_all_its_data_and_others_for_it),
        cmocka_unit_test(every_policy_runs_tasks_of_many_data),
        cmocka_unit_test(all_that_is_read_is_copied_once),
        cmocka_unit_test(a_datum_listed_many_times_is_fetched_once),
        cmocka_unit_test(many_data_may_be_updated_in_any_order),
        cmocka_unit_test(data_that_do_not_fit_into_a_gpu_need_a_cpu),
    };

    return cmocka_run_group_tests_name("many accesses", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs with an ideal network, and runs that repeat the mapping and order of
 * another one. */
#include "models/import/mapping.h"
#include "runtime/config/run_config.h"
#include "sched/registry.h"
#include "tests/support/random_run.h"

enum {
    PLANS = 30,
    TILE = 3686400,

    /* By so many ns may a run with instant copies last longer: its drivers
       take turns at other dates. */
    TURNS = 10000
};

static struct unit_run *run_new(unsigned cpus, unsigned gpus,
                                struct orr_mapping *mapping, bool instant)
{
    struct orr_config config = unit_config("eager", (int)cpus, (int)gpus);

    config.models = "overheads=off";
    config.mapping = mapping;
    config.instant_copies = instant;
    config.gpu_memory_bytes = 1 << 20;
    return unit_run_new("three-gpus.xml", &config);
}

static int64_t makespan_of(const struct unit_run *unit)
{
    return orr_run_report(unit->run)->makespan_ns;
}

/* Four tasks read the datum that one has written, all on two GPUs. */
static void copies_take_no_time(void **state)
{
    struct unit_run *unit = run_new(0, 2, NULL, true);
    struct orr_data *data = orr_data_register(unit->run, TILE);

    (void)state;
    unit_submit(unit, data, ORR_RW);
    for (unsigned i = 0; i < 4; i++)
        unit_submit(unit, data, ORR_R);
    orr_data_wont_use(unit->run, data);
    unit_wait(unit);
    assert_int_equal(makespan_of(unit), 3 * ORR_MS);
    assert_int_equal(unit->copies->len, 0);
    unit_run_free(unit);
}

/* A datum of 3.5 MiB, and GPUs that have 1 MiB each. */
static void memory_is_not_limited(void **state)
{
    struct unit_run *unit = run_new(0, 2, NULL, true);

    (void)state;
    unit_submit(unit, orr_data_register(unit->run, TILE), ORR_RW);
    unit_wait(unit);
    assert_non_null(strstr(orr_run_report(unit->run)->models, "memory=off"));
    unit_run_free(unit);
}

static void add(struct orr_mapping *mapping, uint64_t number,
                const char *worker, int64_t start)
{
    orr_mapping_add(mapping, &(struct orr_mapping_task){
                                 .number = number,
                                 .name = "unit",
                                 .worker = worker,
                                 .start = start,
                             });
}

/* In the order of start, whatever that of submission and of addition. */
static void a_mapping_is_repeated(void **state)
{
    static const unsigned workers[] = {0, 1, 1, 1}, starts[] = {0, 2, 0, 1};
    struct orr_mapping *mapping = orr_mapping_new("by hand");
    struct unit_run *unit;

    (void)state;
    add(mapping, 3, "CPU1", 200);
    add(mapping, 1, "CPU1", 300);
    add(mapping, 2, "CPU1", 100);
    add(mapping, 0, "CPU0", 500);
    unit = run_new(2, 0, mapping, false);
    for (unsigned i = 0; i < 4; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    for (unsigned i = 0; i < 4; i++) {
        const struct orr_trace_task *task = unit_task(unit, i);

        assert_int_equal(task->worker, workers[task->order]);
        assert_int_equal(task->kernel_started, starts[task->order] * ORR_MS);
    }
    unit_run_free(unit);
    orr_mapping_free(mapping);
}

static void errors_name_the_mapping(void **state)
{
    struct orr_mapping *mapping = orr_mapping_new("run 7");
    struct orr_config config = unit_config(NULL, 1, 0);
    g_autofree char *platform = source_file("tests/platforms/three-gpus.xml");
    g_autoptr(GError) error = NULL;
    struct unit_run *unit;

    (void)state;
    add(mapping, 0, "CPU0", 0);
    unit = run_new(1, 0, mapping, false);
    unit_submit_bare(unit);
    unit_submit_bare(unit);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message,
                        "run 7: task 1 (unit) has no worker in the mapping");
    unit_run_free(unit);
    g_clear_error(&error);
    add(mapping, 1, "CUDA0", 0);
    config.platform = platform;
    config.mapping = mapping;
    assert_null(orr_run_new(&config, &error));
    assert_true(
        g_str_has_prefix(error->message, "run 7: there is no worker 'CUDA0'"));
    orr_mapping_free(mapping);
}

/* ---- random graphs ---- */

static void perform(struct random_run *random, const struct random_plan *plan)
{
    random_run_begin(random, plan);
    random_run_finish(random);
}

/* The mapping and order of a run that has ended. */
static struct orr_mapping *mapping_of(const struct unit_run *unit)
{
    struct orr_mapping *mapping = orr_mapping_new("an earlier run");

    for (unsigned i = 0; i < unit->tasks->len; i++) {
        const struct orr_trace_task *task = unit_task(unit, i);

        orr_mapping_add(mapping, &(struct orr_mapping_task){
                                     .number = task->order,
                                     .name = task->name,
                                     .worker = task->worker_name,
                                     .start = task->kernel_started,
                                 });
    }
    return mapping;
}

/* The number of the first task that @worker ended from @place on. */
static unsigned next_of(const struct unit_run *unit, unsigned worker,
                        unsigned place)
{
    while (place < unit->tasks->len && unit_task(unit, place)->worker != worker)
        place++;
    return place;
}

static void assert_same_order(const struct unit_run *one,
                              const struct unit_run *other)
{
    assert_int_equal(one->tasks->len, other->tasks->len);
    for (unsigned worker = 0; worker < 8; worker++) {
        unsigned i = next_of(one, worker, 0), j = next_of(other, worker, 0);

        while (i < one->tasks->len && j < other->tasks->len) {
            assert_int_equal(unit_task(one, i)->order,
                             unit_task(other, j)->order);
            i = next_of(one, worker, i + 1);
            j = next_of(other, worker, j + 1);
        }
        assert_int_equal(i - one->tasks->len, j - other->tasks->len);
    }
}

static void check_plan(struct random_plan *plan)
{
    struct random_run first, repeated, ideal;
    struct orr_mapping *mapping;

    perform(&first, plan);
    mapping = mapping_of(first.unit);
    plan->config.mapping = mapping;
    perform(&repeated, plan);
    plan->config.instant_copies = true;
    perform(&ideal, plan);
    assert_same_order(first.unit, repeated.unit);
    assert_same_order(first.unit, ideal.unit);
    assert_int_equal(ideal.unit->copies->len, 0);
    assert_true(makespan_of(ideal.unit) <= makespan_of(first.unit) + TURNS);
    if (plan->config.gpus == 0)
        assert_int_equal(makespan_of(ideal.unit), makespan_of(repeated.unit));
    random_run_end(&first);
    random_run_end(&repeated);
    random_run_end(&ideal);
    orr_mapping_free(mapping);
}

static void the_same_decisions_last_no_longer(void **state)
{
    const struct orr_sched_ops *ops;

    (void)state;
    for (size_t i = 0; (ops = orr_sched_builtin(i)); i++) {
        for (uint32_t seed = 0; seed < orr_tests_share(PLANS); seed++) {
            struct random_plan plan;

            random_plan_draw(&plan, ops->name, seed);
            random_plan_do_not_commute(&plan);
            check_plan(&plan);
        }
    }
}

/* Every policy can decide freely. */
static void policies_decide_with_an_ideal_network(void **state)
{
    const struct orr_sched_ops *ops;

    (void)state;
    for (size_t i = 0; (ops = orr_sched_builtin(i)); i++) {
        for (uint32_t seed = 0; seed < orr_tests_share(PLANS); seed++) {
            struct random_plan plan;
            struct random_run random;

            random_plan_draw(&plan, ops->name, seed);
            plan.config.instant_copies = true;
            perform(&random, &plan);
            assert_int_equal(random.unit->copies->len, 0);
            random_run_end(&random);
        }
    }
}

ORR_TESTS(instant_copies)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_take_no_time),
        cmocka_unit_test(memory_is_not_limited),
        cmocka_unit_test(a_mapping_is_repeated),
        cmocka_unit_test(errors_name_the_mapping),
        cmocka_unit_test(the_same_decisions_last_no_longer),
        cmocka_unit_test(policies_decide_with_an_ideal_network),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

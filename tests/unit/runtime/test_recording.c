/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Task graphs of applications, recorded and not simulated. */
#include "runtime/config/run_config.h"
#include "runtime/recording.h"

#include <math.h>

#include "tests/support/recorded_app.h"
#include "tests/support/unit_run.h"

static struct orr_config workers(int cpus, int gpus)
{
    struct orr_config config;

    orr_config_init(&config);
    config.cpus = cpus;
    config.gpus = gpus;
    return config;
}

static bool precedes(const struct orr_workload *workload, unsigned task,
                     unsigned before)
{
    for (size_t p = workload->first_predecessor[task];
         p < workload->first_predecessor[task + 1]; p++) {
        if (workload->predecessors[p] == before)
            return true;
    }
    return false;
}

static size_t predecessors(const struct orr_workload *workload, unsigned task)
{
    return workload->first_predecessor[task + 1] -
           workload->first_predecessor[task];
}

/* A write, two reads of it, and a write that waits for both. */
static void dependencies_are_those_of_a_run(void **state)
{
    struct orr_config config = workers(1, 1);
    struct unit_run *unit = unit_run_new("attila-unit.xml", &config);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    struct orr_workload *workload;

    (void)state;
    orr_run_record(unit->run, UINT64_MAX);
    unit_submit(unit, data, ORR_W);
    unit_submit(unit, data, ORR_R);
    unit_submit(unit, data, ORR_R);
    orr_data_wont_use(unit->run, data);
    unit_submit(unit, data, ORR_RW);
    workload = orr_run_workload(unit->run);

    /* One collects the reads, and takes no time. */
    assert_int_equal(workload->task_count, 5);
    assert_int_equal(workload->kernels[3], 0);
    assert_int_equal(workload->kernels[4], 1);
    assert_int_equal(predecessors(workload, 0), 0);
    assert_int_equal(predecessors(workload, 1), 1);
    assert_true(precedes(workload, 1, 0));
    assert_true(precedes(workload, 2, 0));
    assert_int_equal(predecessors(workload, 3), 2);
    assert_true(precedes(workload, 3, 1));
    assert_true(precedes(workload, 3, 2));
    assert_int_equal(predecessors(workload, 4), 1);
    assert_true(precedes(workload, 4, 3));
    assert_float_equal(orr_bound_critical_path(workload), 3e-3, 1e-9);
    orr_workload_free(workload);
    unit_run_free(unit);
}

static void nothing_is_simulated(void **state)
{
    struct orr_config config = workers(1, 1);
    struct unit_run *unit;

    (void)state;
    config.window.most = 1;
    unit = unit_run_new("attila-unit.xml", &config);
    orr_run_record(unit->run, UINT64_MAX);
    for (unsigned i = 0; i < 10; i++)
        unit_submit_bare(unit);
    assert_int_equal(orr_run_report(unit->run)->tasks, 0);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 0);
    assert_int_equal(unit->tasks->len, 0);
    unit_run_free(unit);
}

static void accesses_are_recorded(void **state)
{
    struct orr_config config = workers(1, 1);
    struct unit_run *unit = unit_run_new("attila-unit.xml", &config);
    struct orr_data *first = orr_data_register(unit->run, 1000);
    struct orr_data *second = orr_data_register(unit->run, 2000);
    struct orr_workload *workload;

    (void)state;
    orr_data_set_coordinates(second, 3, 5);
    orr_run_record(unit->run, UINT64_MAX);
    unit_submit_pair(unit, first, second);
    workload = orr_run_workload(unit->run);

    assert_int_equal(workload->data_count, 2);
    assert_int_equal(workload->data[0].bytes, 1000);
    assert_false(workload->data[0].placed);
    assert_true(workload->data[1].placed);
    assert_int_equal(workload->data[1].row, 3);
    assert_int_equal(workload->data[1].column, 5);
    assert_int_equal(workload->first_access[1], 2);
    for (unsigned a = 0; a < 2; a++) {
        assert_true(workload->accesses[a].reads);
        assert_int_equal(workload->accesses[a].writes,
                         workload->accesses[a].data == 1);
    }
    orr_workload_free(workload);
    unit_run_free(unit);
}

static void workers_are_those_of_the_run(void **state)
{
    struct orr_run *run = recorded_app("cholesky", 3, "mirage", workers(2, 1));
    struct orr_workload *workload = orr_run_workload(run);
    struct orr_supply *supply = orr_run_supply(run);

    (void)state;
    assert_int_equal(workload->class_count, 2);
    assert_int_equal(workload->workers[0], 2);
    assert_int_equal(workload->workers[1], 1);
    assert_int_equal(supply->node_count, 2);
    assert_int_equal(supply->memory_bytes[1],
                     orr_run_report(run)->gpu_memory_bytes);
    assert_int_equal(supply->route_count, 1);
    assert_int_equal(supply->routes[0].from, 0);
    assert_int_equal(supply->routes[0].to, 1);
    orr_supply_free(supply);
    orr_workload_free(workload);
    orr_run_free(run);
}

static void models_change_the_supply(void **state)
{
    struct orr_config config = workers(0, 2);
    struct orr_run *run;
    struct orr_supply *supply;

    (void)state;
    config.models = "network=crude,memory=off";
    run = recorded_app("lu", 2, "attila", config);
    supply = orr_run_supply(run);
    assert_true(supply->memory_bytes[1] == UINT64_MAX);
    assert_int_equal(supply->route_count, 4); /* from RAM, and between GPUs */
    assert_int_equal(supply->link_count, 4);
    for (unsigned r = 0; r < 4; r++)
        assert_int_equal(supply->routes[r].count, 1);
    orr_supply_free(supply);
    orr_run_free(run);
}

/*
 * Figures that were published for this machine and Cholesky: area bound and
 * critical path, in ms.
 */
static void bounds_of_mirage_are_the_published_ones(void **state)
{
    static const struct {
        unsigned tiles;
        double area_ms, path_ms;
    } cases[] = {{16, 600.5, 202.8}, {32, 4693, 413}};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct orr_run *run =
            recorded_app("cholesky", cases[i].tiles, "mirage", workers(9, 3));
        struct orr_workload *workload = orr_run_workload(run);
        double area = orr_bound_area(workload);
        double path = orr_bound_critical_path(workload);

        assert_true(fabs(1e3 * area - cases[i].area_ms) < 0.5);
        assert_true(fabs(1e3 * path - cases[i].path_ms) < 0.5);
        assert_true(orr_bound_mixed(workload) >= area * (1 - 1e-6));
        orr_workload_free(workload);
        orr_run_free(run);
    }
}

ORR_TESTS(recording)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependencies_are_those_of_a_run),
        cmocka_unit_test(nothing_is_simulated),
        cmocka_unit_test(accesses_are_recorded),
        cmocka_unit_test(workers_are_those_of_the_run),
        cmocka_unit_test(models_change_the_supply),
        cmocka_unit_test(bounds_of_mirage_are_the_published_ones),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

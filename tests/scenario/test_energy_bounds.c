/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lower bounds on the energy of runs, on a machine whose watts are easy to add
 * up (tests/platforms/power.xml). */
#include <math.h>
#include <string.h>

#include "runtime/config/run_config.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/power_graph.h"
#include "tests/support/temp_file.h"

static double joules_of(struct power_graph *graph)
{
    struct orr_config config;
    struct orr_run *run;
    double joules;

    power_graph_configure(graph, &config);
    graph->draws = 0;
    run = orr_run_new(&config, NULL);
    assert_non_null(run);
    power_graph_submit(graph, run);
    assert_true(orr_run_wait(run, NULL));
    joules = (double)orr_run_report(run)->energy->total_nj / 1e9;
    orr_run_free(run);
    return joules;
}

static void bound(struct power_graph *graph, struct orr_bounds_report *bounds)
{
    struct orr_config config;
    struct orr_run *run;

    power_graph_configure(graph, &config);
    graph->draws = 0;
    run = orr_run_new(&config, NULL);
    assert_non_null(run);
    orr_run_keep_for_bounds(run);
    power_graph_submit(graph, run);
    assert_true(orr_run_wait(run, NULL));
    assert_true(orr_run_bounds(run, bounds, NULL));
    assert_int_equal(orr_run_report(run)->tasks, 0);
    orr_run_free(run);
}

static void no_run_takes_less_than_the_bounds(void **state)
{
    g_autofree char *path = source_file("tests/platforms/power.xml");

    (void)state;
    for (uint64_t seed = 0; seed < orr_tests_share(GRAPHS); seed++) {
        struct power_graph graph = {.seed = seed,
                                    .platform = path,
                                    .polling = seed % 3 == 0,
                                    .tasks = 1 + (unsigned)(seed % TASKS)};
        struct orr_bounds_report bounds = {ORR_BOUNDS_REPORT_INIT};
        double joules = joules_of(&graph);

        bound(&graph, &bounds);
        if (!(bounds.idle_j < bounds.least_j &&
              bounds.least_j <= bounds.area_j * (1 + 1e-6) &&
              bounds.least_j <= joules * (1 + 1e-6)))
            fail_msg("seed %d: %g J of %g, %g and %g J", (int)seed, joules,
                     bounds.idle_j, bounds.least_j, bounds.area_j);
    }
}

/* Tasks "even", which depend on nothing. */
static void submit_even(struct orr_run *run, unsigned count)
{
    struct orr_kernel *kernel =
        orr_kernel_find(run, "test", "even", ORR_SINGLE_PRECISION, 1, NULL);

    for (unsigned i = 0; i < count; i++) {
        struct orr_access access = {orr_data_register(run, 1000), ORR_RW};
        struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = kernel,
                                     .count = 1, .accesses = &access};

        orr_task_submit(run, &spec);
    }
}

static void check_near(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-6 * wanted))
        fail_msg("%.12g is not %.12g", value, wanted);
}

/*
 * Four tasks on two cores: 24 ms at 48 W of the host, static, 2 x 2 W of GPUs
 * that are off, and 1 W of a link; each task adds 16 W for 12 ms. One task on a
 * core and a GPU of 20 W: for its 4 ms on the GPU, at most a third of it can be
 * on the core, 16 W for 12 ms instead of 80 W for 4 ms.
 */
static void bounds_have_the_joules_of_the_area(void **state)
{
    g_autofree char *path = source_file("tests/platforms/power.xml");
    struct orr_config config;
    struct orr_bounds_report bounds = {ORR_BOUNDS_REPORT_INIT};
    struct orr_run *run;

    (void)state;
    orr_config_init(&config);
    config.platform = path;
    for (int gpus = 0; gpus < 2; gpus++) {
        config.gpus = gpus;
        config.cpus = 2 - gpus;
        run = orr_run_new(&config, NULL);
        orr_run_keep_for_bounds(run);
        submit_even(run, gpus == 0 ? 4 : 1);
        assert_true(orr_run_bounds(run, &bounds, NULL));
        check_near(bounds.area_s, gpus == 0 ? 0.024 : 0.003);
        check_near(bounds.critical_path_s, gpus == 0 ? 0.012 : 0.004);
        check_near(bounds.least_j, gpus == 0
                                       ? 53 * 0.024 + 4 * 0.192
                                       : 71 * 0.004 + 0.192 / 3 + 0.64 / 3);
        check_near(bounds.area_j, bounds.least_j);
        check_near(bounds.idle_j, gpus == 0 ? 53 * 0.012 : 71 * 0.004);
        orr_run_free(run);
    }
}

static void bounds_need_the_tasks(void **state)
{
    g_autofree char *path = source_file("tests/platforms/power.xml");
    struct orr_bounds_report bounds = {ORR_BOUNDS_REPORT_INIT, .area_s = 7};
    g_autoptr(GError) none = NULL, late = NULL;
    struct orr_config config;
    struct orr_run *run;

    (void)state;
    orr_config_init(&config);
    config.platform = path;
    run = orr_run_new(&config, NULL);
    submit_even(run, 1);
    assert_false(orr_run_bounds(run, &bounds, &none));
    assert_non_null(strstr(none->message, "orr_run_keep_for_bounds()"));
    orr_run_keep_for_bounds(run);
    assert_false(orr_run_bounds(run, &bounds, &late));
    assert_string_equal(late->message, "tasks are kept for bounds from the "
                                       "first on, or not at all");
    assert_true(bounds.area_s > 6);
    orr_run_free(run);
}

ORR_TESTS(energy_bounds)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_run_takes_less_than_the_bounds),
        cmocka_unit_test(bounds_have_the_joules_of_the_area),
        cmocka_unit_test(bounds_need_the_tasks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

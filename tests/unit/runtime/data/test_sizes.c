/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Predicted copies of data of many sizes, on three GPUs where nothing runs. */
#include "models/platform/bus.h"
#include "runtime/config/run_config.h"
#include "runtime/data/data.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

enum { RAM, CUDA0, CUDA1 };

static struct unit_run *new_run(void)
{
    struct orr_config config = unit_config("eager", 0, -1);

    return unit_run_new("three-gpus.xml", &config);
}

static void the_first_sizes_have_tables(void **state)
{
    struct unit_run *unit = new_run();
    struct orr_run *run = unit->run;

    (void)state;
    for (unsigned i = 1; i <= ORR_DATA_SIZES; i++) {
        assert_int_equal(orr_data_register(run, UINT64_C(1000) * i)->size, i);
        assert_non_null(run->store.sizes[i].sources);
    }
    assert_int_equal(orr_data_register(run, 999)->size, 0);
    assert_int_equal(orr_data_register(run, 2000)->size, 2);
    assert_null(run->store.sizes[0].sources);
    unit_run_free(unit);
}

static void data_of_each_size_are_predicted(void **state)
{
    struct unit_run *unit = new_run();
    struct orr_run *run = unit->run;
    struct orr_platform_kernel model = {0};
    struct orr_kernel kernel = {.model = &model};
    unsigned number = orr_graph_add_kernel(&run->graph, &kernel);

    (void)state;
    for (unsigned i = 1; i <= 2 * ORR_DATA_SIZES; i++) {
        uint64_t bytes = UINT64_C(1000000) * i;
        struct orr_access access = {orr_data_register(run, bytes), ORR_R};
        struct orr_job *job =
            orr_job_new(&run->graph, ORR_JOB_KERNEL, &access, 1);

        job->kernel = number;
        assert_int_equal(orr_job_transfer(&run->store, job, RAM), 0);
        assert_int_equal(orr_job_transfer(&run->store, job, CUDA1),
                         orr_bus_predict(run->platform, run->switches.belief,
                                         run->gpu_count, RAM, CUDA1, bytes));
        orr_replicate_grant(&run->store, &access.data->copies[CUDA0], ORR_RW);
        assert_int_equal(orr_job_transfer(&run->store, job, CUDA1),
                         orr_bus_predict(run->platform, run->switches.belief,
                                         run->gpu_count, CUDA0, CUDA1, bytes));
    }
    unit_run_free(unit);
}

ORR_TESTS(sizes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_sizes_have_tables),
        cmocka_unit_test(data_of_each_size_are_predicted),
    };

    return cmocka_run_group_tests_name("sizes", tests, NULL, NULL);
}

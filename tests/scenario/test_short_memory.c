/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * GPUs with room for nine tiles, on which nearly every copy evicts something.
 * What the reference (StarPU over SimGrid, see docs/VALIDATION.md) makes of
 * these runs depends on each single eviction.
 */
#include "models/base/error.h"
#include "runtime/config/run_config.h"
#include "tests/support/app_values.h"
#include "tests/support/cmocka_all.h"

struct factorisation {
    const char *app;
    const char *sched;
    unsigned tiles, gpus;
    double reference_ms; /* what it takes there; 0: it stops there, too */
};

/* On attila, tiles of 960, no CPU, 40 MiB on each GPU: one chunk. */
static const struct factorisation factorisations[] = {
    {"cholesky", "eager", 5, 1, 331.953220},
    {"cholesky", "eager", 6, 1, 449.321470},
    {"cholesky", "dm", 6, 2, 356.345480},
    {"cholesky", "dmdar", 8, 2, 523.489685},
    {"cholesky", "dmdas", 8, 2, 499.675657},
    {"lu", "eager", 8, 1, 1245.663586},
    {"lu", "dmdar", 5, 2, 348.717339},
    {"lu", "dmdar", 8, 2, 759.727431},
    {"lu", "dm", 8, 1, 1234.342168},
    {"lu", "dm", 8, 2, 0},
    {"cholesky", "dmda", 16, 2, 0},
};

/* Its makespan in ms, or 0 if it stalls for want of memory. */
static double factorise(const struct factorisation *which)
{
    g_autofree char *options = g_strdup_printf("tiles=%u", which->tiles);
    struct orr_config config;
    struct orr_run *run;
    GError *error = NULL;
    double makespan_ms = 0;

    orr_config_init(&config);
    config.platform = "attila";
    config.sched = which->sched;
    config.cpus = 0;
    config.gpus = (int)which->gpus;
    config.gpu_memory_bytes = UINT64_C(40) * 1024 * 1024;
    run = orr_run_new(&config, NULL);
    assert_non_null(run);
    assert_true(submit_app(run, which->app, options, NULL));
    if (orr_run_wait(run, &error))
        makespan_ms = (double)orr_run_report(run)->makespan_ns / 1e6;
    else
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_STALLED));
    g_clear_error(&error);
    orr_run_free(run);
    return makespan_ms;
}

static void runs_take_as_long_as_in_the_reference(void **state)
{
    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(factorisations); i++)
        assert_float_equal(factorise(&factorisations[i]),
                           factorisations[i].reference_ms, 0.0015);
}

ORR_TESTS(short_memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_take_as_long_as_in_the_reference),
    };

    return cmocka_run_group_tests_name("short_memory", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machines that nobody measured: what comes out must at least be possible.
 */
#include <string.h>

#include "models/import/platform_find.h"
#include "runtime/config/run_config.h"
#include "tests/support/app_values.h"

static const char *const machines[] = {"dgx-h100", "workstation-4090"};
static const char *const applications[] = {"cholesky", "lu"};

static struct orr_run *factorise(const char *machine, const char *app,
                                 enum orr_kernel_precision precision,
                                 const char *models)
{
    struct orr_config config;
    struct orr_run *run;

    orr_config_init(&config);
    config.platform = machine;
    config.cpus = 4;
    config.models = models;
    run = orr_run_new(&config, NULL);
    assert_non_null(run);
    assert_true(submit_app(run, app,
                           precision == ORR_SINGLE_PRECISION
                               ? "tiles=12 tile=1920"
                               : "tiles=12 tile=1920 precision=double",
                           NULL));
    assert_true(orr_run_wait(run, NULL));
    return run;
}

static struct orr_platform *load(const char *machine)
{
    struct orr_platform *platform = orr_platform_load(machine, NULL, NULL);

    assert_non_null(platform);
    return platform;
}

/* What the peaks of all GPUs and four cores add up to, flop/s. */
static double peak_of(const char *machine, enum orr_precision precision)
{
    struct orr_platform *platform = load(machine);
    const struct orr_platform_kernel *gemm =
        orr_platform_kernel(platform, "lu", "gemm", precision, NULL);
    double peak = 4 * orr_platform_flops(gemm, 0)->peak;

    for (unsigned g = 1; g <= platform->gpu_count; g++)
        peak += orr_platform_flops(gemm, g)->peak;
    orr_platform_free(platform);
    return peak;
}

static void expect_possible(const char *machine, const char *app,
                            enum orr_kernel_precision precision)
{
    struct orr_run *run = factorise(machine, app, precision, NULL);
    const struct orr_report *report = orr_run_report(run);
    struct orr_app_values *values = app_values(app, "tiles=12 tile=1920");
    double speed =
        orr_app_flops_at(values, 23040) * 1e9 / (double)report->makespan_ns;
    double peak = peak_of(
        machine, precision == ORR_SINGLE_PRECISION ? ORR_SINGLE : ORR_DOUBLE);

    orr_app_values_free(values);
    assert_true(report->modelled);
    assert_true(speed < peak);
    assert_true(speed > peak / 100);
    orr_run_free(run);
}

static void speeds_are_below_the_peak_and_not_absurd(void **state)
{
    (void)state;
    for (size_t m = 0; m < G_N_ELEMENTS(machines); m++) {
        for (size_t a = 0; a < G_N_ELEMENTS(applications); a++) {
            expect_possible(machines[m], applications[a], ORR_SINGLE_PRECISION);
            expect_possible(machines[m], applications[a], ORR_DOUBLE_PRECISION);
        }
    }
}

static void nvlink_carries_what_gpus_exchange(void **state)
{
    struct orr_run *dgx =
        factorise("dgx-h100", "cholesky", ORR_SINGLE_PRECISION, NULL);
    struct orr_run *station =
        factorise("workstation-4090", "cholesky", ORR_SINGLE_PRECISION, NULL);

    (void)state;
    assert_true(orr_run_report(dgx)->bytes_device_to_device >
                orr_run_report(dgx)->bytes_host_to_device);
    assert_int_equal(orr_run_report(station)->bytes_device_to_device, 0);
    orr_run_free(dgx);
    orr_run_free(station);
}

static bool has_link(const struct orr_platform_route *route, unsigned link)
{
    for (unsigned i = 0; i < route->count; i++) {
        if (route->links[i] == link)
            return true;
    }
    return false;
}

/* Copies between two GPUs disturb neither the host's nor other pairs'. */
static void routes_of_nvlink_share_nothing_with_others(void **state)
{
    struct orr_platform *dgx = load("dgx-h100");
    const struct orr_platform_route *own = orr_platform_route(dgx, 1, 2);

    (void)state;
    assert_int_equal(dgx->gpu_count, 8);
    assert_int_equal(own->count, 2);
    for (unsigned i = 0; i < own->count; i++) {
        for (unsigned node = 1; node < dgx->node_count; node++) {
            assert_false(has_link(orr_platform_route(dgx, ORR_RAM, node),
                                  own->links[i]));
            assert_false(has_link(orr_platform_route(dgx, node, ORR_RAM),
                                  own->links[i]));
        }
        assert_false(has_link(orr_platform_route(dgx, 3, 4), own->links[i]));
        assert_false(has_link(orr_platform_route(dgx, 2, 1), own->links[i]));
    }
    orr_platform_free(dgx);
}

static void the_runtime_is_clean_unless_said_otherwise(void **state)
{
    struct orr_run *run =
        factorise("dgx-h100", "lu", ORR_SINGLE_PRECISION, NULL);
    struct orr_run *mixed =
        factorise("dgx-h100", "lu", ORR_SINGLE_PRECISION, "quirks=on");
    struct orr_run *reference =
        factorise("dgx-h100", "lu", ORR_SINGLE_PRECISION, "reference");

    (void)state;
    assert_non_null(strstr(orr_run_report(run)->models,
                           "sharing=fair,belief=route,quirks=off"));
    assert_non_null(strstr(orr_run_report(mixed)->models,
                           "sharing=fair,belief=route,quirks=on"));
    assert_non_null(strstr(orr_run_report(reference)->models,
                           "sharing=weighted,belief=reference,quirks=on"));
    orr_run_free(run);
    orr_run_free(mixed);
    orr_run_free(reference);
}

ORR_TESTS(modern)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test(test)
        T(speeds_are_below_the_peak_and_not_absurd),
        T(nvlink_carries_what_gpus_exchange),
        T(routes_of_nvlink_share_nothing_with_others),
        T(the_runtime_is_clean_unless_said_otherwise),
#undef T
    };

    return cmocka_run_group_tests_name("modern", tests, NULL, NULL);
}

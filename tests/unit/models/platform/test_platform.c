/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A platform made by hand: one GPU, two kernels. */
#include <string.h>

#include "models/platform/platform.h"
#include "tests/support/cmocka_all.h"

enum { CPU, GPU };

static void add_kernel(struct orr_platform *platform, const char *name,
                       enum orr_precision precision, unsigned durations)
{
    struct orr_platform_kernel *kernel =
        &platform->kernels[platform->kernel_count++];

    kernel->family = g_strdup("cholesky");
    kernel->name = g_strdup(name);
    kernel->precision = precision;
    kernel->durations = g_new0(struct orr_platform_duration, durations);
}

static void add_duration(struct orr_platform_kernel *kernel, unsigned tile,
                         unsigned device, orr_time mean)
{
    kernel->durations[kernel->count++] = (struct orr_platform_duration){
        .tile = tile,
        .device = device,
        .mean = mean,
    };
}

static int setup(void **state)
{
    struct orr_platform *platform = orr_platform_new();

    platform->name = g_strdup("hand");
    platform->cores = 2;
    platform->gpu_count = 1;
    platform->gpus = g_new0(struct orr_platform_gpu, 1);
    platform->gpus[0].name = g_strdup("CUDA0");
    platform->node_count = 2;
    platform->routes = g_new0(struct orr_platform_route, 4);
    platform->beliefs = g_new0(struct orr_platform_belief, 4);
    platform->kernels = g_new0(struct orr_platform_kernel, 2);
    add_kernel(platform, "gemm", ORR_SINGLE, 3);
    add_duration(&platform->kernels[0], 960, GPU, 3000);
    add_duration(&platform->kernels[0], 960, CPU, 9000);
    add_duration(&platform->kernels[0], 320, GPU, 200);
    orr_platform_kernel_sort(&platform->kernels[0]);
    add_kernel(platform, "gemm", ORR_DOUBLE, 0);
    *state = platform;
    return 0;
}

static int teardown(void **state)
{
    orr_platform_free(*state);
    return 0;
}

static void a_new_platform_has_the_overheads_of_the_reference(void **state)
{
    const struct orr_platform *platform = *state;

    assert_int_equal(platform->overheads.submit, 1000);
    assert_int_equal(platform->overheads.push, 1000);
    assert_int_equal(platform->overheads.fetch, 1000);
    assert_int_equal(platform->overheads.progress, 1000);
    assert_int_equal(platform->overheads.kernel_queue, 10000);
    assert_int_equal(platform->overheads.transfer_queue, 10000);
    assert_int_equal(platform->overheads.stream_start, 1000);
    assert_int_equal(platform->overheads.gpu_alloc, 175000);
    assert_int_equal(platform->overheads.gpu_free, 750000);
    assert_int_equal(platform->overheads.host_pin, 650000);
}

static void a_new_platform_is_empty(void **state)
{
    struct orr_platform *platform = orr_platform_new();

    (void)state;
    assert_int_equal(platform->node_count, 1);
    assert_int_equal(platform->gpu_count, 0);
    assert_int_equal(platform->kernel_count, 0);
    assert_null(platform->name);
    orr_platform_free(platform);
}

static void no_platform_can_be_freed(void **state)
{
    (void)state;
    orr_platform_free(NULL);
}

static void nodes_and_devices_have_names(void **state)
{
    const struct orr_platform *platform = *state;

    assert_string_equal(orr_platform_node_name(platform, ORR_RAM), "RAM");
    assert_string_equal(orr_platform_node_name(platform, 1), "CUDA0");
    assert_string_equal(orr_platform_device_name(platform, CPU), "CPU");
    assert_string_equal(orr_platform_device_name(platform, GPU), "CUDA0");
}

static void routes_and_beliefs_run_from_row_to_column(void **state)
{
    struct orr_platform *platform = *state;

    assert_ptr_equal(orr_platform_route(platform, 0, 1), &platform->routes[1]);
    assert_ptr_equal(orr_platform_route(platform, 1, 0), &platform->routes[2]);
    assert_ptr_equal(orr_platform_belief(platform, 0, 1),
                     &platform->beliefs[1]);
    assert_ptr_equal(orr_platform_belief(platform, 1, 0),
                     &platform->beliefs[2]);
}

static void a_kernel_is_found_by_family_name_and_precision(void **state)
{
    const struct orr_platform *platform = *state;

    assert_ptr_equal(
        orr_platform_kernel(platform, "cholesky", "gemm", ORR_DOUBLE, NULL),
        &platform->kernels[1]);
    assert_ptr_equal(
        orr_platform_kernel(platform, "cholesky", "gemm", ORR_SINGLE, NULL),
        &platform->kernels[0]);
}

static void expect_no_kernel(const struct orr_platform *platform,
                             const char *family, const char *name,
                             const char *message)
{
    GError *error = NULL;

    assert_null(
        orr_platform_kernel(platform, family, name, ORR_SINGLE, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN));
    assert_string_equal(error->message, message);
    g_error_free(error);
}

static void an_unknown_kernel_is_answered_by_those_there_are(void **state)
{
    struct orr_platform *empty = orr_platform_new();

    expect_no_kernel(*state, "lu", "gemm",
                     "platform hand has no kernel 'gemm' of 'lu' in single "
                     "precision; it has: gemm of cholesky (single), gemm of "
                     "cholesky (double)");
    expect_no_kernel(*state, "cholesky", "getrf",
                     "platform hand has no kernel 'getrf' of 'cholesky' in "
                     "single precision; it has: gemm of cholesky (single), "
                     "gemm of cholesky (double)");
    empty->name = g_strdup("void");
    expect_no_kernel(empty, "lu", "gemm",
                     "platform void has no kernel 'gemm' of 'lu' in single "
                     "precision; it has: none");
    orr_platform_free(empty);
}

static void durations_are_found_whatever_their_order(void **state)
{
    const struct orr_platform *platform = *state;
    const struct orr_platform_kernel *gemm = &platform->kernels[0];

    assert_int_equal(orr_platform_duration(gemm, 320, GPU), 200);
    assert_int_equal(orr_platform_duration(gemm, 960, CPU), 9000);
    assert_int_equal(orr_platform_duration(gemm, 960, GPU), 3000);
}

static void what_was_not_measured_never_ends(void **state)
{
    const struct orr_platform *platform = *state;

    assert_int_equal(orr_platform_duration(&platform->kernels[0], 320, CPU),
                     ORR_NEVER);
    assert_int_equal(orr_platform_duration(&platform->kernels[0], 640, GPU),
                     ORR_NEVER);
    assert_int_equal(orr_platform_duration(&platform->kernels[1], 960, CPU),
                     ORR_NEVER);
}

static void the_sizes_of_a_kernel_are_listed_once(void **state)
{
    const struct orr_platform *platform = *state;
    g_autofree char *tiles = orr_platform_tiles(&platform->kernels[0]);
    g_autofree char *none = orr_platform_tiles(&platform->kernels[1]);

    assert_string_equal(tiles, "320, 960");
    assert_string_equal(none, "");
}

static void no_list_of_sizes_is_endless(void **state)
{
    struct orr_platform_kernel kernel = {.count = 0};
    g_autofree char *tiles = NULL;

    (void)state;
    kernel.durations = g_new0(struct orr_platform_duration, 1000);
    for (unsigned tile = 1; tile <= 1000; tile++)
        add_duration(&kernel, tile, CPU, 1);
    tiles = orr_platform_tiles(&kernel);
    assert_true(g_str_has_suffix(tiles, ", 39, 40, ..."));
    g_free(kernel.durations);
}

static void cores_are_dealt_to_sockets_after_the_drivers(void **state)
{
    struct orr_platform_gpu gpus[] = {{.socket = 1}, {.socket = 0}};
    struct orr_platform platform = {
        .cores = 6,
        .sockets = 2,
        .gpu_count = 2,
        .gpus = gpus,
    };

    (void)state;
    for (unsigned core = 0; core < 6; core++)
        assert_int_equal(orr_platform_socket(&platform, 0, core), core / 3);
    /* One GPU in use leaves three cores and two, two leave two and two. */
    for (unsigned core = 0; core < 5; core++)
        assert_int_equal(orr_platform_socket(&platform, 1, core), core / 3);
    for (unsigned core = 0; core < 4; core++)
        assert_int_equal(orr_platform_socket(&platform, 2, core), core / 2);
}

static void without_sockets_all_cores_are_in_one_place(void **state)
{
    const struct orr_platform *platform = *state;

    assert_int_equal(orr_platform_socket(platform, 0, 0), 0);
    assert_int_equal(orr_platform_socket(platform, 0, 1), 0);
    assert_int_equal(orr_platform_socket(platform, 1, 0), 0);
}

static void precisions_have_names(void **state)
{
    (void)state;
    assert_string_equal(orr_precision_name(ORR_SINGLE), "single");
    assert_string_equal(orr_precision_name(ORR_DOUBLE), "double");
}

ORR_TESTS(platform)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(a_new_platform_has_the_overheads_of_the_reference),
        T(a_new_platform_is_empty),
        T(no_platform_can_be_freed),
        T(nodes_and_devices_have_names),
        T(routes_and_beliefs_run_from_row_to_column),
        T(a_kernel_is_found_by_family_name_and_precision),
        T(an_unknown_kernel_is_answered_by_those_there_are),
        T(durations_are_found_whatever_their_order),
        T(what_was_not_measured_never_ends),
        T(the_sizes_of_a_kernel_are_listed_once),
        T(no_list_of_sizes_is_endless),
        T(cores_are_dealt_to_sockets_after_the_drivers),
        T(without_sockets_all_cores_are_in_one_place),
        T(precisions_have_names),
#undef T
    };

    return cmocka_run_group_tests_name("platform", tests, NULL, NULL);
}

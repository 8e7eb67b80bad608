/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calibrations in tests/starpu-sampling: "tiny" in the newest formats,
 * "older" the same machine in those of StarPU 1.3, and "flat" without folders
 * and with two NUMA nodes. Their figures are invented.
 */
#include <string.h>

#include "models/import/platform_find.h"
#include "models/import/platform_starpu.h"
#include "models/import/starpu_private.h"
#include "tests/support/temp_file.h"

enum { CPU, GPU0, GPU1 };

static struct orr_platform *read_host(const char *folder, const char *host,
                                      GPtrArray *notes)
{
    g_autofree char *dir = source_file(folder);
    GError *error = NULL;
    struct orr_platform *platform =
        orr_platform_starpu_read(dir, host, notes, &error);

    assert_null(error);
    assert_non_null(platform);
    return platform;
}

static int setup(void **state)
{
    *state = read_host("tests/starpu-sampling", "tiny", NULL);
    return 0;
}

static int teardown(void **state)
{
    orr_platform_free(*state);
    return 0;
}

static void cores_and_cuda_devices_are_read(void **state)
{
    const struct orr_platform *platform = *state;

    assert_string_equal(platform->name, "tiny");
    assert_int_equal(platform->cores, 3);
    assert_int_equal(platform->gpu_count, 2);
    assert_int_equal(platform->node_count, 3);
    assert_string_equal(platform->gpus[0].name, "CUDA0");
    assert_string_equal(platform->gpus[0].model, "Toy & Co");
    assert_int_equal(platform->gpus[0].memory_bytes, 1073741824);
    assert_true(platform->gpus[0].peer);
    assert_string_equal(platform->gpus[1].name, "CUDA1");
    assert_int_equal(platform->gpus[1].memory_bytes, 1073741825);
}

static void links_that_lead_somewhere_keep_their_order(void **state)
{
    static const char *const names[] = {
        "Host",      "RAM-CUDA0",   "CUDA0-RAM",  "RAM-CUDA1",
        "CUDA1-RAM", "CUDA0-CUDA1", "CUDA1-CUDA0"};
    const struct orr_platform *platform = *state;

    assert_int_equal(platform->link_count, G_N_ELEMENTS(names));
    for (unsigned i = 0; i < platform->link_count; i++)
        assert_string_equal(platform->links[i].name, names[i]);
    assert_true(platform->links[0].bytes_per_s == 6500000000.5);
    assert_int_equal(platform->links[0].latency, 0);
    assert_true(platform->links[1].bytes_per_s == 6000000000.25);
    assert_int_equal(platform->links[1].latency, 9000);
}

static void a_link_that_a_route_lists_twice_stays_twice(void **state)
{
    const struct orr_platform *platform = *state;
    const struct orr_platform_route *route =
        orr_platform_route(platform, GPU1, GPU0);

    assert_int_equal(route->count, 3);
    assert_int_equal(route->links[0], 6);
    assert_string_equal(platform->links[route->links[0]].name, "CUDA1-CUDA0");
    assert_int_equal(route->links[1], 0);
    assert_int_equal(route->links[2], 0);
    assert_int_equal(orr_platform_route(platform, CPU, CPU)->count, 0);
}

static void beliefs_come_from_rows_to_columns(void **state)
{
    const struct orr_platform *platform = *state;
    const struct orr_platform_belief *there =
        orr_platform_belief(platform, ORR_RAM, GPU1);
    const struct orr_platform_belief *back =
        orr_platform_belief(platform, GPU1, ORR_RAM);

    assert_true(there->bytes_per_s == 5501.25e6);
    assert_true(there->latency_s == 9.25 / 1e6);
    assert_true(back->bytes_per_s == 5901e6);
    assert_true(back->latency_s == 10.125 / 1e6);
    assert_true(orr_platform_belief(platform, GPU0, GPU0)->bytes_per_s == 0);
}

static const struct orr_platform_kernel *
find(const struct orr_platform *platform, const char *family, const char *name,
     enum orr_precision precision)
{
    GError *error = NULL;
    const struct orr_platform_kernel *kernel =
        orr_platform_kernel(platform, family, name, precision, &error);

    assert_null(error);
    return kernel;
}

static void durations_are_those_of_square_tiles_by_device(void **state)
{
    const struct orr_platform_kernel *potrf =
        find(*state, "cholesky", "potrf", ORR_SINGLE);

    assert_string_equal(potrf->source,
                        "StarPU, codelets/45/chol_model_potrf.tiny");
    assert_int_equal(potrf->count, 4);
    assert_int_equal(orr_platform_duration(potrf, 320, CPU), 301250);
    assert_int_equal(orr_platform_duration(potrf, 960, CPU), 7512500);
    assert_int_equal(orr_platform_duration(potrf, 960, GPU0), 4020500);
    assert_int_equal(orr_platform_duration(potrf, 960, GPU1), 4120500);
    assert_int_equal(orr_platform_duration(potrf, 320, GPU0), ORR_NEVER);
    assert_int_equal(potrf->durations[1].deviation, 75125);
    assert_int_equal(potrf->durations[1].samples, 20);
}

/* There is a chol_model_22 as well, which could be gemm, or half of it syrk. */
static void the_newer_of_two_symbols_counts(void **state)
{
    const struct orr_platform *platform = *state;
    const struct orr_platform_kernel *gemm =
        find(platform, "cholesky", "gemm", ORR_SINGLE);

    assert_int_equal(platform->kernel_count, 5);
    assert_int_equal(orr_platform_duration(gemm, 960, CPU), 25000010);
}

/* The files hold an OpenCL device, and a CUDA device beyond the last one. */
static void other_devices_are_left_out(void **state)
{
    assert_int_equal(find(*state, "cholesky", "trsm", ORR_SINGLE)->count, 3);
    assert_int_equal(find(*state, "cholesky", "gemm", ORR_SINGLE)->count, 3);
}

/* In this file, the number of coefficients comes before "a b c". */
static void a_file_with_two_lines_swapped_is_read(void **state)
{
    const struct orr_platform_kernel *gemm =
        find(*state, "lu", "gemm", ORR_DOUBLE);

    assert_int_equal(gemm->count, 1);
    assert_int_equal(orr_platform_duration(gemm, 960, CPU), 160 * ORR_MS);
}

static void what_is_left_out_is_noted(void **state)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);

    (void)state;
    orr_platform_free(read_host("tests/starpu-sampling", "tiny", notes));
    assert_int_equal(notes->len, 2);
    assert_string_equal(notes->pdata[0],
                        "codelets/45/starpu_dlu_lu_model_gemm.tiny: left out "
                        "entries that are not of square tiles: 1");
    assert_string_equal(
        notes->pdata[1],
        "left out, because no application has such a kernel: cl_update");
}

static void assert_same_kernel(const struct orr_platform *platform,
                               const struct orr_platform *other,
                               const char *name)
{
    const struct orr_platform_kernel *a =
        find(platform, "cholesky", name, ORR_SINGLE);
    const struct orr_platform_kernel *b =
        find(other, "cholesky", name, ORR_SINGLE);

    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->durations, b->durations,
                        a->count * sizeof(*a->durations));
}

static void older_formats_and_names_give_the_same_machine(void **state)
{
    const struct orr_platform *tiny = *state;
    struct orr_platform *older =
        read_host("tests/starpu-sampling", "older", NULL);

    assert_int_equal(older->cores, tiny->cores);
    assert_int_equal(older->gpu_count, tiny->gpu_count);
    assert_int_equal(older->link_count, tiny->link_count);
    for (unsigned i = 0; i < tiny->link_count; i++) {
        assert_string_equal(older->links[i].name, tiny->links[i].name);
        assert_true(older->links[i].bytes_per_s == tiny->links[i].bytes_per_s);
        assert_int_equal(older->links[i].latency, tiny->links[i].latency);
    }
    assert_same_kernel(older, tiny, "potrf");
    assert_same_kernel(older, tiny, "trsm");
    assert_same_kernel(older, tiny, "syrk");
    assert_same_kernel(older, tiny, "gemm");
    orr_platform_free(older);
}

/* Half of 25000.01 us is 12500.005, of which seven digits are 12500.00. */
static void a_syrk_out_of_gemm_takes_half_to_seven_digits(void **state)
{
    struct orr_platform *older =
        read_host("tests/starpu-sampling", "older", NULL);
    const struct orr_platform_kernel *syrk =
        find(older, "cholesky", "syrk", ORR_SINGLE);

    (void)state;
    assert_string_equal(syrk->source,
                        "StarPU, codelets/44/chol_model_22.older, halved");
    assert_int_equal(orr_platform_duration(syrk, 960, CPU), 12500000);
    assert_int_equal(syrk->durations[0].deviation, 250000);
    orr_platform_free(older);
}

static void files_may_lie_in_the_folder_itself(void **state)
{
    struct orr_platform *flat =
        read_host("tests/starpu-sampling/flat", "flat", NULL);
    const struct orr_platform_kernel *gemm =
        find(flat, "cholesky", "gemm", ORR_DOUBLE);

    (void)state;
    assert_false(flat->gpus[0].peer);
    assert_string_equal(gemm->source, "StarPU, codelets/dgemm.flat");
    assert_int_equal(orr_platform_duration(gemm, 960, GPU0), 3 * ORR_MS);
    orr_platform_free(flat);
}

static void of_several_NUMA_nodes_the_first_is_RAM(void **state)
{
    struct orr_platform *flat =
        read_host("tests/starpu-sampling/flat", "flat", NULL);

    (void)state;
    assert_true(orr_platform_belief(flat, ORR_RAM, GPU0)->bytes_per_s ==
                6001.5e6);
    assert_true(orr_platform_belief(flat, GPU0, ORR_RAM)->latency_s ==
                10.25 / 1e6);
    orr_platform_free(flat);
}

/* Published test vectors: matrices of 960 and 320 rows. */
static void footprints_are_those_of_StarPU(void **state)
{
    (void)state;
    assert_int_equal(orr_starpu_footprint(960, 1), 0x617e5fe6);
    assert_int_equal(orr_starpu_footprint(960, 2), 0xff82dda0);
    assert_int_equal(orr_starpu_footprint(960, 3), 0x24c84a50);
    assert_int_equal(orr_starpu_footprint(320, 1), 0xcea37d6d);
    assert_int_equal(orr_starpu_footprint(320, 3), 0xd46431bb);
}

static void a_calibration_has_a_name_like_other_platforms(void **state)
{
    g_autofree char *dir = source_file("tests/starpu-sampling");
    g_autofree char *name = g_strconcat("starpu:", dir, ":tiny", NULL);
    static const char *const nowhere[] = {NULL};
    struct orr_platform *platform = orr_platform_load(name, nowhere, NULL);

    (void)state;
    assert_non_null(platform);
    assert_string_equal(platform->path, name);
    orr_platform_free(platform);
}

static void expect_unknown(const char *name, const char *expected)
{
    static const char *const nowhere[] = {NULL};
    GError *error = NULL;

    assert_null(orr_platform_load(name, nowhere, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN));
    assert_non_null(strstr(error->message, expected));
    g_error_free(error);
}

static void an_unknown_host_is_told_which_there_are(void **state)
{
    g_autofree char *dir = source_file("tests/starpu-sampling");
    g_autofree char *host = g_strconcat("starpu:", dir, ":huge", NULL);
    g_autofree char *way = g_strconcat("starpu:", dir, ":../bus/tiny", NULL);

    (void)state;
    expect_unknown(host, "no StarPU calibration of 'huge' in ");
    expect_unknown(host, "; there are: older, tiny");
    expect_unknown(way, "no StarPU calibration of '../bus/tiny' in ");
    expect_unknown("starpu:/nowhere:x", "; there are: none");
    expect_unknown("starpu:x", "expected starpu:DIR:HOST");
    expect_unknown("starpu::x", "expected starpu:DIR:HOST");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cores_and_cuda_devices_are_read),
        TEST(links_that_lead_somewhere_keep_their_order),
        TEST(a_link_that_a_route_lists_twice_stays_twice),
        TEST(beliefs_come_from_rows_to_columns),
        TEST(durations_are_those_of_square_tiles_by_device),
        TEST(the_newer_of_two_symbols_counts),
        TEST(other_devices_are_left_out),
        TEST(a_file_with_two_lines_swapped_is_read),
        cmocka_unit_test(what_is_left_out_is_noted),
        TEST(older_formats_and_names_give_the_same_machine),
        cmocka_unit_test(a_syrk_out_of_gemm_takes_half_to_seven_digits),
        cmocka_unit_test(files_may_lie_in_the_folder_itself),
        cmocka_unit_test(of_several_NUMA_nodes_the_first_is_RAM),
        cmocka_unit_test(footprints_are_those_of_StarPU),
        cmocka_unit_test(a_calibration_has_a_name_like_other_platforms),
        cmocka_unit_test(an_unknown_host_is_told_which_there_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calibrations in tests/starpu-sampling: "tiny" in the newest formats, "older"
 * the same machine in the formats of StarPU 1.3, "flat" without folders and
 * with two NUMA nodes. Their figures are invented.
 */
#include <string.h>

#include "models/import/platform_find.h"
#include "models/starpu/platform_starpu.h"
#include "models/starpu/starpu_private.h"
#include "models/starpu/starpu_shape.h"
#include "tests/support/temp_file.h"

enum { CPU, GPU0, GPU1 };

static struct orr_platform *read_host(const char *folder, const char *host)
{
    g_autofree char *dir = source_file(folder);
    GError *error = NULL;
    struct orr_platform *platform = orr_platform_starpu_read(dir, host, &error);

    assert_null(error);
    assert_non_null(platform);
    return platform;
}

static int setup(void **state)
{
    *state = read_host("tests/starpu-sampling", "tiny");
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

/* There is a chol_model_22 as well, which could be gemm, or half of it syrk.
 * Two kernels are of other footprints. */
static void the_newer_of_two_symbols_counts(void **state)
{
    const struct orr_platform *platform = *state;
    const struct orr_platform_kernel *gemm =
        find(platform, "cholesky", "gemm", ORR_SINGLE);

    assert_int_equal(platform->kernel_count, 7);
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

static void assert_notes(const struct orr_platform *platform,
                         const char *const *expected)
{
    assert_int_equal(platform->notes->len, g_strv_length((char **)expected));
    for (guint i = 0; i < platform->notes->len && expected[i]; i++)
        assert_non_null(strstr(platform->notes->pdata[i], expected[i]));
}

/* Vectors, and a matrix that is no square: each footprint is a kernel of one
 * size. */
static void other_operands_are_found_by_footprint(void **state)
{
    static const char *const nothing[] = {NULL};
    const struct orr_platform_kernel *update =
        find(*state, "starpu", "cl_update.49ec0825", ORR_SINGLE);

    assert_int_equal(update->count, 1);
    assert_int_equal(orr_platform_duration(update, 1, CPU), 1 * ORR_US);
    assert_string_equal(update->source, "StarPU, codelets/45/cl_update.tiny");
    assert_notes(*state, nothing);
}

/*
 * Chameleon has one gemm and one trsm for all factorizations, and QR kernels
 * whose workspace is hashed, too. Their hashes lack leading zeros.
 */
static void names_of_Chameleon_are_known(void **state)
{
    struct orr_platform *node =
        read_host("tests/starpu-sampling/chameleon", "chameleon");
    static const struct {
        const char *family;
        const char *name;
        orr_time cpu;
        orr_time gpu;
    } expected[] = {
        {"cholesky", "potrf", 32 * ORR_MS, ORR_NEVER},
        {"cholesky", "gemm", 184 * ORR_MS, 1240 * ORR_US},
        {"lu", "getrf", 190 * ORR_MS, ORR_NEVER},
        {"lu", "trsm_ll", 85 * ORR_MS, 1900 * ORR_US},
        {"lu", "trsm_ru", 85 * ORR_MS, 1900 * ORR_US},
        {"lu", "gemm", 184 * ORR_MS, 1240 * ORR_US},
        {"gemm", "gemm", 184 * ORR_MS, 1240 * ORR_US},
        {"qr", "geqrt", 187 * ORR_MS, ORR_NEVER},
        {"qr", "ormqr", 460 * ORR_MS, 4800 * ORR_US},
        {"qr", "tpqrt", 234 * ORR_MS, ORR_NEVER},
        {"qr", "tpmqrt", 1050 * ORR_MS, 8 * ORR_MS},
        {"starpu", "dsymm", 200 * ORR_MS, ORR_NEVER},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
        const struct orr_platform_kernel *kernel =
            find(node, expected[i].family, expected[i].name, ORR_DOUBLE);

        assert_int_equal(orr_platform_duration(kernel, 1600, CPU),
                         expected[i].cpu);
        assert_int_equal(orr_platform_duration(kernel, 1600, GPU0),
                         expected[i].gpu);
    }
    assert_string_equal(find(node, "qr", "geqrt", ORR_DOUBLE)->source,
                        "StarPU, codelets/45/dgeqrt.chameleon; inner blocks of "
                        "48 columns");
    assert_int_equal(find(node, "cholesky", "potrf", ORR_SINGLE)->count, 1);
    assert_int_equal(find(node, "gemm", "gemm_2d", ORR_SINGLE)->count, 2);
    orr_platform_free(node);
}

/*
 * The link has another rate than the belief, which is of the second NUMA node.
 * A codelet of no known kernel may be broken. Rates within 1 % are equal.
 */
static void contradictions_and_broken_files_are_noted(void **state)
{
    struct orr_platform *node =
        read_host("tests/starpu-sampling/chameleon", "chameleon");
    static const char *const expected[] = {
        "dbroken.chameleon:2: the number of combinations: ",
        "rates that policies predict and rates of lone copies contradict each "
        "other: RAM-CUDA0 20.0 GB/s, 12.0 GB/s",
        NULL,
    };

    (void)state;
    assert_notes(node, expected);
    orr_platform_free(node);
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
    for (unsigned i = 0; i < a->count; i++) {
        const struct orr_platform_duration *left = &a->durations[i];
        const struct orr_platform_duration *right = &b->durations[i];

        assert_int_equal(left->tile, right->tile);
        assert_int_equal(left->device, right->device);
        assert_int_equal(left->mean, right->mean);
        assert_true(left->mean_s == right->mean_s);
        assert_int_equal(left->deviation, right->deviation);
        assert_int_equal(left->samples, right->samples);
    }
}

static void older_formats_and_names_give_the_same_machine(void **state)
{
    const struct orr_platform *tiny = *state;
    struct orr_platform *older = read_host("tests/starpu-sampling", "older");

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
    struct orr_platform *older = read_host("tests/starpu-sampling", "older");
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
    struct orr_platform *flat = read_host("tests/starpu-sampling/flat", "flat");
    const struct orr_platform_kernel *gemm =
        find(flat, "cholesky", "gemm", ORR_DOUBLE);

    (void)state;
    assert_false(flat->gpus[0].peer);
    assert_string_equal(gemm->source, "StarPU, codelets/dgemm.flat");
    assert_int_equal(orr_platform_duration(gemm, 960, GPU0), 3 * ORR_MS);
    orr_platform_free(flat);
}

/* The file has the columns NUMA 0, NUMA 1 and CUDA 0, which is not read. */
static void a_second_NUMA_node_counts_as_the_first_GPU(void **state)
{
    struct orr_platform *flat = read_host("tests/starpu-sampling/flat", "flat");

    (void)state;
    assert_true(orr_platform_belief(flat, ORR_RAM, GPU0)->bytes_per_s ==
                9000e6);
    assert_true(orr_platform_belief(flat, GPU0, ORR_RAM)->latency_s == 1 / 1e6);
    orr_platform_free(flat);
}

/* Files of StarPU 1.3 leave SimGrid's network as it is by default: all copies
 * take 5 % of the links of their way back, and their shares depend on rates. */
static void older_files_leave_crosstraffic_on(void **state)
{
    struct orr_platform *flat = read_host("tests/starpu-sampling/flat", "flat");
    struct orr_platform *tiny = read_host("tests/starpu-sampling", "tiny");

    (void)state;
    assert_string_equal(flat->links[0].name, "Host");
    assert_true(flat->links[0].bytes_per_s == 6500000000.5 / 1.05);
    assert_true(flat->links[0].delay_s == 20537 / 6500000000.5);
    assert_string_equal(flat->links[1].name, "RAM-CUDA0");
    assert_true(flat->links[1].bytes_per_s == 6000000000.25);
    assert_true(tiny->links[0].bytes_per_s == 6500000000.5);
    assert_true(tiny->links[0].delay_s == 0);
    orr_platform_free(tiny);
    orr_platform_free(flat);
}

static uint32_t hash_tiles(unsigned tile, const char *operands)
{
    const struct orr_starpu_shape shape = {.tile = tile};

    return orr_starpu_footprint(operands, 4, shape);
}

/* Published test vectors: matrices of 960 and 320 rows. */
static void footprints_are_those_of_StarPU(void **state)
{
    (void)state;
    assert_int_equal(hash_tiles(960, "S"), 0x617e5fe6);
    assert_int_equal(hash_tiles(960, "SS"), 0xff82dda0);
    assert_int_equal(hash_tiles(960, "SSS"), 0x24c84a50);
    assert_int_equal(hash_tiles(320, "S"), 0xcea37d6d);
    assert_int_equal(hash_tiles(320, "SSS"), 0xd46431bb);
    assert_int_equal(hash_tiles(320, "LRS"), 0x0b0b0ce8);
}

static void expect_shape(const char *operands, unsigned element_bytes,
                         uint64_t bytes, uint32_t hash, unsigned tile,
                         unsigned inner)
{
    struct orr_starpu_shape shape =
        orr_starpu_shape_find(operands, element_bytes, bytes, hash);

    assert_int_equal(shape.tile, tile);
    assert_int_equal(shape.inner, inner);
}

/* From Chameleon's models of four machines. */
static void the_tile_of_a_QR_kernel_is_found(void **state)
{
    (void)state;
    expect_shape("STW", 8, 22937600, 0x0dc9b1e0, 1600, 48);
    expect_shape("STW", 4, 4423680, 0xb4d5b0e3, 960, 48);
    expect_shape("STSW", 8, 16220160, 0x0b34abbb, 960, 48);
    expect_shape("SSTW", 4, 13253120, 0x01693a6f, 1240, 48);
    expect_shape("STSSW", 8, 63897600, 0x6d2b5f8a, 1600, 48);
    expect_shape("STSSW", 8, 22963200, 0x636867d7, 0, 0);
    expect_shape("STW", 8, 22937600, 0x0dc9b1e1, 0, 0);
    expect_shape("STW", 8, 0, 0, 0, 0);
    expect_shape("S", 4, INT64_MAX, 0, 0, 0);
    expect_shape("STW", 4, INT64_MAX - 3, 0, 0, 0);
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

/* Of a codelet with two implementations on a core, the first counts; of its
 * entries, the one with samples. */
static void the_first_implementation_counts_where_it_was_measured(void **state)
{
    static const char text[] = "45\n"         /* version */
                               "1\n"          /* combination of devices */
                               "1\n0\n0\n1\n" /* one CPU: type, number, cores */
                               "2\n"          /* implementations */
                               "2\n0 0 0 0 nan nan 0 0 0\n0\nnan nan nan\n"
                               "24c84a50 1000 0 10 1 70 700 7\n"
                               "deadbeef 2000 0 5 0 0 0 0\n"
                               "1\n0 0 0 0 nan nan 0 0 0\n0\nnan nan nan\n"
                               "24c84a51 1000 0 3 1 21 63 7\n";
    char *path = temp_file_new(text, strlen(text));
    GError *error = NULL;
    struct orr_starpu_codelet *codelet =
        orr_starpu_codelet_read(path, 0, &error);

    (void)state;
    if (error)
        fail_msg("%s", error->message);
    assert_int_equal(codelet->count, 1);
    assert_int_equal(codelet->entries[0].device, 0);
    assert_int_equal(codelet->entries[0].line, 12);
    assert_int_equal(codelet->entries[0].bytes, 1000);
    assert_int_equal(codelet->entries[0].mean.time, 10 * ORR_US);
    assert_int_equal(codelet->entries[0].half.time, 5 * ORR_US);
    assert_int_equal(codelet->entries[0].samples, 7);
    orr_starpu_codelet_free(codelet);
    temp_file_remove(path);
}

ORR_TESTS(platform_starpu)
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
        TEST(other_operands_are_found_by_footprint),
        cmocka_unit_test(names_of_Chameleon_are_known),
        cmocka_unit_test(contradictions_and_broken_files_are_noted),
        TEST(older_formats_and_names_give_the_same_machine),
        cmocka_unit_test(a_syrk_out_of_gemm_takes_half_to_seven_digits),
        cmocka_unit_test(files_may_lie_in_the_folder_itself),
        cmocka_unit_test(a_second_NUMA_node_counts_as_the_first_GPU),
        cmocka_unit_test(older_files_leave_crosstraffic_on),
        cmocka_unit_test(footprints_are_those_of_StarPU),
        cmocka_unit_test(the_tile_of_a_QR_kernel_is_found),
        cmocka_unit_test(a_calibration_has_a_name_like_other_platforms),
        cmocka_unit_test(an_unknown_host_is_told_which_there_are),
        cmocka_unit_test(the_first_implementation_counts_where_it_was_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

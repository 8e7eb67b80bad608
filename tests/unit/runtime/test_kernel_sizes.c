/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels of a run, found by the sizes of their operands. */
#include <string.h>

#include "models/base/error.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

/* A tile of 960 x 960 floats. */
#define BYTES 3686400u

static const uint64_t two[] = {BYTES, BYTES};

static void test_sizes_tell_the_tile(void **state)
{
    struct unit_run *unit = unit_run_on("eager", -1, -1);
    struct orr_kernel *kernel = orr_kernel_find(
        unit->run, "test", "unit", ORR_SINGLE_PRECISION, 960, NULL);

    (void)state;
    assert_non_null(kernel);
    assert_ptr_equal(
        orr_kernel_find_sizes(unit->run, "test/unit", two, 2, NULL), kernel);
    assert_ptr_equal(
        orr_kernel_find_sizes(unit->run, "test/unit/single", two, 1, NULL),
        kernel);
    unit_run_free(unit);
}

static void expect_refused(struct orr_run *run, const char *symbol,
                           const uint64_t *bytes, unsigned count,
                           const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_null(orr_kernel_find_sizes(run, symbol, bytes, count, &error));
    assert_non_null(error);
    assert_string_equal(error->message, message);
}

static void test_an_error_names_kernel_and_sizes(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 0, 1);
    const uint64_t small[] = {400, 400};
    const uint64_t uneven[] = {400, BYTES};

    (void)state;
    expect_refused(unit->run, "test/unit", small, 2,
                   "kernel 'test/unit' has no duration on the workers of this "
                   "run: its operands are those of unit of test at tile 10 "
                   "(single)");
    expect_refused(unit->run, "test/on-cpu", two, 2,
                   "kernel 'test/on-cpu' has no duration on the workers of "
                   "this run: its operands are those of on-cpu of test at "
                   "tile 960 (single)");
    expect_refused(unit->run, "test/unit", uneven, 2,
                   "kernel 'test/unit': no known kernel of this name has 2 "
                   "operands of 400, 3686400 bytes");
    expect_refused(unit->run, NULL, two, 2, "the symbol of the kernel is NULL");
    expect_refused(unit->run, "test/unit", NULL, 2,
                   "the array of operands' sizes is NULL");
    unit_run_free(unit);
}

/* A run on a calibration in tests/starpu-sampling/. */
static struct orr_run *measured(const char *folder, const char *host, int cpus,
                                int gpus)
{
    g_autofree char *path = source_file(folder);
    g_autofree char *platform = g_strdup_printf("starpu:%s:%s", path, host);
    struct orr_config config = unit_config("eager", cpus, gpus);
    g_autoptr(GError) error = NULL;
    struct orr_run *run;

    config.platform = platform;
    config.models = "overheads=off";
    run = orr_run_new(&config, &error);
    if (!run)
        fail_msg("%s", error->message);
    return run;
}

/* 24c84a50 is of three tiles of 960. */
static void a_footprint_of_tiles_tells_the_tile(void **state)
{
    struct orr_run *run = measured("tests/starpu-sampling", "tiny", 1, 0);
    struct orr_kernel *gemm =
        orr_kernel_find(run, "lu", "gemm", ORR_DOUBLE_PRECISION, 960, NULL);

    (void)state;
    assert_non_null(gemm);
    assert_ptr_equal(orr_kernel_find_footprint(run, "starpu_dlu_lu_model_gemm",
                                               0x24c84a50, NULL),
                     gemm);
    orr_run_free(run);
}

/* Of kernels of QR: a tile, a factor with inner blocks of 48, another tile. */
static void so_does_one_with_inner_blocks(void **state)
{
    struct orr_run *run =
        measured("tests/starpu-sampling/chameleon", "chameleon", 1, 1);
    struct orr_kernel *ormqr =
        orr_kernel_find(run, "qr", "ormqr", ORR_DOUBLE_PRECISION, 1600, NULL);

    (void)state;
    assert_non_null(ormqr);
    assert_ptr_equal(orr_kernel_find_footprint(run, "dormqr", 0x388fcbe3, NULL),
                     ormqr);
    assert_non_null(orr_kernel_find_footprint(run, "dormqr", 0xb21c2541, NULL));
    orr_run_free(run);
}

/* @known: what the calibration has for @symbol; NULL: the message does not say.
 */
static void expect_unknown(struct orr_run *run, const char *symbol,
                           uint32_t footprint, const char *message,
                           const char *known)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *end =
        known ? g_strdup_printf("; %s has %s", run->platform->path, known)
              : g_strdup("");
    g_autofree char *expected = g_strconcat(message, end, NULL);

    assert_null(orr_kernel_find_footprint(run, symbol, footprint, &error));
    assert_string_equal(error->message, expected);
}

/* d7e65bb1 is of dormqr at 1600 with inner blocks of 192 columns; it was
 * measured with 48. */
static void inner_blocks_of_another_size_are_not_measured(void **state)
{
    struct orr_run *run =
        measured("tests/starpu-sampling/chameleon", "chameleon", 1, 1);

    (void)state;
    expect_unknown(run, "dormqr", 0xd7e65bb1,
                   "kernel 'dormqr': platform chameleon has no duration of "
                   "footprint d7e65bb1 on the workers of this run",
                   "only tiles of 1600; the footprints b21c2541");
    orr_run_free(run);
}

/* Operands that are no tiles; it takes 1 us. */
static void any_measured_footprint_is_found(void **state)
{
    struct orr_run *run = measured("tests/starpu-sampling", "tiny", 1, 0);
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT,
                                       .kernel = orr_kernel_find_footprint(
                                           run, "cl_update", 0x49ec0825, NULL)};

    (void)state;
    assert_non_null(spec.kernel);
    orr_task_submit(run, &spec);
    assert_true(orr_run_wait(run, NULL));
    assert_int_equal(orr_run_now(run), 1000);
    orr_run_free(run);
}

static void other_footprints_are_errors(void **state)
{
    struct orr_run *run = measured("tests/starpu-sampling", "tiny", 0, 1);

    (void)state;
    expect_unknown(run, NULL, 1, "the symbol of the kernel is NULL", NULL);
    expect_unknown(run, "cl_update", 1,
                   "kernel 'cl_update': platform tiny has no duration of "
                   "footprint 00000001 on the workers of this run",
                   "only the footprints 49ec0825");
    expect_unknown(run, "cl_updates", 1,
                   "kernel 'cl_updates': platform tiny has no duration of "
                   "footprint 00000001 on the workers of this run",
                   "nothing of this name");
    expect_unknown(run, "cl_update", 0x49ec0825,
                   "kernel 'cl_update': platform tiny has no duration of "
                   "footprint 49ec0825 on the workers of this run: it is "
                   "measured elsewhere as cl_update.49ec0825 of starpu at tile "
                   "1 (single)",
                   "only the footprints 49ec0825");
    orr_run_free(run);
}

ORR_TESTS(kernel_sizes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_tell_the_tile),
        cmocka_unit_test(test_an_error_names_kernel_and_sizes),
        cmocka_unit_test(a_footprint_of_tiles_tells_the_tile),
        cmocka_unit_test(so_does_one_with_inner_blocks),
        cmocka_unit_test(inner_blocks_of_another_size_are_not_measured),
        cmocka_unit_test(any_measured_footprint_is_found),
        cmocka_unit_test(other_footprints_are_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

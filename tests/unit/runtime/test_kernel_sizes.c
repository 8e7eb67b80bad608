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

ORR_TESTS(kernel_sizes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_tell_the_tile),
        cmocka_unit_test(test_an_error_names_kernel_and_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels found by their symbol and the bytes of their operands. */
#include "models/starpu/starpu_operands.h"

#include <string.h>

#include "models/starpu/starpu_shape.h"
#include "tests/support/cmocka_all.h"

#define TILE UINT64_C(960)
#define SINGLE (TILE * TILE * 4) /* bytes of a tile: 3686400 */
#define DOUBLE (TILE * TILE * 8)

static bool take(void *data, const char *family, const char *name,
                 enum orr_precision precision, unsigned tile)
{
    g_string_append_printf(data, "%s/%s/%s %u;", family, name,
                           orr_precision_name(precision), tile);
    return false;
}

static void expect(const char *symbol, const uint64_t *bytes, unsigned count,
                   uint32_t footprint, const char *kernels)
{
    const struct orr_starpu_task task = {symbol, bytes, count, footprint};
    g_autoptr(GString) found = g_string_new(NULL);
    const struct orr_starpu_visitor visitor = {take, found};

    assert_false(orr_starpu_visit_kernels(&task, &visitor));
    assert_string_equal(found->str, kernels);
}

static void test_a_symbol_has_operands_and_a_precision(void **state)
{
    const uint64_t three[] = {SINGLE, SINGLE, SINGLE};
    const uint64_t wide[] = {DOUBLE, DOUBLE, DOUBLE};

    (void)state;
    expect("chol_model_gemm", three, 3, 0, "cholesky/gemm/single 960;");
    expect("chol_model_gemm", three, 2, 0, "");
    expect("dgemm", wide, 3, 0,
           "cholesky/gemm/double 960;lu/gemm/double 960;"
           "gemm/gemm/double 960;");
    expect("starpu_dlu_lu_model_getrf", wide, 1, 0, "lu/getrf/double 960;");
}

/* chol_model_22 was gemm, and syrk by half its durations. */
static void test_a_derived_kernel_is_not_what_ran(void **state)
{
    const uint64_t three[] = {SINGLE, SINGLE, SINGLE};

    (void)state;
    expect("chol_model_22", three, 3, 0, "cholesky/gemm/single 960;");
}

static void test_all_operands_count(void **state)
{
    const uint64_t uneven[] = {SINGLE, SINGLE, SINGLE / 4};
    const uint64_t no_square[] = {3686404, 3686404, 3686404};
    const uint64_t nothing[] = {0, 0, 0};

    (void)state;
    expect("chol_model_gemm", uneven, 3, 0, "");
    expect("chol_model_gemm", no_square, 3, 0, "");
    expect("chol_model_gemm", nothing, 3, 0, "");
    expect("chol_model_gemm", NULL, 0, 0, "");
}

/* geqrt works on a tile, 32 x 960 factors, and a workspace of thrice that. */
static void test_factors_and_workspaces(void **state)
{
    const uint64_t qr[] = {DOUBLE, TILE * 32 * 8, TILE * 3 * 32 * 8};
    const uint64_t other[] = {DOUBLE, TILE * 32 * 8, TILE * 2 * 32 * 8};

    (void)state;
    expect("dgeqrt", qr, 3, 0, "qr/geqrt/double 960;");
    expect("dgeqrt", other, 3, 0, "");
}

/* Tiles of 5 x 5 floats: the upper half has 15 elements, the lower one 10. */
static void test_halves_of_tiles_of_qr(void **state)
{
    enum { WHOLE = 100, UPPER = 60, LOWER = 40, FACTOR = 2 * 5 * 4 };
    const uint64_t geqrt[] = {UPPER, LOWER, FACTOR};
    const uint64_t ormqr[] = {LOWER, FACTOR, UPPER, LOWER};
    const uint64_t tpqrt[] = {UPPER, WHOLE, FACTOR};
    const uint64_t tpmqrt[] = {WHOLE, FACTOR, UPPER, LOWER, WHOLE};
    const uint64_t ttqrt[] = {UPPER, UPPER, FACTOR};
    const uint64_t ttmqr[] = {UPPER, FACTOR, UPPER, LOWER, UPPER, LOWER};
    const uint64_t whole[] = {WHOLE, FACTOR};

    (void)state;
    expect("sgeqrt", geqrt, 3, 0, "qr/geqrt/single 5;");
    expect("sgeqrt", whole, 2, 0, "qr/geqrt/single 5;");
    expect("sormqr", ormqr, 4, 0, "qr/ormqr/single 5;");
    expect("stpqrt", tpqrt, 3, 0, "qr/tpqrt/single 5;");
    expect("stpmqrt", tpmqrt, 5, 0, "qr/tpmqrt/single 5;");
    expect("qr/ttqrt/single", ttqrt, 3, 0, "qr/ttqrt/single 5;");
    expect("qr/ttmqr/single", ttmqr, 6, 0, "qr/ttmqr/single 5;");
}

static void test_what_is_no_half_is_no_operand_of_qr(void **state)
{
    const uint64_t two_lower[] = {40, 40, 40};
    const uint64_t gap[] = {60, 44, 40};
    const uint64_t thick[] = {60, 40, 120};
    const uint64_t uneven[] = {60, 40, 24};
    const uint64_t nothing[] = {0, 0, 0};
    const uint64_t huge[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};

    (void)state;
    expect("sgeqrt", two_lower, 3, 0, "");
    expect("sgeqrt", gap, 3, 0, "");
    expect("sgeqrt", thick, 3, 0, "");
    expect("sgeqrt", uneven, 3, 0, "");
    expect("sgeqrt", nothing, 3, 0, "");
    expect("sgeqrt", huge, 3, 0, "");
    expect("sgeqrt", NULL, 0, 0, "");
    expect("chol_model_trsm", two_lower, 2, 0, "");
    expect("sgeqrt", (const uint64_t[]){60, 40, 40}, 3, 1, "");
}

static void test_a_footprint_tells_other_shapes_of_that_size(void **state)
{
    const uint64_t three[] = {SINGLE, SINGLE, SINGLE};
    const struct orr_starpu_shape shape = {TILE, 0};
    uint32_t right = orr_starpu_footprint("SSS", 4, shape);

    (void)state;
    expect("chol_model_gemm", three, 3, right, "cholesky/gemm/single 960;");
    expect("chol_model_gemm", three, 3, right + 1, "");
}

/* 3686400 bytes are 960 x 960 floats; no square number of doubles. */
static void test_names_of_platforms(void **state)
{
    const uint64_t three[] = {SINGLE, SINGLE, SINGLE};
    const uint64_t wide[] = {DOUBLE, DOUBLE, DOUBLE};
    const uint64_t both[] = {64, 64};

    (void)state;
    expect("cholesky/gemm", three, 3, 0, "cholesky/gemm/single 960;");
    expect("cholesky/gemm", wide, 3, 0, "cholesky/gemm/double 960;");
    expect("cholesky/gemm/double", three, 3, 0, "");
    expect("cholesky/gemm", three, 2, 0, "");
    expect("heat/step", both, 2, 0, "heat/step/single 4;");
    expect("step", both, 2, 0, "starpu/step/single 4;");
    expect("a/b/c/d", both, 2, 0, "");
}

ORR_TESTS(starpu_operands)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_symbol_has_operands_and_a_precision),
        cmocka_unit_test(test_a_derived_kernel_is_not_what_ran),
        cmocka_unit_test(test_all_operands_count),
        cmocka_unit_test(test_factors_and_workspaces),
        cmocka_unit_test(test_halves_of_tiles_of_qr),
        cmocka_unit_test(test_what_is_no_half_is_no_operand_of_qr),
        cmocka_unit_test(test_a_footprint_tells_other_shapes_of_that_size),
        cmocka_unit_test(test_names_of_platforms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

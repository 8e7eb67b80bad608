/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties of a task that the formula of its model needs. */
#include "apps/starpu/model/formula.h"
#include "tests/support/cmocka_all.h"

static void two_and_three(struct starpu_task *task, double *parameters)
{
    (void)task;
    parameters[0] = 2;
    parameters[1] = 3;
}

static size_t forty(struct starpu_task *task, unsigned nimpl)
{
    (void)task;
    (void)nimpl;
    return 40;
}

/* first, and first^2 * second */
static void terms_are_products_of_powers(void **state)
{
    unsigned one[] = {1, 0}, other[] = {2, 1};
    unsigned *combinations[] = {one, other};
    struct starpu_perfmodel model = {.type = STARPU_MULTIPLE_REGRESSION_BASED,
                                     .parameters = two_and_three,
                                     .nparameters = 2,
                                     .combinations = combinations,
                                     .ncombinations = 2};
    struct starpu_codelet codelet = {.model = &model};
    struct starpu_task task = {.cl = &codelet};
    struct sp_formula formula;

    (void)state;
    sp_formula_fill(&task, &formula, "test");
    assert_int_equal(formula.count, 2);
    assert_true(formula.terms[0] == 2 && formula.terms[1] == 12);
    assert_int_equal(formula.size, 0);
    sp_formula_end();
}

static void a_model_may_say_the_size(void **state)
{
    struct starpu_perfmodel model = {.type = STARPU_REGRESSION_BASED,
                                     .size_base = forty};
    struct starpu_codelet codelet = {.model = &model};
    struct starpu_task task = {.cl = &codelet};
    struct sp_formula formula, same, other;

    (void)state;
    sp_formula_fill(&task, &formula, "test");
    assert_int_equal(formula.size, 40);
    assert_int_equal(formula.count, 0);
    same = other = formula;
    other.type = STARPU_NL_REGRESSION_BASED;
    assert_true(sp_formula_equal(&formula, &same));
    assert_false(sp_formula_equal(&formula, &other));
}

static void a_history_needs_nothing(void **state)
{
    struct starpu_perfmodel model = {.type = STARPU_HISTORY_BASED,
                                     .size_base = forty};
    struct starpu_codelet codelet = {.model = &model};
    struct starpu_task task = {.cl = &codelet};
    struct sp_formula formula;

    (void)state;
    sp_formula_fill(&task, &formula, "test");
    assert_int_equal(formula.size, 0);
    assert_int_equal(sp_formula_hash(&formula), 0);
}

ORR_TESTS(starpu_formula)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_products_of_powers),
        cmocka_unit_test(a_model_may_say_the_size),
        cmocka_unit_test(a_history_needs_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

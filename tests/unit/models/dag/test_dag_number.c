/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers in files of graphs. */
#include <glib.h>

#include "models/dag/dag_number.h"
#include "tests/support/cmocka_all.h"

/* The nearest double, also where it is found without the library. */
static void test_reals_are_rounded_once(void **state)
{
    static const char *const texts[] = {
        "0",
        "1",
        "0.1",
        "12.",
        "1.769472e+09",
        "1.769472e9",
        "1.769472E5",
        "123456789012345e22",
        "123456789012345e23",
        "1.23456789012345e36",
        "1.23456789012345e37",
        "0.000000000000001e+30",
        "3e-7",
        "1.7694720000000001e+09",
        "1e99",
        "1e100",
        "1.7e308",
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        double value = -1;

        assert_true(orr_dag_real(texts[i], false, &value));
        assert_true(value == g_ascii_strtod(texts[i], NULL));
    }
}

static void test_what_is_no_real_is_refused(void **state)
{
    static const char *const texts[] = {
        "", "e5", "1e", "1e+", "1e5x", "1e400", "-1", "0x10", "inf", "1 ",
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        double value;

        assert_false(orr_dag_real(texts[i], false, &value));
    }
}

ORR_TESTS(dag_number)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reals_are_rounded_once),
        cmocka_unit_test(test_what_is_no_real_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers are written in the fewest digits that read back as the same number.
 */
#include "apps/output/exact.h"

#include "apps/output/json.h"
#include "tests/support/cmocka_all.h"

static void assert_written(double value, const char *expected)
{
    g_autoptr(JsonNode) node = json_node_init_double(json_node_alloc(), value);
    g_autofree char *text = orr_exact_format(node, "");

    assert_string_equal(text, expected);
}

static void few_digits_read_back(void **state)
{
    (void)state;
    assert_written(0, "0");
    assert_written(-0.5, "-0.5");
    assert_written(1, "1");
    assert_written(0.1, "0.1");
    assert_written(1.889930002, "1.889930002");
    assert_written(1000.25, "1000.25");
    assert_written(0.0001, "0.0001");
    assert_written(0.000099999, "9.9999e-05");
    assert_written(999999.999999999, "999999.999999999");
    assert_written(1e6, "1000000");
    assert_written(1e300, "1e+300");
    assert_written(1.0 / 3, "0.3333333333333333");
    assert_written(0.1 + 0.2, "0.30000000000000004");
}

/* Times in s that come from ns are written without printf(); as it would. */
static void times_are_as_printed(void **state)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);

    (void)state;
    for (unsigned i = 0; i < 100000; i++) {
        int64_t ns = (int64_t)g_rand_int(rand) << (i % 20);
        double value = (double)(ns % 1000000000000000) / 1e9;
        char expected[G_ASCII_DTOSTR_BUF_SIZE];

        g_ascii_formatd(expected, sizeof(expected), "%.15g", value);
        assert_written(value, expected);
    }
}

static void assert_string(const char *value, const char *json)
{
    g_autoptr(GString) text = g_string_new("[");

    orr_json_append(text, value);
    assert_string_equal(text->str, json);
}

static void strings_are_escaped(void **state)
{
    (void)state;
    assert_string(NULL, "[null");
    assert_string("", "[\"\"");
    assert_string("A(1,2)", "[\"A(1,2)\"");
    assert_string("\"\\</script>\n\x01é",
                  "[\"\\\"\\\\</script>\\u000a\\u0001é\"");
}

ORR_TESTS(exact)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_digits_read_back),
        cmocka_unit_test(times_are_as_printed),
        cmocka_unit_test(strings_are_escaped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

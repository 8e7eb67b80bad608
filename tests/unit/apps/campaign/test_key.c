/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Varied settings and their values. */
#include "apps/campaign/key.h"

#include "models/base/error.h"
#include "tests/support/cmocka_all.h"

/* The key of @text has the values @values, separated by blanks. */
static void assert_values(const char *text, const char *values)
{
    struct orr_key *key = orr_key_parse(text, NULL);
    g_autoptr(GString) all = g_string_new(NULL);

    assert_non_null(key);
    for (uint64_t i = 0; i < key->count; i++) {
        g_autofree char *value = orr_key_value(key, i);

        g_string_append_printf(all, "%s%s", i > 0 ? " " : "", value);
    }
    assert_string_equal(all->str, values);
    orr_key_free(key);
}

static void a_list_is_as_it_is_written(void **state)
{
    (void)state;
    assert_values("sched=dmda,dmdas", "dmda dmdas");
    assert_values("sched=dmda;./a.so", "dmda ./a.so");
    assert_values("platform=starpu:dir:host", "starpu:dir:host");
    assert_values("tiles=4x2", "4x2");
    assert_values("where=potrf=cpu,potrf=gpu", "potrf=cpu potrf=gpu");
}

static void what_is_in_quotation_marks_is_one_value(void **state)
{
    (void)state;
    assert_values("window=\"5:20\",100", "5:20 100");
    assert_values("power-cap='CUDA0=150W,cpu=60%' ; \"cpu=50%\"",
                  "CUDA0=150W,cpu=60% cpu=50%");
    assert_values("app='a;b'", "a;b");
    assert_values("app=a'b", "a'b");
}

static void ranges_are_exact(void **state)
{
    (void)state;
    assert_values("gpus=1:4", "1 2 3 4");
    assert_values("size=960:4000:960", "960 1920 2880 3840");
    assert_values("perturb=0:0.3:0.1", "0 0.1 0.2 0.3");
    assert_values("pcie=0.5x:2x:0.5x", "0.5x 1x 1.5x 2x");
    assert_values("x=-2:1", "-2 -1 0 1");
    assert_values("gpus=1,4:6,9", "1 4 5 6 9");
    assert_values("x=-0.5:0.5:0.5", "-0.5 0 0.5");
}

static void long_ranges_are_counted_only(void **state)
{
    struct orr_key *key = orr_key_parse("seed=0:99999999999999999", NULL);
    g_autofree char *last = NULL;

    (void)state;
    assert_int_equal(key->count, UINT64_C(100000000000000000));
    last = orr_key_value(key, key->count - 1);
    assert_string_equal(last, "99999999999999999");
    orr_key_free(key);
}

static void assert_refused(const char *text, const char *why)
{
    g_autoptr(GError) error = NULL;

    assert_null(orr_key_parse(text, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    assert_string_equal(error->message, why);
}

static void anything_else_is_refused(void **state)
{
    (void)state;
    assert_refused("gpus", "'gpus' is not KEY=LIST, such as gpus=1:4");
    assert_refused("=1", "'=1' is not KEY=LIST, such as gpus=1:4");
    assert_refused("gpus=", "gpus: 'gpus' has no values");
    assert_refused("gpus=1,,2", "gpus: a value is empty");
    assert_refused("gpus=1,2,1", "gpus: '1' is there twice");
    assert_refused("gpus='1',1", "gpus: '1' is there twice");
    assert_refused("gpus=1,", "gpus: a value is empty");
    assert_refused("gpus=''", "gpus: a value is empty");
    assert_refused("window=\"5:20,1", "window: '\"5:20,1' lacks a quotation "
                                      "mark");
    assert_refused("window='5:20'1", "window: ''5:20'1' continues after a "
                                     "quotation mark");
    assert_refused("gpus=2:1",
                   "gpus: '2:1' is an empty range: it ends before it begins");
    assert_refused("gpus=1:2:0",
                   "gpus: '1:2:0' has a step that is not above 0");
    assert_refused("gpus=1:2:-1",
                   "gpus: '1:2:-1' has a step that is not above 0");
    assert_refused("gpus=1:", "gpus: '1:' is not a range FROM:TO or "
                              "FROM:TO:STEP");
    assert_refused("pcie=1x:2", "pcie: '1x:2' mixes units in a range");
    assert_refused("x=0.00000000000000001:900000000000000000",
                   "x: '0.00000000000000001:900000000000000000' has too many "
                   "digits");
}

static void assert_type(const char *text, enum orr_column_type type)
{
    struct orr_key *key = orr_key_parse(text, NULL);

    assert_int_equal(key->type, type);
    orr_key_free(key);
}

static void a_column_holds_all_values_as_written(void **state)
{
    (void)state;
    assert_type("gpus=1:4,8", ORR_COLUMN_INTEGER);
    assert_type("x=0,-1", ORR_COLUMN_INTEGER);
    assert_type("x=1,0.5", ORR_COLUMN_REAL);
    assert_type("x=0:1:0.5", ORR_COLUMN_REAL);
    assert_type("x=007", ORR_COLUMN_TEXT);
    assert_type("x=1,1x", ORR_COLUMN_TEXT);
    assert_type("x=1x:2x", ORR_COLUMN_TEXT);
}

/* The key of @text is called @name and has the text @list. */
static void assert_formatted(const char *text, const char *name,
                             const char *list)
{
    struct orr_key *key = orr_key_parse(text, NULL);
    g_autofree char *formatted = orr_key_format(key);

    assert_string_equal(key->name, name);
    assert_string_equal(formatted, list);
    orr_key_free(key);
}

static void the_text_of_a_key_makes_it_again(void **state)
{
    (void)state;
    assert_formatted("pcie= 0.25x;1x:3x , gen4x16", "pcie",
                     "0.25x,1x:3x:1x,gen4x16");
    assert_formatted("window='5:20';'100'", "window", "\"5:20\",100");
    assert_formatted("x='\"a\"',\" b\",'c,d',e:f", "x",
                     "'\"a\"',\" b\",\"c,d\",e:f");
}

ORR_TESTS(key)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_is_as_it_is_written),
        cmocka_unit_test(what_is_in_quotation_marks_is_one_value),
        cmocka_unit_test(ranges_are_exact),
        cmocka_unit_test(long_ranges_are_counted_only),
        cmocka_unit_test(anything_else_is_refused),
        cmocka_unit_test(a_column_holds_all_values_as_written),
        cmocka_unit_test(the_text_of_a_key_makes_it_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

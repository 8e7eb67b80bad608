/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The values of the options of applications. */
#include "runtime/config/app_values.h"

#include <math.h>
#include <string.h>

#include "runtime/programs/dense.h"
#include "runtime/programs/programs.h"
#include "tests/support/cmocka_all.h"

/* The values of lu with an option, or why they are refused. */
static char *complete(const char *options)
{
    struct orr_app_values *values = orr_app_values_new(&orr_app_lu);
    g_auto(GStrv) items = g_strsplit(options, " ", -1);
    g_autoptr(GError) error = NULL;
    GString *text = g_string_new(NULL);
    bool good = true;

    for (char **item = items; *item && good; item++) {
        char *sign = strchr(*item, '=');

        *sign = '\0';
        good = orr_app_values_give(values, *item, sign + 1, &error);
    }
    if (!good || !orr_app_values_complete(values, &error)) {
        g_string_append(text, error->message);
    } else {
        for (unsigned i = 0; orr_dense_options[i].name; i++) {
            g_autofree char *value =
                orr_app_values_format(values, &orr_dense_options[i]);

            g_string_append_printf(text, "%s%s", i == 0 ? "" : " ", value);
        }
    }
    orr_app_values_free(values);
    return g_string_free(text, FALSE);
}

static void expect_complete(const char *options, const char *expected)
{
    g_autofree char *text = complete(options);

    assert_string_equal(text, expected);
}

static void sizes_follow_from_tiles_and_tiles_from_sizes(void **state)
{
    (void)state;
    expect_complete("tile=960", "20 19200 960 single tiles");
    expect_complete("tiles=3 precision=Double layout=matrix",
                    "3 2880 960 double matrix");
    expect_complete("size=2000 tile=500", "4 2000 500 single tiles");
    expect_complete("size=2000 tiles=2",
                    "--tiles and --size cannot be combined");
    expect_complete("size=1000", "--size: 1000 is not a multiple of the tile, "
                                 "960; the nearest are 960 and 1920");
    expect_complete("size=100", "--size: 100 is not a multiple of the tile, "
                                "960; the smallest is 960");
    expect_complete("tiles=0", "'0': expected a whole number from 1 to "
                               "1000000000");
    expect_complete("precision=half",
                    "unknown precision 'half'; there are: single, double");
}

/* An option of each kind. */
static const char *const colours[] = {"red", "green", NULL};
static const struct orr_app_option options[] = {
    {"count", "N", "", ORR_APP_COUNT, 2, 9, "3", NULL},
    {"number", "X", "", ORR_APP_NUMBER, -1, 1.5, NULL, NULL},
    {"choice", "C", "", ORR_APP_CHOICE, 0, 0, NULL, colours},
    {"flag", NULL, "", ORR_APP_FLAG, 0, 0, NULL, NULL},
    {"text", "T", "", ORR_APP_TEXT, 0, 0, NULL, NULL},
    {"grid", "MxN", "", ORR_APP_SHAPE, 1, 90, "4x2", NULL},
    {"size", "MxN", "", ORR_APP_SHAPE, 1, 900, NULL, NULL},
    {0},
};
static const struct orr_app kinds = {.name = "kinds", .options = options};

static void values_that_are_not_given_are_the_presets(void **state)
{
    struct orr_app_values *values = orr_app_values_new(&kinds);

    (void)state;
    assert_true(orr_app_values_complete(values, NULL));
    assert_int_equal(orr_app_count(values, "count"), 3);
    assert_true(fabs(orr_app_number(values, "number")) < 1e-300);
    assert_int_equal(orr_app_choice(values, "choice"), 0);
    assert_false(orr_app_flag(values, "flag"));
    assert_null(orr_app_text(values, "text"));
    assert_false(orr_app_is_given(values, "count"));
    orr_app_values_free(values);
}

static void values_of_each_kind_are_given_and_copied(void **state)
{
    struct orr_app_values *values = orr_app_values_new(&kinds);
    struct orr_app_values *copy;
    static const char *const given[][2] = {
        {"count", "9"},  {"number", "-0.5"}, {"choice", "Green"}, {"flag", ""},
        {"text", "any"}, {"grid", "40x10"},  {"size", "7"}};
    static const char *const texts[] = {"9",   "-0.5",  "green", "yes",
                                        "any", "40x10", "7"};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(given); i++)
        assert_true(
            orr_app_values_give(values, given[i][0], given[i][1], NULL));
    assert_true(orr_app_values_complete(values, NULL));
    copy = orr_app_values_copy(values);
    orr_app_values_free(values);
    assert_true(orr_app_is_given(copy, "flag"));
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *text = orr_app_values_format(copy, &options[i]);

        assert_string_equal(text, texts[i]);
    }
    orr_app_values_free(copy);
}

static void counts_of_a_shape_that_are_missing_are_the_last(void **state)
{
    struct orr_app_values *values = orr_app_values_new(&kinds);
    uint64_t counts[ORR_APP_DIMENSIONS];

    (void)state;
    assert_true(orr_app_values_complete(values, NULL));
    assert_int_equal(orr_app_shape(values, "size", counts), 0);
    assert_int_equal(orr_app_shape(values, "grid", counts), 2);
    assert_int_equal(counts[0], 4);
    assert_int_equal(counts[1], 2);
    assert_int_equal(counts[2], 2);
    orr_app_set_shape(values, "size", (const uint64_t[]){12}, 1);
    assert_int_equal(orr_app_shape(values, "size", counts), 1);
    assert_int_equal(counts[2], 12);
    orr_app_values_free(values);
}

static void a_remark_is_that_of_the_last_completion(void **state)
{
    struct orr_app_values *values = orr_app_values_new(&orr_app_qr);
    struct orr_app_values *copy;

    (void)state;
    assert_true(orr_app_values_give(values, "tiles", "2x6", NULL));
    assert_true(orr_app_values_complete(values, NULL));
    copy = orr_app_values_copy(values);
    assert_true(orr_app_values_give(values, "tiles", "6x2", NULL));
    assert_true(orr_app_values_complete(values, NULL));
    assert_null(orr_app_values_remark(values));
    orr_app_values_free(values);
    assert_string_equal(orr_app_values_remark(copy),
                        "2x6 tiles have fewer rows than columns: the first 2 "
                        "columns of tiles are factored, the others are only "
                        "updated");
    orr_app_values_free(copy);
}

static void sizes_of_shapes_scale_in_proportion(void **state)
{
    struct orr_shape count = {1, {9007199254740991}};
    struct orr_shape shape = {2, {40, 10}};

    (void)state;
    assert_int_equal(orr_shape_mean(&shape), 20);
    assert_int_equal(orr_shape_largest(&shape), 40);
    orr_shape_scale(&shape, 20, 40, 1);
    assert_int_equal(shape.counts[0], 80);
    assert_int_equal(shape.counts[1], 20);
    orr_shape_scale(&shape, 80, 2, 1);
    assert_int_equal(shape.counts[0], 2);
    assert_int_equal(shape.counts[1], 1);
    assert_int_equal(orr_shape_mean(&count), 9007199254740991);
    orr_shape_scale(&count, 9007199254740991, 9007199254740989, 1);
    assert_int_equal(count.counts[0], 9007199254740989);
}

#define SHAPE ": expected 1 to 3 whole numbers from 1 to 90, separated by 'x'"

static void wrong_values_are_refused(void **state)
{
    static const char *const wrong[][3] = {
        {"count", "1", "'1': expected a whole number from 2 to 9"},
        {"count", "10", "'10': expected a whole number from 2 to 9"},
        {"number", "1.6", "'1.6' is not a number from -1 to 1.5"},
        {"number", "nan", "'nan' is not a number from -1 to 1.5"},
        {"number", "", "'' is not a number from -1 to 1.5"},
        {"choice", "blue", "unknown choice 'blue'; there are: red, green"},
        {"text", "", "the empty text is no value"},
        {"grid", "4x91", "'4x91'" SHAPE},
        {"grid", "4x", "'4x'" SHAPE},
        {"grid", "x4", "'x4'" SHAPE},
        {"grid", "0x4", "'0x4'" SHAPE},
        {"grid", "", "''" SHAPE},
        {"grid", "1x2x3x4", "'1x2x3x4'" SHAPE},
        {"grid", "4 x2", "'4 x2'" SHAPE},
    };
    struct orr_app_values *values = orr_app_values_new(&kinds);

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;

        assert_false(
            orr_app_values_give(values, wrong[i][0], wrong[i][1], &error));
        assert_string_equal(error->message, wrong[i][2]);
        assert_false(orr_app_is_given(values, wrong[i][0]));
    }
    orr_app_values_free(values);
}

static void a_flag_has_no_value(void **state)
{
    struct orr_app_values *values = orr_app_values_new(&kinds);
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_false(orr_app_values_set(values, "flag", "yes", &error));
    assert_string_equal(error->message, "option 'flag' takes no value");
    assert_false(orr_app_flag(values, "flag"));
    assert_true(orr_app_values_set(values, "flag", NULL, NULL));
    assert_true(orr_app_flag(values, "flag"));
    orr_app_values_free(values);
}

ORR_TESTS(app_values)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_follow_from_tiles_and_tiles_from_sizes),
        cmocka_unit_test(values_that_are_not_given_are_the_presets),
        cmocka_unit_test(values_of_each_kind_are_given_and_copied),
        cmocka_unit_test(counts_of_a_shape_that_are_missing_are_the_last),
        cmocka_unit_test(a_remark_is_that_of_the_last_completion),
        cmocka_unit_test(sizes_of_shapes_scale_in_proportion),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(a_flag_has_no_value),
    };

    return cmocka_run_group_tests_name("app values", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Points of --overlay, from files made here. */
#include "apps/experiment/overlay.h"

#include <string.h>

#include "models/base/error.h"
#include "tests/support/temp_file.h"

static double cube(const struct orr_app_values *values)
{
    double size = (double)orr_app_count(values, "size");

    return size * size * size;
}

/* An application whose operations can be computed by hand. */
static const struct orr_app_option options[] = {
    {.name = "size", .kind = ORR_APP_COUNT, .min = 1, .max = 1e9}, {0}};
static const struct orr_app app = {
    .name = "cube", .options = options, .axis = "size", .flops = cube};

static bool read_text(struct orr_overlay *overlay, const char *text,
                      GError **error)
{
    char *path = temp_file_new(text, strlen(text));
    struct orr_app_values *values = orr_app_values_new(&app);
    bool good = orr_overlay_read(overlay, path, values, error);

    orr_app_values_free(values);
    temp_file_remove(path);
    return good;
}

static const struct orr_overlay_point *
point_at(const struct orr_overlay *overlay, guint i)
{
    assert_true(i < overlay->points->len);
    return &g_array_index(overlay->points, struct orr_overlay_point, i);
}

static void speeds_are_read_in_the_order_of_the_file(void **state)
{
    struct orr_overlay overlay;

    (void)state;
    assert_true(read_text(&overlay,
                          "machine,gflops, policy ,size\r\n"
                          "here,500.5,dmda,9600\r\n\r\n"
                          "\"a, b\",7,\"my \"\"own\"\"\",960\r\n"
                          "here,3,,1920\r\n",
                          NULL));
    assert_int_equal(overlay.points->len, 3);
    assert_string_equal(point_at(&overlay, 0)->policy, "dmda");
    assert_true(point_at(&overlay, 0)->size == 9600);
    assert_true(point_at(&overlay, 0)->gflops == 500.5);
    assert_string_equal(point_at(&overlay, 1)->policy, "my \"own\"");
    assert_null(point_at(&overlay, 2)->policy);
    orr_overlay_clear(&overlay);
}

/* 1000^3 operations in half a second are 2 GFlop/s. */
static void makespans_become_speeds(void **state)
{
    struct orr_overlay overlay;

    (void)state;
    assert_true(read_text(&overlay, "size,makespan_s\n1000,0.5\n", NULL));
    assert_true(point_at(&overlay, 0)->gflops == 2);
    assert_null(point_at(&overlay, 0)->policy);
    orr_overlay_clear(&overlay);
}

static void errors_name_file_and_line(void **state)
{
    static const char *const cases[][2] = {
        {"", ".xml: no point"},
        {"size,gflops\n", ":1: no point"},
        {"policy,gflops\nx,1\n", ":1: no column size"},
        {"size,policy\n1,x\n",
         ":1: needs either a column gflops or a column makespan_s"},
        {"size,gflops,makespan_s\n1,1,1\n",
         ":1: needs either a column gflops or a column makespan_s"},
        {"size,gflops\n960,5\n1920,fast\n",
         ":3: gflops: 'fast' is not a number above 0"},
        {"size,gflops\n-1,5\n", ":2: size: '-1' is not a number above 0"},
        {"size,gflops\n1,inf\n", ":2: gflops: 'inf' is not a number above 0"},
        {"size,gflops\n1,nan\n", ":2: gflops: 'nan' is not a number above 0"},
        {"size,gflops\n1,\n", ":2: gflops: '' is not a number above 0"},
        {"size,gflops\n1\n", ":2: 1 fields under 2 columns"},
        {"size,gflops\n1,\"2\n", ":2: a quoted field does not end"},
        {"size,gflops\n1,\xff\n", ":2: not text in UTF-8"},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct orr_overlay overlay;
        GError *error = NULL;

        assert_false(read_text(&overlay, cases[i][0], &error));
        assert_non_null(error);
        if (!g_str_has_suffix(error->message, cases[i][1]))
            fail_msg("%s, not %s", error->message, cases[i][1]);
        g_clear_error(&error);
        orr_overlay_clear(&overlay);
    }
}

static void a_file_that_is_missing_is_named(void **state)
{
    struct orr_overlay overlay;
    GError *error = NULL;

    (void)state;
    assert_false(orr_overlay_read(&overlay, "/nowhere/n.csv", NULL, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_true(g_str_has_prefix(error->message, "/nowhere/n.csv: "));
    g_clear_error(&error);
    orr_overlay_clear(&overlay);
}

ORR_TESTS(overlay)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speeds_are_read_in_the_order_of_the_file),
        cmocka_unit_test(makespans_become_speeds),
        cmocka_unit_test(errors_name_file_and_line),
        cmocka_unit_test(a_file_that_is_missing_is_named),
    };

    return cmocka_run_group_tests_name("overlay", tests, NULL, NULL);
}

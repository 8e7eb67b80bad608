/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plots by gnuplot. They are kept in the folder $KEEP, if it is set. */
#include "apps/picture/plot.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "apps/picture/child.h"
#include "models/base/error.h"
#include "tests/support/plot_fixture.h"
#include "tests/support/temp_folder.h"

static bool save(const struct orr_plot *plot, const char *path, GError **error)
{
    const struct orr_plot_options options = {.path = path};

    return orr_plot_save(plot, &options, error);
}

static bool check(const char *path, GError **error)
{
    const struct orr_plot_options options = {.path = path};

    return orr_plot_check(&options, error);
}

/* As temp_file_take(). Keeps a copy in the folder $KEEP. */
static char *take(const char *path, gsize *size)
{
    const char *keep = g_getenv("KEEP");
    g_autofree char *base = g_path_get_basename(path);
    gsize length;
    char *content = temp_file_take(path, &length);

    if (keep) {
        g_autofree char *kept = g_build_filename(keep, base, NULL);

        assert_true(g_file_set_contents(kept, content, (gssize)length, NULL));
    }
    if (size)
        *size = length;
    return content;
}

static char *draw(const char *folder, const struct orr_plot *plot,
                  const char *name)
{
    g_autofree char *path = temp_folder_path(folder, name);

    assert_true(save(plot, path, NULL));
    return take(path, NULL);
}

static bool has_bytes(const char *content, gsize size, const char *part)
{
    gsize length = strlen(part);

    for (gsize i = 0; i + length <= size; i++) {
        if (memcmp(content + i, part, length) == 0)
            return true;
    }
    return false;
}

static void lines_have_points_bands_and_a_legend(void **state)
{
    g_autofree char *svg = NULL;

    need_gnuplot();
    svg = draw(*state, &plot_speeds, "lines.svg");
    assert_non_null(strstr(svg, "<svg"));
    assert_non_null(strstr(svg, "Cholesky on attila, single precision"));
    assert_non_null(strstr(svg, "matrix size (rows)"));
    assert_non_null(strstr(svg, "speed (GFlop/s)"));
    assert_non_null(strstr(svg, ">dmda<"));
    assert_non_null(strstr(svg, ">dmd_as^2<"));
    assert_non_null(strstr(svg, ">area bound<"));
    assert_int_equal(occurrences(svg, "fill-opacity"), 1);
    assert_non_null(strstr(svg, "stroke-dasharray"));
    assert_non_null(strstr(svg, "bands: 5 to 95 % of 20 replicas"));
    /* One for each value and one in the legend. */
    assert_int_equal(occurrences(svg, "xlink:href='#gpPt6'"), PLOT_COUNT + 1);
}

static void a_picture_is_the_same_each_time(void **state)
{
    g_autofree char *first = NULL;
    g_autofree char *second = NULL;

    need_gnuplot();
    first = draw(*state, &plot_speeds, "first.svg");
    second = draw(*state, &plot_speeds, "second.svg");
    assert_string_equal(first, second);
}

static void png_is_png(void **state)
{
    g_autofree char *content = NULL;
    g_autofree char *path = temp_folder_path(*state, "lines.png");
    gsize size;

    need_gnuplot();
    assert_true(save(&plot_speeds, path, NULL));
    content = take(path, &size);
    assert_true(size > 1000);
    assert_memory_equal(content, "\x89PNG\r\n", 6);
}

static void rows_have_names_values_and_strokes(void **state)
{
    static const double value[] = {1332.6, 75.25, 900}, row[] = {0, 1, 2},
                        low[] = {1300, 70, 890}, high[] = {1350, 80, 950};
    static const char *const names[] = {"memory=off", "pitch=off", "x", NULL};
    const struct orr_curve bars = {.style = ORR_CURVE_ROWS,
                                   .count = 3,
                                   .x = value,
                                   .y = row,
                                   .low = low,
                                   .high = high};
    const struct orr_plot plot = {
        .name = "speed",
        .x = {.label = "speed (GFlop/s)",
              .column = "gflops",
              .from_zero = true,
              .end = 1500},
        .y = {.column = "row"},
        .rows = names,
        .count = 1,
        .curves = &bars,
    };
    g_autofree char *svg = NULL;

    need_gnuplot();
    svg = draw(*state, &plot, "rows.svg");
    assert_non_null(strstr(svg, ">memory=off<"));
    assert_non_null(strstr(svg, ">pitch=off<"));
    assert_non_null(strstr(svg, ">1332.6<"));
    assert_non_null(strstr(svg, ">75.2<"));
    assert_true(strstr(svg, ">memory=off<") < strstr(svg, ">pitch=off<"));
}

static void bars_of_a_histogram_keep_their_edges(void **state)
{
    static const double from[] = {1, 1.2, 1.3, 2}, to[] = {1.2, 1.3, 2, 20},
                        density[] = {2, 8, 0.4, 0.01};
    const struct orr_curve bars = {.title = "gemm on CUDA0",
                                   .style = ORR_CURVE_BARS,
                                   .count = 4,
                                   .x = from,
                                   .y = density,
                                   .from = from,
                                   .to = to};
    const struct orr_plot plot = {
        .name = "histogram",
        .title = "A tail ten times slower",
        .x = {.label = "duration (ms)", .column = "duration_ms"},
        .y = {.label = "density (1/ms)", .column = "density"},
        .count = 1,
        .curves = &bars,
    };
    g_autofree char *svg = NULL;

    need_gnuplot();
    svg = draw(*state, &plot, "histogram.svg");
    assert_non_null(strstr(svg, ">gemm on CUDA0<"));
}

static void pdf_has_the_width_of_a_column_and_no_date(void **state)
{
    g_autofree char *path = temp_folder_path(*state, "lines.pdf");
    const struct orr_plot_options options = {.path = path,
                                             .width_cm = ORR_PLOT_COLUMN_CM};
    g_autofree char *content = NULL;
    gsize size;

    need_gnuplot();
    assert_true(orr_plot_save(&plot_speeds, &options, NULL));
    content = take(path, &size);
    assert_memory_equal(content, "%PDF-", 5);
    assert_true(has_bytes(content, size, "/CreationDate (D:19700101000000"));
    /* 8.5 cm in points of 1/72 inch, as gnuplot cuts them. */
    assert_true(has_bytes(content, size, "/MediaBox [ 0 0 240"));
}

static void svg_has_the_width_asked_for(void **state)
{
    g_autofree char *path = temp_folder_path(*state, "wide.svg");
    const struct orr_plot_options options = {.path = path, .width_cm = 25.4};
    g_autofree char *svg = NULL;

    need_gnuplot();
    assert_true(orr_plot_save(&plot_speeds, &options, NULL));
    svg = take(path, NULL);
    assert_non_null(strstr(svg, "width=\"960\""));
}

static void a_title_may_be_another_or_none(void **state)
{
    g_autofree char *path = temp_folder_path(*state, "title.svg");
    struct orr_plot_options options = {.path = path, .title = "Mine"};
    g_autofree char *mine = NULL;
    g_autofree char *none = NULL;

    need_gnuplot();
    assert_true(orr_plot_save(&plot_speeds, &options, NULL));
    assert_true(g_file_get_contents(path, &mine, NULL, NULL));
    assert_non_null(strstr(mine, ">Mine<"));
    assert_null(strstr(mine, "Cholesky"));
    options.title = "none";
    assert_true(orr_plot_save(&plot_speeds, &options, NULL));
    none = take(path, NULL);
    assert_null(strstr(none, ">none<"));
    assert_null(strstr(none, "Cholesky"));
}

static void a_long_title_takes_several_lines(void **state)
{
    g_autofree char *path = temp_folder_path(*state, "long.svg");
    const struct orr_plot_options options = {
        .path = path,
        .width_cm = 5,
        .title = "one two three four five six seven eight nine ten"};
    g_autofree char *svg = NULL;

    need_gnuplot();
    assert_true(orr_plot_save(&plot_speeds, &options, NULL));
    svg = take(path, NULL);
    assert_non_null(strstr(svg, ">one two three four"));
    assert_null(strstr(svg, "six seven"));
}

/* Text in titles is not interpreted by gnuplot. */
static void titles_are_shown_as_they_are(void **state)
{
    struct orr_curve curve = plot_curves[1];
    struct orr_plot plot = plot_speeds;
    g_autofree char *svg = NULL;

    need_gnuplot();
    curve.title = "it's `touch intruder`\n; @x {/Bold \\U+0041} <&> $data9";
    plot.title = "\xc3\xa9t\xc3\xa9 \xff";
    plot.curves = &curve;
    plot.count = 1;
    svg = draw(*state, &plot, "titles.svg");
    assert_non_null(strstr(svg, "it's `touch intruder` ; @x {/Bold \\U+0041} "
                                "&lt;&amp;> $data9"));
    assert_non_null(strstr(svg, "\xc3\xa9t\xc3\xa9 \xef\xbf\xbd"));
    assert_false(g_file_test("intruder", G_FILE_TEST_EXISTS));
}

static void values_that_are_not_finite_are_not_drawn(void **state)
{
    const double holes[PLOT_COUNT] = {NAN, 480, INFINITY, 850, -INFINITY};
    struct orr_curve curve = plot_curves[0];
    struct orr_plot plot = plot_speeds;
    g_autofree char *svg = NULL;

    need_gnuplot();
    curve.y = holes;
    curve.low = curve.high = NULL;
    plot.curves = &curve;
    plot.count = 1;
    svg = draw(*state, &plot, "holes.svg");
    assert_int_equal(occurrences(svg, "xlink:href='#gpPt6'"), 2 + 1);
}

static void one_value_is_a_plot(void **state)
{
    struct orr_curve curve = plot_curves[0];
    struct orr_plot plot = plot_speeds;
    g_autofree char *svg = NULL;

    need_gnuplot();
    curve.count = 1;
    plot.curves = &curve;
    plot.count = 1;
    svg = draw(*state, &plot, "one.svg");
    assert_int_equal(occurrences(svg, "xlink:href='#gpPt6'"), 1 + 1);
}

static void nothing_to_draw_leaves_the_old_picture(void **state)
{
    const double none[PLOT_COUNT] = {NAN, NAN, NAN, NAN, NAN};
    struct orr_curve curve = plot_curves[1];
    struct orr_plot plot = plot_speeds;
    g_autofree char *path = temp_folder_path(*state, "old.svg");
    g_autofree char *content = NULL;
    GError *error = NULL;
    gsize size;

    need_gnuplot();
    assert_true(g_file_set_contents(path, "old", 3, NULL));
    curve.y = none;
    plot.curves = &curve;
    plot.count = 1;
    assert_false(save(&plot, path, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_true(g_str_has_prefix(error->message, "gnuplot: "));
    g_clear_error(&error);
    content = take(path, &size);
    assert_string_equal(content, "old");
}

static void the_name_says_the_kind(void **state)
{
    GError *error = NULL;

    (void)state;
    assert_false(check("plot.gif", &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    assert_string_equal(error->message,
                        "'plot.gif' does not end in .svg, .pdf or .png");
    g_clear_error(&error);
    assert_false(save(&plot_speeds, "svg", &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    g_clear_error(&error);
}

static void a_missing_gnuplot_is_named(void **state)
{
    g_autofree char *before = g_strdup(g_getenv("PATH"));
    GError *error = NULL;

    (void)state;
    g_setenv("PATH", "/nowhere", TRUE);
    assert_false(check("x.svg", &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN));
    assert_string_equal(error->message, "gnuplot is needed, but is not in the "
                                        "PATH (Debian package: gnuplot-nox)");
    g_clear_error(&error);
    assert_false(save(&plot_speeds, "/nowhere/x.svg", &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN));
    g_clear_error(&error);
    g_setenv("PATH", before, TRUE);
}

ORR_TESTS(plot)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_have_points_bands_and_a_legend),
        cmocka_unit_test(a_picture_is_the_same_each_time),
        cmocka_unit_test(png_is_png),
        cmocka_unit_test(rows_have_names_values_and_strokes),
        cmocka_unit_test(bars_of_a_histogram_keep_their_edges),
        cmocka_unit_test(pdf_has_the_width_of_a_column_and_no_date),
        cmocka_unit_test(svg_has_the_width_asked_for),
        cmocka_unit_test(a_title_may_be_another_or_none),
        cmocka_unit_test(a_long_title_takes_several_lines),
        cmocka_unit_test(titles_are_shown_as_they_are),
        cmocka_unit_test(values_that_are_not_finite_are_not_drawn),
        cmocka_unit_test(one_value_is_a_plot),
        cmocka_unit_test(nothing_to_draw_leaves_the_old_picture),
        cmocka_unit_test(the_name_says_the_kind),
        cmocka_unit_test(a_missing_gnuplot_is_named),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, temp_folder_setup,
                                  temp_folder_teardown);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plots by gnuplot. They are kept in the folder $KEEP, if it is set. */
#include "apps/picture/plot.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "apps/picture/child.h"
#include "models/base/error.h"
#include "tests/support/temp_file.h"

enum { COUNT = 5 };

struct fixture {
    char *folder;
};

static const double x[COUNT] = {4800, 9600, 14400, 19200, 24000};
static const double slow[COUNT] = {210, 480, 720, 850, 930};
static const double slow_low[COUNT] = {180, 440, 690, 830, 920};
static const double slow_high[COUNT] = {250, 500, 750, 870, 940};
static const double fast[COUNT] = {290, 630, 880, 1010, 1080};
static const double bound[COUNT] = {1150, 1180, 1190, 1195, 1200};

static const struct orr_curve lines[] = {
    {.title = "dmda",
     .look = 0,
     .count = COUNT,
     .x = x,
     .y = slow,
     .low = slow_low,
     .high = slow_high},
    {.title = "dmd_as^2", .look = 1, .count = COUNT, .x = x, .y = fast},
    {.title = "area bound",
     .style = ORR_CURVE_DASHED,
     .count = COUNT,
     .x = x,
     .y = bound},
};

static const struct orr_plot speeds = {
    .name = "speed",
    .title = "Cholesky on attila, single precision",
    .note = "lines: mean, bands: 5 to 95 % of 20 replicas",
    .x = {.label = "matrix size (rows)", .column = "size"},
    .y = {.label = "speed (GFlop/s)", .column = "gflops", .from_zero = true},
    .count = G_N_ELEMENTS(lines),
    .curves = lines,
};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    f->folder = g_dir_make_tmp("orrery-XXXXXX", NULL);
    assert_non_null(f->folder);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(g_rmdir(f->folder), 0);
    g_free(f->folder);
    g_free(f);
    return 0;
}

static void need_gnuplot(void)
{
    if (!orr_plot_check(&(struct orr_plot_options){.path = "x.svg"}, NULL)) {
        print_message("no gnuplot here\n");
        skip();
    }
}

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

static char *path_in(const struct fixture *f, const char *name)
{
    return g_build_filename(f->folder, name, NULL);
}

/* Returns the content of @path, to be freed with g_free(), and removes it. Sets
 * *@size, unless it is NULL. */
static char *take(char *path, gsize *size)
{
    const char *keep = g_getenv("KEEP");
    char *content = NULL;
    gsize length;

    assert_true(g_file_get_contents(path, &content, &length, NULL));
    if (size)
        *size = length;
    if (keep) {
        g_autofree char *base = g_path_get_basename(path);
        g_autofree char *kept = g_build_filename(keep, base, NULL);

        assert_true(g_file_set_contents(kept, content, (gssize)length, NULL));
    }
    assert_int_equal(g_remove(path), 0);
    g_free(path);
    return content;
}

static char *draw(struct fixture *f, const struct orr_plot *plot,
                  const char *name)
{
    char *path = path_in(f, name);

    assert_true(save(plot, path, NULL));
    return take(path, NULL);
}

static unsigned occurrences(const char *text, const char *what)
{
    unsigned count = 0;

    while ((text = strstr(text, what))) {
        text += strlen(what);
        count++;
    }
    return count;
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
    svg = draw(*state, &speeds, "lines.svg");
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
    assert_int_equal(occurrences(svg, "xlink:href='#gpPt6'"), COUNT + 1);
}

static void a_picture_is_the_same_each_time(void **state)
{
    g_autofree char *first = NULL;
    g_autofree char *second = NULL;

    need_gnuplot();
    first = draw(*state, &speeds, "first.svg");
    second = draw(*state, &speeds, "second.svg");
    assert_string_equal(first, second);
}

static void png_is_png(void **state)
{
    g_autofree char *content = NULL;
    char *path = path_in(*state, "lines.png");
    gsize size;

    need_gnuplot();
    assert_true(save(&speeds, path, NULL));
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
    char *path = path_in(*state, "lines.pdf");
    const struct orr_plot_options options = {.path = path,
                                             .width_cm = ORR_PLOT_COLUMN_CM};
    g_autofree char *content = NULL;
    gsize size;

    need_gnuplot();
    assert_true(orr_plot_save(&speeds, &options, NULL));
    content = take(path, &size);
    assert_memory_equal(content, "%PDF-", 5);
    assert_true(has_bytes(content, size, "/CreationDate (D:19700101000000"));
    /* 8.5 cm in points of 1/72 inch, as gnuplot cuts them. */
    assert_true(has_bytes(content, size, "/MediaBox [ 0 0 240"));
}

static void svg_has_the_width_asked_for(void **state)
{
    char *path = path_in(*state, "wide.svg");
    const struct orr_plot_options options = {.path = path, .width_cm = 25.4};
    g_autofree char *svg = NULL;

    need_gnuplot();
    assert_true(orr_plot_save(&speeds, &options, NULL));
    svg = take(path, NULL);
    assert_non_null(strstr(svg, "width=\"960\""));
}

static void a_title_may_be_another_or_none(void **state)
{
    char *path = path_in(*state, "title.svg");
    struct orr_plot_options options = {.path = path, .title = "Mine"};
    g_autofree char *mine = NULL;
    g_autofree char *none = NULL;

    need_gnuplot();
    assert_true(orr_plot_save(&speeds, &options, NULL));
    assert_true(g_file_get_contents(path, &mine, NULL, NULL));
    assert_non_null(strstr(mine, ">Mine<"));
    assert_null(strstr(mine, "Cholesky"));
    options.title = "none";
    assert_true(orr_plot_save(&speeds, &options, NULL));
    none = take(path, NULL);
    assert_null(strstr(none, ">none<"));
    assert_null(strstr(none, "Cholesky"));
}

static void a_long_title_takes_several_lines(void **state)
{
    char *path = path_in(*state, "long.svg");
    const struct orr_plot_options options = {
        .path = path,
        .width_cm = 5,
        .title = "one two three four five six seven eight nine ten"};
    g_autofree char *svg = NULL;

    need_gnuplot();
    assert_true(orr_plot_save(&speeds, &options, NULL));
    svg = take(path, NULL);
    assert_non_null(strstr(svg, ">one two three four"));
    assert_null(strstr(svg, "six seven"));
}

/* Text in titles is not interpreted by gnuplot. */
static void titles_are_shown_as_they_are(void **state)
{
    struct orr_curve curve = lines[1];
    struct orr_plot plot = speeds;
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
    const double holes[COUNT] = {NAN, 480, INFINITY, 850, -INFINITY};
    struct orr_curve curve = lines[0];
    struct orr_plot plot = speeds;
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
    struct orr_curve curve = lines[0];
    struct orr_plot plot = speeds;
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
    const double none[COUNT] = {NAN, NAN, NAN, NAN, NAN};
    struct orr_curve curve = lines[1];
    struct orr_plot plot = speeds;
    char *path = path_in(*state, "old.svg");
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
    assert_false(save(&speeds, "svg", &error));
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
    assert_false(save(&speeds, "/nowhere/x.svg", &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN));
    g_clear_error(&error);
    g_setenv("PATH", before, TRUE);
}

int main(void)
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
    return cmocka_run_group_tests(tests, setup, teardown);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Panels and maps: names that fit, and parts that are drawn once. */
#include "apps/picture/plot_panels.h"

#include <math.h>
#include <string.h>

#include "apps/picture/plot_script.h"
#include "tests/support/plot_fixture.h"
#include "tests/support/temp_folder.h"

static void same(double a, double b)
{
    assert_true(fabs(a - b) < 1e-9);
}

static const char *const four[] = {"GPUs: 1", "GPUs: 2", "GPUs: 3", "GPUs: 4",
                                   NULL};

/* A plot with the first two curves of the fixture in each of four panels. */
static struct orr_plot panels_plot(struct orr_curve curves[8])
{
    struct orr_plot plot = plot_speeds;

    for (unsigned i = 0; i < 8; i++) {
        curves[i] = plot_curves[i % 2];
        curves[i].panel = i / 2;
    }
    plot.panels = four;
    plot.curves = curves;
    plot.count = 8;
    return plot;
}

static void arrange(struct orr_panels *panels, struct orr_layout *layout,
                    const struct orr_plot *plot, double width_cm)
{
    orr_layout_init(layout, plot, width_cm);
    orr_panels_init(panels, layout, plot);
}

/* Two in a row of a column, three of a page would leave a hole: two. All are
 * within the picture. */
static void panels_fill_the_width(void **state)
{
    struct orr_curve curves[8];
    struct orr_plot plot = panels_plot(curves);
    struct orr_panels panels;
    struct orr_layout layout;

    (void)state;
    arrange(&panels, &layout, &plot, ORR_PLOT_COLUMN_CM);
    assert_int_equal(panels.columns, 2);
    assert_int_equal(panels.rows, 2);
    same(panels.left + 2 * panels.area_width + panels.gap + panels.right,
         ORR_PLOT_COLUMN_CM);
    assert_true(layout.height_cm > 2 * panels.area_height);
    arrange(&panels, &layout, &plot, ORR_PLOT_PAGE_CM);
    assert_int_equal(panels.columns, 2);
}

/* Axes of all panels are the same: from 0 above the largest speed, 1080; from
 * the label below the least size, as it is near, above the largest size. */
static void panels_have_the_same_axes(void **state)
{
    struct orr_curve curves[8];
    struct orr_plot plot = panels_plot(curves);
    struct orr_panels panels;
    struct orr_layout layout;

    (void)state;
    arrange(&panels, &layout, &plot, ORR_PLOT_COLUMN_CM);
    same(panels.y_low, 0);
    same(panels.y_high, 1080 * 1.06);
    same(panels.x_low, 0);
    same(panels.x_step, 10000);
    same(panels.x_high, 24000 + 0.03 * (24000 - 4800));
}

/* The titles of curves and panels and the labels of the axes appear once. */
static void the_legend_is_there_once(void **state)
{
    struct orr_curve curves[8];
    struct orr_plot plot = panels_plot(curves);
    g_autofree char *script =
        orr_plot_script(&plot, ".svg", ORR_PLOT_COLUMN_CM, true);

    (void)state;
    assert_int_equal(occurrences(script, "title 'dmda'"), 1);
    assert_int_equal(occurrences(script, "title 'dmd_as^2'"), 1);
    assert_int_equal(occurrences(script, "'GPUs: 3'"), 1);
    assert_int_equal(occurrences(script, "'speed (GFlop/s)'"), 1);
    assert_int_equal(occurrences(script, "\nplot "), 5);
}

/* Cells of a map over @columns settings and 3 rows. */
static void arrange_map(struct orr_panels *panels, unsigned columns)
{
    static const double value[100] = {1, 2};
    static const double place[100] = {0};
    static const char *const rows[] = {"3", "2", "1", NULL};
    g_autofree const char **names = g_new0(const char *, columns + 1);
    struct orr_curve cells = {.style = ORR_CURVE_CELLS,
                              .count = 2,
                              .x = place,
                              .y = place,
                              .value = value};
    struct orr_plot plot = {.x = {.label = "size"},
                            .rows = rows,
                            .scale = "speed",
                            .count = 1,
                            .curves = &cells};
    struct orr_layout layout;

    for (unsigned i = 0; i < columns; i++)
        names[i] = "19200";
    plot.x.names = names;
    arrange(panels, &layout, &plot, ORR_PLOT_COLUMN_CM);
}

/* Names are lying, upright, or only some are shown; numbers in cells are shown
 * if they fit. */
static void names_and_numbers_fit(void **state)
{
    struct orr_panels panels;

    (void)state;
    arrange_map(&panels, 4);
    assert_false(panels.upright);
    assert_true(panels.cell_text);
    arrange_map(&panels, 16);
    assert_true(panels.upright);
    assert_int_equal(panels.x_each, 1);
    assert_false(panels.cell_text);
    arrange_map(&panels, 84);
    assert_false(panels.upright);
    assert_true(panels.x_each > 8 && panels.x_each < 20);
    assert_false(panels.cell_border);
}

/* Nothing that gnuplot could carry out comes from names. */
static void names_are_only_shown(void **state)
{
    static const char *const names[] = {"a'; system('touch x') #\nEND\n%s", "b",
                                        NULL};
    struct orr_curve curves[8];
    struct orr_plot plot = panels_plot(curves);
    g_autofree char *script = NULL;

    (void)state;
    for (unsigned i = 0; i < 8; i++)
        curves[i].panel %= 2;
    plot.panels = names;
    plot.x.names = names;
    script = orr_plot_script(&plot, ".svg", ORR_PLOT_COLUMN_CM, true);
    assert_null(strstr(script, "\nEND\n%s"));
    assert_non_null(strstr(script, "'a''; system(''touch x'') # END %%s'"));
}

static void gnuplot_draws_a_map_in_panels(void **state)
{
    static const char *const panels[] = {"dmda", "lws", NULL};
    static const char *const names[] = {"1", "2", NULL};
    static const double place[] = {0, 1};
    static const double value[] = {7, 9};
    struct orr_curve curves[] = {
        {.style = ORR_CURVE_CELLS,
         .count = 2,
         .x = place,
         .y = place,
         .value = value},
        {.style = ORR_CURVE_CHOICES,
         .count = 2,
         .x = place,
         .y = place,
         .value = value,
         .title = "dmdar",
         .panel = 1},
    };
    const struct orr_plot plot = {
        .name = "map",
        .x = {.label = "GPUs", .column = "gpus", .names = names},
        .y = {.label = "size", .column = "row"},
        .rows = names,
        .panels = panels,
        .scale = "speed (GFlop/s)",
        .count = 2,
        .curves = curves};
    g_autofree char *path = temp_folder_path(*state, "map.svg");
    g_autofree char *svg = NULL;
    g_autoptr(GError) error = NULL;

    need_gnuplot();
    assert_true(orr_plot_save(
        &plot, &(struct orr_plot_options){.path = path, .width_cm = 8.5},
        &error));
    svg = temp_file_take(path, NULL);
    assert_int_equal(occurrences(svg, ">speed (GFlop/s)<"), 1);
    assert_int_equal(occurrences(svg, ">dmdar<"), 1);
    assert_int_equal(occurrences(svg, ">9%<"), 1);
}

ORR_TESTS(plot_panels)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_fill_the_width),
        cmocka_unit_test(panels_have_the_same_axes),
        cmocka_unit_test(the_legend_is_there_once),
        cmocka_unit_test(names_and_numbers_fit),
        cmocka_unit_test(names_are_only_shown),
        cmocka_unit_test(gnuplot_draws_a_map_in_panels),
    };

    return cmocka_run_group_tests_name("plot_panels", tests, temp_folder_setup,
                                       temp_folder_teardown);
}

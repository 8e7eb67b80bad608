/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Data and scripts of plots, and the looks of curves. */
#include "apps/picture/plot.h"

#include <math.h>
#include <string.h>

#include "apps/picture/plot_commands.h"
#include "tests/support/plot_fixture.h"
#include "tests/support/temp_folder.h"

/* Returns the content of the file @name in @folder, and removes the file. */
static char *take(const char *folder, const char *name)
{
    g_autofree char *path = temp_folder_path(folder, name);

    return temp_file_take(path, NULL);
}

/* How light a colour "#rrggbb" is in grey, from 0 to 1 (Rec. 601). */
static double grey_of(const char *colour)
{
    static const double weights[] = {0.299, 0.587, 0.114};
    double grey = 0;

    for (unsigned i = 0; i < 3; i++) {
        char digits[] = {colour[1 + 2 * i], colour[2 + 2 * i], '\0'};

        grey += weights[i] * (double)g_ascii_strtoull(digits, NULL, 16) / 255;
    }
    return grey;
}

/* Of two curves, the shapes differ, and the dashes or how light they are. */
static void curves_differ_in_grey(void **state)
{
    (void)state;
    for (unsigned a = 0; a < ORR_LOOKS; a++) {
        for (unsigned b = 0; b < a; b++) {
            struct orr_look one = orr_look(a), other = orr_look(b);

            assert_int_not_equal(one.shape, other.shape);
            assert_true(one.dashes != other.dashes ||
                        fabs(grey_of(one.colour) - grey_of(other.colour)) >
                            0.1);
        }
    }
    /* The thirteenth is not the first again. */
    assert_int_not_equal(orr_look(ORR_LOOKS).dashes, orr_look(0).dashes);
}

/* Runs the script @name in @folder, and returns the picture. Removes the
 * script, its data and the picture. */
static char *run_script(const char *folder, const char *name)
{
    g_autofree char *script = g_strconcat(name, ".gp", NULL);
    g_autofree char *picture = g_strconcat(name, ".svg", NULL);
    g_autofree char *csv = g_strconcat(name, ".csv", NULL);
    char *gnuplot[] = {(char *)"gnuplot", script, NULL};
    char *svg;
    int status;

    assert_true(g_spawn_sync(folder, gnuplot, NULL, G_SPAWN_SEARCH_PATH, NULL,
                             NULL, NULL, NULL, &status, NULL));
    assert_int_equal(status, 0);
    svg = take(folder, picture);
    g_free(take(folder, script));
    g_free(take(folder, csv));
    return svg;
}

static void the_script_draws_the_same_picture(void **state)
{
    const char *folder = *state;
    g_autofree char *path = temp_folder_path(folder, "here.svg");
    const struct orr_plot_options options = {.path = path, .data = folder};
    g_autofree char *here = NULL;
    g_autofree char *there = NULL;

    need_gnuplot();
    assert_true(orr_plot_save(&plot_speeds, &options, NULL));
    here = temp_file_take(path, NULL);
    there = run_script(folder, "speed");
    assert_string_equal(here, there);
}

static void data_are_written_without_a_picture(void **state)
{
    const char *folder = *state;
    const struct orr_plot_options options = {.data = folder};
    g_autofree char *csv = NULL;

    assert_true(orr_plot_check(&options, NULL));
    assert_true(orr_plot_save(&plot_speeds, &options, NULL));
    csv = take(folder, "speed.csv");
    g_free(take(folder, "speed.gp"));
    assert_true(g_str_has_prefix(csv,
                                 "curve,size,gflops,low,high,from,to,name\n"
                                 "0,4800,210,180,250,NaN,NaN,\"dmda\"\n"));
    assert_non_null(strstr(csv, "1,9600,630,NaN,NaN,NaN,NaN,\"dmd_as^2\"\n"));
}

/* Nor do names in the data end a field, a line or a string. */
static void a_script_runs_nothing_that_names_say(void **state)
{
    static const char evil[] =
        "a\"',b'\n.system('touch intruder')`touch intruder`\nEND\n"
        "!touch intruder\n@x $(touch intruder)";
    const char *folder = *state;
    const struct orr_plot_options options = {.data = folder, .title = evil};
    g_autofree char *intruder = temp_folder_path(folder, "intruder");
    struct orr_curve curve = plot_curves[1];
    struct orr_plot plot = plot_speeds;
    g_autofree char *svg = NULL;

    need_gnuplot();
    curve.title = evil;
    plot.note = evil;
    plot.curves = &curve;
    plot.count = 1;
    assert_true(orr_plot_save(&plot, &options, NULL));
    svg = run_script(folder, "speed");
    assert_non_null(strstr(svg, "touch intruder"));
    assert_false(g_file_test(intruder, G_FILE_TEST_EXISTS));
}

ORR_TESTS(plot_script)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_differ_in_grey),
        cmocka_unit_test(the_script_draws_the_same_picture),
        cmocka_unit_test(data_are_written_without_a_picture),
        cmocka_unit_test(a_script_runs_nothing_that_names_say),
    };

    return cmocka_run_group_tests_name("plot_script", tests, temp_folder_setup,
                                       temp_folder_teardown);
}

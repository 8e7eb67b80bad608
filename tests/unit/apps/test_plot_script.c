/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Data and scripts of plots, and what makes curves look different. */
#include "apps/picture/plot.h"

#include <math.h>
#include <string.h>

#include "apps/picture/plot_look.h"
#include "tests/support/temp_file.h"

struct fixture {
    char *folder;
};

static const double x[] = {4800, 9600};
static const double y[] = {210, 480};
static const double low[] = {180, 440};
static const double high[] = {250, 500};
static const double fast[] = {290, 1080};

static const struct orr_curve lines[] = {
    {.title = "dmda", .count = 2, .x = x, .y = y, .low = low, .high = high},
    {.title = "dmd_as^2", .look = 1, .count = 2, .x = x, .y = fast},
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

static char *path_in(const struct fixture *f, const char *name)
{
    return g_build_filename(f->folder, name, NULL);
}

/* Returns the content of @path, to be freed with g_free(), and removes it.  */
static char *take(char *path)
{
    char *content = NULL;

    assert_true(g_file_get_contents(path, &content, NULL, NULL));
    assert_int_equal(g_remove(path), 0);
    g_free(path);
    return content;
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

/* Runs the script that was written to the folder of @f, and returns what it
 * draws. Removes all. */
static char *run_script(struct fixture *f, const char *name)
{
    g_autofree char *script = g_strconcat(name, ".gp", NULL);
    g_autofree char *picture = g_strconcat(name, ".svg", NULL);
    g_autofree char *csv = g_strconcat(name, ".csv", NULL);
    char *gnuplot[] = {(char *)"gnuplot", script, NULL};
    char *svg;
    int status;

    assert_true(g_spawn_sync(f->folder, gnuplot, NULL, G_SPAWN_SEARCH_PATH,
                             NULL, NULL, NULL, NULL, &status, NULL));
    assert_int_equal(status, 0);
    svg = take(path_in(f, picture));
    g_free(take(path_in(f, script)));
    g_free(take(path_in(f, csv)));
    return svg;
}

static void the_script_draws_the_same_picture(void **state)
{
    struct fixture *f = *state;
    char *path = path_in(f, "here.svg");
    const struct orr_plot_options options = {.path = path, .data = f->folder};
    g_autofree char *here = NULL;
    g_autofree char *there = NULL;

    need_gnuplot();
    assert_true(orr_plot_save(&speeds, &options, NULL));
    here = take(path);
    there = run_script(f, "speed");
    assert_string_equal(here, there);
}

static void data_are_written_without_a_picture(void **state)
{
    struct fixture *f = *state;
    const struct orr_plot_options options = {.data = f->folder};
    g_autofree char *csv = NULL;

    assert_true(orr_plot_check(&options, NULL));
    assert_true(orr_plot_save(&speeds, &options, NULL));
    csv = take(path_in(f, "speed.csv"));
    g_free(take(path_in(f, "speed.gp")));
    assert_true(g_str_has_prefix(csv,
                                 "curve,size,gflops,low,high,from,to,name\n"
                                 "0,4800,210,180,250,NaN,NaN,\"dmda\"\n"));
    assert_non_null(strstr(csv, "1,9600,1080,NaN,NaN,NaN,NaN,\"dmd_as^2\"\n"));
}

/* Nor do names in the data end a field, a line or a string. */
static void a_script_runs_nothing_that_names_say(void **state)
{
    static const char evil[] =
        "a\"',b'\n.system('touch intruder')`touch intruder`\nEND\n"
        "!touch intruder\n@x $(touch intruder)";
    struct fixture *f = *state;
    const struct orr_plot_options options = {.data = f->folder, .title = evil};
    g_autofree char *intruder = path_in(f, "intruder");
    struct orr_curve curve = lines[1];
    struct orr_plot plot = speeds;
    g_autofree char *svg = NULL;

    need_gnuplot();
    curve.title = evil;
    plot.note = evil;
    plot.curves = &curve;
    plot.count = 1;
    assert_true(orr_plot_save(&plot, &options, NULL));
    svg = run_script(f, "speed");
    assert_non_null(strstr(svg, "touch intruder"));
    assert_false(g_file_test(intruder, G_FILE_TEST_EXISTS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_differ_in_grey),
        cmocka_unit_test(the_script_draws_the_same_picture),
        cmocka_unit_test(data_are_written_without_a_picture),
        cmocka_unit_test(a_script_runs_nothing_that_names_say),
    };

    return cmocka_run_group_tests_name("plot_script", tests, setup, teardown);
}

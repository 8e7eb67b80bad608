/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "apps/chart/histogram_plot.h"
#include "apps/histogram/histogram.h"
#include "tests/support/plot_fixture.h"
#include "tests/support/temp_folder.h"

/* Title, axes and legend are there, and a mark for each sample. */
static void a_picture_shows_both_histograms_and_the_samples(void **state)
{
    orr_time samples[] = {1000000, 1000000, 1200000, 1300000, 1400000, 9000000};
    struct orr_histogram_view view = {
        .title = "gemm of cholesky",
        .samples = samples,
        .count = G_N_ELEMENTS(samples),
    };
    struct orr_histogram *cut;
    struct orr_histogram *wide;
    g_autoptr(GError) error = NULL;
    g_autofree char *path = temp_folder_path(*state, "h.svg");
    g_autofree char *svg = NULL;

    need_gnuplot();
    cut = orr_histogram_build(samples, 6, 4, ORR_HISTOGRAM_DIAGONAL);
    wide = orr_histogram_build(samples, 6, 4, ORR_HISTOGRAM_EQUAL_WIDTH);
    view.cut = cut;
    view.wide = wide;
    assert_true(orr_histogram_plot(
        &view, &(struct orr_plot_options){.path = path}, &error));
    svg = temp_file_take(path, NULL);
    assert_non_null(strstr(svg, "gemm of cholesky"));
    assert_non_null(strstr(svg, "duration (ms)"));
    assert_non_null(strstr(svg, "cut diagonally"));
    assert_non_null(strstr(svg, "same number of bins of equal width"));
    /* In the legend there is one more. */
    assert_true(occurrences(svg, "<use xlink:href") >= 7);
    orr_histogram_free(cut);
    orr_histogram_free(wide);
}

ORR_TESTS(histogram_plot)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_shows_both_histograms_and_the_samples),
    };

    return cmocka_run_group_tests_name("histogram_plot", tests,
                                       temp_folder_setup, temp_folder_teardown);
}

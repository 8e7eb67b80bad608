/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "apps/picture/plot.h"
#include "apps/study/histogram.h"
#include "tests/support/temp_file.h"

static unsigned count_of(const char *text, const char *part)
{
    unsigned count = 0;

    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

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
    g_autofree char *folder = g_dir_make_tmp("orrery-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "h.svg", NULL);
    g_autofree char *svg = NULL;

    (void)state;
    if (!orr_plot_check(&(struct orr_plot_options){.path = "x.svg"}, NULL)) {
        print_message("no gnuplot here\n");
        skip();
    }
    cut = orr_histogram_build(samples, 6, 4, ORR_HISTOGRAM_DIAGONAL);
    wide = orr_histogram_build(samples, 6, 4, ORR_HISTOGRAM_EQUAL_WIDTH);
    view.cut = cut;
    view.wide = wide;
    assert_true(orr_histogram_plot(
        &view, &(struct orr_plot_options){.path = path}, &error));
    assert_true(g_file_get_contents(path, &svg, NULL, NULL));
    assert_non_null(strstr(svg, "gemm of cholesky"));
    assert_non_null(strstr(svg, "duration (ms)"));
    assert_non_null(strstr(svg, "cut diagonally"));
    assert_non_null(strstr(svg, "same number of bins of equal width"));
    /* In the legend there is one more. */
    assert_true(count_of(svg, "<use xlink:href") >= 7);
    orr_histogram_free(cut);
    orr_histogram_free(wide);
    assert_int_equal(g_remove(path), 0);
    assert_int_equal(g_rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_shows_both_histograms_and_the_samples),
    };

    return cmocka_run_group_tests_name("histogram_plot", tests, NULL, NULL);
}

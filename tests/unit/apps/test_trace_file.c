/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/trace_file.h"

#include "tests/support/cmocka_all.h"

#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

/* Returns the text that is written for the @count numbers, each in a line. Free
 * with g_free(). */
static char *write_reals(const double *numbers, size_t count)
{
    g_autofree char *folder = g_dir_make_tmp("orrery-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "numbers", NULL);
    struct orr_trace_file file = {0};
    char *text = NULL;

    assert_true(orr_trace_file_open(&file, path, NULL));
    for (size_t i = 0; i < count; i++) {
        orr_trace_put_real(&file, numbers[i]);
        orr_trace_put_char(&file, '\n');
    }
    assert_true(orr_trace_file_finish(&file, NULL));
    assert_true(orr_draft_move(&file.draft, NULL));
    orr_trace_file_clear(&file);
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_int_equal(g_unlink(path), 0);
    assert_int_equal(g_rmdir(folder), 0);
    return text;
}

static void numbers_have_twelve_digits(void **state)
{
    static const double numbers[] = {
        0,           1,       9.5,  238,  1.0 / 3 + 15,    9.9999999999999,
        99999999999, 1e11,    1e20, 0.25, 0.1 + 0.2,       -3.5,
        INFINITY,    2.0 / 3, 110,  1e10, 123456.78901250, 99.99999999995,
    };
    g_autofree char *text = write_reals(numbers, G_N_ELEMENTS(numbers));

    (void)state;
    assert_string_equal(text, "0\n1\n9.5\n238\n15.3333333333\n10\n"
                              "99999999999\n100000000000\n1e+20\n0.25\n0.3\n"
                              "-3.5\ninf\n0.666666666667\n110\n10000000000\n"
                              "123456.789012\n100\n");
}

enum { DRAWN = 20000 };

/* Of all sizes, and near the middle of two texts. */
static void numbers_are_as_printf_writes_them(void **state)
{
    g_autofree double *numbers = g_new(double, DRAWN);
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;
    GRand *rand = g_rand_new_with_seed(7);

    (void)state;
    for (unsigned i = 0; i < DRAWN; i++) {
        double number = pow(10, g_rand_double_range(rand, -3, 13));

        if (i % 2)
            number = (floor(number * 1e9) + 0.5) / 1e9;
        numbers[i] = number;
    }
    g_rand_free(rand);
    text = write_reals(numbers, DRAWN);
    lines = g_strsplit(text, "\n", -1);
    for (unsigned i = 0; i < DRAWN; i++) {
        char wanted[G_ASCII_DTOSTR_BUF_SIZE];

        g_ascii_formatd(wanted, sizeof(wanted), "%.12g", numbers[i]);
        assert_string_equal(lines[i], wanted);
    }
}

ORR_TESTS(trace_file)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_twelve_digits),
        cmocka_unit_test(numbers_are_as_printf_writes_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/progress_line.h"
#include "tests/support/cmocka_all.h"

#define S G_GINT64_CONSTANT(1000000) /* us */

struct fixture {
    struct orr_progress progress;
    char *text;
    size_t size;
};

static int setup(void **state)
{
    struct fixture *f = *state = g_new0(struct fixture, 1);

    f->progress = (struct orr_progress){
        .stream = open_memstream(&f->text, &f->size),
        .terminal = true,
        .began_us = 100 * S,
    };
    return f->progress.stream ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    fclose(f->progress.stream);
    free(f->text);
    g_free(f);
    return 0;
}

/* The line at @s seconds from the beginning, with the part @share done. */
static void assert_line(struct fixture *f, unsigned s, double share,
                        const char *line)
{
    size_t before;

    fflush(f->progress.stream);
    before = f->size;
    orr_progress_show(&f->progress, (100 + (gint64)s) * S, "text", share);
    assert_string_equal(f->text + before, line);
}

static void the_time_left_follows_from_the_part_that_is_done(void **state)
{
    struct fixture *f = *state;

    assert_line(f, 10, 0.5, "\r\033[Ktext, 10 s left");
    assert_line(f, 10, 0.1, "\r\033[Ktext, 1 min 30 s left");
    assert_line(f, 3600, 0.25, "\r\033[Ktext, 3 h 0 min left");
    assert_line(f, 10, 1, "\r\033[Ktext, 0 s left");
    assert_line(f, 10, 1.5, "\r\033[Ktext, 0 s left");
}

static void a_time_that_is_not_known_is_not_told(void **state)
{
    struct fixture *f = *state;

    assert_line(f, 10, 0, "\r\033[Ktext");
    assert_line(f, 10, 1e-9, "\r\033[Ktext"); /* 317 years */
}

static void the_line_comes_after_a_second_and_not_too_often(void **state)
{
    struct fixture *f = *state;
    gint64 began = f->progress.began_us;

    assert_false(orr_progress_is_due(&f->progress, began + S - 1));
    assert_true(orr_progress_is_due(&f->progress, began + S));
    orr_progress_show(&f->progress, began + S, "text", 0);
    assert_false(orr_progress_is_due(&f->progress, began + S + S / 10 - 1));
    assert_true(orr_progress_is_due(&f->progress, began + S + S / 10));
    f->progress.terminal = false;
    assert_false(orr_progress_is_due(&f->progress, began + 9 * S));
}

static void only_a_line_that_is_there_is_erased(void **state)
{
    struct fixture *f = *state;

    orr_progress_erase(&f->progress);
    fflush(f->progress.stream);
    assert_string_equal(f->text, "");
    orr_progress_show(&f->progress, 102 * S, "text", 0);
    orr_progress_erase(&f->progress);
    orr_progress_erase(&f->progress);
    assert_string_equal(f->text, "\r\033[Ktext\r\033[K");
}

ORR_TESTS(progress_line)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(the_time_left_follows_from_the_part_that_is_done),
        T(a_time_that_is_not_known_is_not_told),
        T(the_line_comes_after_a_second_and_not_too_often),
        T(only_a_line_that_is_there_is_erased),
#undef T
    };

    return cmocka_run_group_tests_name("progress line", tests, NULL, NULL);
}

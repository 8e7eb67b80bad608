/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timelines of runs, and their bars. */
#include "apps/picture/gantt.h"
#include "apps/trace/timeline.h"
#include "tests/support/cmocka_all.h"

enum { A, B, KINDS };

static void expect_bar(const struct orr_gantt_bar *bar, double from, double to,
                       unsigned kind)
{
    assert_true(bar->from >= from && bar->from <= from);
    assert_true(bar->to >= to && bar->to <= to);
    assert_int_equal(bar->kind, kind);
}

static void wide_bars_stay(void **state)
{
    struct orr_gantt_bar bars[] = {{0, 2, A}, {2, 4, B}, {4, 6, A}};

    (void)state;
    assert_int_equal(orr_gantt_merge(bars, 3, KINDS, 1), 3);
    expect_bar(&bars[0], 0, 2, A);
    expect_bar(&bars[1], 2, 4, B);
    expect_bar(&bars[2], 4, 6, A);
}

/* Of the first second, B has 0.5 and A 0.375; the next bar is too far. */
static void narrow_bars_become_one_of_the_longest_kind(void **state)
{
    struct orr_gantt_bar bars[] = {{0, 0.25, A},   {0.25, 0.5, B},
                                   {0.5, 0.75, B}, {0.75, 0.875, A},
                                   {3, 3.125, A},  {3.5, 9, B}};

    (void)state;
    assert_int_equal(orr_gantt_merge(bars, 6, KINDS, 1), 3);
    expect_bar(&bars[0], 0, 0.875, B);
    expect_bar(&bars[1], 3, 3.125, A);
    expect_bar(&bars[2], 3.5, 9, B);
}

/* Copies of one link may overlap. */
static void a_merged_bar_ends_with_its_last_part(void **state)
{
    struct orr_gantt_bar bars[] = {{0, 1, A}, {0.25, 0.5, B}};

    (void)state;
    assert_int_equal(orr_gantt_merge(bars, 2, KINDS, 1), 1);
    expect_bar(&bars[0], 0, 1, A);
    assert_int_equal(orr_gantt_merge(bars, 0, KINDS, 1), 0);
}

/* Edges between narrow bars would shine through; between wide bars they do not.
 */
static void narrow_bars_that_touch_become_one(void **state)
{
    struct orr_gantt_bar bars[] = {
        {0, 2, A}, {2.0625, 4, A}, {4, 6, B}, {6.25, 8, B}, {8, 13, B}};

    (void)state;
    assert_int_equal(orr_gantt_merge(bars, 5, KINDS, 1), 4);
    expect_bar(&bars[0], 0, 4, A);
    expect_bar(&bars[1], 4, 6, B);
    expect_bar(&bars[2], 6.25, 8, B);
    expect_bar(&bars[3], 8, 13, B);
}

static void put_task(struct orr_timeline *timeline, unsigned worker,
                     const char *kernel, int64_t from, int64_t to)
{
    const struct orr_trace_task task = {
        .worker = worker,
        .kernel = kernel,
        .kernel_started = from,
        .kernel_ended = to,
    };

    timeline->trace.task(&timeline->trace, &task);
}

static void put_copy(struct orr_timeline *timeline, const char *from,
                     const char *to, const char *why)
{
    const struct orr_trace_copy copy = {
        .from = from, .to = to, .why = why, .started = 5, .ended = 7};

    timeline->trace.copy(&timeline->trace, &copy);
}

/* A kernel may have the name of a link. */
static void a_timeline_keeps_kernels_and_links(void **state)
{
    struct orr_timeline timeline;
    const struct orr_timeline_bar *tasks, *copies;

    (void)state;
    orr_timeline_init(&timeline);
    put_task(&timeline, 3, "RAM-CUDA0", 1, 2);
    put_task(&timeline, 0, "gemm", 2, 9);
    put_task(&timeline, 3, "RAM-CUDA0", 4, 6);
    put_copy(&timeline, "RAM", "CUDA1", "prefetch");
    put_copy(&timeline, "RAM", "CUDA0", "fetch");
    put_copy(&timeline, "CUDA0", "RAM", "evict");
    tasks = (const struct orr_timeline_bar *)(void *)timeline.tasks->data;
    copies = (const struct orr_timeline_bar *)(void *)timeline.copies->data;
    assert_int_equal(timeline.tasks->len, 3);
    assert_int_equal(tasks[1].row, 0);
    assert_int_equal(tasks[1].from, 2);
    assert_int_equal(tasks[1].to, 9);
    assert_int_equal(tasks[2].kind, tasks[0].kind);
    assert_string_equal(orr_name_index_at(&timeline.kernels, tasks[1].kind),
                        "gemm");
    assert_int_equal(timeline.copies->len, 3);
    assert_string_equal(orr_name_index_at(&timeline.links, copies[1].row),
                        "RAM-CUDA0");
    assert_int_equal(copies[1].kind, 0);
    assert_string_equal(orr_name_index_at(&timeline.links, copies[2].row),
                        "CUDA0-RAM");
    assert_int_equal(copies[2].kind, 1);
    orr_timeline_clear(&timeline);
}

ORR_TESTS(gantt)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_bars_stay),
        cmocka_unit_test(narrow_bars_become_one_of_the_longest_kind),
        cmocka_unit_test(a_merged_bar_ends_with_its_last_part),
        cmocka_unit_test(narrow_bars_that_touch_become_one),
        cmocka_unit_test(a_timeline_keeps_kernels_and_links),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data of reports: curves, thinning and columns. */
#include "apps/html/html_columns.h"
#include "apps/html/html_curves.h"
#include "apps/html/html_report.h"
#include "apps/html/html_thin.h"
#include "tests/support/cmocka_all.h"

enum { A, B, KINDS };

static void expect_mean(const float *means, unsigned part, float mean)
{
    assert_true(means[part] >= mean && means[part] <= mean);
}

/* Parts of 2 ns. From 1 to 6 ns, the curve is 4 high: half of the first part.
 */
static void a_curve_is_its_means(void **state)
{
    static struct orr_html_curve curve;
    static float means[ORR_HTML_PARTS];

    (void)state;
    orr_html_curve_init(&curve, (int64_t)2 * ORR_HTML_PARTS);
    orr_html_curve_add(&curve, 1, 6, 4);
    orr_html_curve_means(&curve, means);
    expect_mean(means, 0, 2);
    expect_mean(means, 1, 4);
    expect_mean(means, 2, 4);
    expect_mean(means, 3, 0);
    expect_mean(means, ORR_HTML_PARTS - 1, 0);
}

/* Both intervals are in part 1, whose mean is (1 x 3 + 2 x 5) / 2; an interval
 * up to the end is in the last part, too. */
static void heights_add_up(void **state)
{
    static struct orr_html_curve curve;
    static float means[ORR_HTML_PARTS];
    int64_t end = (int64_t)2 * ORR_HTML_PARTS;

    (void)state;
    orr_html_curve_init(&curve, end);
    orr_html_curve_add(&curve, 3, 4, 3);
    orr_html_curve_add(&curve, 2, 4, 5);
    orr_html_curve_add(&curve, 4, end, 7);
    orr_html_curve_means(&curve, means);
    expect_mean(means, 0, 0);
    expect_mean(means, 1, 6.5F);
    expect_mean(means, 2, 7);
    expect_mean(means, ORR_HTML_PARTS - 1, 7);
}

static GArray *make_bars(const struct orr_html_bar *bars, guint count)
{
    GArray *array = g_array_new(FALSE, FALSE, sizeof(struct orr_html_bar));

    return g_array_append_vals(array, bars, count);
}

static void expect_bar(const GArray *bars, guint i, int64_t from, int64_t to,
                       uint32_t kind, uint32_t count)
{
    const struct orr_html_bar *bar =
        &g_array_index(bars, struct orr_html_bar, i);

    assert_int_equal(bar->from, from);
    assert_int_equal(bar->to, to);
    assert_int_equal(bar->kind, kind);
    assert_int_equal(bar->count, count);
}

static const struct orr_html_bar five[] = {
    {0, 2, 0, A, 0, 1},    {2, 5, 0, B, 1, 1}, {5, 6, 0, A, 2, 1},
    {90, 100, 0, A, 3, 1}, {0, 1, 1, B, 4, 1},
};

static void few_bars_stay(void **state)
{
    GArray *bars = make_bars(five, 5);

    (void)state;
    assert_int_equal(orr_html_thin(bars, KINDS, 5), 0);
    assert_int_equal(bars->len, 5);
    g_array_unref(bars);
}

/* Within 4 ns no two of row 0 fit but B and A; within 8 ns three do. Of their
 * 6 ns, A and B take 3 each: the first one wins. Rows stay apart. */
static void many_bars_are_merged(void **state)
{
    GArray *bars = make_bars(five, 5);

    (void)state;
    assert_int_equal(orr_html_thin(bars, KINDS, 3), 8);
    assert_int_equal(bars->len, 3);
    expect_bar(bars, 0, 0, 6, A, 3);
    expect_bar(bars, 1, 90, 100, A, 1);
    expect_bar(bars, 2, 0, 1, B, 1);
    g_array_unref(bars);
}

/* Three bars of 4 ns: two are 8 ns long together, three are not. */
static void merged_bars_are_no_longer_than_the_width(void **state)
{
    static const struct orr_html_bar three[] = {
        {0, 4, 0, A, 0, 1}, {4, 8, 0, A, 1, 1}, {8, 12, 0, A, 2, 1}};
    GArray *bars = make_bars(three, 3);

    (void)state;
    assert_int_equal(orr_html_thin(bars, KINDS, 2), 8);
    assert_int_equal(bars->len, 2);
    expect_bar(bars, 0, 0, 8, A, 2);
    expect_bar(bars, 1, 8, 12, A, 1);
    g_array_unref(bars);
}

/* There are more rows than bars wanted. */
static void each_row_keeps_a_bar(void **state)
{
    GArray *bars = make_bars(five, 5);

    (void)state;
    assert_int_equal(orr_html_thin(bars, KINDS, 1), 128);
    assert_int_equal(bars->len, 2);
    expect_bar(bars, 0, 0, 100, A, 4);
    expect_bar(bars, 1, 0, 1, B, 1);
    g_array_unref(bars);
}

static gint64 member(JsonObject *table, const char *column, const char *name)
{
    return json_object_get_int_member(
        json_object_get_object_member(table, column), name);
}

static void columns_begin_at_multiples_of_eight(void **state)
{
    static const uint8_t bytes[] = {1, 2, 3};
    static const int64_t dates[] = {10, 12, 11}, later[] = {15, 12, 12};
    static const guint8 expected[] = {
        1,   2,   3,   0,   0,   0,   0,   0,   /* bytes */
        10,  0,   0,   0,   0,   0,   0,   0,   /* from 0 */
        2,   0,   0,   0,   0,   0,   0,   0,   /* from 10 */
        255, 255, 255, 255, 255, 255, 255, 255, /* from 12 */
        5,   0,   0,   0,   0,   0,   0,   0,   /* of dates */
        0,   0,   0,   0,   0,   0,   0,   0,
        1,   0,   0,   0,   0,   0,   0,   0, /* of dates */
    };
    const struct orr_html_i64 first = {"dates", 3, dates, NULL, NULL};
    const struct orr_html_i64 second = {"later", 3, later, "dates", dates};
    JsonObject *table = json_object_new();
    struct orr_html_columns columns;

    (void)state;
    orr_html_columns_init(&columns);
    orr_html_add_u8(&columns, table, "bytes", bytes, 3);
    orr_html_add_i64(&columns, table, &first);
    orr_html_add_i64(&columns, table, &second);
    assert_int_equal(member(table, "bytes", "at"), 0);
    assert_int_equal(member(table, "dates", "at"), 8);
    assert_int_equal(member(table, "later", "at"), 32);
    assert_int_equal(member(table, "later", "count"), 3);
    assert_int_equal(columns.bytes->len, sizeof expected);
    assert_memory_equal(columns.bytes->data, expected, sizeof expected);
    orr_html_columns_clear(&columns);
    json_object_unref(table);
}

static void a_title_is_text(void **state)
{
    g_autofree char *page = orr_html_page("</title><b>@DATA@\xff", "DATA");

    (void)state;
    assert_non_null(
        strstr(page, "<title>&lt;/title&gt;&lt;b&gt;@DATA@\xef\xbf\xbd<"));
    assert_null(strstr(page, "<b>"));
}

ORR_TESTS(html)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_curve_is_its_means),
        cmocka_unit_test(heights_add_up),
        cmocka_unit_test(few_bars_stay),
        cmocka_unit_test(many_bars_are_merged),
        cmocka_unit_test(merged_bars_are_no_longer_than_the_width),
        cmocka_unit_test(each_row_keeps_a_bar),
        cmocka_unit_test(columns_begin_at_multiples_of_eight),
        cmocka_unit_test(a_title_is_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

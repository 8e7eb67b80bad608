/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/trace_counters.h"

#include "tests/support/cmocka_all.h"

struct row {
    unsigned figure;
    int64_t from, to, value;
};

static void note(void *data, unsigned figure, int64_t from, int64_t to,
                 int64_t value)
{
    const struct row row = {figure, from, to, value};

    g_array_append_val((GArray *)data, row);
}

static void setup(struct orr_trace_counters *counters)
{
    counters->put = note;
    counters->data = g_array_new(FALSE, FALSE, sizeof(struct row));
    orr_trace_counters_init(counters);
}

static void clear(struct orr_trace_counters *counters)
{
    orr_trace_counters_clear(counters);
    g_array_unref(counters->data);
}

static void assert_rows(const struct orr_trace_counters *counters,
                        const struct row *rows, unsigned count)
{
    const GArray *noted = counters->data;

    assert_int_equal(noted->len, count);
    for (unsigned i = 0; i < count; i++) {
        const struct row *row = &g_array_index(noted, struct row, i);

        assert_int_equal(row->figure, rows[i].figure);
        assert_int_equal(row->from, rows[i].from);
        assert_int_equal(row->to, rows[i].to);
        assert_int_equal(row->value, rows[i].value);
    }
}

/* A value changed again at the same date lasts for no time. */
static void a_figure_holds_until_it_changes(void **state)
{
    static const struct row rows[] = {{0, 5, 9, 1}, {0, 9, 20, 3}};
    struct orr_trace_counters counters;

    (void)state;
    setup(&counters);
    orr_trace_counters_set(&counters, 0, 5, 1);
    orr_trace_counters_set(&counters, 0, 7, 1);
    orr_trace_counters_set(&counters, 0, 9, 2);
    orr_trace_counters_set(&counters, 0, 9, 3);
    orr_trace_counters_end(&counters, 20);
    assert_rows(&counters, rows, G_N_ELEMENTS(rows));
    clear(&counters);
}

/* Copies are reported in the order of their ends: 200 bytes in 20 ns, 500 in
 * 100 ns. */
static void rates_of_copies_add_up(void **state)
{
    static const struct row rows[] = {
        {1, 0, 10, INT64_C(5000000000)},
        {1, 10, 30, INT64_C(15000000000)},
        {1, 30, 100, INT64_C(5000000000)},
        {1, 100, 100, 0},
    };
    struct orr_trace_counters counters;

    (void)state;
    setup(&counters);
    orr_trace_counters_pass(&counters, 1, 10, 30, 200);
    orr_trace_counters_pass(&counters, 1, 40, 40, 7); /* in no time */
    orr_trace_counters_pass(&counters, 1, 0, 100, 500);
    orr_trace_counters_end(&counters, 0);
    assert_rows(&counters, rows, G_N_ELEMENTS(rows));
    clear(&counters);
}

/* A copy reported after very many others begins at the date of the report. */
static void memory_is_bounded(void **state)
{
    struct orr_trace_counters counters;
    const struct row *rows;
    const GArray *noted;

    (void)state;
    setup(&counters);
    for (int64_t i = 1; i <= ORR_TRACE_STEPS; i++)
        orr_trace_counters_pass(&counters, 0, 10 * i, 10 * i + 5, 5);
    orr_trace_counters_pass(&counters, 0, 0, INT64_C(100) * ORR_TRACE_STEPS, 5);
    orr_trace_counters_end(&counters, 0);
    noted = counters.data;
    rows = (const void *)noted->data;
    assert_int_equal(rows[0].from, 10);
    assert_int_equal(rows[noted->len - 1].value, 0);
    for (guint i = 1; i < noted->len; i++)
        assert_int_equal(rows[i].from, rows[i - 1].to);
    clear(&counters);
}

ORR_TESTS(trace_counters)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_figure_holds_until_it_changes),
        cmocka_unit_test(rates_of_copies_add_up),
        cmocka_unit_test(memory_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The members of reports and the enumerators of reports and traces by name. */
#include "runtime/report_members.h"

#include <inttypes.h>
#include <math.h>

#include "runtime/orrery_trace.h"
#include "tests/support/unit_run.h"

/* A member that has no row of its own: its elements do. */
struct array {
    enum orr_report_place place;
    size_t offset, size;
};

#define ARRAY(place, tag, member)                                              \
    {                                                                          \
        place, offsetof(struct tag, member),                                   \
            sizeof(((struct tag *)NULL)->member)                               \
    }

static const struct array arrays[] = {
    ARRAY(ORR_IN_REPORT, orr_report, changes),
    ARRAY(ORR_IN_REPORT, orr_report, workers),
    ARRAY(ORR_IN_REPORT, orr_report, energy),
    ARRAY(ORR_IN_ENERGY, orr_energy_report, devices),
    ARRAY(ORR_IN_ENERGY, orr_energy_report, kernels),
};

/* Whether @gap bytes that end before byte @end may be padding. */
static bool is_padding(size_t gap, size_t end)
{
    return (gap < 8 && end % 8 == 0) || (gap < 4 && end % 4 == 0);
}

/* Each byte of a structure of @size bytes is in a row, or is padding. */
static void check_rows(enum orr_report_place place, size_t size)
{
    g_autofree bool *known = g_new0(bool, size);
    size_t gap = 0;

    for (const struct orr_report_member *m = orr_report_members; m->name; m++) {
        for (size_t i = 0; m->place == place && i < m->size; i++)
            known[m->offset + i] = true;
    }
    for (size_t a = 0; a < G_N_ELEMENTS(arrays); a++) {
        for (size_t i = 0; arrays[a].place == place && i < arrays[a].size; i++)
            known[arrays[a].offset + i] = true;
    }
    for (size_t i = 0; i < size; i++) {
        gap = known[i] ? 0 : gap + 1;
        if (gap > 0 && (i + 1 == size || known[i + 1]) &&
            !is_padding(gap, i + 1))
            fail_msg("byte %zu of structure %d has no row", i, (int)place);
    }
}

static void each_member_has_a_row(void **state)
{
    (void)state;
    check_rows(ORR_IN_REPORT, sizeof(struct orr_report));
    check_rows(ORR_IN_WORKER, sizeof(struct orr_worker_report));
    check_rows(ORR_IN_ENERGY, sizeof(struct orr_energy_report));
    check_rows(ORR_IN_ENERGY_DEVICE, sizeof(struct orr_energy_item));
    check_rows(ORR_IN_ENERGY_KERNEL, sizeof(struct orr_energy_item));
}

static void names_end_and_have_kinds(void **state)
{
    unsigned count = 0;

    (void)state;
    assert_string_equal(orr_report_name(0), "platform");
    while (orr_report_name(count)) {
        assert_int_not_equal(orr_report_kind(orr_report_name(count)),
                             ORR_REPORT_NONE);
        assert_non_null(orr_report_unit(orr_report_name(count)));
        count++;
    }
    assert_null(orr_report_name(count + 1));
    assert_int_equal(orr_report_kind("platform"), ORR_REPORT_TEXT);
    assert_int_equal(orr_report_kind("workers.#.busy_ns"), ORR_REPORT_INTEGER);
    assert_int_equal(orr_report_kind("workers.12.name"), ORR_REPORT_TEXT);
    assert_int_equal(orr_report_kind("energy.peak_power_w"), ORR_REPORT_NUMBER);
    assert_string_equal(orr_report_unit("energy.peak_power_w"), "W");
    assert_string_equal(orr_report_unit("workers.3.busy_ns"), "ns");
}

static const struct orr_energy_item items[] = {{"CPU", 30}, {"CUDA0", 70}};
static const struct orr_energy_report energy = {
    .total_nj = 100, .peak_power_w = 2.5, .device_count = 2, .devices = items};
static const struct orr_worker_report workers[] = {
    {.name = "CUDA0", .busy_ns = 5}, {.name = "CPU0", .busy_ns = 9}};
static const char *const changes[] = {"gpus=5"};
static const char *const unused[] = {"first", "second", NULL};
static const struct orr_report known = {
    .platform = "attila",
    .change_count = 1,
    .changes = changes,
    .unused = unused,
    .modelled = true,
    .makespan_ns = -3,
    .digest = UINT64_MAX,
    .sources = {.record = 4},
    .times_from = {[ORR_TIMES_FLOPS] = 6},
    .worker_count = 2,
    .workers = workers,
    .energy = &energy,
};

static void check_integer(const char *name, int64_t expected)
{
    int64_t value = 12345;

    if (!orr_report_integer(&known, name, &value) || value != expected)
        fail_msg("%s is %" PRId64 ", not %" PRId64, name, value, expected);
}

static void check_text(const char *name, const char *expected)
{
    const char *value = NULL;

    assert_true(orr_report_text(&known, name, &value));
    assert_string_equal(value, expected);
}

static void members_are_read_by_name(void **state)
{
    const char *text = "none";
    double number;

    (void)state;
    check_integer("makespan_ns", -3);
    check_integer("modelled", 1);
    check_integer("assumed", 0);
    check_integer("digest", -1);
    check_integer("sources.record", 4);
    check_integer("times_from.flops", 6);
    check_integer("changes", 1);
    check_integer("unused", 2);
    check_integer("workers", 2);
    check_integer("workers.1.busy_ns", 9);
    check_integer("energy.devices", 2);
    check_integer("energy.devices.1.nj", 70);
    check_text("platform", "attila");
    check_text("changes.0", "gpus=5");
    check_text("unused.1", "second");
    check_text("workers.0.name", "CUDA0");
    check_text("energy.devices.0.name", "CPU");
    assert_true(orr_report_text(&known, "sched_file", &text));
    assert_null(text);
    assert_true(orr_report_number(&known, "energy.peak_power_w", &number));
    assert_true(number > 2.49 && number < 2.51);
    assert_true(orr_report_number(&known, "workers.1.busy_ns", &number));
    assert_true(number > 8.9 && number < 9.1);
}

static void other_names_are_no_members(void **state)
{
    static const char *const wrong[] = {
        "",          "makespan",       "makespan_ns.", "workers.",
        "workers.x", "workers.0",      "workers.0.x",  "workers.-1.busy_ns",
        "sources",   "times_from.all", "changes.0x",   NULL};
    struct orr_report bare = known;
    const char *text = "none";
    int64_t value = 7;
    double number = 7;

    (void)state;
    for (unsigned i = 0; wrong[i]; i++) {
        if (orr_report_kind(wrong[i]) != ORR_REPORT_NONE)
            fail_msg("%s is a member", wrong[i]);
        assert_null(orr_report_unit(wrong[i]));
        assert_false(orr_report_integer(&known, wrong[i], &value));
    }
    assert_int_equal(orr_report_kind(NULL), ORR_REPORT_NONE);
    assert_false(orr_report_integer(&known, "workers.2.busy_ns", &value));
    assert_false(orr_report_integer(&known, "workers.#.busy_ns", &value));
    assert_false(orr_report_integer(&known, "platform", &value));
    assert_false(orr_report_integer(&known, "energy.peak_power_w", &value));
    assert_false(orr_report_number(&known, "platform", &number));
    assert_false(orr_report_text(&known, "tasks", &text));
    assert_false(orr_report_text(&known, "changes.1", &text));
    bare.energy = NULL;
    assert_false(orr_report_integer(&bare, "energy.total_nj", &value));
    assert_false(orr_report_integer(&bare, "energy.devices", &value));
    assert_int_equal(value, 7);
    assert_string_equal(text, "none");
}

static void enumerators_have_names(void **state)
{
    (void)state;
    assert_string_equal(orr_times_source_name(ORR_TIMES_RECORDED), "recorded");
    assert_null(orr_times_source_name(ORR_TIMES_SOURCES));
    assert_string_equal(orr_access_mode_name(ORR_R), "R");
    assert_string_equal(orr_access_mode_name(ORR_RW | ORR_COMMUTE), "RWC");
    assert_string_equal(orr_access_mode_name(ORR_REDUX), "X");
    assert_null(orr_access_mode_name(ORR_COMMUTE));
    assert_null(orr_access_mode_name((enum orr_access_mode)0));
    assert_null(orr_access_mode_name((enum orr_access_mode)99));
    assert_string_equal(orr_trace_step_kind_name(ORR_TRACE_CALLS), "calls");
    assert_string_equal(orr_trace_step_kind_name(ORR_TRACE_GOES_ON),
                        "continues");
    assert_null(orr_trace_step_kind_name((enum orr_trace_step_kind)99));
    assert_string_equal(orr_where_name(ORR_WHERE_GPU), "gpu");
    assert_null(orr_where_name((enum orr_where)99));
}

ORR_TESTS(report_members)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_member_has_a_row),
        cmocka_unit_test(names_end_and_have_kinds),
        cmocka_unit_test(members_are_read_by_name),
        cmocka_unit_test(other_names_are_no_members),
        cmocka_unit_test(enumerators_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a program that was compiled with another version of orrery.h relies on.
 */
#include <stddef.h>
#include <string.h>

#include "runtime/run.h"
#include "tests/support/unit_run.h"

struct member {
    const char *name;
    size_t is, was;
};

/* New members come behind them: these lists only grow. */
static void check_members(const struct member *members, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (members[i].is != members[i].was)
            fail_msg("%s lies %zu bytes behind the beginning, not %zu",
                     members[i].name, members[i].is, members[i].was);
    }
}

#define MEMBER(tag, name, offset)                                              \
    {                                                                          \
#tag "." #name, offsetof(struct tag, name), offset                     \
    }

/* Where members lie in the first version of the library, in bytes, on 64-bit
 * machines. */
static void members_stay_where_they_were(void **state)
{
    static const struct member members[] = {
        MEMBER(orr_task_spec, size, 0),
        MEMBER(orr_task_spec, kernel, 8),
        MEMBER(orr_task_spec, times, 16),
        MEMBER(orr_task_spec, name, 24),
        MEMBER(orr_task_spec, priority, 32),
        MEMBER(orr_task_spec, count, 36),
        MEMBER(orr_task_spec, accesses, 40),
        MEMBER(orr_task_spec, tag, 48),
        MEMBER(orr_task_spec, wait_count, 56),
        MEMBER(orr_task_spec, wait_tags, 64),
        MEMBER(orr_task_spec, critical, 72),
        MEMBER(orr_task_spec, unordered, 76),
        MEMBER(orr_task_spec, worker_count, 80),
        MEMBER(orr_task_spec, workers, 88),
        MEMBER(orr_task_spec, pinned, 96),
        MEMBER(orr_task_spec, scratch_count, 100),
        MEMBER(orr_task_spec, scratch, 104),
        MEMBER(orr_task_spec, synchronises, 112),
        MEMBER(orr_task_spec, callback, 120),
        MEMBER(orr_task_spec, callback_data, 128),
        MEMBER(orr_task_spec, coordinate_count, 136),
        MEMBER(orr_task_spec, coordinates, 140),
        MEMBER(orr_task_spec, costs, 152),
        MEMBER(orr_task_spec, implementations, 160),
        MEMBER(orr_task_spec, blocks_driver, 164),
        MEMBER(orr_task_spec, end_tags, 168),
        MEMBER(orr_task_spec, end_count, 176),
        MEMBER(orr_task_spec, end_releases, 180),
        MEMBER(orr_task_spec, calls, 184),
        MEMBER(orr_task_spec, regenerated, 192),

        MEMBER(orr_task_calls, size, 0),
        MEMBER(orr_task_calls, prologue, 8),
        MEMBER(orr_task_calls, prologue_pop, 24),
        MEMBER(orr_task_calls, epilogue, 40),
        MEMBER(orr_task_calls, kernel, 56),

        MEMBER(orr_grid, size, 0),
        MEMBER(orr_grid, element_bytes, 8),
        MEMBER(orr_grid, rows, 16),
        MEMBER(orr_grid, columns, 24),
        MEMBER(orr_grid, row_parts, 32),
        MEMBER(orr_grid, column_parts, 36),
        MEMBER(orr_grid, row_sizes, 40),
        MEMBER(orr_grid, column_sizes, 48),

        MEMBER(orr_task_times, size, 0),
        MEMBER(orr_task_times, cpu_ns, 8),
        MEMBER(orr_task_times, gpu_ns, 16),
        MEMBER(orr_task_times, source, 24),

        MEMBER(orr_bounds_report, size, 0),
        MEMBER(orr_bounds_report, area_s, 8),
        MEMBER(orr_bounds_report, critical_path_s, 16),
        MEMBER(orr_bounds_report, mixed_s, 24),
        MEMBER(orr_bounds_report, transfer_s, 32),
        MEMBER(orr_bounds_report, least_j, 40),
        MEMBER(orr_bounds_report, area_j, 48),
        MEMBER(orr_bounds_report, idle_j, 56),

        MEMBER(orr_trace, size, 0),
        MEMBER(orr_trace, task, 8),
        MEMBER(orr_trace, copy, 16),
        MEMBER(orr_trace, wants, 24),
        MEMBER(orr_trace, eviction, 32),
        MEMBER(orr_trace, allocation, 40),
        MEMBER(orr_trace, ready, 48),
        MEMBER(orr_trace, power, 56),
        MEMBER(orr_trace, step, 64),
        MEMBER(orr_trace, use, 72),
    };

    (void)state;
    check_members(members, G_N_ELEMENTS(members));
}

static void so_do_members_of_calls_about_data(void **state)
{
    static const struct member members[] = {
        MEMBER(orr_acquire, size, 0),      MEMBER(orr_acquire, mode, 8),
        MEMBER(orr_acquire, node, 12),     MEMBER(orr_acquire, unordered, 16),
        MEMBER(orr_acquire, callback, 24), MEMBER(orr_park, size, 0),
        MEMBER(orr_park, ns, 8),           MEMBER(orr_park, what, 16),
        MEMBER(orr_park, held, 24),        MEMBER(orr_park, holder, 28),
    };

    (void)state;
    check_members(members, G_N_ELEMENTS(members));
}

/* Elements of arrays cannot grow. */
static void elements_of_arrays_keep_their_sizes(void **state)
{
    static const struct member sizes[] = {
        {"orr_access", sizeof(struct orr_access), 16},
        {"orr_call", sizeof(struct orr_call), 16},
        {"orr_cost", sizeof(struct orr_cost), 16},
        {"orr_worker_report", sizeof(struct orr_worker_report), 40},
        {"orr_energy_item", sizeof(struct orr_energy_item), 16},
        {"orr_trace_access", sizeof(struct orr_trace_access), 48},
    };

    (void)state;
    check_members(sizes, G_N_ELEMENTS(sizes));
}

/* The struct of a later version, with a member more. */
struct later_spec {
    struct orr_task_spec spec;
    uint64_t more;
};

/* Submits a task of that size with a member that this version does not know;
 * returns the error of the run, NULL: none. Free with g_free(). */
static char *complaint_about(size_t size, uint64_t more, uint64_t *tasks)
{
    struct orr_config config = unit_config(NULL, 1, 0);
    struct unit_run *unit = unit_run_new("three-gpus.xml", &config);
    struct later_spec later = {.spec.kernel = unit->unit, .more = more};
    GError *error = NULL;
    char *text = NULL;

    later.spec.size = size;
    orr_task_submit(unit->run, &later.spec);
    if (!orr_run_wait(unit->run, &error))
        text = g_strdup(error->message);
    g_clear_error(&error);
    *tasks = orr_run_report(unit->run)->tasks;
    unit_run_free(unit);
    return text;
}

static void a_later_program_may_leave_new_members_at_0(void **state)
{
    uint64_t tasks;

    (void)state;
    assert_null(complaint_about(sizeof(struct later_spec), 0, &tasks));
    assert_int_equal(tasks, 1);
}

static void a_member_that_is_not_known_is_refused(void **state)
{
    g_autofree char *complaint = NULL;
    uint64_t tasks;

    (void)state;
    complaint = complaint_about(sizeof(struct later_spec), 1, &tasks);
    assert_non_null(complaint);
    assert_non_null(strstr(complaint, "it sets members that this version"));
    assert_int_equal(tasks, 0);
}

static void a_task_without_its_size_is_refused(void **state)
{
    g_autofree char *complaint = NULL;
    uint64_t tasks;

    (void)state;
    complaint = complaint_about(0, 0, &tasks);
    assert_string_equal(complaint,
                        "task 0: the size of struct orr_task_spec is 0: "
                        "begin it with ORR_TASK_SPEC_INIT");
    assert_int_equal(tasks, 0);
}

/* Three at once: each lies so far behind the one before as the first says. */
static void several_tasks(size_t second, const char *message)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct later_spec specs[3] = {{{0}, 0}};
    g_autoptr(GError) error = NULL;

    for (unsigned i = 0; i < G_N_ELEMENTS(specs); i++)
        specs[i].spec =
            (struct orr_task_spec){.size = i == 1 ? second : sizeof(specs[i]),
                                   .kernel = unit->unit,
                                   .priority = (int)i};
    orr_tasks_submit(unit->run, NULL, 0);
    orr_tasks_submit(unit->run, &specs[0].spec, G_N_ELEMENTS(specs));
    orr_run_wait(unit->run, &error);
    if (message) {
        assert_non_null(error);
        assert_string_equal(error->message, message);
    } else {
        assert_null(error);
        assert_int_equal(unit->tasks->len, G_N_ELEMENTS(specs));
    }
    unit_run_free(unit);
}

static void several_tasks_at_once(void **state)
{
    g_autofree char *message = g_strdup_printf(
        "task 1 of 3: the size of its struct orr_task_spec is "
        "%zu, of the first task %zu",
        sizeof(struct orr_task_spec), sizeof(struct later_spec));

    (void)state;
    several_tasks(sizeof(struct later_spec), NULL);
    several_tasks(sizeof(struct orr_task_spec), message);
}

/* Submits a task with times of @size bytes; as complaint_about(). */
static char *complaint_about_times(size_t size, uint64_t more, int64_t *ns)
{
    struct orr_config config = unit_config("eager", 1, 0);
    struct unit_run *unit = unit_run_new("three-gpus.xml", &config);
    struct {
        struct orr_task_times times;
        uint64_t more;
    } later = {.times = {.size = size, .cpu_ns = 7000}, .more = more};
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .times = &later.times};
    GError *error = NULL;
    char *text = NULL;

    orr_task_submit(unit->run, &spec);
    if (!orr_run_wait(unit->run, &error))
        text = g_strdup(error->message);
    g_clear_error(&error);
    *ns = orr_run_report(unit->run)->workers[0].busy_ns;
    unit_run_free(unit);
    return text;
}

static void so_are_the_times_of_a_task(void **state)
{
    g_autofree char *none = NULL, *unknown = NULL;
    int64_t ns;

    (void)state;
    none = complaint_about_times(0, 0, &ns);
    assert_string_equal(none, "task 0: the size of struct orr_task_times is 0: "
                              "begin it with ORR_TASK_TIMES_INIT");
    unknown = complaint_about_times(sizeof(struct orr_task_times) + 8, 1, &ns);
    assert_non_null(strstr(unknown, "it sets members that this version"));
    assert_null(
        complaint_about_times(sizeof(struct orr_task_times) + 8, 0, &ns));
    assert_int_equal(ns, 7000);
    /* an earlier version had no gpu_ns and no source */
    assert_null(complaint_about_times(16, 0, &ns));
    assert_int_equal(ns, 7000);
}

static void so_are_the_times_of_a_reduction(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    const struct orr_task_times times = {.cpu_ns = 1000};
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_data_set_reduction(unit->run, orr_data_register(unit->run, 8),
                           unit->unit, &times);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(
        error->message,
        "the times of a reduction: the size of struct "
        "orr_task_times is 0: begin it with ORR_TASK_TIMES_INIT");
    unit_run_free(unit);
}

static void so_are_traces(void **state)
{
    struct orr_config config = unit_config("eager", 1, 0);
    struct unit_run *unit = unit_run_new("three-gpus.xml", &config);
    struct orr_trace trace = {.size = offsetof(struct orr_trace, copy),
                              .task = unit_record_task,
                              .copy = unit_record_copy};
    g_autofree char *platform = source_file("tests/platforms/three-gpus.xml");
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_run_free(unit->run);
    config.platform = platform;
    config.trace = &trace;
    unit->run = orr_run_new(&config, &error);
    assert_non_null(unit->run);
    assert_ptr_equal(unit->run->totals.calls.task, unit_record_task);
    assert_null(unit->run->totals.calls.copy); /* not in that version */
    trace.size = 0;
    assert_null(orr_run_new(&config, &error));
    assert_string_equal(error->message,
                        "trace: the size of struct orr_trace is "
                        "0: begin it with ORR_TRACE_INIT");
    unit_run_free(unit);
}

static void so_are_bounds(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_bounds_report bounds = {.area_s = 7, .mixed_s = 7};
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_run_keep_for_bounds(unit->run);
    unit_submit_bare(unit);
    assert_false(orr_run_bounds(unit->run, &bounds, &error));
    assert_string_equal(error->message,
                        "the size of struct orr_bounds_report is 0: begin it "
                        "with ORR_BOUNDS_REPORT_INIT");
    assert_true(bounds.area_s > 6.9);
    bounds.size = offsetof(struct orr_bounds_report, mixed_s);
    assert_true(orr_run_bounds(unit->run, &bounds, NULL));
    assert_int_equal(bounds.size, offsetof(struct orr_bounds_report, mixed_s));
    assert_true(bounds.area_s > 0.0009 && bounds.area_s < 0.0011);
    assert_true(bounds.mixed_s > 6.9); /* not in that version */
    unit_run_free(unit);
}

ORR_TESTS(interface)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_stay_where_they_were),
        cmocka_unit_test(so_do_members_of_calls_about_data),
        cmocka_unit_test(elements_of_arrays_keep_their_sizes),
        cmocka_unit_test(a_later_program_may_leave_new_members_at_0),
        cmocka_unit_test(a_member_that_is_not_known_is_refused),
        cmocka_unit_test(a_task_without_its_size_is_refused),
        cmocka_unit_test(several_tasks_at_once),
        cmocka_unit_test(so_are_the_times_of_a_task),
        cmocka_unit_test(so_are_the_times_of_a_reduction),
        cmocka_unit_test(so_are_traces),
        cmocka_unit_test(so_are_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

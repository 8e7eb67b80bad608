/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a program that was compiled with another version of orrery.h relies on.
 */
#include <stddef.h>
#include <string.h>

#include "tests/support/unit_run.h"

/* Where members lie in the first version of the library, in bytes, on 64-bit
 * machines. New ones come behind them: this list only grows. */
static void members_stay_where_they_were(void **state)
{
#define MEMBER(name, offset)                                                   \
    {                                                                          \
#name, offsetof(struct orr_task_spec, name), offset                    \
    }
    static const struct {
        const char *name;
        size_t is, was;
    } members[] = {
        MEMBER(size, 0),
        MEMBER(kernel, 8),
        MEMBER(times, 16),
        MEMBER(name, 24),
        MEMBER(priority, 32),
        MEMBER(count, 36),
        MEMBER(accesses, 40),
        MEMBER(tag, 48),
        MEMBER(wait_count, 56),
        MEMBER(wait_tags, 64),
        MEMBER(critical, 72),
        MEMBER(unordered, 76),
        MEMBER(worker_count, 80),
        MEMBER(workers, 88),
        MEMBER(pinned, 96),
        MEMBER(scratch_count, 100),
        MEMBER(scratch, 104),
        MEMBER(synchronises, 112),
        MEMBER(callback, 120),
        MEMBER(callback_data, 128),
        MEMBER(coordinate_count, 136),
        MEMBER(coordinates, 140),
    };
#undef MEMBER

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
        if (members[i].is != members[i].was)
            fail_msg("%s lies %zu bytes behind the beginning, not %zu",
                     members[i].name, members[i].is, members[i].was);
    }
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
                        "task 0: the size of its struct orr_task_spec is 0: "
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
        "%zu, and that of the first %zu",
        sizeof(struct orr_task_spec), sizeof(struct later_spec));

    (void)state;
    several_tasks(sizeof(struct later_spec), NULL);
    several_tasks(sizeof(struct orr_task_spec), message);
}

ORR_TESTS(interface)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_stay_where_they_were),
        cmocka_unit_test(a_later_program_may_leave_new_members_at_0),
        cmocka_unit_test(a_member_that_is_not_known_is_refused),
        cmocka_unit_test(a_task_without_its_size_is_refused),
        cmocka_unit_test(several_tasks_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

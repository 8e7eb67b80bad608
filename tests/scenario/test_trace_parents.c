/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a trace tells of the data and the parents of tasks. */
#include "runtime/config/run_config.h"
#include "runtime/run.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/unit_run.h"

#define COMMUTE ((enum orr_access_mode)(ORR_RW | ORR_COMMUTE))

enum { READERS = 20 };

/* Takes down "order<parent,parent data:mode..." of each task, by order. */
struct notes {
    struct orr_trace trace; /* first */
    char *lines[32];
};

static void take(struct orr_trace *trace, const struct orr_trace_task *task)
{
    GString *line = g_string_new(NULL);

    for (unsigned i = 0; i < task->parent_count; i++)
        g_string_append_printf(line, "%s%u", i > 0 ? "," : "",
                               (unsigned)task->parents[i]);
    for (unsigned i = 0; i < task->datum_count; i++)
        g_string_append_printf(line, " %u:%u",
                               (unsigned)task->accesses[i].datum.number,
                               task->accesses[i].mode);
    ((struct notes *)trace)->lines[task->order] = g_string_free(line, FALSE);
}

static void submit(struct unit_run *unit, struct orr_task_spec spec,
                   const struct orr_access *accesses, unsigned count)
{
    spec.kernel = unit->unit;
    spec.accesses = accesses;
    spec.count = count;
    orr_task_submit(unit->run, &spec);
}

#define ONE(datum, mode) (const struct orr_access[]){{datum, mode}}, 1
#define PLAIN ((struct orr_task_spec){ORR_TASK_SPEC_INIT, .priority = 0})

static void submit_all(struct unit_run *unit)
{
    static const uint64_t tags[] = {5, 9};
    struct orr_data *data[READERS + 1];
    struct orr_access all[READERS + 2];

    for (unsigned i = 0; i <= READERS; i++) {
        data[i] = orr_data_register(unit->run, 100);
        all[i] = (struct orr_access){data[i], ORR_R};
    }
    orr_data_set_name(data[0], "first");
    orr_data_set_coordinates(data[1], 3, 4);
    all[READERS + 1] = (struct orr_access){data[0], ORR_W};
    submit(unit, PLAIN, ONE(data[0], ORR_W));   /* 0 */
    submit(unit, PLAIN, ONE(data[0], ORR_R));   /* 1 */
    submit(unit, PLAIN, ONE(data[0], ORR_R));   /* 2 */
    submit(unit, PLAIN, ONE(data[0], COMMUTE)); /* 3 */
    submit(unit, PLAIN, ONE(data[0], COMMUTE)); /* 4 */
    submit(unit, PLAIN, all, READERS + 2);      /* 5 */
    submit(unit, PLAIN, ONE(data[0], ORR_R));   /* 6 */
    submit(unit,
           (struct orr_task_spec){ORR_TASK_SPEC_INIT, .wait_count = 2,
                                  .wait_tags = tags},
           ONE(data[0], ORR_RW)); /* 7 */
    submit(unit, (struct orr_task_spec){ORR_TASK_SPEC_INIT, .tag = 5}, NULL,
           0); /* 8 */
    submit(unit, (struct orr_task_spec){ORR_TASK_SPEC_INIT, .tag = 9},
           ONE(data[1], ORR_W)); /* 9 */
}

static void check(const char *sched, int cpus, int gpus, uint64_t wants)
{
    static const char *const expected[] = {
        " 0:2", "0 0:1", "0 0:1",     "1,2 0:7", "1,2 0:7",
        NULL,   "5 0:1", "6,8,9 0:3", "",        "5 1:2"};
    struct notes notes = {
        .trace = {ORR_TRACE_INIT, .task = take, .wants = wants}};
    struct unit_run *unit = unit_run_on(sched, cpus, gpus);
    struct orr_config config = unit_config(sched, cpus, gpus);
    g_autofree char *path = source_file("tests/platforms/three-gpus.xml");

    orr_run_free(unit->run);
    config.platform = path;
    config.trace = &notes.trace;
    unit->run = orr_run_new(&config, NULL);
    assert_non_null(unit->run);
    unit->unit = orr_kernel_find(unit->run, "test", "unit",
                                 ORR_SINGLE_PRECISION, 960, NULL);
    submit_all(unit);
    unit_wait(unit);
    for (unsigned i = 0; i < G_N_ELEMENTS(expected); i++) {
        const char *line = notes.lines[i];

        assert_non_null(line);
        if (!wants)
            assert_int_equal(*line ? *line : ' ', ' ');
        else if (i == 5)
            assert_true(g_str_has_prefix(line, "3,4 0:3 1:1 2:1 "));
        else
            assert_string_equal(line, expected[i]);
        g_free(notes.lines[i]);
    }
    unit_run_free(unit);
}

/* Whatever the policy and the machine, and however late a task is submitted. */
static void parents_follow_from_the_order_of_submission(void **state)
{
    static const char *const scheds[] = {"eager", "lws", "dmda", "dmdas"};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(scheds); i++) {
        check(scheds[i], 3, 0, ORR_TRACE_PARENTS);
        check(scheds[i], 1, 2, ORR_TRACE_PARENTS);
    }
}

static void parents_are_told_if_they_are_wanted(void **state)
{
    (void)state;
    check("eager", 1, 1, 0);
}

static void take_datum(struct orr_trace *trace,
                       const struct orr_trace_task *task)
{
    const struct orr_trace_datum *datum = &task->accesses[0].datum;

    (void)trace;
    assert_int_equal(datum->bytes, 100);
    if (datum->number == 0)
        assert_string_equal(datum->name, "first");
    else
        assert_null(datum->name);
    assert_int_equal(datum->has_coordinates, datum->number == 1);
    if (datum->has_coordinates)
        assert_true(datum->row == 3 && datum->column == 4);
}

static void data_have_their_names_and_coordinates(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_data *first = orr_data_register(unit->run, 100);
    struct orr_data *second = orr_data_register(unit->run, 100);

    (void)state;
    unit->run->totals.calls.task = take_datum;
    orr_data_set_name(first, "first");
    orr_data_set_coordinates(second, 3, 4);
    unit_submit(unit, first, ORR_W);
    unit_submit(unit, second, ORR_RW);
    unit_wait(unit);
    unit_run_free(unit);
}

/* A GPU fetches the datum for the first task; the second one, which waits for
 * the first, finds it there. */
static void tasks_tell_when_they_and_their_data_were_ready(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 0, 1);
    struct orr_data *data = orr_data_register(unit->run, 1000000);
    const struct orr_trace_task *first, *second;

    (void)state;
    unit_submit(unit, data, ORR_RW);
    unit_submit(unit, data, ORR_RW);
    unit_wait(unit);
    first = unit_task(unit, 0);
    second = unit_task(unit, 1);
    assert_int_equal(first->ready, first->submitted);
    /* The driver sees the end of the copy when it looks for it. */
    assert_true(first->arrived >= unit_copy(unit, 0)->ended);
    assert_int_equal(first->arrived, first->started);
    assert_true(second->ready >= first->ended);
    assert_true(second->submitted < first->ended);
    assert_true(second->arrived > second->ready);
    assert_true(second->arrived <= second->started);
    unit_run_free(unit);
}

ORR_TESTS(trace_parents)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_follow_from_the_order_of_submission),
        cmocka_unit_test(parents_are_told_if_they_are_wanted),
        cmocka_unit_test(data_have_their_names_and_coordinates),
        cmocka_unit_test(tasks_tell_when_they_and_their_data_were_ready),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

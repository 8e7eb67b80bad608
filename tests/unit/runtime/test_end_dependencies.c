/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks that have ended only when others have, too. */
#include "models/base/error.h"
#include "runtime/config/run_config.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/recording.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

static const uint64_t seven = 7, eight = 8;

/* Without runtime costs a task takes 1000 us and nothing else any time. */
static struct unit_run *make(int cpus)
{
    struct orr_config config = unit_config("eager", cpus, 0);

    config.models = "overheads=off";
    return unit_run_new("three-gpus.xml", &config);
}

static void submit_tagged(struct unit_run *unit, const char *name, uint64_t tag,
                          const uint64_t *awaited)
{
    const struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT, .kernel = unit->unit,          .name = name,
        .tag = tag,         .wait_count = awaited != NULL, .wait_tags = awaited,
    };

    orr_task_submit(unit->run, &spec);
}

/* The task "parent" updates @data and awaits the tag @awaited and @releases at
 * its end. */
static struct orr_task_spec parent_of(struct unit_run *unit,
                                      const struct orr_access *access,
                                      const uint64_t *awaited,
                                      unsigned releases)
{
    return (struct orr_task_spec){
        ORR_TASK_SPEC_INIT,
        .kernel = unit->unit,
        .name = "parent",
        .count = 1,
        .accesses = access,
        .tag = 3,
        .end_count = awaited != NULL,
        .end_tags = awaited,
        .end_releases = releases,
    };
}

static void submit_next(struct unit_run *unit, struct orr_data *data)
{
    const struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = unit->unit,
        .name = "next",
        .count = 1,
        .accesses = (const struct orr_access[]){{data, ORR_R}},
    };

    orr_task_submit(unit->run, &spec);
}

static void note_call(struct orr_run *run, void *data)
{
    *(int64_t *)data = run->engine.now;
}

/* The parent runs from 0 to 1000 us, its end dependency from 1000 to 2000 us.
 */
static void successors_await_the_end_dependency(void **state)
{
    struct unit_run *unit = make(4);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    const struct orr_access access = {data, ORR_RW};
    struct orr_task_spec parent = parent_of(unit, &access, &seven, 0);
    const uint64_t three = 3;
    int64_t called = 0;

    (void)state;
    parent.callback = note_call;
    parent.callback_data = &called;
    orr_task_submit(unit->run, &parent);
    submit_next(unit, data);
    submit_tagged(unit, "by tag", 0, &three);
    submit_tagged(unit, "first", 8, NULL);
    submit_tagged(unit, "child", 7, &eight);
    assert_true(orr_run_wait_task(unit->run, 0, NULL));
    assert_int_equal(unit->run->engine.now, 2000 * US);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "parent"), 0);
    assert_int_equal(unit_start_of(unit, "child"), 1000 * US);
    assert_int_equal(unit_start_of(unit, "next"), 2000 * US);
    assert_int_equal(unit_start_of(unit, "by tag"), 2000 * US);
    assert_int_equal(called, 2000 * US);
    unit_run_free(unit);
}

static void an_end_dependency_may_be_over_before(void **state)
{
    struct unit_run *unit = make(1);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    const struct orr_access access = {data, ORR_RW};
    struct orr_task_spec parent = parent_of(unit, &access, &seven, 0);

    (void)state;
    submit_tagged(unit, "child", 7, NULL);
    for (unsigned i = 0; i < 2; i++) {
        orr_task_submit(unit->run, &parent);
        submit_next(unit, data);
        unit_wait(unit);
        parent.tag = 4;
    }
    assert_int_equal(unit_task(unit, 2)->started, 2000 * US);
    assert_int_equal(unit_task(unit, 4)->started, 4000 * US);
    unit_run_free(unit);
}

static void release(struct orr_run *run, void *data)
{
    orr_task_release_end(run, *(const uint64_t *)data);
}

/* Two tasks, one after the other, release the parent in their callbacks. */
static void callbacks_release_the_end(void **state)
{
    struct unit_run *unit = make(4);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    const struct orr_access access = {data, ORR_RW};
    struct orr_task_spec parent = parent_of(unit, &access, NULL, 2);
    uint64_t number = orr_task_submit(unit->run, &parent);
    struct orr_task_spec child = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                  .tag = 8, .callback = release,
                                  .callback_data = &number};

    (void)state;
    submit_next(unit, data);
    orr_task_submit(unit->run, &child);
    child.tag = 0;
    child.wait_count = 1;
    child.wait_tags = &eight;
    orr_task_submit(unit->run, &child);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "next"), 2000 * US);
    unit_run_free(unit);
}

/* At 3000 us, when another task has ended. */
static void the_application_releases_the_end(void **state)
{
    struct unit_run *unit = make(1);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    const struct orr_access access = {data, ORR_RW};
    struct orr_task_spec parent = parent_of(unit, &access, NULL, 1);
    uint64_t number = orr_task_submit(unit->run, &parent);

    (void)state;
    submit_next(unit, data);
    unit_submit_bare(unit);
    submit_tagged(unit, "last", 7, NULL);
    assert_true(orr_run_wait_tag(unit->run, 7, NULL));
    assert_int_equal(orr_run_report(unit->run)->tasks, 2);
    orr_task_release_end(unit->run, number);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "next"), 3000 * US);
    assert_int_equal(orr_run_report(unit->run)->tasks, 4);
    unit_run_free(unit);
}

static void tasks_that_synchronise_have_them_too(void **state)
{
    struct unit_run *unit = make(4);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    const struct orr_access access = {data, ORR_RW};
    struct orr_task_spec parent = parent_of(unit, &access, &seven, 1);

    (void)state;
    parent.kernel = NULL;
    parent.synchronises = true;
    orr_task_submit(unit->run, &parent);
    submit_next(unit, data);
    submit_tagged(unit, "child", 7, NULL);
    orr_task_release_end(unit->run, 0);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "next"), 1000 * US);
    unit_run_free(unit);
}

/* It counts as one task, so the window of two is full until the child ends. */
static void a_window_counts_a_task_until_its_end(void **state)
{
    struct orr_config config = unit_config("eager", 2, 0);
    struct unit_run *unit;
    struct orr_task_spec parent;

    (void)state;
    config.models = "overheads=off";
    config.window.most = 2;
    unit = unit_run_new("three-gpus.xml", &config);
    submit_tagged(unit, "child", 7, NULL);
    parent = parent_of(unit, NULL, &seven, 0);
    parent.count = 0;
    orr_task_submit(unit->run, &parent);
    submit_tagged(unit, "next", 0, NULL);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "next"), 1000 * US);
    unit_run_free(unit);
}

static void check_failure(struct unit_run *unit, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    assert_non_null(error);
    if (!strstr(error->message, message))
        fail_msg("%s", error->message);
    unit_run_free(unit);
}

static void a_hang_names_the_end_dependency(void **state)
{
    static const struct {
        const uint64_t *tag;
        unsigned releases;
        const char *message;
    } cases[] = {
        {&seven, 0,
         "the end of task 0 (parent) waits for the tag 7, which no task has"},
        {NULL, 2,
         "the end of task 0 (parent) waits for 2 more calls of "
         "orr_task_release_end()"},
        {&eight, 0,
         "the end of task 0 (parent) waits for task 1 (child) to end; task 1 "
         "(child) waits for the tag 7, which no task has"},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct unit_run *unit = make(1);
        const struct orr_access access = {orr_data_register(unit->run, 1000),
                                          ORR_RW};
        struct orr_task_spec parent =
            parent_of(unit, &access, cases[i].tag, cases[i].releases);

        orr_task_submit(unit->run, &parent);
        if (cases[i].tag == &eight)
            submit_tagged(unit, "child", 8, &seven);
        check_failure(unit, cases[i].message);
    }
}

static void a_task_that_awaits_its_own_end_is_a_cycle(void **state)
{
    struct unit_run *unit = make(1);
    const struct orr_access access = {orr_data_register(unit->run, 1000),
                                      ORR_RW};
    struct orr_task_spec parent = parent_of(unit, &access, &seven, 0);

    (void)state;
    parent.tag = 7;
    orr_task_submit(unit->run, &parent);
    check_failure(unit, "the end of task 0 (parent) waits for task 0 (parent) "
                        "to end; this closes a cycle");
}

static void wrong_end_dependencies_are_errors(void **state)
{
    static const uint64_t zero = 0;
    struct orr_task_spec parent;
    struct unit_run *unit = make(1);

    (void)state;
    parent = parent_of(unit, NULL, &zero, 0);
    parent.count = 0;
    orr_task_submit(unit->run, &parent);
    check_failure(unit, "task 0 (parent): it has an end dependency for tag 0");
    unit = make(1);
    parent = parent_of(unit, NULL, NULL, 0);
    parent.count = 0;
    parent.end_count = 1;
    orr_task_submit(unit->run, &parent);
    check_failure(unit, "task 0 (parent): end_tags is NULL");
}

static void a_release_too_many_is_an_error(void **state)
{
    struct unit_run *unit = make(1);
    struct orr_task_spec parent = parent_of(unit, NULL, &seven, 1);

    (void)state;
    parent.count = 0;
    orr_task_submit(unit->run, &parent);
    orr_task_release_end(unit->run, 0);
    orr_task_release_end(unit->run, 0);
    check_failure(unit, "task 0 has no end dependency that is to be released");
}

static void left_out_they_order_the_others(void **state)
{
    static const uint64_t left_out[] = {0};
    struct orr_config config = unit_config("eager", 4, 0);
    const uint64_t three = 3;
    struct unit_run *unit;
    struct orr_task_spec parent;

    (void)state;
    config.models = "overheads=off";
    config.left_out = left_out;
    config.left_out_count = 1;
    unit = unit_run_new("three-gpus.xml", &config);
    parent = parent_of(unit, NULL, &seven, 1);
    parent.count = 0;
    orr_task_submit(unit->run, &parent);
    orr_task_release_end(unit->run, 0);
    submit_tagged(unit, "next", 0, &three);
    submit_tagged(unit, "child", 7, NULL);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "next"), 1000 * US);
    unit_run_free(unit);
}

/* Before the next task come the parent, and the child after another one. */
static void bounds_know_them(void **state)
{
    struct unit_run *unit = make(4);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    const struct orr_access access = {data, ORR_RW};
    struct orr_task_spec parent = parent_of(unit, &access, &seven, 1);

    (void)state;
    orr_run_record(unit->run, UINT64_MAX);
    orr_task_submit(unit->run, &parent);
    submit_next(unit, data);
    submit_tagged(unit, "first", 8, NULL);
    submit_tagged(unit, "child", 7, &eight);
    orr_task_release_end(unit->run, 0);
    for (unsigned i = 0; i < 2; i++) {
        struct orr_workload *workload = orr_run_workload(unit->run);

        assert_float_equal(orr_bound_critical_path(workload),
                           i == 0 ? 3e-3F : 4e-3F, 1e-9);
        orr_workload_free(workload);
        unit_submit(unit, data, ORR_RW);
    }
    unit_run_free(unit);
}

/* The parents in the trace of the last task. */
struct parents {
    struct orr_trace trace; /* first */
    uint64_t last[4];
    unsigned count;
};

static void keep_parents(struct orr_trace *trace,
                         const struct orr_trace_task *task)
{
    struct parents *parents = (struct parents *)trace;

    parents->count = MIN(task->parent_count, 4);
    for (unsigned i = 0; i < parents->count; i++)
        parents->last[i] = task->parents[i];
}

static void traces_have_them_among_the_parents(void **state)
{
    struct orr_config config = unit_config("eager", 4, 0);
    struct parents parents = {.trace = {ORR_TRACE_INIT, .task = keep_parents,
                                        .wants = ORR_TRACE_PARENTS}};
    struct unit_run *unit = make(1);
    struct orr_run *run;
    struct orr_data *data;
    struct orr_task_spec parent;
    struct orr_access access = {.mode = ORR_RW};

    (void)state;
    config.platform = "mirage";
    config.trace = &parents.trace;
    run = orr_run_new(&config, NULL);
    assert_non_null(run);
    data = orr_data_register(run, 1000);
    access.data = data;
    parent = parent_of(unit, &access, &seven, 0);
    parent.kernel = orr_kernel_new(run, "own", NULL);
    parent.times =
        &(const struct orr_task_times){ORR_TASK_TIMES_INIT, .cpu_ns = 1000000};
    orr_task_submit(run, &parent);
    parent.count = parent.end_count = 0;
    parent.tag = 7;
    orr_task_submit(run, &parent);
    parent.count = 1;
    parent.tag = 0;
    orr_task_submit(run, &parent);
    assert_true(orr_run_wait(run, NULL));
    assert_int_equal(parents.count, 2);
    assert_int_equal(parents.last[0], 0);
    assert_int_equal(parents.last[1], 1);
    orr_run_free(run);
    unit_run_free(unit);
}

/* The tasks update one of several data each, and have one of the children that
 * follow them for end dependency: the next task that updates the same datum
 * starts when the child has ended. */
enum { TASKS = 60, CHAINS = 5, CHILDREN = 7 };

static uint64_t tag_of_child(unsigned i)
{
    return 1 + i;
}

static void check_random(const char *sched, const char *models, unsigned seed)
{
    struct orr_config config = unit_config(sched, 2, 2);
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    struct orr_data *data[CHAINS];
    const struct orr_trace_task *by_number[TASKS + CHILDREN];
    unsigned chain[TASKS];
    struct unit_run *unit;

    config.models = models;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < CHAINS; i++)
        data[i] = orr_data_register(unit->run, 1000);
    for (unsigned i = 0; i < TASKS; i++) {
        uint64_t child = tag_of_child(i % CHILDREN);
        struct orr_access access = {.mode = ORR_RW};
        struct orr_task_spec spec = parent_of(unit, &access, &child, 0);

        chain[i] = (unsigned)g_rand_int_range(rand, 0, CHAINS);
        access.data = data[chain[i]];
        spec.tag = 0;
        orr_task_submit(unit->run, &spec);
    }
    for (unsigned i = 0; i < CHILDREN; i++)
        submit_tagged(unit, "child", tag_of_child(i), NULL);
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, TASKS + CHILDREN);
    for (unsigned i = 0; i < TASKS + CHILDREN; i++)
        by_number[unit_task(unit, i)->order] = unit_task(unit, i);
    for (unsigned i = 0; i < TASKS; i++) {
        unsigned next = i + 1;

        while (next < TASKS && chain[next] != chain[i])
            next++;
        if (next < TASKS)
            assert_true(by_number[next]->kernel_started >=
                        by_number[TASKS + i % CHILDREN]->ended);
    }
    unit_run_free(unit);
}

static void successors_await_random_ends(void **state)
{
    static const char *const scheds[] = {"eager", "dmda", "dmdas",     "lws",
                                         "ws",    "prio", "heteroprio"};

    (void)state;
    for (unsigned seed = 0; seed < 4; seed++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(scheds); i++)
            check_random(scheds[i], NULL, seed);
        if (orr_turns_lockstep) {
            check_random("eager", "quirks=exact", seed);
            check_random("dmda", "quirks=exact", seed);
        }
    }
}

ORR_TESTS(end_dependencies)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(successors_await_the_end_dependency),
        cmocka_unit_test(an_end_dependency_may_be_over_before),
        cmocka_unit_test(callbacks_release_the_end),
        cmocka_unit_test(the_application_releases_the_end),
        cmocka_unit_test(tasks_that_synchronise_have_them_too),
        cmocka_unit_test(a_window_counts_a_task_until_its_end),
        cmocka_unit_test(a_hang_names_the_end_dependency),
        cmocka_unit_test(a_task_that_awaits_its_own_end_is_a_cycle),
        cmocka_unit_test(wrong_end_dependencies_are_errors),
        cmocka_unit_test(a_release_too_many_is_an_error),
        cmocka_unit_test(left_out_they_order_the_others),
        cmocka_unit_test(bounds_know_them),
        cmocka_unit_test(traces_have_them_among_the_parents),
        cmocka_unit_test(successors_await_random_ends),
    };

    return cmocka_run_group_tests_name("end_dependencies", tests, NULL, NULL);
}

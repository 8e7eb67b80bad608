/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * When modular-heft and modular-heft2 assign tasks, and to whom, on a hand-made
 * machine: two GPUs, worker 0 on node 1 and worker 1 on node 2. Times are in
 * ns.
 */
#include "tests/support/policy_fixture.h"

enum { GPU0, GPU1, WORKERS };
enum { TASKS = 64, NODES = 3, LIMIT = 30 };

struct fixture {
    struct policy_fixture p; /* first */
    struct orr_task tasks[TASKS];
    orr_time lengths[TASKS][WORKERS]; /* ORR_NEVER: cannot run there */
    orr_time transfers[NODES];        /* of each task */
    unsigned prefetches;
};

static orr_time fake_duration(void *data, const struct orr_task *task,
                              unsigned worker)
{
    const struct fixture *f = data;

    return f->lengths[task->id][worker];
}

static orr_time fake_transfer(void *data, const struct orr_task *task,
                              unsigned node)
{
    const struct fixture *f = data;

    (void)task;
    return f->transfers[node];
}

static void fake_missing(void *data, const struct orr_task *task, unsigned node,
                         struct orr_missing *missing)
{
    (void)data;
    (void)task;
    (void)node;
    *missing = (struct orr_missing){.invalid_bytes = 0};
}

static void fake_watch(void *data, struct orr_task *task, unsigned node,
                       struct orr_missing *missing)
{
    fake_missing(data, task, node, missing);
}

static void fake_prefetch(void *data, struct orr_task *task, unsigned worker)
{
    struct fixture *f = data;

    (void)task;
    (void)worker;
    f->prefetches++;
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    policy_fixture_init(&f->p, WORKERS, WORKERS);
    f->p.host.duration = fake_duration;
    f->p.host.transfer = fake_transfer;
    f->p.host.missing = fake_missing;
    f->p.host.watch = fake_watch;
    f->p.host.prefetch = fake_prefetch;
    f->p.now = 1000;
    for (unsigned i = 0; i < TASKS; i++) {
        f->tasks[i] = (struct orr_task){.id = i, .kernel = "gemm"};
        f->lengths[i][GPU0] = f->lengths[i][GPU1] = 100;
    }
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    policy_fixture_clear(&f->p);
    g_free(f);
    return 0;
}

static void push(struct fixture *f, unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count; i++)
        orr_sched_push(f->p.sched, &f->tasks[i]);
}

static void only_on_gpu0(struct fixture *f, unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count; i++)
        f->lengths[i][GPU1] = ORR_NEVER;
}

/* @worker pops @task. */
static void expect_pop(struct fixture *f, unsigned worker, unsigned task)
{
    const struct orr_task *popped = orr_sched_pop(f->p.sched, worker);

    assert_non_null(popped);
    assert_int_equal(popped->id, task);
}

static void a_task_goes_where_it_ends_first(void **state)
{
    struct fixture *f = *state;

    policy_fixture_start(&f->p, "modular-heft");
    f->lengths[0][GPU1] = 99;
    push(f, 0, 3); /* 99 on GPU1; 100 on GPU0; then 199 against 200 */
    assert_string_equal(f->p.woken->str, "101");
    assert_int_equal(f->prefetches, 3);
}

static void a_transfer_counts_as_a_delay_and_as_a_cost(void **state)
{
    struct fixture *f = *state;

    policy_fixture_start(&f->p, "modular-heft");
    f->transfers[1] = 60; /* 160 + 60 */
    f->lengths[0][GPU1] = 219;
    f->lengths[1][GPU1] = 2; /* 219 + 2; GPU0: 160 + 60 */
    push(f, 0, 2);
    assert_string_equal(f->p.woken->str, "10");
}

/* The queue of GPU0 is full, so task 30 waits, and all behind it, even those
 * that GPU1 could run. */
static void tasks_wait_while_a_queue_is_full(void **state)
{
    struct fixture *f = *state;

    policy_fixture_start(&f->p, "modular-heft");
    only_on_gpu0(f, 0, LIMIT + 1);
    push(f, 0, LIMIT + 2);
    assert_int_equal(f->prefetches, LIMIT);
    assert_null(orr_sched_pop(f->p.sched, GPU1));
    expect_pop(f, GPU0, 0);
    assert_int_equal(f->prefetches, LIMIT + 2);
    expect_pop(f, GPU1, LIMIT + 1);
    expect_pop(f, GPU0, 1);
}

/* The queue of the only worker holds two tasks, but all tasks will run there.
 */
static void data_are_prefetched_at_the_push_for_the_only_memory(void **state)
{
    struct fixture *f = *state;

    f->p.host.workers = 1;
    policy_fixture_start(&f->p, "modular-heft");
    push(f, 0, 4);
    assert_int_equal(f->prefetches, 4);
    expect_pop(f, GPU0, 0);
    assert_int_equal(f->prefetches, 4);
}

/* Among tasks that wait, priorities count; and again in the queue. */
static void the_most_urgent_task_is_assigned_first(void **state)
{
    struct fixture *f = *state;

    policy_fixture_start(&f->p, "modular-heft");
    only_on_gpu0(f, 0, LIMIT + 3);
    f->tasks[LIMIT + 1].priority = 7;
    f->tasks[LIMIT + 2].priority = 7;
    push(f, 0, LIMIT + 3);
    expect_pop(f, GPU0, 0);         /* makes room for 31 */
    expect_pop(f, GPU0, LIMIT + 1); /* for 32 */
    expect_pop(f, GPU0, LIMIT + 2); /* for 30 */
    expect_pop(f, GPU0, 1);
}

/* GPU0 has popped task 0 and runs it: until 1100, so task 2 goes to GPU1. */
static void work_that_was_popped_counts(void **state)
{
    struct fixture *f = *state;

    policy_fixture_start(&f->p, "modular-heft");
    push(f, 0, 1);
    expect_pop(f, GPU0, 0);
    push(f, 1, 1);
    orr_sched_started(f->p.sched, &f->tasks[0], GPU0);
    f->p.now = 1050;
    f->lengths[2][GPU0] = 100; /* 1100 + 100 */
    f->lengths[2][GPU1] = 99;  /* 1150 + 99 */
    push(f, 2, 1);
    assert_string_equal(f->p.woken->str, "010");
    f->p.now = 1100;
    orr_sched_done(f->p.sched, &f->tasks[0], GPU0);
    f->lengths[3][GPU0] = 51; /* 1200 + 51 */
    push(f, 3, 1);            /* GPU1: 1200 + 100 */
    assert_string_equal(f->p.woken->str, "0100");
}

/* Task 0 ends 50 before its predicted end; the next one still begins at 1100.
 */
static void work_that_ends_early_leaves_the_plan_as_it_is(void **state)
{
    struct fixture *f = *state;

    policy_fixture_start(&f->p, "modular-heft");
    push(f, 0, 1);
    expect_pop(f, GPU0, 0);
    orr_sched_started(f->p.sched, &f->tasks[0], GPU0);
    f->p.now = 1050;
    orr_sched_done(f->p.sched, &f->tasks[0], GPU0);
    f->lengths[1][GPU1] = 149; /* 1050 + 149 against 1100 + 100 */
    push(f, 1, 1);
    assert_string_equal(f->p.woken->str, "01");
}

/* As in StarPU, a worker that pops drops its plan of earlier popped tasks. */
static void a_worker_that_pops_thinks_itself_idle(void **state)
{
    struct fixture *f = *state;

    policy_fixture_start(&f->p, "modular-heft");
    only_on_gpu0(f, 0, 1);
    f->lengths[0][GPU0] = 100000;
    push(f, 0, 1);
    expect_pop(f, GPU0, 0);
    orr_sched_started(f->p.sched, &f->tasks[0], GPU0);
    assert_null(orr_sched_pop(f->p.sched, GPU0));
    push(f, 1, 1);
    assert_string_equal(f->p.woken->str, "00");
}

/* The queue of GPU0 is full. Of the five tasks that wait first, one can run on
 * GPU1; of those that follow, one is the sixth until GPU0 pops. */
static void heft2_assigns_the_task_that_ends_first(void **state)
{
    struct fixture *f = *state;
    unsigned first = LIMIT + 1;

    policy_fixture_start(&f->p, "modular-heft2");
    only_on_gpu0(f, 0, first + TASKS / 4);
    push(f, 0, first);
    f->lengths[first + 3][GPU1] = 10;
    f->lengths[first + 5][GPU1] = 1;
    push(f, first, 3);
    assert_int_equal(f->prefetches, LIMIT);
    push(f, first + 3, 1);
    expect_pop(f, GPU1, first + 3);
    push(f, first + 4, 2);
    assert_null(orr_sched_pop(f->p.sched, GPU1)); /* it is the sixth */
    expect_pop(f, GPU0, 0);
    expect_pop(f, GPU1, first + 5);
}

/* Task 30 is urgent and waits for GPU0: the queue there is full. Task 31 has
 * another priority, so the two are not compared, although GPU1 is idle. */
static void heft2_compares_tasks_of_one_priority(void **state)
{
    struct fixture *f = *state;

    policy_fixture_start(&f->p, "modular-heft2");
    only_on_gpu0(f, 0, LIMIT + 1);
    f->tasks[LIMIT].priority = 1;
    push(f, 0, LIMIT + 2);
    assert_null(orr_sched_pop(f->p.sched, GPU1));
    assert_int_equal(f->prefetches, LIMIT);
}

/* StarPU leaves out the comparison then: task 3 does not overtake. */
static void a_single_worker_compares_nothing(void **state)
{
    struct fixture *f = *state;

    f->p.host.workers = 1;
    policy_fixture_start(&f->p, "modular-heft2");
    f->lengths[3][GPU0] = 1;
    push(f, 0, 4);
    for (unsigned i = 0; i < 4; i++)
        expect_pop(f, GPU0, i);
}

ORR_TESTS(modular_family)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_task_goes_where_it_ends_first, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            a_transfer_counts_as_a_delay_and_as_a_cost, setup, teardown),
        cmocka_unit_test_setup_teardown(tasks_wait_while_a_queue_is_full, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            data_are_prefetched_at_the_push_for_the_only_memory, setup,
            teardown),
        cmocka_unit_test_setup_teardown(the_most_urgent_task_is_assigned_first,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(work_that_was_popped_counts, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            work_that_ends_early_leaves_the_plan_as_it_is, setup, teardown),
        cmocka_unit_test_setup_teardown(a_worker_that_pops_thinks_itself_idle,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(heft2_assigns_the_task_that_ends_first,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(heft2_compares_tasks_of_one_priority,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_single_worker_compares_nothing, setup,
                                        teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

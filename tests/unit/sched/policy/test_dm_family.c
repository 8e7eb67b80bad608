/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the dm family places tasks, and in which order it hands them over, on
 * a hand-made machine: two GPUs, worker 0 on node 1 and worker 1 on node 2,
 * and a CPU core, worker 2 on node 0. Times are in ns, as the machine says
 * what each task takes where.
 */
#include <limits.h>

#include "tests/support/policy_fixture.h"

enum { GPU0, GPU1, CPU, WORKERS };
enum { TASKS = 20, NODES = 3 };
enum { NEVER = -1 };

struct fixture {
    struct policy_fixture p; /* first */
    struct orr_task tasks[TASKS];
    orr_time lengths[TASKS][WORKERS];
    orr_time transfers[TASKS][NODES];
    uint64_t missing[TASKS];
    unsigned transfers_asked;
    GString *prefetched; /* workers, in order */
};

static orr_time fake_duration(void *data, const struct orr_task *task,
                              unsigned worker)
{
    const struct fixture *f = data;
    orr_time length = f->lengths[task->id][worker];

    return length == NEVER ? ORR_NEVER : length;
}

static orr_time fake_transfer(void *data, const struct orr_task *task,
                              unsigned node)
{
    struct fixture *f = data;

    f->transfers_asked++;
    return f->transfers[task->id][node];
}

static void fake_missing(void *data, const struct orr_task *task, unsigned node,
                         struct orr_missing *missing)
{
    const struct fixture *f = data;

    (void)node;
    *missing = (struct orr_missing){.invalid_bytes = f->missing[task->id]};
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
    g_string_append_c(f->prefetched, (char)('0' + worker));
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    policy_fixture_init(&f->p, CPU, WORKERS);
    f->p.host.duration = fake_duration;
    f->p.host.transfer = fake_transfer;
    f->p.host.missing = fake_missing;
    f->p.host.watch = fake_watch;
    f->p.host.prefetch = fake_prefetch;
    f->prefetched = g_string_new(NULL);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    policy_fixture_clear(&f->p);
    g_string_free(f->prefetched, TRUE);
    g_free(f);
    return 0;
}

/* Starts @policy at date 1000 with tasks that take 100 on a GPU, 1000 on the
 * CPU, and have all their data everywhere. */
static void start(struct fixture *f, const char *policy)
{
    f->p.now = 1000;
    for (unsigned i = 0; i < TASKS; i++) {
        f->tasks[i] = (struct orr_task){.id = i, .kernel = "gemm"};
        f->lengths[i][GPU0] = f->lengths[i][GPU1] = 100;
        f->lengths[i][CPU] = 1000;
        f->transfers[i][0] = f->transfers[i][1] = f->transfers[i][2] = 0;
        f->missing[i] = 0;
    }
    policy_fixture_start(&f->p, policy);
}

static void set_lengths(struct fixture *f, unsigned task, orr_time on_gpu0,
                        orr_time on_gpu1, orr_time on_cpu)
{
    f->lengths[task][GPU0] = on_gpu0;
    f->lengths[task][GPU1] = on_gpu1;
    f->lengths[task][CPU] = on_cpu;
}

/* Where @task goes. */
static unsigned place(struct fixture *f, unsigned task)
{
    orr_sched_place(f->p.sched, &f->tasks[task]);
    orr_sched_push(f->p.sched, &f->tasks[task]);
    return f->tasks[task].worker;
}

static void place_all_on_gpu0(struct fixture *f, unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count; i++) {
        f->lengths[i][GPU1] = f->lengths[i][CPU] = NEVER;
        assert_int_equal(place(f, i), GPU0);
    }
}

/* @worker pops @task. */
static void expect_pop(struct fixture *f, unsigned worker, unsigned task)
{
    const struct orr_task *popped = orr_sched_pop(f->p.sched, worker);

    assert_non_null(popped);
    assert_int_equal(popped->id, task);
}

static void start_task(struct fixture *f, unsigned worker, unsigned task)
{
    orr_sched_started(f->p.sched, &f->tasks[task], worker);
}

static void end_task(struct fixture *f, unsigned worker, unsigned task)
{
    orr_sched_done(f->p.sched, &f->tasks[task], worker);
}

static void the_worker_that_ends_it_first_gets_a_task(void **state)
{
    struct fixture *f = *state;

    start(f, "dm");
    set_lengths(f, 0, 300, 200, 250);
    set_lengths(f, 1, 300, 200, 250); /* 300, 400, 250 */
    set_lengths(f, 2, 300, 200, 250); /* 300, 400, 500 */
    set_lengths(f, 3, 300, 200, 250); /* 600, 400, 500 */
    assert_int_equal(place(f, 0), GPU1);
    assert_int_equal(place(f, 1), CPU);
    assert_int_equal(place(f, 2), GPU0);
    assert_int_equal(place(f, 3), GPU1);
    assert_string_equal(f->p.woken->str, "1201");
    assert_string_equal(f->prefetched->str, "1201");
}

static void ties_go_to_the_lowest_number(void **state)
{
    struct fixture *f = *state;

    start(f, "dmda");
    set_lengths(f, 0, 100, 100, 100);
    set_lengths(f, 1, 100, 100, 100);
    set_lengths(f, 2, 100, 100, 100);
    assert_int_equal(place(f, 0), GPU0);
    assert_int_equal(place(f, 1), GPU1);
    assert_int_equal(place(f, 2), CPU);
}

static void who_cannot_run_a_task_does_not_get_it(void **state)
{
    struct fixture *f = *state;

    start(f, "dmda");
    set_lengths(f, 0, NEVER, NEVER, 1000000);
    set_lengths(f, 1, NEVER, 9, NEVER);
    assert_int_equal(place(f, 0), CPU);
    assert_int_equal(place(f, 1), GPU1);
}

static void dm_is_blind_to_transfers(void **state)
{
    struct fixture *f = *state;

    start(f, "dm");
    f->transfers[0][1] = f->transfers[0][2] = 1000000;
    assert_int_equal(place(f, 0), GPU0);
    assert_int_equal(f->transfers_asked, 0);
}

/* On a GPU it ends after 550 + 100 and costs 550: 1200; on the CPU 1000. */
static void a_transfer_counts_as_a_delay_and_as_a_cost(void **state)
{
    struct fixture *f = *state;

    start(f, "dmda");
    f->transfers[0][1] = f->transfers[0][2] = 550;
    assert_int_equal(place(f, 0), CPU);
    /* 400 + 100 + 400 is less than 2000. */
    f->transfers[1][1] = f->transfers[1][2] = 400;
    assert_int_equal(place(f, 1), GPU0);
}

/*
 * GPU0 has work for 300: a transfer of 90 there costs 90 but delays nothing,
 * 300 + 100 + 90; on GPU1 one of 200 gives 200 + 100 + 200.
 */
static void work_that_is_planned_hides_a_transfer(void **state)
{
    struct fixture *f = *state;

    start(f, "dmda");
    place_all_on_gpu0(f, 0, 3);
    f->transfers[3][1] = 90;
    f->transfers[3][2] = 200;
    assert_int_equal(place(f, 3), GPU0);
    f->transfers[4][1] = 90; /* now 400 + 100 + 90 */
    f->transfers[4][2] = 200;
    assert_int_equal(place(f, 4), GPU1);
}

/*
 * Task 0 needs 60 of transfer, none of it hidden: 160 planned. Task 1 needs
 * 180, of which 20 are not: 280 planned, not 440. Task 2 finds 280 there.
 */
static void only_what_is_not_hidden_is_planned(void **state)
{
    struct fixture *f = *state;

    start(f, "dmda");
    f->transfers[0][1] = 60;
    f->transfers[1][1] = 180;
    place_all_on_gpu0(f, 0, 2);
    set_lengths(f, 2, 100, 379, NEVER);
    set_lengths(f, 3, 100, 100, NEVER);
    assert_int_equal(place(f, 2), GPU1);
    f->lengths[4][CPU] = 380; /* as on GPU0; GPU1 ends at 379 + 100 */
    assert_int_equal(place(f, 4), GPU0);
    assert_int_equal(place(f, 3), GPU1); /* 479 against 480 */
}

static void a_plan_that_is_late_starts_now(void **state)
{
    struct fixture *f = *state;

    start(f, "dmda");
    place_all_on_gpu0(f, 0, 1);
    f->p.now = 5000; /* GPU0 has not come for it yet */
    f->lengths[1][GPU1] = 199;
    f->lengths[2][GPU1] = NEVER;
    assert_int_equal(place(f, 1), GPU1); /* 5200 against 5199 */
    assert_int_equal(place(f, 2), GPU0);
}

/*
 * Task 0 runs on GPU0 from 1000 to 1100. At 1030 another of 100 would end
 * there at 1200, on GPU1 at 1030 + 171.
 */
static void a_running_task_counts_until_its_end(void **state)
{
    struct fixture *f = *state;

    start(f, "dmda");
    place_all_on_gpu0(f, 0, 1);
    expect_pop(f, GPU0, 0);
    start_task(f, GPU0, 0);
    f->p.now = 1030;
    f->lengths[1][GPU1] = 171;
    f->lengths[1][CPU] = 169;
    assert_int_equal(place(f, 1), CPU);
    f->lengths[2][GPU1] = 171;
    assert_int_equal(place(f, 2), GPU0);
}

/* A task that runs longer than predicted leaves the plan when it ends. */
static void an_ended_task_counts_no_more(void **state)
{
    struct fixture *f = *state;

    start(f, "dmda");
    place_all_on_gpu0(f, 0, 1);
    expect_pop(f, GPU0, 0);
    start_task(f, GPU0, 0);
    f->p.now = 1500;
    f->lengths[1][GPU1] = 100;
    end_task(f, GPU0, 0);
    assert_int_equal(place(f, 1), GPU0); /* both end at 1600 */
}

/* A task that ends 50 before its predicted end does not move the plan: the
 * next one still begins at 1100 there, as in StarPU. */
static void a_task_that_ends_early_leaves_the_plan_as_it_is(void **state)
{
    struct fixture *f = *state;

    start(f, "dmda");
    place_all_on_gpu0(f, 0, 1);
    expect_pop(f, GPU0, 0);
    start_task(f, GPU0, 0);
    f->p.now = 1050;
    end_task(f, GPU0, 0);
    f->lengths[1][GPU1] = 149;
    assert_int_equal(place(f, 1), GPU1); /* 1199 against 1200 */
    f->lengths[2][GPU1] = NEVER;
    f->lengths[2][CPU] = 151;
    assert_int_equal(place(f, 2), GPU0); /* 1200 against 1201 */
}

/* Tasks 0 to 3 of which only 1 and 3 are urgent, 2 and 3 ready to run. */
static void expect_order(struct fixture *f, const char *policy,
                         const char *expected)
{
    start(f, policy);
    f->tasks[1].priority = f->tasks[3].priority = 5;
    f->missing[0] = f->missing[1] = 4096;
    place_all_on_gpu0(f, 0, 4);
    for (; *expected; expected++)
        expect_pop(f, GPU0, (unsigned)(*expected - '0'));
    assert_null(orr_sched_pop(f->p.sched, GPU0));
}

static void policies_differ_in_the_order_of_their_queues(void **state)
{
    struct fixture *f = *state;

    expect_order(f, "dm", "0123");
    expect_order(f, "dmda", "0123");
    expect_order(f, "dmdap", "1302");
    expect_order(f, "dmdar", "2301"); /* all are at least as urgent as 0 */
    expect_order(f, "dmdas", "3120");
    expect_order(f, "dmdasd", "3120");
}

/* With weights, too. */
static void weighted_ties_go_to_the_lowest_number(void **state)
{
    static const struct orr_sched_weights weights = {2, 1, 1000, 0};
    struct fixture *f = *state;

    f->p.host.weights = &weights;
    start(f, "dmda");
    set_lengths(f, 0, 100, 100, 100);
    set_lengths(f, 1, 100, 100, 100);
    assert_int_equal(place(f, 0), GPU0);
    assert_int_equal(place(f, 1), GPU1);
}

/*
 * GPU0 has work for 300, so the others are idle from 1300 on.
 * The task ends there at 1400. GPU1 needs 200 of transfer and 150: 1350. In us,
 * GPU0 costs 0.05, GPU1 0.2, without the 4 us for each us of idle power: these
 * add 0.4 and 0.2.
 */
static void idle_power_counts_beyond_the_plan(void **state)
{
    static const struct orr_sched_weights busy = {1, 1, 1000, 0};
    static const struct orr_sched_weights idle = {1, 1, 1000, 4000};
    static const struct orr_sched_weights *const weights[] = {&busy, &idle};
    struct fixture *f = *state;

    for (unsigned i = 0; i < 2; i++) {
        f->p.host.weights = weights[i];
        start(f, "dmda");
        place_all_on_gpu0(f, 0, 3);
        set_lengths(f, 3, 100, 150, NEVER);
        f->transfers[3][2] = 200;
        assert_int_equal(place(f, 3), i == 0 ? GPU0 : GPU1);
    }
}

/* A task that goes to GPU1 without being placed is planned with its length
 * there: the next one would end at 1400 on GPU1. */
static void a_task_that_bypasses_the_policy_is_planned(void **state)
{
    struct fixture *f = *state;

    start(f, "dmda");
    set_lengths(f, 0, 100, 300, NEVER);
    orr_sched_bypassed(f->p.sched, &f->tasks[0], GPU1);
    set_lengths(f, 1, 401, 100, NEVER);
    assert_int_equal(place(f, 1), GPU1);
    set_lengths(f, 2, 499, 100, NEVER);
    assert_int_equal(place(f, 2), GPU0); /* 1499 against 1500 */
}

/* Only dmdasd knows that an urgent task will not wait for those queued. */
static void dmdasd_places_by_what_comes_before_a_task(void **state)
{
    const char *const others[] = {"dmda", "dmdap", "dmdar", "dmdas"};
    struct fixture *f = *state;

    for (unsigned i = 0; i < G_N_ELEMENTS(others); i++) {
        start(f, others[i]);
        place_all_on_gpu0(f, 0, 4); /* 400 */
        f->tasks[4].priority = 1;
        f->lengths[4][GPU1] = 499;
        assert_int_equal(place(f, 4), GPU1);
    }
    start(f, "dmdasd");
    place_all_on_gpu0(f, 0, 4);
    f->tasks[4].priority = 1;
    f->lengths[4][GPU1] = 101; /* on GPU0, 100 */
    assert_int_equal(place(f, 4), GPU0);
    f->tasks[5].priority = 0; /* after all: 500 + 100 */
    f->lengths[5][GPU1] = 599;
    assert_int_equal(place(f, 5), GPU1);
    f->tasks[6].priority = 1; /* after the other urgent one: 100 + 100 */
    f->lengths[6][GPU1] = NEVER;
    f->lengths[6][CPU] = 201;
    assert_int_equal(place(f, 6), GPU0);
    f->tasks[7].priority = -1; /* after all: 600 + 100 */
    f->lengths[7][GPU1] = NEVER;
    f->lengths[7][CPU] = 699;
    assert_int_equal(place(f, 7), CPU);
}

/* Popped tasks precede a new one whatever its priority, but they are no longer
 * in the queue. */
static void dmdasd_forgets_what_has_left_the_queue(void **state)
{
    struct fixture *f = *state;

    start(f, "dmdasd");
    f->tasks[0].priority = 9;
    f->tasks[1].priority = 1;
    place_all_on_gpu0(f, 0, 2);
    expect_pop(f, GPU0, 0);
    start_task(f, GPU0, 0);
    f->p.now = 1100;
    end_task(f, GPU0, 0);
    f->tasks[2].priority = 5; /* overtakes task 1 alone: 100 */
    f->lengths[2][GPU1] = 101;
    assert_int_equal(place(f, 2), GPU0);
}

/*
 * A task runs on GPU0 until 1100, another is queued. A task that overtakes the
 * queued one would end at 1200, but the reference counts the running task
 * twice: 1300. For a task at the end of the queue it does not: 1100 + 200 +
 * 100.
 */
static void dmdasd_counts_what_runs_twice_when_overtaking(void **state)
{
    struct fixture *f = *state;

    start(f, "dmdasd");
    place_all_on_gpu0(f, 0, 2);
    expect_pop(f, GPU0, 0);
    start_task(f, GPU0, 0);
    f->tasks[2].priority = 1;
    f->lengths[2][GPU1] = 299;
    assert_int_equal(place(f, 2), GPU1);
    f->tasks[3].priority = 1;
    f->lengths[3][GPU1] = NEVER;
    f->lengths[3][CPU] = 301;
    assert_int_equal(place(f, 3), GPU0);
    f->lengths[4][GPU1] = NEVER;
    f->lengths[4][CPU] = 401;
    assert_int_equal(place(f, 4), GPU0);
}

static void the_most_extreme_priorities_are_in_order(void **state)
{
    const char *const policies[] = {"dmdap", "dmdas", "dmdasd"};
    struct fixture *f = *state;

    for (unsigned i = 0; i < G_N_ELEMENTS(policies); i++) {
        start(f, policies[i]);
        f->tasks[0].priority = INT_MIN;
        f->tasks[1].priority = INT_MAX;
        place_all_on_gpu0(f, 0, 3);
        expect_pop(f, GPU0, 1);
        expect_pop(f, GPU0, 2);
        expect_pop(f, GPU0, 0);
    }
}

ORR_TESTS(dm_family)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(the_worker_that_ends_it_first_gets_a_task),
        T(ties_go_to_the_lowest_number),
        T(who_cannot_run_a_task_does_not_get_it),
        T(dm_is_blind_to_transfers),
        T(a_transfer_counts_as_a_delay_and_as_a_cost),
        T(work_that_is_planned_hides_a_transfer),
        T(only_what_is_not_hidden_is_planned),
        T(a_plan_that_is_late_starts_now),
        T(a_running_task_counts_until_its_end),
        T(an_ended_task_counts_no_more),
        T(a_task_that_ends_early_leaves_the_plan_as_it_is),
        T(policies_differ_in_the_order_of_their_queues),
        T(weighted_ties_go_to_the_lowest_number),
        T(idle_power_counts_beyond_the_plan),
        T(a_task_that_bypasses_the_policy_is_planned),
        T(dmdasd_places_by_what_comes_before_a_task),
        T(dmdasd_forgets_what_has_left_the_queue),
        T(dmdasd_counts_what_runs_twice_when_overtaking),
        T(the_most_extreme_priorities_are_in_order),
#undef T
    };

    return cmocka_run_group_tests_name("dm_family", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Policies, run on a hand-made machine of two GPUs and two CPU cores. */
#include <limits.h>
#include <string.h>

#include "sched/registry.h"
#include "tests/support/policy_fixture.h"

enum { GPU0, GPU1, CPU0, CPU1, WORKERS };
enum { TASKS = 400 };

/* Sets of workers, one bit each. */
enum { GPUS = 0x3, CPUS = 0xc, ALL = 0xf };

struct fixture {
    struct policy_fixture p; /* first */
    struct orr_task tasks[TASKS];
    unsigned runs_on[TASKS];
    bool held[TASKS]; /* pushed and not popped */
    unsigned pushed;  /* tasks 0 to that, when pushed at random */
    unsigned asleep;  /* workers that wake() wakes */
    unsigned durations_asked;
};

static double fake_speed(void *data, unsigned worker)
{
    (void)data;
    return worker <= GPU1 ? 13.33 : 0.5;
}

static orr_time fake_duration(void *data, const struct orr_task *task,
                              unsigned worker)
{
    struct fixture *f = data;

    f->durations_asked++;
    if (!(f->runs_on[task->id] & 1u << worker))
        return ORR_NEVER;
    return worker <= GPU1 ? 40 : 100;
}

static orr_time fake_transfer(void *data, const struct orr_task *task,
                              unsigned node)
{
    (void)data;
    (void)task;
    return node == 0 ? 0 : 10;
}

static void fake_missing(void *data, const struct orr_task *task, unsigned node,
                         struct orr_missing *missing)
{
    (void)data;
    (void)node;
    *missing = (struct orr_missing){.invalid_bytes = task->id % 3};
}

static void fake_watch(void *data, struct orr_task *task, unsigned node,
                       struct orr_missing *missing)
{
    fake_missing(data, task, node, missing);
    assert_in_range(node, 0, 2);
}

/* Tasks access no data. */
static bool fake_access(void *data, const struct orr_task *task, unsigned i,
                        struct orr_task_access *access)
{
    (void)data;
    (void)task;
    (void)i;
    (void)access;
    return false;
}

static void fake_prefetch(void *data, struct orr_task *task, unsigned worker)
{
    struct fixture *f = data;

    assert_true(f->runs_on[task->id] & 1u << worker);
}

static bool fake_wake_asleep(void *data, unsigned worker)
{
    struct fixture *f = data;
    bool woken = f->asleep & 1u << worker;

    g_string_append_c(f->p.woken, (char)('0' + worker));
    f->asleep &= ~(1u << worker);
    return woken;
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    policy_fixture_init(&f->p, CPU0, WORKERS);
    f->p.host.seed = 77;
    f->p.host.speed = fake_speed;
    f->p.host.duration = fake_duration;
    f->p.host.transfer = fake_transfer;
    f->p.host.missing = fake_missing;
    f->p.host.watch = fake_watch;
    f->p.host.access = fake_access;
    f->p.host.prefetch = fake_prefetch;
    f->p.host.wake = fake_wake_asleep;
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

/* Starts @policy, with all tasks afresh: runnable everywhere. */
static void start(struct fixture *f, const char *policy)
{
    for (unsigned i = 0; i < TASKS; i++) {
        f->tasks[i] = (struct orr_task){.id = i, .kernel = "gemm"};
        f->runs_on[i] = ALL;
        f->held[i] = false;
    }
    f->pushed = 0;
    policy_fixture_start(&f->p, policy);
}

static void push(struct fixture *f, unsigned task)
{
    f->held[task] = true;
    orr_sched_place(f->p.sched, &f->tasks[task]);
    orr_sched_push(f->p.sched, &f->tasks[task]);
}

/* Fails unless @worker gets the tasks of @expected in turn, then none. */
static void assert_pops(struct fixture *f, unsigned worker,
                        const char *expected)
{
    struct orr_task *task;

    for (; *expected; expected++) {
        task = orr_sched_pop(f->p.sched, worker);
        assert_non_null(task);
        assert_int_equal('0' + task->id, *expected);
    }
    assert_null(orr_sched_pop(f->p.sched, worker));
}

static void policies_are_found_by_name(void **state)
{
    const struct orr_sched_ops *ops;

    (void)state;
    for (size_t i = 0; (ops = orr_sched_builtin(i)); i++) {
        assert_ptr_equal(orr_sched_find(ops->name), ops);
        assert_true(i == 0 ||
                    strcmp(orr_sched_builtin(i - 1)->name, ops->name) < 0);
        assert_int_equal(
            strspn(ops->name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
            strlen(ops->name));
        assert_non_null(ops->summary);
        assert_null(strchr(ops->summary, '\n'));
    }
    assert_null(orr_sched_find(""));
    assert_null(orr_sched_find("dmd"));
    assert_ptr_equal(orr_sched_find(" DMDA"), orr_sched_find("dmda"));
    assert_ptr_equal(orr_sched_find("heft"), orr_sched_find("dmda"));
    assert_ptr_equal(orr_sched_find(" Heft-tm-2"), orr_sched_find("dmda"));
    assert_null(orr_sched_find("hef"));
}

static void policies_say_whether_priorities_matter(void **state)
{
    (void)state;
    assert_false(orr_sched_find("dm")->priorities);
    assert_false(orr_sched_find("dmda")->priorities);
    assert_false(orr_sched_find("dmdar")->priorities);
    assert_true(orr_sched_find("dmdas")->priorities);
    assert_false(orr_sched_find("eager")->priorities);
    assert_true(orr_sched_find("prio")->priorities);
}

/* Most of the time, pushes another task; returns whether it did. */
static bool push_at_random(struct fixture *f, GRand *rand)
{
    unsigned i = f->pushed;

    if (i == TASKS || g_rand_int_range(rand, 0, 3) == 0)
        return false;
    f->runs_on[i] = g_rand_int_range(rand, 1, ALL + 1);
    f->tasks[i].priority = g_rand_int_range(rand, -2, 3);
    push(f, i);
    f->pushed++;
    return true;
}

/* Lets @worker take a task, if there is one for it, run it and end it. */
static struct orr_task *run_one(struct fixture *f, unsigned worker)
{
    struct orr_task *task = orr_sched_pop(f->p.sched, worker);

    if (!task)
        return NULL;
    assert_true(f->held[task->id]);
    assert_true(f->runs_on[task->id] & 1u << worker);
    f->held[task->id] = false;
    orr_sched_started(f->p.sched, task, worker);
    orr_sched_done(f->p.sched, task, worker);
    return task;
}

static void run_everything(struct fixture *f, GRand *rand)
{
    unsigned ran = 0;

    /* So many turns that only a policy that hoards tasks needs more. */
    for (unsigned turn = 0; turn < 20 * TASKS; turn++) {
        push_at_random(f, rand);
        ran += run_one(f, g_rand_int_range(rand, 0, WORKERS)) != NULL;
    }
    assert_int_equal(ran, TASKS);
    for (unsigned w = 0; w < WORKERS; w++)
        assert_null(orr_sched_pop(f->p.sched, w));
}

/* Every policy, the ones yet to be written included, must pass this. */
static void every_task_comes_out_once_where_it_can_run(void **state)
{
    struct fixture *f = *state;
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    const struct orr_sched_ops *ops;

    for (size_t i = 0; (ops = orr_sched_builtin(i)); i++) {
        start(f, ops->name);
        run_everything(f, rand);
    }
}

static void policies_may_be_freed_with_tasks_left(void **state)
{
    struct fixture *f = *state;
    const struct orr_sched_ops *ops;

    for (size_t i = 0; (ops = orr_sched_builtin(i)); i++) {
        start(f, ops->name);
        push(f, 0);
        push(f, 1);
    }
}

/* The task that comes before all others that @worker can run, or NULL. */
static struct orr_task *first_for(struct fixture *f, unsigned worker)
{
    struct orr_task *first = NULL;

    for (unsigned i = 0; i < TASKS; i++) {
        struct orr_task *task = &f->tasks[i];

        if (!f->held[i] || !(f->runs_on[i] & 1u << worker))
            continue;
        if (!first || (orr_sched_policy(f->p.sched)->priorities &&
                       task->priority > first->priority))
            first = task;
    }
    return first;
}

static void shared_queues_are_in_order_for_every_worker(void **state)
{
    struct fixture *f = *state;
    const char *const policies[] = {"eager", "prio"};
    g_autoptr(GRand) rand = g_rand_new_with_seed(4);

    for (size_t p = 0; p < G_N_ELEMENTS(policies); p++) {
        start(f, policies[p]);
        for (unsigned turn = 0; turn < 5 * TASKS; turn++) {
            unsigned worker = g_rand_int_range(rand, 0, WORKERS);
            struct orr_task *expected = first_for(f, worker);

            if (!push_at_random(f, rand))
                assert_ptr_equal(run_one(f, worker), expected);
        }
    }
}

static void eager_is_first_come_first_served(void **state)
{
    struct fixture *f = *state;

    start(f, "eager");
    f->tasks[1].priority = 9; /* makes no difference */
    for (unsigned i = 0; i < 4; i++)
        push(f, i);
    assert_ptr_equal(orr_sched_pop(f->p.sched, CPU1), &f->tasks[0]);
    assert_ptr_equal(orr_sched_pop(f->p.sched, GPU0), &f->tasks[1]);
    assert_pops(f, CPU0, "23");
}

static void eager_skips_what_a_worker_cannot_run(void **state)
{
    struct fixture *f = *state;

    start(f, "eager");
    f->runs_on[0] = f->runs_on[1] = f->runs_on[3] = CPUS;
    for (unsigned i = 0; i < 5; i++)
        push(f, i);
    assert_pops(f, GPU0, "24");
    f->runs_on[5] = GPUS;
    push(f, 5);
    assert_pops(f, CPU0, "013");
    assert_pops(f, GPU1, "5");
}

static void eager_looks_once_at_what_a_worker_cannot_run(void **state)
{
    struct fixture *f = *state;

    start(f, "eager");
    for (unsigned i = 0; i < TASKS; i++) {
        f->runs_on[i] = CPUS;
        push(f, i);
    }
    f->durations_asked = 0;
    for (unsigned i = 0; i < 1000; i++)
        assert_null(orr_sched_pop(f->p.sched, GPU0));
    assert_int_equal(f->durations_asked, TASKS);
}

static void prio_hands_out_the_most_urgent_first(void **state)
{
    const int priorities[] = {0, 5, INT_MIN, 5, INT_MAX};
    struct fixture *f = *state;

    start(f, "prio");
    for (unsigned i = 0; i < G_N_ELEMENTS(priorities); i++) {
        f->tasks[i].priority = priorities[i];
        push(f, i);
    }
    assert_pops(f, GPU0, "41302");
}

static void prio_skips_what_a_worker_cannot_run(void **state)
{
    struct fixture *f = *state;

    start(f, "prio");
    for (unsigned i = 0; i < 5; i++) {
        f->runs_on[i] = i % 2 ? CPUS : ALL;
        f->tasks[i].priority = (int)i;
        push(f, i);
    }
    assert_pops(f, GPU0, "420");
    assert_pops(f, CPU0, "31");
}

static void prio_calls_those_who_can_run_the_first_task_skipped(void **state)
{
    struct fixture *f = *state;

    start(f, "prio");
    f->runs_on[0] = GPUS;
    f->runs_on[1] = CPUS;
    f->tasks[1].priority = 1;
    push(f, 0);
    push(f, 1);
    assert_ptr_equal(orr_sched_pop(f->p.sched, CPU0), &f->tasks[1]);

    g_string_truncate(f->p.woken, 0);
    assert_null(orr_sched_pop(f->p.sched, CPU1));
    assert_string_equal(f->p.woken->str, "01"); /* both GPUs, asleep or not */

    assert_pops(f, GPU0, "0");
    g_string_truncate(f->p.woken, 0);
    assert_null(orr_sched_pop(f->p.sched, CPU1));
    assert_string_equal(f->p.woken->str, "");
}

static void shared_queues_wake_up_to_the_first_worker_asleep(void **state)
{
    struct fixture *f = *state;
    const char *const policies[] = {"eager", "prio"};

    for (size_t p = 0; p < G_N_ELEMENTS(policies); p++) {
        start(f, policies[p]);
        g_string_truncate(f->p.woken, 0);
        f->asleep = 1u << GPU1 | 1u << CPU0;
        f->runs_on[2] = CPUS;
        push(f, 0);
        assert_string_equal(f->p.woken->str, "01");
        push(f, 1); /* GPU1 has been woken */
        assert_string_equal(f->p.woken->str, "01012");
        push(f, 2); /* nobody is asleep, and no GPU can run it */
        assert_string_equal(f->p.woken->str, "0101223");
    }
}

struct tally {
    unsigned pushes;
};

static void tally_push(struct orr_sched *sched, struct orr_task *task)
{
    struct tally *total = orr_sched_state(sched);
    struct tally *lane =
        orr_sched_lane(sched, (unsigned)(task->id % orr_sched_workers(sched)));

    total->pushes++;
    lane->pushes++;
}

static struct orr_task *tally_pop(struct orr_sched *sched, unsigned worker)
{
    (void)sched;
    (void)worker;
    return NULL;
}

static const struct orr_sched_ops tally = {
    .name = "tally",
    .state_size = sizeof(struct tally),
    .lane_size = sizeof(struct tally),
    .push = tally_push,
    .pop = tally_pop,
};

static void state_and_lanes_start_at_zero_and_apart(void **state)
{
    struct fixture *f = *state;

    f->p.sched = orr_sched_new(&tally, &f->p.host);
    assert_ptr_equal(orr_sched_policy(f->p.sched), &tally);
    for (unsigned i = 0; i < 6; i++) {
        f->tasks[i].id = i;
        push(f, i);
    }
    assert_int_equal(((struct tally *)orr_sched_state(f->p.sched))->pushes, 6);
    for (unsigned w = 0; w < WORKERS; w++) {
        struct tally *lane = orr_sched_lane(f->p.sched, w);

        assert_int_equal(lane->pushes, w < 2 ? 2 : 1);
    }
    /* Operations that it does without. */
    orr_sched_started(f->p.sched, &f->tasks[0], GPU0);
    orr_sched_done(f->p.sched, &f->tasks[0], GPU0);
    orr_sched_touched(f->p.sched, &f->tasks[0]);
}

static void questions_reach_the_host(void **state)
{
    struct fixture *f = *state;
    struct orr_missing missing;

    start(f, "eager");
    assert_int_equal(orr_sched_workers(f->p.sched), WORKERS);
    assert_int_equal(orr_sched_seed(f->p.sched), 77);
    assert_int_equal(orr_sched_node(f->p.sched, GPU1), 2);
    assert_true(orr_sched_speed(f->p.sched, CPU0) == 0.5);
    assert_int_equal(orr_sched_duration(f->p.sched, &f->tasks[0], GPU0), 40);
    assert_int_equal(orr_sched_transfer(f->p.sched, &f->tasks[0], 1), 10);
    orr_sched_missing(f->p.sched, &f->tasks[2], 1, &missing);
    assert_int_equal(missing.invalid_bytes, 2);
    f->asleep = 1u << CPU1;
    assert_true(orr_sched_wake(f->p.sched, CPU1));
    assert_false(orr_sched_wake(f->p.sched, CPU1));
}

ORR_TESTS(sched)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(policies_are_found_by_name),
        T(policies_say_whether_priorities_matter),
        T(every_task_comes_out_once_where_it_can_run),
        T(policies_may_be_freed_with_tasks_left),
        T(shared_queues_are_in_order_for_every_worker),
        T(shared_queues_wake_up_to_the_first_worker_asleep),
        T(eager_is_first_come_first_served),
        T(eager_skips_what_a_worker_cannot_run),
        T(eager_looks_once_at_what_a_worker_cannot_run),
        T(prio_hands_out_the_most_urgent_first),
        T(prio_skips_what_a_worker_cannot_run),
        T(prio_calls_those_who_can_run_the_first_task_skipped),
        T(state_and_lanes_start_at_zero_and_apart),
        T(questions_reach_the_host),
#undef T
    };

    return cmocka_run_group_tests_name("sched", tests, NULL, NULL);
}

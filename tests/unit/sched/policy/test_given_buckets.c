/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* heteroprio with given buckets, on a hand-made machine of two GPUs and two CPU
 * cores. */
#include <string.h>

#include "sched/policy/bucket_plan.h"
#include "tests/support/policy_fixture.h"

enum { GPU0, GPU1, CPU0, CPU1, WORKERS };
enum { TASKS = 20 };

struct fixture {
    struct policy_fixture p; /* first */
    struct orr_bucket_plan *plan;
    struct orr_task tasks[TASKS];
    unsigned used;
    const char *of_gpus;   /* only GPUs can run this kernel */
    const char *of_others; /* GPU0 cannot run it, other workers can */
    char *failure;
};

static orr_time fake_duration(void *data, const struct orr_task *task,
                              unsigned worker)
{
    struct fixture *f = data;

    if ((f->of_gpus && strcmp(task->kernel, f->of_gpus) == 0 &&
         worker >= CPU0) ||
        (f->of_others && strcmp(task->kernel, f->of_others) == 0 &&
         worker == GPU0))
        return ORR_NEVER;
    return 1;
}

static void fake_fail(void *data, const char *message)
{
    struct fixture *f = data;

    g_free(f->failure);
    f->failure = g_strdup(message);
}

static void fake_prefetch(void *data, struct orr_task *task, unsigned worker)
{
    (void)data;
    (void)task;
    (void)worker;
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    policy_fixture_init(&f->p, CPU0, WORKERS);
    f->p.host.duration = fake_duration;
    f->p.host.fail = fake_fail;
    f->p.host.prefetch = fake_prefetch;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    policy_fixture_clear(&f->p);
    orr_bucket_plan_free(f->plan);
    g_free(f->failure);
    g_free(f);
    return 0;
}

static void start(struct fixture *f, const char *buckets)
{
    f->plan = orr_bucket_plan_parse(buckets, NULL);
    assert_non_null(f->plan);
    f->p.host.buckets = f->plan;
    policy_fixture_start(&f->p, "heteroprio");
}

static void push(struct fixture *f, const char *kernel, int priority)
{
    struct orr_task *task = &f->tasks[f->used];

    assert_in_range(f->used, 0, TASKS - 1);
    *task = (struct orr_task){
        .id = f->used++, .kernel = kernel, .priority = priority};
    orr_sched_push(f->p.sched, task);
}

/* The number of the task that @worker gets, or -1. */
static int pop(struct fixture *f, unsigned worker)
{
    struct orr_task *task = orr_sched_pop(f->p.sched, worker);

    return task ? (int)task->id : -1;
}

static void each_class_visits_the_buckets_in_its_order(void **state)
{
    struct fixture *f = *state;

    start(f, "cpu:0,1;gpu:1,0");
    push(f, "gemm", 0);
    push(f, "gemm", 1);
    push(f, "gemm", 1);
    assert_int_equal(pop(f, GPU0), 2);
    assert_int_equal(pop(f, CPU0), 0);
    assert_int_equal(pop(f, CPU0), 1);
}

static void what_a_class_does_not_visit_is_left(void **state)
{
    struct fixture *f = *state;

    start(f, "cpu:0;gpu:1");
    push(f, "gemm", 1);
    assert_int_equal(pop(f, CPU0), -1);
    push(f, "gemm", 0);
    assert_int_equal(pop(f, GPU1), 0);
    assert_int_equal(pop(f, GPU1), -1);
    assert_int_equal(pop(f, CPU0), 1);
}

static void a_cpu_leaves_what_gpus_can_do_sooner(void **state)
{
    struct fixture *f = *state;

    start(f, "cpu:3*2.5;gpu:3");
    for (unsigned i = 0; i < 4; i++)
        push(f, "gemm", 3);
    assert_int_equal(pop(f, CPU0), -1); /* 4 for two GPUs */
    push(f, "gemm", 3);
    /* 5 tasks for 4 workers: it would take two, but after one there are 4. */
    assert_int_equal(pop(f, CPU0), 4);
    assert_int_equal(pop(f, CPU0), -1);
    assert_int_equal(pop(f, GPU0), 2); /* and holds 3 */
}

static void a_worker_executes_the_more_urgent_of_its_own_first(void **state)
{
    struct fixture *f = *state;

    start(f, "gpu:0,1;cpu:0,1");
    push(f, "gemm", 0);
    for (unsigned i = 0; i < 4; i++)
        push(f, "gemm", 1);
    /* It takes 0 of bucket 0 and 4 of bucket 1. */
    assert_int_equal(pop(f, GPU0), 4);
    assert_int_equal(pop(f, GPU0), 0);
    assert_int_equal(pop(f, GPU0), 3);
}

static void kernels_have_buckets_too(void **state)
{
    struct fixture *f = *state;

    start(f, "cpu:potrf,gemm;gpu:gemm,potrf");
    push(f, "potrf", 9);
    push(f, "gemm", 0);
    push(f, "gemm", 7);
    assert_int_equal(pop(f, CPU0), 0);
    assert_int_equal(pop(f, GPU0), 2);
    assert_int_equal(pop(f, GPU0), 1);
}

static void nothing_is_learnt(void **state)
{
    struct fixture *f = *state;

    start(f, "cpu:0,1;gpu:0,1");
    for (unsigned i = 0; i < 8; i++) {
        push(f, i % 2 ? "slow" : "fast", (int)(i % 2));
        assert_int_equal(pop(f, GPU0), i);
        orr_sched_started(f->p.sched, &f->tasks[i], GPU0);
        f->p.now += (i % 2 ? 1000 : 1) * ORR_US;
        orr_sched_done(f->p.sched, &f->tasks[i], GPU0);
    }
    push(f, "fast", 0);
    push(f, "slow", 1);
    assert_int_equal(pop(f, CPU0), 8);
    assert_int_equal(pop(f, CPU0), 9);
}

static void a_push_wakes_a_worker_that_can_run_the_task(void **state)
{
    struct fixture *f = *state;

    start(f, "cpu:0;gpu:0");
    f->of_others = "potrf";
    push(f, "potrf", 0);
    assert_string_equal(f->p.woken->str, "123");
}

/* As in StarPU: also where it does not visit the bucket of the task. */
static void the_worker_that_it_wakes_may_find_nothing(void **state)
{
    struct fixture *f = *state;

    start(f, "cpu:0");
    push(f, "gemm", 0);
    assert_string_equal(f->p.woken->str, "0123");
    assert_int_equal(pop(f, GPU0), -1);
}

static void a_worker_passes_a_task_that_it_cannot_run(void **state)
{
    struct fixture *f = *state;

    start(f, "cpu:0,1;gpu:0,1");
    f->of_others = "potrf";
    push(f, "gemm", 0);
    push(f, "potrf", 0);
    push(f, "gemm", 1);
    /* The first task of bucket 0 stays there, and hides the one below. */
    assert_int_equal(pop(f, GPU0), 2);
    assert_int_equal(pop(f, GPU0), -1);
    assert_int_equal(pop(f, GPU1), 1);
    assert_int_equal(pop(f, GPU0), 0);
    assert_null(f->failure);
}

static void a_class_must_have_code_for_what_it_visits(void **state)
{
    struct fixture *f = *state;

    start(f, "cpu:0;gpu:0,1");
    f->of_gpus = "gemm";
    push(f, "gemm", 1);
    assert_null(f->failure);
    push(f, "gemm", 0);
    assert_string_equal(f->failure,
                        "task 1 (gemm) of priority 0 is in a bucket that CPUs "
                        "visit, which cannot run it");
}

static void a_bucket_must_be_visited(void **state)
{
    struct fixture *f = *state;

    start(f, "cpu:0-4;gpu:3");
    push(f, "gemm", 5);
    assert_string_equal(f->failure, "task 0 (gemm) of priority 5 is in no "
                                    "bucket that workers visit");
    push(f, "syrk", -1);
    assert_string_equal(f->failure, "task 1 (syrk) of priority -1 is in no "
                                    "bucket that workers visit");
}

#define WITH_FIXTURE(test)                                                     \
    cmocka_unit_test_setup_teardown(test, setup, teardown)

ORR_TESTS(given_buckets)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(each_class_visits_the_buckets_in_its_order),
        WITH_FIXTURE(what_a_class_does_not_visit_is_left),
        WITH_FIXTURE(a_cpu_leaves_what_gpus_can_do_sooner),
        WITH_FIXTURE(a_worker_executes_the_more_urgent_of_its_own_first),
        WITH_FIXTURE(kernels_have_buckets_too),
        WITH_FIXTURE(nothing_is_learnt),
        WITH_FIXTURE(a_push_wakes_a_worker_that_can_run_the_task),
        WITH_FIXTURE(the_worker_that_it_wakes_may_find_nothing),
        WITH_FIXTURE(a_worker_passes_a_task_that_it_cannot_run),
        WITH_FIXTURE(a_class_must_have_code_for_what_it_visits),
        WITH_FIXTURE(a_bucket_must_be_visited),
    };

    return cmocka_run_group_tests_name("given_buckets", tests, NULL, NULL);
}

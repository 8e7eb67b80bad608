/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* heteroprio on a hand-made machine of two GPUs and two CPU cores. */
#include <string.h>

#include "sched/policy/heteroprio_stats.h"
#include "tests/support/policy_fixture.h"

enum { GPU0, GPU1, CPU0, CPU1, WORKERS };
enum { TASKS = 200 };

#define CPU ORR_HETEROPRIO_CPU
#define GPU ORR_HETEROPRIO_GPU

static const bool both[] = {true, true};

struct fixture {
    struct policy_fixture p; /* first */
    struct orr_task tasks[TASKS];
    unsigned used;
    const char *releasing;     /* tasks of this kernel release @successor */
    struct orr_task successor; /* which waits for one task */
    GString *prefetched;       /* "TASK>WORKER " */
};

static orr_time fake_duration(void *data, const struct orr_task *task,
                              unsigned worker)
{
    (void)data;
    (void)worker;
    return task->kernel ? 1 : ORR_NEVER;
}

static const struct orr_task *fake_successor(void *data,
                                             const struct orr_task *task,
                                             const void **cursor,
                                             unsigned *predecessors)
{
    struct fixture *f = data;

    if (*cursor || !f->releasing || strcmp(task->kernel, f->releasing) != 0)
        return NULL;
    *cursor = &f->successor;
    *predecessors = 1;
    return &f->successor;
}

static void fake_prefetch(void *data, struct orr_task *task, unsigned worker)
{
    struct fixture *f = data;

    g_string_append_printf(f->prefetched, "%u>%u ", (unsigned)task->id, worker);
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    policy_fixture_init(&f->p, CPU0, WORKERS);
    f->p.host.duration = fake_duration;
    f->p.host.successor = fake_successor;
    f->p.host.prefetch = fake_prefetch;
    f->prefetched = g_string_new(NULL);
    policy_fixture_start(&f->p, "heteroprio");
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

static struct orr_task *push(struct fixture *f, const char *kernel)
{
    struct orr_task *task = &f->tasks[f->used];

    assert_in_range(f->used, 0, TASKS - 1);
    *task = (struct orr_task){.id = f->used++, .kernel = kernel};
    orr_sched_push(f->p.sched, task);
    return task;
}

static void push_many(struct fixture *f, const char *kernel, unsigned count)
{
    while (count-- > 0)
        push(f, kernel);
}

/* The number of the task that @worker gets, or -1. */
static int pop(struct fixture *f, unsigned worker)
{
    struct orr_task *task = orr_sched_pop(f->p.sched, worker);

    return task ? (int)task->id : -1;
}

/* A task of @kernel takes @us microseconds on @worker. */
static void execute(struct fixture *f, const char *kernel, unsigned worker,
                    unsigned us)
{
    struct orr_task *task = push(f, kernel);

    assert_ptr_equal(orr_sched_pop(f->p.sched, GPU0), task);
    orr_sched_started(f->p.sched, task, worker);
    f->p.now += us * ORR_US;
    orr_sched_done(f->p.sched, task, worker);
}

static void the_last_task_pushed_is_popped_first(void **state)
{
    struct fixture *f = *state;

    push_many(f, "gemm", 3);
    assert_int_equal(pop(f, GPU0), 2);
    assert_int_equal(pop(f, CPU0), 1);
    assert_int_equal(pop(f, GPU0), 0);
    assert_int_equal(pop(f, GPU0), -1);
}

static void with_work_for_all_a_worker_takes_two_and_prefetches(void **state)
{
    struct fixture *f = *state;

    push_many(f, "gemm", 5);
    /* It takes 4, then 3, each before those as urgent. */
    assert_int_equal(pop(f, GPU0), 3);
    assert_string_equal(f->prefetched->str, "4>0 ");
    /* Three are left for four workers: it takes no more. */
    assert_int_equal(pop(f, GPU0), 4);
    assert_int_equal(pop(f, GPU0), 2);
    assert_string_equal(f->prefetched->str, "4>0 ");
}

static void nothing_is_prefetched_once_the_buckets_are_empty(void **state)
{
    struct fixture *f = *state;

    f->p.host.workers = 2;
    policy_fixture_start(&f->p, "heteroprio");
    push_many(f, "gemm", 2);
    assert_int_equal(pop(f, GPU0), 0); /* and holds 1 */
    assert_string_equal(f->prefetched->str, "");
    push_many(f, "gemm", 3);
    assert_int_equal(pop(f, GPU0), 4);
    assert_string_equal(f->prefetched->str, "1>0 ");
    assert_int_equal(pop(f, GPU0), 3);
    assert_string_equal(f->prefetched->str, "1>0 "); /* once is enough */
}

static void the_more_urgent_of_two_is_popped_first(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = 0; i < 5; i++) {
        f->tasks[i] =
            (struct orr_task){.id = i, .kernel = "gemm", .priority = i == 4};
        orr_sched_push(f->p.sched, &f->tasks[i]);
    }
    assert_int_equal(pop(f, GPU0), 4);
    assert_int_equal(pop(f, GPU0), 3);
}

static void an_idle_worker_robs_its_own_architecture_only(void **state)
{
    struct fixture *f = *state;

    push_many(f, "gemm", 6);
    assert_int_equal(pop(f, GPU0), 4); /* and holds 5 */
    assert_int_equal(pop(f, CPU0), 2); /* and holds 3 */
    assert_int_equal(pop(f, CPU1), 1);
    assert_int_equal(pop(f, CPU1), 0);
    assert_int_equal(pop(f, CPU1), 3);
    assert_int_equal(pop(f, CPU1), -1);
    assert_int_equal(pop(f, GPU1), 5);
    assert_int_equal(pop(f, GPU0), -1);
}

static void a_slow_worker_leaves_what_the_fast_can_do_sooner(void **state)
{
    struct fixture *f = *state;

    execute(f, "gemm", GPU0, 10);
    execute(f, "gemm", CPU0, 100);
    /* Ten times slower: it waits for ten tasks for each of two GPUs. */
    push_many(f, "gemm", 19);
    assert_int_equal(pop(f, CPU0), -1);
    push(f, "gemm");
    assert_int_equal(pop(f, CPU0), 21);
}

/* So that each kernel is known well on each architecture. */
static void learn_two_kernels(struct fixture *f)
{
    for (unsigned i = 0; i < 16; i++) {
        execute(f, "trsm", GPU0, 10);
        execute(f, "trsm", CPU0, 100);
        execute(f, "gemm", GPU0, 10);
        execute(f, "gemm", CPU0, 100);
    }
}

static void equal_kernels_are_visited_as_they_appeared(void **state)
{
    struct fixture *f = *state;

    learn_two_kernels(f); /* 64 pushes: the next one reorders */
    push(f, "gemm");
    push(f, "trsm");
    assert_int_equal(pop(f, GPU0), 65);
    assert_int_equal(pop(f, GPU0), 64);
}

static void
of_equal_kernels_the_one_that_releases_work_comes_first(void **state)
{
    struct fixture *f = *state;

    f->releasing = "gemm";
    f->successor = (struct orr_task){.kernel = "trsm"};
    learn_two_kernels(f);
    push(f, "gemm");
    push(f, "trsm");
    assert_int_equal(pop(f, GPU0), 64);
    assert_int_equal(pop(f, GPU0), 65);
}

static void an_average_remembers_256_samples(void **state)
{
    struct orr_heteroprio_stats stats = {0};

    (void)state;
    orr_heteroprio_stats_add(&stats, both);
    for (unsigned i = 0; i < 1000; i++)
        orr_heteroprio_stats_executed(&stats, 0, GPU, 10);
    orr_heteroprio_stats_executed(&stats, 0, GPU, 10 + 256);
    assert_float_equal(stats.buckets[0].time_us[GPU], 11, 1e-9);
    orr_heteroprio_stats_clear(&stats);
}

static void shares_are_of_what_was_pushed(void **state)
{
    struct orr_heteroprio_stats stats = {0};

    (void)state;
    orr_heteroprio_stats_add(&stats, both);
    orr_heteroprio_stats_add(&stats, both);
    for (unsigned i = 0; i < 3; i++)
        orr_heteroprio_stats_pushed(&stats, 0);
    assert_float_equal(stats.buckets[0].share, 1, 1e-9);
    orr_heteroprio_stats_pushed(&stats, 1); /* 1 : 1/4, together 1 */
    assert_float_equal(stats.buckets[0].share, 0.8, 1e-9);
    assert_float_equal(stats.buckets[1].share, 0.2, 1e-9);
    /* Never executed: a millisecond each is assumed. */
    assert_float_equal(orr_heteroprio_stats_unit(&stats), 1000, 1e-9);
    orr_heteroprio_stats_clear(&stats);
}

static void parts_are_of_what_was_executed(void **state)
{
    struct orr_heteroprio_stats stats = {0};

    (void)state;
    orr_heteroprio_stats_add(&stats, both);
    orr_heteroprio_stats_executed(&stats, 0, GPU, 10);
    assert_float_equal(stats.buckets[0].part[GPU], 1, 1e-6);
    orr_heteroprio_stats_executed(&stats, 0, CPU, 10); /* 1 : 1 */
    assert_float_equal(stats.buckets[0].part[GPU], 0.5, 1e-6);
    orr_heteroprio_stats_executed(&stats, 0, GPU, 10); /* 1/2 + 1/2 : 1/2 */
    assert_float_equal(stats.buckets[0].part[GPU], 2.0 / 3, 1e-6);
    orr_heteroprio_stats_clear(&stats);
}

static void time_samples(struct orr_heteroprio_stats *stats, unsigned bucket,
                         unsigned count, double cpu_us, double gpu_us)
{
    while (count-- > 0) {
        orr_heteroprio_stats_executed(stats, bucket, CPU, cpu_us);
        orr_heteroprio_stats_executed(stats, bucket, GPU, gpu_us);
    }
}

static void each_architecture_prefers_what_it_gains_most_by(void **state)
{
    struct orr_heteroprio_stats stats = {0};

    (void)state;
    for (unsigned b = 0; b < 2; b++) {
        orr_heteroprio_stats_add(&stats, both);
        orr_heteroprio_stats_pushed(&stats, b);
        orr_heteroprio_stats_released(&stats, b, (double[]){0, 0});
    }
    time_samples(&stats, 0, 16, 100, 50);
    time_samples(&stats, 1, 16, 100, 10);
    orr_heteroprio_stats_order(&stats);
    assert_int_equal(stats.order[GPU][0], 1);
    assert_int_equal(stats.order[GPU][1], 0);
    assert_int_equal(stats.order[CPU][0], 0);
    assert_int_equal(stats.order[CPU][1], 1);
    orr_heteroprio_stats_clear(&stats);
}

static void a_bucket_little_known_comes_first(void **state)
{
    struct orr_heteroprio_stats stats = {0};

    (void)state;
    for (unsigned b = 0; b < 2; b++) {
        orr_heteroprio_stats_add(&stats, both);
        orr_heteroprio_stats_pushed(&stats, b);
    }
    time_samples(&stats, 0, 16, 100, 10);
    time_samples(&stats, 1, 15, 100, 90);
    orr_heteroprio_stats_order(&stats);
    assert_int_equal(stats.order[GPU][0], 1);
    time_samples(&stats, 1, 1, 100, 90);
    orr_heteroprio_stats_order(&stats);
    assert_int_equal(stats.order[GPU][0], 0);
    orr_heteroprio_stats_clear(&stats);
}

static void the_slowdown_is_that_of_the_slower_architecture(void **state)
{
    struct orr_heteroprio_stats stats = {0};

    (void)state;
    orr_heteroprio_stats_add(&stats, both);
    time_samples(&stats, 0, 1, 100, 10);
    orr_heteroprio_stats_compare(&stats);
    assert_int_equal(stats.buckets[0].fastest, GPU);
    assert_float_equal(stats.buckets[0].slowdown, 10, 1e-6);
    time_samples(&stats, 0, 1000, 1, 4);
    orr_heteroprio_stats_compare(&stats);
    assert_int_equal(stats.buckets[0].fastest, CPU);
    orr_heteroprio_stats_clear(&stats);
}

ORR_TESTS(heteroprio)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_last_task_pushed_is_popped_first,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            with_work_for_all_a_worker_takes_two_and_prefetches, setup,
            teardown),
        cmocka_unit_test_setup_teardown(
            nothing_is_prefetched_once_the_buckets_are_empty, setup, teardown),
        cmocka_unit_test_setup_teardown(the_more_urgent_of_two_is_popped_first,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            an_idle_worker_robs_its_own_architecture_only, setup, teardown),
        cmocka_unit_test_setup_teardown(
            a_slow_worker_leaves_what_the_fast_can_do_sooner, setup, teardown),
        cmocka_unit_test_setup_teardown(
            equal_kernels_are_visited_as_they_appeared, setup, teardown),
        cmocka_unit_test_setup_teardown(
            of_equal_kernels_the_one_that_releases_work_comes_first, setup,
            teardown),
        cmocka_unit_test(an_average_remembers_256_samples),
        cmocka_unit_test(shares_are_of_what_was_pushed),
        cmocka_unit_test(parts_are_of_what_was_executed),
        cmocka_unit_test(each_architecture_prefers_what_it_gains_most_by),
        cmocka_unit_test(a_bucket_little_known_comes_first),
        cmocka_unit_test(the_slowdown_is_that_of_the_slower_architecture),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues of tasks, and figures about them. The machine has worker 0, a GPU, and
   workers 1 and 2, CPUs. */
#include <schedulers/starpu_scheduler_toolbox.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/ending.h"

#include <glib.h>
#include <limits.h>

static void kernel(void *buffers[], void *argument)
{
    (void)buffers;
    (void)argument;
}

/* As long as the argument of the task says, on a worker of speed 1. */
static double given_length(struct starpu_task *task, unsigned implementation)
{
    (void)implementation;
    return (double)task->cl_arg_size;
}

static int not_first(unsigned worker, struct starpu_task *task,
                     unsigned implementation)
{
    (void)worker;
    (void)task;
    return implementation > 0;
}

static struct starpu_perfmodel model = {
    .type = STARPU_COMMON, .cost_function = given_length, .symbol = "given"};
static struct starpu_codelet for_cpus = {
    .cpu_funcs = {kernel, kernel}, .where = STARPU_CPU, .model = &model};
static struct starpu_codelet for_cpus_second = {.cpu_funcs = {kernel, kernel},
                                                .where = STARPU_CPU,
                                                .can_execute = not_first};
static struct starpu_codelet for_gpus = {.cuda_funcs = {kernel},
                                         .where = STARPU_CUDA};
static struct starpu_codelet reads = {.cpu_funcs = {kernel},
                                      .cuda_funcs = {kernel},
                                      .where = STARPU_CPU | STARPU_CUDA,
                                      .nbuffers = 1,
                                      .modes = {STARPU_R}};

static int start(void **state)
{
    g_autofree char *sampling = g_build_filename(
        g_getenv("abs_top_srcdir"), "tests", "starpu-sampling", NULL);

    (void)state;
    g_setenv("STARPU_PERF_MODEL_DIR", sampling, TRUE);
    g_setenv("STARPU_HOSTNAME", "tiny", TRUE);
    g_setenv("STARPU_NCPU", "2", TRUE);
    g_setenv("STARPU_NCUDA", "1", TRUE);
    g_setenv("STARPU_SCHED", "prio", TRUE);
    return starpu_init(NULL);
}

static int stop(void **state)
{
    (void)state;
    starpu_shutdown();
    return 0;
}

/* Pops all tasks: these, some of @all, which are called a, b and so on. */
static void assert_tasks(starpu_st_fifo_taskq_t fifo, struct starpu_task *all,
                         const char *expected)
{
    g_autoptr(GString) found = g_string_new(NULL);
    struct starpu_task *task;

    assert_int_equal(starpu_st_fifo_ntasks_get(fifo), strlen(expected));
    while ((task = starpu_st_fifo_taskq_pop_local_task(fifo)))
        g_string_append_c(found, (char)('a' + (task - all)));
    assert_string_equal(found->str, expected);
    assert_int_equal(starpu_st_fifo_taskq_empty(fifo), 1);
}

static void tasks_with_a_priority_above_0_are_sorted(void **state)
{
    struct starpu_task all[] = {{.priority = 0},  {.priority = 2},
                                {.priority = -1}, {.priority = 3},
                                {.priority = 2},  {.priority = 0}};
    starpu_st_fifo_taskq_t fifo = starpu_st_fifo_taskq_create();

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++)
        assert_int_equal(starpu_st_fifo_taskq_push_task(fifo, &all[i]), 0);
    assert_int_equal(starpu_st_fifo_nprocessed_get(fifo), 6);
    assert_tasks(fifo, all, "dbeacf");
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++)
        starpu_st_fifo_taskq_push_back_task(fifo, &all[i]);
    /* The sorted ones count once more. */
    assert_int_equal(starpu_st_fifo_nprocessed_get(fifo), 9);
    assert_tasks(fifo, all, "fdecba");
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++)
        starpu_st_fifo_taskq_push_sorted_task(fifo, &all[i]);
    assert_tasks(fifo, all, "dbeafc");
    starpu_st_fifo_taskq_destroy(fifo);
}

/* If both ends have its priority, a task goes to the end even where another
 * stands before, as c does. */
static void the_end_of_a_queue_is_compared_first(void **state)
{
    struct starpu_task all[] = {{0}, {.priority = -1}, {0}, {0}};
    starpu_st_fifo_taskq_t fifo = starpu_st_fifo_taskq_create();

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        starpu_st_fifo_taskq_push_task(fifo, &all[i]);
    starpu_st_fifo_taskq_push_sorted_task(fifo, &all[3]);
    assert_tasks(fifo, all, "abcd");
    starpu_st_fifo_taskq_destroy(fifo);
}

static void a_worker_pops_the_first_task_that_it_can_run(void **state)
{
    struct starpu_task all[] = {{.where = -1, .cl = &for_gpus},
                                {.where = -1, .cl = &for_cpus_second},
                                {.where = -1, .cl = &for_cpus}};
    starpu_st_fifo_taskq_t fifo = starpu_st_fifo_taskq_create();

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++)
        starpu_st_fifo_taskq_push_task(fifo, &all[i]);
    assert_ptr_equal(starpu_st_fifo_taskq_pop_task(fifo, 1), &all[1]);
    assert_int_equal(starpu_task_get_implementation(&all[1]), 1);
    assert_int_equal(starpu_st_fifo_taskq_pop_this_task(fifo, 0, &all[2]), 0);
    assert_int_equal(starpu_st_fifo_taskq_pop_this_task(fifo, 2, &all[2]), 1);
    assert_int_equal(starpu_task_get_implementation(&all[2]), 0);
    assert_null(starpu_st_fifo_taskq_pop_task(fifo, 2));
    assert_ptr_equal(starpu_st_fifo_taskq_pop_task(fifo, -1), &all[0]);
    assert_tasks(fifo, all, "");
    starpu_st_fifo_taskq_destroy(fifo);
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++)
        starpu_task_clean(&all[i]);
}

/* The data of tasks a and c are not on the GPU; b has a lower priority. */
static void a_worker_pops_the_task_that_lacks_the_fewest_bytes(void **state)
{
    char content[100];
    starpu_data_handle_t handle;
    struct starpu_task all[] = {{.where = -1, .cl = &reads, .priority = 1},
                                {.where = -1, .cl = &for_gpus},
                                {.where = -1, .cl = &reads}};
    starpu_st_fifo_taskq_t fifo = starpu_st_fifo_taskq_create();

    (void)state;
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)content,
                                sizeof(content), 1);
    all[0].handles[0] = all[2].handles[0] = handle;
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++)
        starpu_st_fifo_taskq_push_task(fifo, &all[i]);
    assert_ptr_equal(starpu_st_fifo_taskq_pop_first_ready_task(fifo, 0, -1),
                     &all[0]);
    starpu_st_fifo_taskq_push_task(fifo, &all[0]);
    assert_ptr_equal(
        starpu_st_fifo_taskq_pop_first_ready_task_ready_first(fifo, 0, -1),
        &all[1]);
    starpu_st_fifo_ntasks_inc(fifo, 1); /* one more than there are */
    assert_ptr_equal(starpu_st_fifo_taskq_pop_first_ready_task(fifo, 1, -1),
                     &all[0]);
    assert_ptr_equal(starpu_st_fifo_taskq_pop_first_ready_task(fifo, 1, -1),
                     &all[2]);
    assert_null(starpu_st_fifo_taskq_pop_first_ready_task(fifo, 1, -1));
    assert_tasks(fifo, all, "");
    starpu_st_fifo_taskq_destroy(fifo);
    starpu_data_unregister(handle);
}

static void figures_are_the_policys(void **state)
{
    double now = starpu_timing_now();
    starpu_st_fifo_taskq_t fifo = starpu_st_fifo_taskq_create();

    (void)state;
    assert_true(starpu_st_fifo_exp_start_get(fifo) == now);
    assert_true(starpu_st_fifo_exp_end_get(fifo) == now);
    starpu_st_fifo_exp_start_set(fifo, 1);
    starpu_st_fifo_exp_end_set(fifo, 2);
    starpu_st_fifo_exp_len_set(fifo, 3);
    starpu_st_fifo_exp_len_inc(fifo, -0.5);
    starpu_st_fifo_pipeline_len_set(fifo, 4);
    starpu_st_fifo_pipeline_len_inc(fifo, 0.5);
    starpu_st_fifo_ntasks_inc(fifo, 2);
    starpu_st_fifo_nprocessed_inc(fifo, 5);
    assert_true(starpu_st_fifo_exp_start_get(fifo) == 1);
    assert_true(starpu_st_fifo_exp_end_get(fifo) == 2);
    assert_true(starpu_st_fifo_exp_len_get(fifo) == 2.5);
    assert_true(starpu_st_fifo_pipeline_len_get(fifo) == 4.5);
    assert_int_equal(starpu_st_fifo_ntasks_get(fifo), 2);
    assert_int_equal(starpu_st_fifo_nprocessed_get(fifo), 5);
    /* There is no task, and their number stays what the policy made it. */
    assert_null(starpu_st_fifo_taskq_pop_local_task(fifo));
    assert_int_equal(starpu_st_fifo_taskq_empty(fifo), 0);
    starpu_st_fifo_taskq_destroy(fifo);
}

/* A CPU has half the speed, so that 10 becomes 20. */
static void
the_length_before_a_task_is_the_sum_of_its_predecessors(void **state)
{
    struct starpu_task all[] = {
        {.where = -1, .cl = &for_cpus, .priority = 3, .cl_arg_size = 10},
        {.where = -1, .cl = &for_cpus, .priority = 2, .cl_arg_size = 25},
        {.where = -1, .cl = &for_cpus, .priority = 1, .cl_arg_size = 99}};
    struct starpu_task task = {.where = -1, .cl = &for_cpus, .priority = 2};
    starpu_st_fifo_taskq_t fifo = starpu_st_fifo_taskq_create();
    int count = -1;

    (void)state;
    starpu_st_fifo_pipeline_len_set(fifo, 7);
    starpu_st_fifo_exp_len_set(fifo, 300);
    assert_true(starpu_st_fifo_taskq_get_exp_len_prev_task_list(
                    fifo, &task, 1, 0, &count) == 7);
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++)
        starpu_st_fifo_taskq_push_task(fifo, &all[i]);
    task.priority = 4;
    assert_true(starpu_st_fifo_taskq_get_exp_len_prev_task_list(
                    fifo, &task, 1, 0, &count) == 7);
    assert_int_equal(count, -1);
    task.priority = 2;
    assert_true(starpu_st_fifo_taskq_get_exp_len_prev_task_list(
                    fifo, &task, 1, 0, &count) == 7 + 20 + 50);
    assert_int_equal(count, 2);
    task.priority = 0;
    assert_true(starpu_st_fifo_taskq_get_exp_len_prev_task_list(
                    fifo, &task, 1, 0, &count) == 300);
    assert_int_equal(count, 3);
    assert_tasks(fifo, all, "abc");
    starpu_st_fifo_taskq_destroy(fifo);
}

/* The range of the policy prio is all integers: its width wraps around. */
static void a_priority_has_a_place_in_fewer(void **state)
{
    (void)state;
    assert_int_equal(starpu_sched_get_min_priority(), INT_MIN);
    assert_int_equal(starpu_st_normalize_prio(INT_MIN, 4, 0), 0);
    assert_int_equal(starpu_st_normalize_prio(INT_MIN + 2, 4, 0), -6);
}

static void pop_with_priorities(void)
{
    (void)start(NULL);
    starpu_st_fifo_taskq_t fifo = starpu_st_fifo_taskq_create();

    (void)starpu_st_fifo_taskq_pop_first_ready_task(fifo, 0, 3);
}

static void a_queue_has_no_figures_of_each_priority(void **state)
{
    g_autofree char *message = orr_ending_message(pop_with_priorities);

    (void)state;
    assert_string_equal(message,
                        "starpu_st_fifo_taskq_pop_first_ready_task(): "
                        "num_priorities is 3: expected -1, as the queue has no "
                        "figures of each priority");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

ORR_TESTS(starpu_fifo)
{
    const struct CMUnitTest tests[] = {
        TEST(tasks_with_a_priority_above_0_are_sorted),
        TEST(the_end_of_a_queue_is_compared_first),
        TEST(a_worker_pops_the_first_task_that_it_can_run),
        TEST(a_worker_pops_the_task_that_lacks_the_fewest_bytes),
        TEST(figures_are_the_policys),
        TEST(the_length_before_a_task_is_the_sum_of_its_predecessors),
        TEST(a_priority_has_a_place_in_fewer),
        cmocka_unit_test(a_queue_has_no_figures_of_each_priority),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

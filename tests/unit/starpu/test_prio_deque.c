/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues of tasks by priority. The machine has worker 0, a GPU, and worker 1, a
   CPU. */
#include <schedulers/starpu_scheduler_toolbox.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/ending.h"

#include <glib.h>

static void kernel(void *buffers[], void *argument)
{
    (void)buffers;
    (void)argument;
}

static struct starpu_codelet for_cpus = {.cpu_funcs = {kernel},
                                         .where = STARPU_CPU};
static struct starpu_codelet for_gpus = {.cuda_funcs = {NULL, kernel},
                                         .where = STARPU_CUDA};
static struct starpu_codelet reads = {.cuda_funcs = {kernel},
                                      .where = STARPU_CUDA,
                                      .nbuffers = 1,
                                      .modes = {STARPU_R}};

/* "ac" of priority 1, then "bd" of 0; a CPU can run b and c, a GPU a and d. */
struct queue {
    struct starpu_task all[4];
    struct starpu_st_prio_deque deque;
};

static int start(void **state)
{
    g_autofree char *sampling = g_build_filename(
        g_getenv("abs_top_srcdir"), "tests", "starpu-sampling", NULL);
    g_setenv("STARPU_PERF_MODEL_DIR", sampling, TRUE);
    g_setenv("STARPU_HOSTNAME", "tiny", TRUE);
    g_setenv("STARPU_NCPU", "1", TRUE);
    g_setenv("STARPU_NCUDA", "1", TRUE);
    g_setenv("STARPU_SCHED", "prio", TRUE);
    if (starpu_init(NULL) != 0)
        return -1;
    struct queue *queue = g_new0(struct queue, 1);
    starpu_st_prio_deque_init(&queue->deque);
    for (unsigned i = 0; i < 4; i++) {
        queue->all[i].where = -1;
        queue->all[i].priority = i % 2 == 0;
        queue->all[i].cl = i == 1 || i == 2 ? &for_cpus : &for_gpus;
        starpu_st_prio_deque_push_back_task(&queue->deque, &queue->all[i]);
    }
    *state = queue;
    return 0;
}

/* All tasks were popped. */
static int stop(void **state)
{
    struct queue *queue = *state;

    starpu_st_prio_deque_destroy(&queue->deque);
    for (unsigned i = 0; i < 4; i++)
        starpu_task_clean(&queue->all[i]);
    g_free(queue);
    starpu_shutdown();
    return 0;
}

/* The rest of the queue, from the front. */
static void assert_rest(struct queue *queue, const char *expected)
{
    g_autoptr(GString) found = g_string_new(NULL);
    struct starpu_task *task;

    while ((task = starpu_st_prio_deque_pop_task(&queue->deque)))
        g_string_append_c(found, (char)('a' + (task - queue->all)));
    assert_string_equal(found->str, expected);
    assert_int_equal(starpu_st_prio_deque_is_empty(&queue->deque), 1);
    assert_null(starpu_st_prio_deque_highest_task(&queue->deque));
    assert_null(starpu_st_prio_deque_pop_back_task(&queue->deque));
}

static void tasks_are_popped_from_both_ends(void **state)
{
    struct queue *queue = *state;

    assert_ptr_equal(starpu_st_prio_deque_highest_task(&queue->deque),
                     &queue->all[0]);
    assert_ptr_equal(starpu_st_prio_deque_pop_back_task(&queue->deque),
                     &queue->all[3]);
    starpu_st_prio_deque_push_front_task(&queue->deque, &queue->all[3]);
    assert_rest(queue, "acdb");
}

static void a_worker_pops_the_first_task_that_it_can_run(void **state)
{
    struct queue *queue = *state;
    struct starpu_task *skipped = NULL;

    assert_ptr_equal(
        starpu_st_prio_deque_pop_task_for_worker(&queue->deque, 1, &skipped),
        &queue->all[2]);
    assert_ptr_equal(skipped, &queue->all[0]);
    assert_ptr_equal(
        starpu_st_prio_deque_pop_task_for_worker(&queue->deque, 0, &skipped),
        &queue->all[0]);
    assert_null(skipped);
    assert_int_equal(starpu_task_get_implementation(&queue->all[0]), 1);
    assert_ptr_equal(
        starpu_st_prio_deque_pop_task_for_worker(&queue->deque, 1, NULL),
        &queue->all[1]);
    assert_null(
        starpu_st_prio_deque_pop_task_for_worker(&queue->deque, 1, &skipped));
    assert_ptr_equal(skipped, &queue->all[3]);
    assert_rest(queue, "d");
}

/* The last task of each priority comes first, but of the highest one. */
static void a_worker_dequeues_the_last_task_that_it_can_run(void **state)
{
    struct queue *queue = *state;
    struct starpu_task *skipped = NULL;

    assert_ptr_equal(
        starpu_st_prio_deque_deque_task_for_worker(&queue->deque, 0, &skipped),
        &queue->all[0]);
    assert_ptr_equal(skipped, &queue->all[2]);
    assert_ptr_equal(
        starpu_st_prio_deque_deque_task_for_worker(&queue->deque, 0, NULL),
        &queue->all[3]);
    assert_rest(queue, "cb");
}

static void a_task_is_popped_if_the_worker_can_run_it(void **state)
{
    struct queue *queue = *state;

    assert_int_equal(
        starpu_st_prio_deque_pop_this_task(&queue->deque, 1, &queue->all[3]),
        0);
    assert_int_equal(
        starpu_st_prio_deque_pop_this_task(&queue->deque, 0, &queue->all[3]),
        1);
    assert_int_equal(
        starpu_st_prio_deque_pop_this_task(&queue->deque, -1, &queue->all[0]),
        1);
    assert_rest(queue, "cb");
}

/* The data of task a are not on the GPU; b and d have a lower priority. */
static void a_worker_dequeues_the_task_that_lacks_the_fewest_bytes(void **state)
{
    struct queue *queue = *state;
    char content[100];
    starpu_data_handle_t handle;

    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)content,
                                sizeof(content), 1);
    queue->all[0].cl = &reads;
    queue->all[0].handles[0] = handle;
    queue->deque.ntasks = 0; /* the policy counts otherwise */
    assert_null(starpu_st_prio_deque_deque_first_ready_task(&queue->deque, 0));
    queue->deque.ntasks = 4;
    assert_ptr_equal(
        starpu_st_prio_deque_deque_first_ready_task(&queue->deque, 0),
        &queue->all[2]);
    assert_ptr_equal(
        starpu_st_prio_deque_deque_first_ready_task(&queue->deque, 0),
        &queue->all[0]);
    assert_rest(queue, "bd");
    assert_null(starpu_st_prio_deque_deque_first_ready_task(&queue->deque, 0));
    starpu_data_unregister(handle);
}

static void a_task_that_is_erased_still_counts(void **state)
{
    struct queue *queue = *state;

    for (unsigned i = 0; i < 4; i++)
        starpu_st_prio_deque_erase(&queue->deque, &queue->all[i]);
    assert_null(starpu_st_prio_deque_pop_task(&queue->deque));
    assert_int_equal(starpu_st_prio_deque_is_empty(&queue->deque), 0);
}

static void pop_for_worker_2(void)
{
    void *state = NULL;

    (void)start(&state);
    (void)starpu_st_prio_deque_pop_task_for_worker(
        &((struct queue *)state)->deque, 2, NULL);
}

static void a_number_of_no_worker_ends_the_program(void **state)
{
    g_autofree char *message = orr_ending_message(pop_for_worker_2);

    (void)state;
    assert_string_equal(message, "starpu_st_prio_deque_pop_task_for_worker(): "
                                 "there is no worker 2");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

ORR_TESTS(starpu_prio_deque)
{
    const struct CMUnitTest tests[] = {
        TEST(tasks_are_popped_from_both_ends),
        TEST(a_worker_pops_the_first_task_that_it_can_run),
        TEST(a_worker_dequeues_the_last_task_that_it_can_run),
        TEST(a_task_is_popped_if_the_worker_can_run_it),
        TEST(a_worker_dequeues_the_task_that_lacks_the_fewest_bytes),
        TEST(a_task_that_is_erased_still_counts),
        cmocka_unit_test(a_number_of_no_worker_ends_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

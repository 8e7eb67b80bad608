/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions of StarPU's interface that submit tasks of their own, as copies, or
   ask for facts of tasks. The policy is eager, on two CPUs and no GPU. */
#include <starpu.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/ending.h"

#include <errno.h>

static double begin;

static void start_with_gpus(const char *gpus)
{
    g_autofree char *sampling = g_build_filename(
        g_getenv("abs_top_srcdir"), "tests", "starpu-sampling", NULL);
    g_setenv("STARPU_PERF_MODEL_DIR", sampling, TRUE);
    g_setenv("STARPU_HOSTNAME", "tiny", TRUE);
    g_setenv("STARPU_NCPU", "2", TRUE);
    g_setenv("STARPU_NCUDA", gpus, TRUE);
    g_setenv("STARPU_SCHED", "eager", TRUE);
    assert_int_equal(starpu_init(NULL), 0);
    begin = starpu_timing_now();
}

static void start(void)
{
    start_with_gpus("0");
}

static double now(void)
{
    return starpu_timing_now() - begin;
}

static void note_worker(void *argument)
{
    g_string_append_printf(argument, "%d ", starpu_worker_get_id());
    assert_int_equal(starpu_worker_get_id_check(), starpu_worker_get_id());
}

static void each_worker_calls_a_function(void **state)
{
    unsigned last[] = {1};
    g_autoptr(GString) seen = g_string_new(NULL);

    (void)state;
    start();
    starpu_execute_on_each_worker(note_worker, seen, STARPU_CPU);
    assert_string_equal(seen->str, "0 1 ");
    assert_true(now() < 10); /* tasks of 1 ns */
    starpu_execute_on_each_worker_ex(note_worker, seen, STARPU_CUDA, "none");
    assert_string_equal(seen->str, "0 1 ");
    starpu_execute_on_specific_workers(note_worker, seen, 1, last, "last");
    assert_string_equal(seen->str, "0 1 1 ");
    assert_int_equal(starpu_worker_get_id(), -1);
    starpu_shutdown();

    start_with_gpus("1");
    g_string_truncate(seen, 0);
    starpu_execute_on_each_worker(note_worker, seen, STARPU_CPU | STARPU_CUDA);
    assert_string_equal(seen->str, "0 1 2 ");
    starpu_shutdown();
}

static void count(void *argument)
{
    ++*(int *)argument;
}

static void copy_column(const char *execute, const int expected[3])
{
    int calls = 0, from[3] = {1, 2, 3}, to[3] = {0};
    starpu_data_handle_t source, target;

    g_setenv("ORRERY_STARPU_EXECUTE", execute, TRUE);
    start();
    starpu_matrix_data_register(&source, STARPU_MAIN_RAM, (uintptr_t)from, 1, 1,
                                3, sizeof(int));
    starpu_matrix_data_register(&target, STARPU_MAIN_RAM, (uintptr_t)to, 1, 1,
                                3, sizeof(int));
    begin = starpu_timing_now();
    assert_int_equal(starpu_data_cpy(target, source, 0, count, &calls), 0);
    assert_true(now() < 10);
    assert_int_equal(calls, 1);
    assert_int_equal(starpu_data_cpy(source, source, 1, count, &calls), 0);
    assert_int_equal(calls, 2);
    assert_int_equal(
        starpu_data_cpy_priority(target, source, 1, count, &calls, 1), 0);
    assert_int_equal(calls, 2); /* it is under way */
    starpu_data_unregister(target);
    assert_int_equal(calls, 3);
    assert_memory_equal(to, expected, sizeof(to));
    starpu_data_unregister(source);
    starpu_shutdown();
    g_unsetenv("ORRERY_STARPU_EXECUTE");
}

static void a_copy_writes_another_datum(void **state)
{
    static const int zeros[3] = {0}, copied[3] = {1, 2, 3};

    (void)state;
    copy_column("0", zeros);
    copy_column("1", copied);
}

static int second_only(unsigned worker, struct starpu_task *task, unsigned impl)
{
    (void)task;
    return worker == 0 || impl == 1;
}

static void work(void *buffers[], void *argument)
{
    (void)buffers;
    *(int *)argument = starpu_task_get_current_data_node(0);
}

static void a_task_tells_who_can_run_it(void **state)
{
    struct starpu_codelet codelet = {.cpu_funcs = {work, work},
                                     .cuda_funcs = {work},
                                     .can_execute = second_only};
    struct starpu_task task;
    unsigned implementation = 9, all = 0;

    (void)state;
    start();
    starpu_task_init(&task);
    task.cl = &codelet;
    assert_true(starpu_worker_can_execute_task(0, &task, 1));
    assert_false(starpu_worker_can_execute_task(0, &task, 2));
    assert_false(starpu_worker_can_execute_task(0, &task, 4));
    assert_false(starpu_worker_can_execute_task(1, &task, 0));
    assert_true(starpu_worker_can_execute_task_impl(0, &task, &all));
    assert_int_equal(all, 3);
    assert_true(starpu_worker_can_execute_task_impl(1, &task, NULL));
    assert_true(
        starpu_worker_can_execute_task_first_impl(1, &task, &implementation));
    assert_int_equal(implementation, 1);
    task.where = STARPU_CUDA;
    assert_false(
        starpu_worker_can_execute_task_first_impl(0, &task, &implementation));
    starpu_task_clean(&task);
    starpu_shutdown();
}

static void a_task_tells_its_facts(void **state)
{
    struct starpu_codelet codelet = {.cpu_funcs = {work},
                                     .nbuffers = 1,
                                     .modes = {STARPU_RW},
                                     .flags = STARPU_CODELET_SIMGRID_EXECUTE};
    struct starpu_task task;
    starpu_data_handle_t handle;
    int node = 9, number = 1;

    (void)state;
    start();
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&number,
                                  sizeof(number));
    starpu_task_init(&task);
    task.cl = &codelet;
    task.cl_arg = &node;
    task.handles[0] = handle;
    task.synchronous = 1;
    assert_int_equal(starpu_task_get_implementation(&task), 0);
    starpu_task_set_implementation(&task, 3);
    assert_int_equal(starpu_task_get_implementation(&task), 3);
    assert_int_equal(starpu_task_get_job_id(&task), 0);
    assert_int_equal(starpu_get_prefetch_flag(), 1);
    assert_int_equal(starpu_prefetch_task_input_for(&task, 0), 0);
    assert_int_equal(starpu_idle_prefetch_task_input_on_node(&task, 0), 0);
    assert_int_equal(starpu_task_submit(&task), 0);
    assert_int_equal(starpu_task_get_job_id(&task), 1);
    assert_int_equal(node, STARPU_MAIN_RAM);
    assert_int_equal(starpu_task_get_current_data_node(0), -1);
    starpu_task_clean(&task);
    starpu_data_unregister(handle);
    starpu_shutdown();
}

/* Both tasks read the datum, which comes once. */
static void a_bundle_counts_its_data_once(void **state)
{
    static char content[1000000];
    struct starpu_codelet codelet = {.cpu_funcs = {work},
                                     .cuda_funcs = {work},
                                     .nbuffers = 1,
                                     .modes = {STARPU_R}};
    struct starpu_task *tasks[2];
    starpu_task_bundle_t bundle;
    starpu_data_handle_t handle;
    double us;

    (void)state;
    start_with_gpus("1");
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)content,
                                sizeof(content), 1);
    starpu_task_bundle_create(&bundle);
    for (unsigned i = 0; i < 2; i++) {
        tasks[i] = starpu_task_create();
        tasks[i]->cl = &codelet;
        tasks[i]->handles[0] = handle;
        assert_int_equal(starpu_task_bundle_insert(bundle, tasks[i]), 0);
    }
    us = starpu_task_bundle_expected_data_transfer_time(bundle, 1);
    assert_true(us > 0);
    assert_true(us == starpu_data_expected_transfer_time(handle, 1, STARPU_R));
    assert_true(starpu_task_bundle_expected_data_transfer_time(bundle, 0) == 0);
    for (unsigned i = 0; i < 2; i++) {
        starpu_task_bundle_remove(bundle, tasks[i]);
        starpu_task_destroy(tasks[i]);
    }
    starpu_task_bundle_close(bundle);
    starpu_data_unregister(handle);
    starpu_shutdown();
}

static void a_synchronous_prefetch_waits(void **state)
{
    starpu_data_handle_t handle;
    static char content[1000000];
    double expected;

    (void)state;
    start_with_gpus("1");
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)content,
                                sizeof(content), 1);
    expected = starpu_data_expected_transfer_time(handle, 1, STARPU_R);
    begin = starpu_timing_now();
    assert_int_equal(starpu_data_prefetch_on_node(handle, 1, 0), 0);
    assert_true(now() > expected && now() < expected + 30);
    assert_true(starpu_data_is_on_node(handle, 1));
    begin = starpu_timing_now();
    assert_int_equal(starpu_data_fetch_on_node(handle, 1, 0), 0);
    assert_int_equal(starpu_data_idle_prefetch_on_node(handle, 0, 0), 0);
    assert_true(now() == 0); /* the copies are there */
    starpu_data_unregister(handle);
    starpu_shutdown();
}

/* Digits 1 or 0: allocated, valid, loading, requested. */
static void assert_status(starpu_data_handle_t handle, int node,
                          const char *expected)
{
    int allocated = -1, valid = -1, loading = -1, requested = -1;

    starpu_data_query_status2(handle, node, &allocated, &valid, &loading,
                              &requested);
    g_autofree char *status =
        g_strdup_printf("%d%d%d%d", allocated, valid, loading, requested);
    assert_string_equal(status, expected);
}

static void the_status_of_a_datum_follows_its_copies(void **state)
{
    starpu_data_handle_t handle;
    static char content[1000000];

    (void)state;
    start_with_gpus("1");
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)content,
                                sizeof(content), 1);
    assert_status(handle, 0, "1100");
    assert_status(handle, 1, "0000");
    assert_int_equal(starpu_data_prefetch_on_node(handle, 1, 1), 0);
    starpu_sleep(50e-6F); /* the buffer is being allocated */
    assert_status(handle, 1, "0011");
    starpu_sleep(200e-6F);
    assert_status(handle, 1, "1011");
    assert_true(starpu_data_is_on_node(handle, 1));
    assert_false(starpu_data_is_on_node_excluding_prefetch(handle, 1));
    starpu_sleep(1);
    assert_status(handle, 1, "1100");
    starpu_data_acquire(handle, STARPU_RW);
    assert_status(handle, 1, "1000");
    assert_true(starpu_data_test_if_allocated_on_node(handle, 1));
    assert_false(starpu_data_is_on_node(handle, 1));
    starpu_data_release(handle);
    starpu_data_unregister(handle);
    starpu_shutdown();
}

static double hundred_us(struct starpu_task *task,
                         struct starpu_perfmodel_arch *arch, unsigned nimpl)
{
    (void)task;
    (void)arch;
    (void)nimpl;
    return 100;
}

static struct starpu_perfmodel model = {
    .type = STARPU_PER_ARCH,
    .arch_cost_function = hundred_us,
};

static void a_datum_is_acquired_if_it_is_free(void **state)
{
    static struct starpu_codelet codelet = {.cpu_funcs = {work},
                                            .nbuffers = 1,
                                            .modes = {STARPU_RW},
                                            .model = &model};
    starpu_data_handle_t handle;
    int number = 1, refusals = 0;

    (void)state;
    start();
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&number,
                                  sizeof(number));
    assert_int_equal(starpu_data_acquire_try(handle, STARPU_RW), 0);
    starpu_data_release(handle);
    begin = starpu_timing_now();
    assert_int_equal(starpu_task_insert(&codelet, STARPU_RW, handle, 0), 0);
    while (starpu_data_acquire_try(handle, STARPU_R) == -EAGAIN) {
        refusals++;
        starpu_sleep(30e-6F);
    }
    assert_int_equal(refusals, 4); /* at 2, 33, 64 and 95 us, for 1 us */
    assert_true(now() > 126 && now() < 129);
    assert_int_equal(starpu_task_insert(&codelet, STARPU_RW, handle, 0), 0);
    starpu_sleep(200e-6F);
    assert_int_equal(starpu_task_nsubmitted(), 1); /* it waits */
    starpu_data_release(handle);
    assert_int_equal(starpu_task_wait_for_all(), 0);
    assert_int_equal(starpu_data_acquire_try(handle, STARPU_RW), 0);
    starpu_data_release(handle);
    starpu_data_unregister(handle);
    starpu_shutdown();
}

static void a_lock_is_taken_once(void **state)
{
    starpu_pthread_spinlock_t lock;

    (void)state;
    assert_int_equal(starpu_pthread_spin_init(&lock, 0), 0);
    assert_int_equal(starpu_pthread_spin_lock(&lock), 0);
    assert_int_equal(starpu_pthread_spin_trylock(&lock), EBUSY);
    assert_int_equal(starpu_pthread_spin_unlock(&lock), 0);
    assert_int_equal(starpu_pthread_spin_trylock(&lock), 0);
    assert_int_equal(starpu_pthread_spin_destroy(&lock), 0);
}

static void set_wrong_implementation(void)
{
    starpu_task_set_implementation(starpu_task_create(), 4);
}

static void copy_to_another_kind(void)
{
    starpu_data_handle_t vector, variable;

    start();
    starpu_vector_data_register(&vector, -1, 0, 1, sizeof(int));
    starpu_variable_data_register(&variable, -1, 0, sizeof(int));
    starpu_data_cpy(vector, variable, 0, NULL, NULL);
}

static void copy_nothing(void)
{
    start();
    starpu_data_cpy(NULL, NULL, 0, NULL, NULL);
}

static void ask_for_the_worker(void)
{
    starpu_worker_get_id_check();
}

static void assert_ending(void (*function)(void), const char *expected)
{
    g_autofree char *message = orr_ending_message(function);
    assert_string_equal(message, expected);
}

static void wrong_calls_end_the_program(void **state)
{
    (void)state;
    assert_ending(copy_to_another_kind,
                  "starpu_data_cpy(): datum 1 and datum 0 are of different "
                  "kinds");
    assert_ending(set_wrong_implementation,
                  "starpu_task_set_implementation(): implementation 4: "
                  "expected less than 4");
    assert_ending(copy_nothing, "starpu_data_cpy(): the data handle is NULL");
    assert_ending(ask_for_the_worker,
                  "starpu_worker_get_id_check(): no task is executed, so no "
                  "worker runs it");
}

ORR_TESTS(starpu_helpers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_worker_calls_a_function),
        cmocka_unit_test(a_copy_writes_another_datum),
        cmocka_unit_test(a_task_tells_who_can_run_it),
        cmocka_unit_test(a_task_tells_its_facts),
        cmocka_unit_test(a_bundle_counts_its_data_once),
        cmocka_unit_test(a_synchronous_prefetch_waits),
        cmocka_unit_test(the_status_of_a_datum_follows_its_copies),
        cmocka_unit_test(a_datum_is_acquired_if_it_is_free),
        cmocka_unit_test(a_lock_is_taken_once),
        cmocka_unit_test(wrong_calls_end_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

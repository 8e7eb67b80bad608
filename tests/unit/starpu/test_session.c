/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks of programs with StarPU's interface: dates, in us, are computed by
   hand. The policy is eager, on two CPUs and no GPU. To submit a task takes 1
   us, and 1 us more if it is ready; a task takes 100 us on a CPU. */
#include <orrery.h>
#include <starpu.h>

#include "apps/starpu/data/handle.h"
#include "apps/starpu/data/plan.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/ending.h"

#include <stdlib.h>

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

static void work(void *buffers[], void *argument)
{
    (void)buffers;
    ++*(int *)argument;
}

static struct starpu_codelet worker_codelet = {
    .cpu_funcs = {work},
    .model = &model,
    .name = "work",
};

static struct starpu_codelet executed_codelet = {
    .cpu_funcs = {work},
    .model = &model,
    .flags = STARPU_CODELET_SIMGRID_EXECUTE,
    .name = "executed",
};

static struct starpu_codelet gpu_codelet = {
    .cuda_funcs = {work},
    .model = &model,
    .name = "gpu",
};

static void start_with(const char *policy, const char *cpus, const char *gpus)
{
    g_autofree char *sampling = g_build_filename(
        g_getenv("abs_top_srcdir"), "tests", "starpu-sampling", NULL);
    g_setenv("STARPU_PERF_MODEL_DIR", sampling, TRUE);
    g_setenv("STARPU_HOSTNAME", "tiny", TRUE);
    g_setenv("STARPU_NCPU", cpus, TRUE);
    g_setenv("STARPU_NCUDA", gpus, TRUE);
    g_setenv("STARPU_SCHED", policy, TRUE);
    assert_int_equal(starpu_init(NULL), 0);
}

static void start(void)
{
    start_with("eager", "2", "0");
}

static double begin;

static double now(void)
{
    return starpu_timing_now() - begin;
}

static void *numbers[4]; /* arguments of callbacks, in the order of calls */
static unsigned calls;

static void note(void *number)
{
    assert_in_range(calls, 0, G_N_ELEMENTS(numbers) - 1);
    numbers[calls++] = number;
}

static void assert_notes(const char *expected)
{
    for (unsigned i = 0; i < calls; i++)
        assert_int_equal(*(const char *)numbers[i], expected[i]);
    assert_int_equal(calls, strlen(expected));
    calls = 0;
}

static void begin_dates(void)
{
    begin = starpu_timing_now();
}

static void workers_are_counted(void **state)
{
    char name[32];
    (void)state;
    assert_false(starpu_is_initialized());
    assert_int_equal(starpu_worker_get_count(), 0);
    start();
    assert_true(starpu_is_initialized());
    assert_int_equal(starpu_worker_get_count(), 2);
    assert_int_equal(starpu_cpu_worker_get_count(), 2);
    assert_int_equal(starpu_cuda_worker_get_count(), 0);
    assert_int_equal(starpu_worker_get_type(1), STARPU_CPU_WORKER);
    assert_int_equal(starpu_worker_get_by_type(STARPU_CPU_WORKER, 1), 1);
    assert_int_equal(starpu_worker_get_by_type(STARPU_CUDA_WORKER, 0), -1);
    starpu_worker_get_name(1, name, sizeof(name));
    assert_string_equal(name, "CPU 1");
    assert_int_equal(starpu_memory_nodes_get_count(), 1);
    assert_int_equal(starpu_worker_get_id(), -1);
    starpu_shutdown();
    assert_false(starpu_is_initialized());
}

static void dependent_tasks_run_one_after_the_other(void **state)
{
    int runs = 0;
    (void)state;
    start();
    struct starpu_task *first = starpu_task_create();
    struct starpu_task *second = starpu_task_create();
    first->cl = second->cl = &worker_codelet;
    first->cl_arg = second->cl_arg = &runs;
    first->callback_func = second->callback_func = note;
    first->callback_arg = (void *)"1";
    second->callback_arg = (void *)"2";
    starpu_task_declare_deps(second, 1, first);
    begin_dates();
    assert_int_equal(starpu_task_submit(second), 0);
    assert_int_equal(starpu_task_submit(first), 0);
    assert_int_equal(starpu_task_wait_for_all(), 0);
    /* Two tasks, and some us to submit and push them. */
    assert_true(now() > 202 && now() < 206);
    assert_notes("12");
    assert_int_equal(runs, 0); /* kernels are not called */
    starpu_shutdown();
}

static void tags_order_tasks(void **state)
{
    (void)state;
    start();
    for (unsigned round = 0; round < 2; round++) {
        int number = 0;
        starpu_tag_declare_deps(7, 2, (starpu_tag_t)8, (starpu_tag_t)9);
        assert_int_equal(
            starpu_task_insert(&worker_codelet, STARPU_TAG, 7ULL, STARPU_VALUE,
                               &number, sizeof(number),
                               STARPU_CALLBACK_WITH_ARG_NFREE, note, "7", 0),
            0);
        assert_int_equal(starpu_task_insert(&worker_codelet, STARPU_TAG, 8ULL,
                                            STARPU_CALLBACK_WITH_ARG_NFREE,
                                            note, "8", 0),
                         0);
        assert_int_equal(calls, 0);
        starpu_tag_notify_from_apps(9);
        assert_int_equal(starpu_tag_wait(7), 0);
        assert_notes("87");
        starpu_tag_remove(7); /* and used again */
        starpu_tag_remove(8);
        starpu_tag_remove(9);
    }
    starpu_shutdown();
}

static void functions_of_a_task_are_called_in_order(void **state)
{
    int runs = 0;
    (void)state;
    start();
    struct starpu_task *task = starpu_task_build(
        &executed_codelet, STARPU_CL_ARGS_NFREE, &runs, sizeof(runs),
        STARPU_PROLOGUE_CALLBACK, note, STARPU_PROLOGUE_CALLBACK_ARG_NFREE, "1",
        STARPU_PROLOGUE_CALLBACK_POP, note,
        STARPU_PROLOGUE_CALLBACK_POP_ARG_NFREE, "2", STARPU_EPILOGUE_CALLBACK,
        note, STARPU_CALLBACK_WITH_ARG_NFREE, note, "4", 0);
    task->cl_arg_free = 0;
    task->epilogue_callback_arg = (void *)"3";
    task->synchronous = 1;
    assert_int_equal(starpu_task_submit(task), 0);
    assert_notes("1234");
    assert_int_equal(runs, 1); /* STARPU_CODELET_SIMGRID_EXECUTE */
    starpu_shutdown();
}

static void values_exclude_packed_arguments(void **state)
{
    int number = 1;
    (void)state;
    start();
    assert_null(starpu_task_build(&worker_codelet, STARPU_CL_ARGS_NFREE,
                                  &number, sizeof(number), STARPU_VALUE,
                                  &number, sizeof(number), 0));
    starpu_shutdown();
}

static void paused_workers_take_no_task(void **state)
{
    (void)state;
    start();
    starpu_pause();
    assert_true(starpu_is_paused());
    begin_dates();
    assert_int_equal(starpu_task_insert(&worker_codelet, 0), 0);
    starpu_sleep(0.001F);
    assert_int_equal(starpu_task_nsubmitted(), 1);
    starpu_resume();
    assert_false(starpu_is_paused());
    assert_int_equal(starpu_task_wait_for_all(), 0);
    assert_true(now() > 1100 && now() < 1110); /* 1 ms, and the task */
    starpu_shutdown();
}

static void a_task_is_submitted_again(void **state)
{
    struct starpu_task task = STARPU_TASK_INITIALIZER;
    (void)state;
    start();
    task.cl = &worker_codelet;
    task.detach = 0;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(starpu_task_submit(&task), 0);
        assert_false(starpu_task_finished(&task));
        assert_int_equal(starpu_task_wait(&task), 0);
        assert_true(starpu_task_finished(&task));
        assert_int_equal(task.status, STARPU_TASK_FINISHED);
    }
    starpu_task_clean(&task);
    starpu_shutdown();
}

static void stop(void *number)
{
    if (++*(int *)number == 3)
        starpu_task_get_current()->regenerate = 0;
}

/* A submission by itself takes no time, but to push the task takes 1 us. */
static void a_task_is_regenerated(void **state)
{
    struct starpu_task task;
    int ends = 0;
    (void)state;
    start();
    begin_dates();
    starpu_task_init(&task);
    task.cl = &worker_codelet;
    task.callback_func = stop;
    task.callback_arg = &ends;
    task.regenerate = 1;
    assert_int_equal(starpu_task_submit(&task), 0);
    assert_int_equal(starpu_task_wait_for_all(), 0);
    assert_int_equal(ends, 3);
    assert_true(now() > 302 && now() < 310); /* three times 100 us */
    starpu_task_clean(&task);
    starpu_shutdown();
}

static void a_task_that_no_worker_can_run_is_not_submitted(void **state)
{
    (void)state;
    start();
    struct starpu_task *task = starpu_task_create();
    task->cl = &gpu_codelet;
    assert_int_equal(starpu_task_submit(task), -ENODEV);
    task->destroy = 0;
    starpu_task_destroy(task);
    assert_int_equal(starpu_task_nsubmitted(), 0);
    starpu_shutdown();
}

/* Accesses of parts split their whole, one of the whole joins them all, be it
 * to read alone. */
static void accesses_split_and_join(void **state)
{
    static const struct {
        enum starpu_data_access_mode mode;
        bool of_part, splits, to_read;
    } accesses[] = {
        {STARPU_R, true, true, true},     {STARPU_R, false, true, true},
        {STARPU_W, true, true, false},    {STARPU_R, true, true, false},
        {STARPU_R, false, false, false},  {STARPU_REDUX, true, true, false},
        {STARPU_RW, false, false, false},
    };
    struct starpu_data_filter halves = {
        .filter_func = starpu_vector_filter_block, .nchildren = 2};
    float elements[8] = {0};
    starpu_data_handle_t whole, parts[2];

    (void)state;
    start();
    starpu_vector_data_register(&whole, STARPU_MAIN_RAM, (uintptr_t)elements, 8,
                                sizeof(float));
    starpu_data_partition_plan(whole, &halves, parts);
    for (size_t i = 0; i < G_N_ELEMENTS(accesses); i++) {
        sp_handle_prepare(accesses[i].of_part ? parts[0] : whole,
                          accesses[i].mode, "test");
        assert_int_equal(parts[0]->of->active, accesses[i].splits);
        assert_int_equal(parts[0]->of->read_only, accesses[i].to_read);
    }
    starpu_data_partition_clean(whole, 2, parts);
    starpu_data_unregister(whole);
    starpu_shutdown();
}

static void submit_before_init(void)
{
    struct starpu_task *task = starpu_task_create();
    if (starpu_task_submit(task))
        abort();
}

static void submit_twice(void)
{
    start();
    struct starpu_task *task = starpu_task_create();
    task->cl = &worker_codelet;
    if (starpu_task_submit(task))
        abort();
    if (starpu_task_submit(task)) /* the second time it is refused */
        abort();
}

static void insert_wrong_key(void)
{
    start();
    starpu_task_insert(&worker_codelet, 99 << 17, 0);
}

static void insert_without_data(void)
{
    static struct starpu_codelet codelet = {
        .cpu_funcs = {work},
        .nbuffers = 1,
        .modes = {STARPU_R},
        .model = &model,
        .name = "reads",
    };
    start();
    starpu_task_insert(&codelet, 0);
}

static void wait_for_detached(void)
{
    start();
    struct starpu_task *task = starpu_task_create();
    task->cl = &worker_codelet;
    if (starpu_task_submit(task) || starpu_task_wait(task))
        abort();
}

static void regenerate_and_destroy(void)
{
    start();
    struct starpu_task *task = starpu_task_create();
    task->cl = &worker_codelet;
    task->regenerate = 1;
    if (!starpu_task_submit(task))
        starpu_task_wait_for_all();
}

static void resume_too_often(void)
{
    start();
    starpu_resume();
}

static void shut_down_too_often(void)
{
    start();
    starpu_shutdown();
    starpu_shutdown();
}

static void assert_ending(void (*function)(void), const char *expected)
{
    g_autofree char *message = orr_ending_message(function);
    assert_string_equal(message, expected);
}

static void wrong_calls_end_the_program(void **state)
{
    (void)state;
    assert_ending(submit_before_init, "starpu_task_submit(): starpu_init() was "
                                      "not called, or failed");
    assert_ending(submit_twice, "starpu_task_submit(): task work was submitted "
                                "before, and has not ended");
    assert_ending(insert_wrong_key,
                  "starpu_task_insert(): 0xc60000 is no key of "
                  "starpu_task_insert(): does 0 end the arguments?");
    assert_ending(insert_without_data,
                  "starpu_task_insert(): 0 data, but 1 in codelet reads");
    assert_ending(wait_for_detached,
                  "starpu_task_wait(): task work has detach = 1");
    assert_ending(regenerate_and_destroy,
                  "starpu_task.regenerate: task work has detach = 1, destroy = "
                  "1 and synchronous = 0: expected 1, 0 and 0");
    assert_ending(resume_too_often,
                  "starpu_resume(): the workers are not paused");
    assert_ending(shut_down_too_often,
                  "starpu_shutdown(): starpu_init() was not called as often");
}

static struct starpu_codelet changing_codelet = {
    .cpu_funcs = {work},
    .nbuffers = 1,
    .modes = {STARPU_RW},
    .model = &model,
    .name = "changing",
};

/* Returns how long 12 tasks take on 4 CPUs, in us. */
static double twelve_tasks(void)
{
    starpu_data_handle_t handles[12];
    int values[12];
    double us;

    for (unsigned i = 0; i < 12; i++)
        starpu_variable_data_register(&handles[i], STARPU_MAIN_RAM,
                                      (uintptr_t)&values[i], sizeof(int));
    begin_dates();
    for (unsigned i = 0; i < 12; i++)
        assert_int_equal(
            starpu_task_insert(&changing_codelet, STARPU_RW, handles[i], 0), 0);
    starpu_task_wait_for_all();
    us = now();
    for (unsigned i = 0; i < 12; i++)
        starpu_data_unregister(handles[i]);
    return us;
}

/* When starpu_init() returns, the workers are awake, and soon asleep. StarPU
 * over SimGrid has the same times. */
static void the_first_tasks_find_workers_awake(void **state)
{
    (void)state;
    if (strstr(orr_version(), "no-lockstep"))
        skip();
    start_with("dmda", "4", "0");
    assert_int_equal((int)(twelve_tasks() + 0.5), 313);
    starpu_shutdown();
    start_with("dmda", "4", "0");
    starpu_sleep(0.001F);
    assert_int_equal((int)(twelve_tasks() + 0.5), 312);
    starpu_shutdown();
}

static struct starpu_codelet producing_codelet = {
    .cpu_funcs = {work},
    .nbuffers = 1,
    .modes = {STARPU_W},
    .model = &model,
    .name = "producing",
};

/* Room in RAM for data without a home is pinned when a task writes them. StarPU
 * over SimGrid takes 12.8 ms for 20 MB, too. */
static void data_without_a_home_are_pinned(void **state)
{
    starpu_data_handle_t handle;

    (void)state;
    start_with("eager", "2", "1");
    starpu_vector_data_register(&handle, -1, 0, 20480000, 1);
    begin_dates();
    starpu_task_insert(&producing_codelet, STARPU_W, handle, 0);
    starpu_task_wait_for_all();
    assert_in_range(now(), 12795, 12810);
    starpu_data_unregister(handle);
    starpu_shutdown();
}

static void a_machine_has_no_more_gpus_than_it_has(void **state)
{
    (void)state;
    start_with("eager", "1", "9");
    assert_int_equal(starpu_cuda_worker_get_count(), 2);
    starpu_shutdown();
}

ORR_TESTS(starpu_session)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_are_counted),
        cmocka_unit_test(the_first_tasks_find_workers_awake),
        cmocka_unit_test(data_without_a_home_are_pinned),
        cmocka_unit_test(a_machine_has_no_more_gpus_than_it_has),
        cmocka_unit_test(dependent_tasks_run_one_after_the_other),
        cmocka_unit_test(tags_order_tasks),
        cmocka_unit_test(functions_of_a_task_are_called_in_order),
        cmocka_unit_test(values_exclude_packed_arguments),
        cmocka_unit_test(paused_workers_take_no_task),
        cmocka_unit_test(a_task_is_submitted_again),
        cmocka_unit_test(a_task_is_regenerated),
        cmocka_unit_test(a_task_that_no_worker_can_run_is_not_submitted),
        cmocka_unit_test(accesses_split_and_join),
        cmocka_unit_test(wrong_calls_end_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

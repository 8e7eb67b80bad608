/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which task a worker can start soonest. Worker 0 is a GPU, with memory node 1;
   worker 1 is a CPU. */
#include "apps/starpu/queue/ready.h"

#include <schedulers/starpu_scheduler_toolbox.h>

#include "tests/support/cmocka_all.h"

#include <glib.h>

enum { GPU, CPU };

/* The GPU has the content of @here, a buffer for @stale and @large, a request
 * for
 * @coming, as large as that, and nothing of @away. */
static struct {
    starpu_data_handle_t here, stale, large, coming, away;
} data;
static char content[5][1000000];

static struct starpu_codelet any = {.nbuffers = STARPU_VARIABLE_NBUFFERS,
                                    .where = STARPU_CPU | STARPU_CUDA};

static starpu_data_handle_t make_datum(unsigned i, size_t bytes)
{
    starpu_data_handle_t handle;

    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)content[i],
                                bytes, 1);
    return handle;
}

/* The GPU keeps a buffer without content. */
static void fetch_and_overwrite(starpu_data_handle_t handle)
{
    starpu_data_fetch_on_node(handle, 1, 0);
    starpu_data_acquire(handle, STARPU_W);
    starpu_data_release(handle);
}

static int start(void **state)
{
    g_autofree char *sampling = g_build_filename(
        g_getenv("abs_top_srcdir"), "tests", "starpu-sampling", NULL);

    (void)state;
    g_setenv("STARPU_PERF_MODEL_DIR", sampling, TRUE);
    g_setenv("STARPU_HOSTNAME", "tiny", TRUE);
    g_setenv("STARPU_NCPU", "1", TRUE);
    g_setenv("STARPU_NCUDA", "1", TRUE);
    g_setenv("STARPU_SCHED", "eager", TRUE);
    if (starpu_init(NULL) != 0)
        return -1;
    data.here = make_datum(0, 1);
    data.stale = make_datum(1, 20);
    data.coming = make_datum(2, sizeof(content[0]));
    data.away = make_datum(3, 4000);
    data.large = make_datum(4, sizeof(content[0]));
    starpu_data_fetch_on_node(data.here, 1, 0);
    fetch_and_overwrite(data.stale);
    fetch_and_overwrite(data.large);
    starpu_data_prefetch_on_node(data.coming, 1, 1);
    starpu_sleep(50e-6F);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    starpu_data_unregister(data.here);
    starpu_data_unregister(data.stale);
    starpu_data_unregister(data.large);
    starpu_data_unregister(data.coming);
    starpu_data_unregister(data.away);
    starpu_shutdown();
    return 0;
}

static struct starpu_task task_on(starpu_data_handle_t handle,
                                  enum starpu_data_access_mode mode)
{
    return (struct starpu_task){.where = -1,
                                .cl = &any,
                                .nbuffers = 1,
                                .handles = {handle},
                                .modes = {mode}};
}

static void assert_lack(struct starpu_task task, unsigned worker,
                        size_t non_ready, size_t non_loading,
                        size_t non_allocated)
{
    size_t found[3] = {7, 7, 7};

    starpu_st_non_ready_buffers_size(&task, worker, &found[0], &found[1],
                                     &found[2]);
    assert_int_equal(found[0], non_ready);
    assert_int_equal(found[1], non_loading);
    assert_int_equal(found[2], non_allocated);
}

static void bytes_lack_by_what_the_memory_has(void **state)
{
    const size_t all = sizeof(content[0]);

    (void)state;
    assert_lack(task_on(data.here, STARPU_RW), GPU, 0, 0, 0);
    assert_lack(task_on(data.stale, STARPU_R), GPU, 20, 20, 0);
    assert_lack(task_on(data.coming, STARPU_R), GPU, all, 0, 0);
    assert_lack(task_on(data.away, STARPU_R), GPU, 4000, 4000, 4000);
    assert_lack(task_on(data.away, STARPU_R), CPU, 0, 0, 0);
    /* What is written alone needs a buffer. */
    assert_lack(task_on(data.stale, STARPU_W), GPU, 0, 0, 0);
    assert_lack(task_on(data.away, STARPU_W), GPU, 0, 0, 4000);
    assert_lack(task_on(data.away, STARPU_SCRATCH), GPU, 0, 0, 0);
    assert_lack(task_on(data.away, STARPU_REDUX), GPU, 0, 0, 0);
}

static void bytes_of_all_data_are_added(void **state)
{
    struct starpu_task task = task_on(data.here, STARPU_R);

    (void)state;
    task.nbuffers = 3;
    task.handles[1] = data.stale;
    task.modes[1] = STARPU_RW;
    task.handles[2] = data.away;
    task.modes[2] = STARPU_W;
    assert_lack(task, GPU, 20, 20, 4000);
    assert_int_equal(starpu_st_non_ready_buffers_count(&task, GPU), 2);
    assert_int_equal(starpu_st_non_ready_buffers_count(&task, CPU), 0);
    task.modes[2] = STARPU_SCRATCH;
    assert_int_equal(starpu_st_non_ready_buffers_count(&task, GPU), 1);
}

static void data_of_other_nodes_are_asked_for_there(void **state)
{
    struct starpu_codelet cl = any;
    struct starpu_task task = task_on(data.away, STARPU_R);

    (void)state;
    task.cl = &cl;
    cl.specific_nodes = task.specific_nodes = 1;
    task.nodes[0] = STARPU_SPECIFIC_NODE_CPU;
    assert_lack(task, GPU, 0, 0, 0);
    task.nodes[0] = STARPU_SPECIFIC_NODE_NONE;
    assert_lack(task, GPU, 0, 0, 0);
    task.nodes[0] = STARPU_SPECIFIC_NODE_LOCAL;
    assert_lack(task, GPU, 4000, 4000, 4000);
    task.nodes[0] = 1;
    assert_lack(task, CPU, 4000, 4000, 4000);
}

static void assert_best(struct starpu_task *tasks, unsigned count,
                        bool any_priority, unsigned expected)
{
    for (unsigned i = 0; i + 1 < count; i++)
        tasks[i].next = &tasks[i + 1];
    tasks[count - 1].next = NULL;
    assert_ptr_equal(sp_ready_best(tasks, GPU, any_priority), &tasks[expected]);
}

/* Less to read; of as much, less to load; then fewer buffers; then the first.
 */
static void the_best_task_lacks_the_fewest_bytes(void **state)
{
    struct starpu_task more_to_read[] = {
        task_on(data.away, STARPU_R), task_on(data.stale, STARPU_R),
        task_on(data.stale, STARPU_R), task_on(data.coming, STARPU_R)};
    struct starpu_task more_to_load[] = {task_on(data.large, STARPU_R),
                                         task_on(data.coming, STARPU_R),
                                         task_on(data.coming, STARPU_R)};
    struct starpu_task more_buffers[] = {task_on(data.away, STARPU_W),
                                         task_on(data.here, STARPU_W)};

    (void)state;
    assert_best(more_to_read, 4, false, 1);
    assert_best(more_to_load, 3, false, 1);
    assert_best(more_buffers, 2, false, 1);
}

static void a_lower_priority_than_the_first_is_left_out(void **state)
{
    struct starpu_task tasks[] = {task_on(data.away, STARPU_R),
                                  task_on(data.here, STARPU_R),
                                  task_on(data.stale, STARPU_R)};

    (void)state;
    tasks[0].priority = tasks[2].priority = 1;
    assert_best(tasks, 3, false, 2);
    assert_best(tasks, 3, true, 1);
}

/* Unless the search ends at a task that lacks nothing. */
static void among_all_priorities_the_highest_of_the_best_wins(void **state)
{
    struct starpu_task tasks[] = {task_on(data.stale, STARPU_R),
                                  task_on(data.stale, STARPU_R),
                                  task_on(data.stale, STARPU_R)};

    (void)state;
    tasks[1].priority = tasks[2].priority = 1;
    assert_best(tasks, 3, true, 1);
    for (unsigned i = 0; i < 3; i++)
        tasks[i].handles[0] = data.here;
    assert_best(tasks, 3, true, 0);
    /* Nothing is to be read for the first one either. */
    tasks[0] = task_on(data.away, STARPU_W);
    tasks[1].priority = 0;
    assert_best(tasks, 3, true, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

ORR_TESTS(starpu_ready)
{
    const struct CMUnitTest tests[] = {
        TEST(bytes_lack_by_what_the_memory_has),
        TEST(bytes_of_all_data_are_added),
        TEST(data_of_other_nodes_are_asked_for_there),
        TEST(the_best_task_lacks_the_fewest_bytes),
        TEST(a_lower_priority_than_the_first_is_left_out),
        TEST(among_all_priorities_the_highest_of_the_best_wins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many tasks a GPU worker holds. 4 MB cross to the GPU in 410 us; nothing
 * else but kernels takes time. */
#include "runtime/lockstep/lockstep.h"
#include "runtime/worker/worker.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define BYTES 4000000
#define LONG (1000000 * US)

static struct unit_run *begin_with(const char *sched, int cpus,
                                   const char *models, int depth)
{
    struct orr_config config = unit_config(sched, cpus, 1);

    config.models = models;
    config.pipeline = depth;
    return unit_run_new("three-gpus.xml", &config);
}

static struct unit_run *begin(const char *sched, int cpus, int depth)
{
    return begin_with(sched, cpus, "overheads=off", depth);
}

/* Submits a task that takes so many us on the GPU and reads @data; NULL: none.
 */
static void submit(struct unit_run *unit, struct orr_kernel *kernel, int64_t us,
                   struct orr_data *data)
{
    const struct orr_task_times times = {ORR_TASK_TIMES_INIT, .cpu_ns = LONG,
                                         .gpu_ns = us * US};
    const struct orr_access access = {data, ORR_R};
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,    .kernel = kernel,    .times = &times,
        .count = data != NULL, .accesses = &access,
    };

    orr_task_submit(unit->run, &spec);
}

/* As begin(), with a CPU that could run the tasks, so that none is sent ahead
 * to the only memory where it can run, but that is busy. */
static struct unit_run *begin_beside_cpu(const char *models, int depth)
{
    struct unit_run *unit = begin_with("eager", 1, models, depth);
    const struct orr_task_times times = {ORR_TASK_TIMES_INIT, .cpu_ns = LONG};
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .times = &times,
                                 .kernel =
                                     orr_kernel_new(unit->run, "busy", NULL)};

    orr_task_submit(unit->run, &spec);
    return unit;
}

/* When the last task of the GPU has ended. */
static int64_t end(struct unit_run *unit)
{
    int64_t last = 0;

    unit_wait(unit);
    for (unsigned i = 0; i < unit->tasks->len; i++) {
        if (unit_task(unit, i)->memory_node > 0)
            last = unit_task(unit, i)->ended;
    }
    unit_run_free(unit);
    return last;
}

/* Kernels of 1000, 10 and 10 us. The data of the third task are fetched when
 * the worker takes it: at 0, when the first task has ended, or the second. */
static void data_are_fetched_as_many_tasks_ahead(void **state)
{
    static const int64_t ends[] = {1430, 1430, 1420, 1020, 1020};

    (void)state;
    for (int depth = 0; depth <= ORR_MAX_PIPELINE; depth++) {
        struct unit_run *unit = begin_beside_cpu("overheads=off", depth);
        struct orr_kernel *kernel = orr_kernel_new(unit->run, "own", NULL);

        submit(unit, kernel, 1000, NULL);
        submit(unit, kernel, 10, NULL);
        submit(unit, kernel, 10, orr_data_register(unit->run, BYTES));
        assert_int_equal(end(unit), ends[depth] * US);
    }
}

static void tasks_end_in_the_order_in_which_they_were_taken(void **state)
{
    (void)state;
    for (int depth = 0; depth <= ORR_MAX_PIPELINE; depth++) {
        struct unit_run *unit = begin("eager", 0, depth);
        struct orr_kernel *kernel = orr_kernel_new(unit->run, "own", NULL);

        for (unsigned i = 0; i < 9; i++)
            submit(unit, kernel, 100, NULL);
        unit_wait(unit);
        for (unsigned i = 0; i < 9; i++) {
            assert_int_equal(unit_task(unit, i)->order, i);
            assert_int_equal(unit_task(unit, i)->ended, 100 * US * (i + 1));
        }
        unit_run_free(unit);
    }
}

/* Kernels of 1000, 10, 10 and 10 us, the third synchronous: it starts when the
 * pipeline is empty, and the fourth task is taken when it has ended. */
static void a_synchronous_kernel_drains_the_pipeline(void **state)
{
    (void)state;
    for (int depth = 3; depth <= ORR_MAX_PIPELINE; depth++) {
        struct unit_run *unit = begin_beside_cpu("overheads=off", depth);
        struct orr_kernel *kernel = orr_kernel_new(unit->run, "own", NULL);
        struct orr_kernel *panel = orr_kernel_new(unit->run, "panel", NULL);

        orr_kernel_set_synchronous(panel);
        submit(unit, kernel, 1000, NULL);
        submit(unit, kernel, 10, NULL);
        submit(unit, panel, 10, NULL);
        submit(unit, kernel, 10, orr_data_register(unit->run, BYTES));
        assert_int_equal(end(unit), 1440 * US);
    }
}

/* The second task of the GPU is ready at 100 us, when a task of the CPU has
 * written its datum, and dmda prefetches it. A driver that waits for the first
 * kernel, until 1000 us, does not issue the copy. */
static void with_0_the_driver_waits_for_its_kernel(void **state)
{
    static const int64_t ends[] = {1420, 1010, 1010};

    (void)state;
    for (int depth = 0; depth <= 2; depth++) {
        struct unit_run *unit = begin("dmda", 1, depth);
        struct orr_kernel *kernel = orr_kernel_new(unit->run, "own", NULL);
        struct orr_data *data = orr_data_register(unit->run, BYTES);
        const struct orr_access write = {data, ORR_W};
        const struct orr_task_times times = {ORR_TASK_TIMES_INIT,
                                             .cpu_ns = 100 * US};
        struct orr_task_spec writer = {ORR_TASK_SPEC_INIT, .kernel = kernel,
                                       .times = &times, .count = 1,
                                       .accesses = &write};

        orr_task_submit(unit->run, &writer);
        submit(unit, kernel, 1000, NULL);
        submit(unit, kernel, 10, data);
        assert_int_equal(end(unit), ends[depth] * US);
    }
}

/* As in the reference: the driver does not wait for a kernel that starts at
 * once, so its task ends before it. */
static void with_0_in_exact_runs_kernels_that_start_at_once_detach(void **state)
{
    static const int64_t ends[] = {0, 200, 200};
    struct orr_kernel *kernel;
    struct unit_run *unit;

    (void)state;
    if (!orr_turns_lockstep)
        skip();
    unit = begin_with("eager", 0, "overheads=off,quirks=exact", 0);
    kernel = orr_kernel_new(unit->run, "own", NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(ends); i++)
        submit(unit, kernel, 100, NULL);
    unit_wait(unit);
    for (unsigned i = 0; i < G_N_ELEMENTS(ends); i++) {
        assert_int_equal(unit_task(unit, i)->ended, ends[i] * US);
        assert_int_equal(unit_task(unit, i)->kernel_started, 100 * US * i);
        assert_int_equal(unit_task(unit, i)->kernel_ended, 100 * US * (i + 1));
    }
    unit_run_free(unit);
}

/* How long after its kernel the third of three tasks of 20 us ends, while the
 * driver allocates a buffer for the fourth, in 175 us, and copies 8 MB, in 810
 * us. */
static int64_t delay_of_third(const char *models)
{
    struct unit_run *unit = begin_beside_cpu(models, 4);
    struct orr_kernel *kernel = orr_kernel_new(unit->run, "own", NULL);
    int64_t delay;

    for (unsigned i = 0; i < 3; i++)
        submit(unit, kernel, 20, NULL);
    submit(unit, kernel, 20, orr_data_register(unit->run, (uint64_t)2 * BYTES));
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 2)->order, 3);
    delay = unit_task(unit, 2)->ended - unit_task(unit, 2)->kernel_ended;
    unit_run_free(unit);
    return delay;
}

static void only_in_exact_runs_ends_are_overlooked(void **state)
{
    (void)state;
    assert_in_range(delay_of_third("quirks=on"), 100 * US, 200 * US);
    if (orr_turns_lockstep)
        assert_in_range(delay_of_third("quirks=exact"), 900 * US, 1100 * US);
}

ORR_TESTS(pipeline)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_are_fetched_as_many_tasks_ahead),
        cmocka_unit_test(tasks_end_in_the_order_in_which_they_were_taken),
        cmocka_unit_test(a_synchronous_kernel_drains_the_pipeline),
        cmocka_unit_test(with_0_the_driver_waits_for_its_kernel),
        cmocka_unit_test(
            with_0_in_exact_runs_kernels_that_start_at_once_detach),
        cmocka_unit_test(only_in_exact_runs_ends_are_overlooked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Small runs on attila whose dates were measured on the reference (StarPU
 * over SimGrid): kernels of 1000 us, data of 3,686,400 bytes. Most follow
 * from a few figures:
 *
 *     push and submit          1 us each, so task i is ready at 1 + 2 i
 *     a turn of a GPU's driver 2 us (of a CPU's: 1 us)
 *     fetch                    1 us a buffer
 *     allocate a chunk         175 us, once for 9 buffers
 *     queue a copy, a kernel   10 us each
 *     start of a stream        1 us, once
 *     copy from RAM to CUDA0   9 us + 3,686,400 / 6008.66 us = 622.515 us
 */
#include "runtime/config/run_config.h"
#include "runtime/orrery.h"
#include "tests/support/unit_run.h"

#define BYTES 3686400
#define COPY ((int64_t)622515)
#define KERNEL ((int64_t)1000000)

/* Where sharing of links decides, the reference's figures have one decimal. */
#define DECIMAL 100

enum { ASYNC, SYNC };

static struct unit_run *attila(const char *sched, int cpus, int gpus)
{
    struct orr_config config;

    orr_config_init(&config);
    config.sched = sched;
    config.cpus = cpus;
    config.gpus = gpus;
    return unit_run_new("attila-unit.xml", &config);
}

/* Waits; the tasks must have ended at these dates, ns, and the run with them.
 */
static void assert_ends(struct unit_run *unit, const int64_t *ends,
                        unsigned count)
{
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, count);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(unit_task(unit, i)->ended, ends[i]);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, ends[count - 1]);
    unit_run_free(unit);
}

#define ASSERT_ENDS(unit, ...)                                                 \
    assert_ends(unit, (const int64_t[]){__VA_ARGS__},                          \
                sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void submit_bare(struct unit_run *unit, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        unit_submit_bare(unit);
}

static void submit_independent(struct unit_run *unit, unsigned count,
                               enum orr_access_mode mode, uint64_t bytes)
{
    struct orr_data *data[9];

    for (unsigned i = 0; i < count; i++)
        data[i] = orr_data_register(unit->run, bytes);
    for (unsigned i = 0; i < count; i++)
        unit_submit(unit, data[i], mode);
}

static void submit_chain(struct unit_run *unit, unsigned count)
{
    struct orr_data *data = orr_data_register(unit->run, BYTES);

    for (unsigned i = 0; i < count; i++)
        unit_submit(unit, data, ORR_RW);
}

/* Six tasks that read one datum and update one each. */
static void submit_common(struct unit_run *unit)
{
    struct orr_data *read = orr_data_register(unit->run, BYTES);
    struct orr_data *own[6];

    for (unsigned i = 0; i < 6; i++)
        own[i] = orr_data_register(unit->run, BYTES);
    for (unsigned i = 0; i < 6; i++)
        unit_submit_pair(unit, read, own[i]);
}

static void one_cpu_spends_a_us_between_bare_tasks(void **state)
{
    struct unit_run *unit = attila("eager", 1, 0);

    (void)state;
    submit_bare(unit, 3);
    /* push 1, turn 1; then a turn each */
    ASSERT_ENDS(unit, 1002000, 2003000, 3004000);
}

static void one_cpu_spends_another_us_on_a_buffer(void **state)
{
    struct unit_run *unit = attila("eager", 1, 0);

    (void)state;
    submit_independent(unit, 3, ORR_RW, BYTES);
    ASSERT_ENDS(unit, 1003000, 2005000, 3007000);
}

static void one_gpu_hides_its_overheads_behind_kernels(void **state)
{
    struct unit_run *unit = attila("eager", 0, 1);

    (void)state;
    submit_bare(unit, 4);
    /* push 1, turn 2, queue 10 */
    ASSERT_ENDS(unit, 1013000, 2013000, 3013000, 4013000);
}

static void one_gpu_hides_copies_behind_kernels(void **state)
{
    struct unit_run *unit = attila("eager", 0, 1);
    /* push 1, turn 2, fetch 1, turn 2, chunk 175, queue 10, stream 1, the
     * copy, turn 2, queue 10 */
    int64_t begin = 204000 + COPY;

    (void)state;
    submit_independent(unit, 4, ORR_RW, BYTES);
    ASSERT_ENDS(unit, begin + KERNEL, begin + 2 * KERNEL, begin + 3 * KERNEL,
                begin + 4 * KERNEL);
}

static void a_chain_on_one_gpu_takes_14_us_from_task_to_task(void **state)
{
    struct unit_run *unit = attila("eager", 0, 1);
    int64_t first = 204000 + COPY + KERNEL;
    int64_t period = KERNEL + 14000; /* push 1, turn 2, fetch 1, queue 10 */

    (void)state;
    submit_chain(unit, 4);
    ASSERT_ENDS(unit, first, first + period, first + 2 * period,
                first + 3 * period);
}

static void a_synchronous_chain_takes_4_us_from_task_to_task(void **state)
{
    struct unit_run *unit = attila("eager", 0, 1);
    int64_t first = 194000 + COPY + KERNEL; /* not queued: 10 less */
    int64_t period = KERNEL + 4000;         /* push 1, turn 2, fetch 1 */

    (void)state;
    orr_kernel_set_synchronous(unit->unit);
    submit_chain(unit, 3);
    ASSERT_ENDS(unit, first, first + period, first + 2 * period);
}

static void nothing_overlaps_with_synchronous_kernels(void **state)
{
    struct unit_run *unit = attila("eager", 0, 1);
    int64_t first = 194000 + COPY + KERNEL;
    /* turn 2, fetch 1, turn 2, queue 10, the copy, turn 2 */
    int64_t period = 17000 + COPY + KERNEL;

    (void)state;
    orr_kernel_set_synchronous(unit->unit);
    submit_independent(unit, 4, ORR_RW, BYTES);
    ASSERT_ENDS(unit, first, first + period, first + 2 * period,
                first + 3 * period);
}

static void written_data_cost_their_allocation_only(void **state)
{
    struct unit_run *unit = attila("eager", 0, 1);

    (void)state;
    submit_independent(unit, 4, ORR_W, BYTES);
    /* push 1, turn 2, fetch 1, turn 2, chunk 175, queue 10 */
    ASSERT_ENDS(unit, 1191000, 2191000, 3191000, 4191000);
}

static void prefetches_are_queued_before_the_first_kernel(void **state)
{
    struct unit_run *unit = attila("dmda", 0, 1);
    /* push 1, turn 2, chunk 175, queue 10, stream 1, the copy, turn 2, queue
     * the third copy 10, queue the kernel 10 */
    int64_t begin = 211000 + COPY;

    (void)state;
    submit_independent(unit, 4, ORR_RW, BYTES);
    ASSERT_ENDS(unit, begin + KERNEL, begin + 2 * KERNEL, begin + 3 * KERNEL,
                begin + 4 * KERNEL);
}

static void large_prefetches_allocate_before_the_kernel_too(void **state)
{
    struct unit_run *unit = attila("dmda", 0, 1);
    int64_t copy = 3337529; /* 9 us and 20 MB at 6008.66 MB/s */
    int64_t arrival = 189000 + copy;

    (void)state;
    submit_independent(unit, 4, ORR_RW, 20000000);
    /* After each of the first two arrivals: turn 2, allocation 175, queue a
     * copy 10, queue the kernel 10; after the others no more copy. */
    ASSERT_ENDS(unit, arrival + 197000 + KERNEL,
                arrival + copy + 197000 + KERNEL,
                arrival + 2 * copy + 12000 + KERNEL,
                arrival + 3 * copy + 12000 + KERNEL);
}

/* As assert_ends(), for the workers from @first to @last, within a decimal. */
static void assert_near(struct unit_run *unit, unsigned first, unsigned last,
                        const double *ends_us, unsigned count)
{
    unsigned seen = 0;

    for (unsigned i = 0; i < unit->tasks->len; i++) {
        const struct orr_trace_task *task = unit_task(unit, i);
        double end_ns = seen < count ? ends_us[seen] * 1000 : 0;

        if (task->worker < first || task->worker > last)
            continue;
        assert_in_range(task->ended, end_ns - DECIMAL, end_ns + DECIMAL);
        seen++;
    }
    assert_int_equal(seen, count);
}

static void three_gpus_share_the_host_link(void **state)
{
    struct unit_run *unit = attila("eager", 0, 3);
    const double ends_us[] = {4139.7, 4587.4, 5166.5, 5782.4, 6088.6, 6388.5};

    (void)state;
    submit_common(unit);
    unit_wait(unit);
    assert_near(unit, 0, 2, ends_us, 6);
    unit_run_free(unit);
}

static void dmda_leaves_the_slow_gpu_alone(void **state)
{
    struct unit_run *unit = attila("dmda", 0, 3);
    const double ends_us[] = {3489.5, 3830.0, 4716.6, 5057.0, 5716.6, 6716.6};

    (void)state;
    submit_common(unit);
    unit_wait(unit);
    assert_near(unit, 0, 1, ends_us, 6);
    unit_run_free(unit);
}

static void cpus_take_what_gpus_leave(void **state)
{
    struct unit_run *unit = attila("eager", 9, 3);
    const double ends_us[] = {4139.7, 4445.8, 4677.5};

    (void)state;
    submit_common(unit);
    unit_wait(unit);
    assert_near(unit, 0, 2, ends_us, 3);
    for (unsigned i = 0; i < 3; i++) { /* 1010, 1011, 1013: a race of 1 us */
        assert_in_range(unit_task(unit, i)->worker, 3, 11);
        assert_in_range(unit_task(unit, i)->ended, 1009500, 1014500);
    }
    unit_run_free(unit);
}

ORR_TESTS(run_measured)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cpu_spends_a_us_between_bare_tasks),
        cmocka_unit_test(one_cpu_spends_another_us_on_a_buffer),
        cmocka_unit_test(one_gpu_hides_its_overheads_behind_kernels),
        cmocka_unit_test(one_gpu_hides_copies_behind_kernels),
        cmocka_unit_test(a_chain_on_one_gpu_takes_14_us_from_task_to_task),
        cmocka_unit_test(a_synchronous_chain_takes_4_us_from_task_to_task),
        cmocka_unit_test(nothing_overlaps_with_synchronous_kernels),
        cmocka_unit_test(written_data_cost_their_allocation_only),
        cmocka_unit_test(prefetches_are_queued_before_the_first_kernel),
        cmocka_unit_test(large_prefetches_allocate_before_the_kernel_too),
        cmocka_unit_test(three_gpus_share_the_host_link),
        cmocka_unit_test(dmda_leaves_the_slow_gpu_alone),
        cmocka_unit_test(cpus_take_what_gpus_leave),
    };

    return cmocka_run_group_tests_name("run_measured", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Data that have no content until they are written. */
#include "runtime/config/run_config.h"
#include "runtime/recording.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define MS (1000 * US)
#define COPY (410 * US) /* 4 MB */
#define BYTES 4000000

static struct unit_run *make(int cpus, int gpus, const char *models)
{
    struct orr_config config = unit_config("eager", cpus, gpus);

    config.models = models;
    return unit_run_new("three-gpus.xml", &config);
}

/* A task of 1 ms on this worker. */
static void submit_on(struct unit_run *unit, unsigned worker,
                      struct orr_data *data, enum orr_access_mode mode)
{
    const struct orr_access access = {data, mode};
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                       .count = 1,         .accesses = &access,
                                       .worker_count = 1,  .workers = &worker};

    orr_task_submit(unit->run, &spec);
}

static void unregister(struct unit_run *unit, struct orr_data *data)
{
    g_autoptr(GError) error = NULL;

    if (!orr_data_unregister(unit->run, data, &error))
        fail_msg("%s", error->message);
}

static void check_refused(struct unit_run *unit, const char *expected)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    assert_non_null(strstr(error->message, expected));
    unit_run_free(unit);
}

/* Written on one GPU, read on another, and not copied home. */
static void it_lives_in_the_memories_of_gpus(void **state)
{
    struct unit_run *unit = make(0, 2, "overheads=off");
    struct orr_data *data = orr_data_register_temporary(unit->run, BYTES);

    (void)state;
    assert_int_equal(data->valid | data->allocated, 0);
    submit_on(unit, 0, data, ORR_W);
    submit_on(unit, 1, data, ORR_R);
    unregister(unit, data);
    assert_int_equal(unit->copies->len, 1);
    assert_string_equal(unit_copy(unit, 0)->from, "CUDA0");
    assert_int_equal(unit->run->engine.now, 2 * MS + COPY);
    unit_run_free(unit);
}

/* Its place in host memory, 4 MB of a chunk of 32 MiB, is pinned when it is
 * copied there: 650 us for each MiB. The next one of its size has its place. */
static void host_memory_is_pinned_for_it(void **state)
{
    struct unit_run *unit = make(1, 1, "overheads=on");
    const orr_time pin = (orr_time)32 * 650 * US;
    orr_time waits[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct orr_data *data = orr_data_register_temporary(unit->run, BYTES);

        submit_on(unit, 0, data, ORR_W);
        submit_on(unit, 1, data, ORR_R);
        unit_wait(unit);
        waits[i] = unit_task(unit, 2 * i + 1)->kernel_started -
                   unit_task(unit, 2 * i)->ended;
        unregister(unit, data);
    }
    assert_int_equal(unit->copies->len, 2);
    /* the second request finds the driver a microsecond earlier */
    assert_int_equal(waits[0] - waits[1], pin + US);
    unit_run_free(unit);
}

/* The split takes no task: the first half is written at once, and is all that
 * the join brings to RAM. A part that no task wrote has no content. */
static void parts_of_it_are_temporary(void **state)
{
    const struct orr_part halves[] = {{BYTES / 2, 1, BYTES / 2},
                                      {BYTES / 2, 1, BYTES / 2}};
    struct unit_run *unit = make(1, 1, "overheads=off");
    struct orr_data *data = orr_data_register_temporary(unit->run, BYTES);
    struct orr_partition *partition =
        orr_partition_new_parts(unit->run, data, halves, 2);

    (void)state;
    orr_partition_split(partition);
    submit_on(unit, 0, orr_partition_part(partition, 0, 0), ORR_W);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 0)->ended, MS);
    orr_partition_join(partition);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    assert_int_equal(unit_copy(unit, 0)->bytes, BYTES / 2);
    assert_int_equal(data->valid, 1);
    orr_partition_split(partition);
    submit_on(unit, 1, orr_partition_part(partition, 1, 0), ORR_R);
    unit_wait(unit);
    unit_run_free(unit);
}

static void a_part_that_no_task_wrote_cannot_be_read(void **state)
{
    const struct orr_part part = {BYTES, 1, BYTES};
    struct unit_run *unit = make(1, 1, "overheads=off");
    struct orr_data *data = orr_data_register_temporary(unit->run, BYTES);
    struct orr_partition *partition =
        orr_partition_new_parts(unit->run, data, &part, 1);
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_partition_split(partition);
    submit_on(unit, 0, orr_partition_part(partition, 0, 0), ORR_R);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message,
                        "task 0 (unit): A(0,0) has no content that could be "
                        "read: no task writes it before");
    unit_run_free(unit);
}

/* A CPU that writes it waits for the same, and copies nothing. */
static void a_writer_on_a_cpu_needs_room(void **state)
{
    struct unit_run *unit = make(1, 1, "overheads=on");
    struct orr_data *data = orr_data_register_temporary(unit->run, BYTES);
    const struct orr_trace_task *task;

    (void)state;
    submit_on(unit, 1, data, ORR_W);
    unit_wait(unit);
    task = unit_task(unit, 0);
    assert_in_range(task->kernel_started - task->taken, (orr_time)32 * 650 * US,
                    (orr_time)32 * 650 * US + (orr_time)20 * US);
    assert_int_equal(data->valid, 1);
    assert_int_equal(unit->copies->len, 0);
    unit_run_free(unit);
}

static void without_gpus_it_takes_no_time(void **state)
{
    struct unit_run *unit = make(1, 0, "overheads=off");
    struct orr_data *data = orr_data_register_temporary(unit->run, BYTES);

    (void)state;
    submit_on(unit, 0, data, ORR_W);
    submit_on(unit, 0, data, ORR_R);
    unregister(unit, data);
    assert_int_equal(unit->run->engine.now, 2 * MS);
    unit_run_free(unit);
}

/* 64 MiB have room for one of them. */
static void it_is_evicted_to_host_memory(void **state)
{
    struct orr_config config = unit_config("eager", 0, 1);
    struct unit_run *unit;
    struct orr_data *data[2];

    (void)state;
    config.gpu_memory_bytes = 64 << 20;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < 2; i++) {
        data[i] = orr_data_register_temporary(unit->run, 40 << 20);
        submit_on(unit, 0, data[i], ORR_W);
        unit_wait(unit);
    }
    assert_int_equal(unit->evictions->len, 1);
    assert_int_equal(unit->copies->len, 1);
    assert_string_equal(unit_copy(unit, 0)->why, "evict");
    assert_int_equal(data[0]->valid, 1);
    unit_run_free(unit);
}

/* Policies expect no copy, as there is no content. */
static void it_takes_no_time_to_bring_nothing(void **state)
{
    struct unit_run *unit = make(1, 3, "overheads=off");
    struct orr_data *data = orr_data_register_temporary(unit->run, BYTES);

    (void)state;
    submit_on(unit, 0, data, ORR_W);
    for (unsigned node = 0; node < 4; node++)
        assert_int_equal(orr_data_expected_transfer_ns(unit->run, data, node),
                         0);
    unit_wait(unit);
    assert_true(orr_data_expected_transfer_ns(unit->run, data, 0) > 0);
    unit_run_free(unit);
}

/* The hint that it is not used for a while does not send it home. */
static void it_has_no_home(void **state)
{
    struct unit_run *unit = make(0, 1, "overheads=off");
    struct orr_data *data = orr_data_register_temporary(unit->run, BYTES);

    (void)state;
    orr_data_wont_use(unit->run, data);
    submit_on(unit, 0, data, ORR_W);
    orr_data_wont_use(unit->run, data);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 0);
    assert_int_equal(data->valid, 2);
    unit_run_free(unit);
}

static void the_application_may_write_it(void **state)
{
    struct unit_run *unit = make(1, 1, "overheads=off");
    struct orr_data *data = orr_data_register_temporary(unit->run, BYTES);
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_true(orr_data_acquire(unit->run, data, ORR_W, &error));
    orr_data_release(unit->run, data);
    submit_on(unit, 0, data, ORR_R);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    assert_string_equal(unit_copy(unit, 0)->from, "RAM");
    unit_run_free(unit);
}

static void it_is_written_before_it_is_read(void **state)
{
    static const enum orr_access_mode modes[] = {ORR_R, ORR_RW,
                                                 ORR_RW | ORR_COMMUTE};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(modes); i++) {
        struct unit_run *unit = unit_run_on("eager", 1, 1);
        struct orr_data *data = orr_data_register_temporary(unit->run, BYTES);

        orr_data_set_name(data, "work");
        unit_submit(unit, data, modes[i]);
        check_refused(unit, "task 0 (unit): work has no content");
    }
}

static void the_application_reads_no_nothing(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    struct orr_data *data = orr_data_register_temporary(unit->run, BYTES);
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_false(orr_data_acquire(unit->run, data, ORR_R, &error));
    check_refused(unit, "data handle 0 has no content");

    unit = unit_run_on("eager", 1, 1);
    data = orr_data_register_temporary(unit->run, BYTES);
    orr_data_prefetch(unit->run, data, 1);
    check_refused(unit, "data handle 0 has no content");
}

static void wrong_ones_are_refused(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);

    (void)state;
    assert_null(orr_data_register_temporary(unit->run, 0));
    check_refused(unit, "a datum of 0 bytes");
    unit = unit_run_on("eager", 1, 1);
    orr_data_set_reduction(unit->run,
                           orr_data_register_temporary(unit->run, BYTES),
                           unit->unit, NULL);
    check_refused(unit, "temporary data have no reduction");
}

ORR_TESTS(temporary)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_lives_in_the_memories_of_gpus),
        cmocka_unit_test(host_memory_is_pinned_for_it),
        cmocka_unit_test(parts_of_it_are_temporary),
        cmocka_unit_test(a_part_that_no_task_wrote_cannot_be_read),
        cmocka_unit_test(a_writer_on_a_cpu_needs_room),
        cmocka_unit_test(without_gpus_it_takes_no_time),
        cmocka_unit_test(it_is_evicted_to_host_memory),
        cmocka_unit_test(it_takes_no_time_to_bring_nothing),
        cmocka_unit_test(it_has_no_home),
        cmocka_unit_test(the_application_may_write_it),
        cmocka_unit_test(it_is_written_before_it_is_read),
        cmocka_unit_test(the_application_reads_no_nothing),
        cmocka_unit_test(wrong_ones_are_refused),
    };

    return cmocka_run_group_tests_name("temporary", tests, NULL, NULL);
}

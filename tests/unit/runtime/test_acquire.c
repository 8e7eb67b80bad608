/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Data that the application acquires, releases and unregisters. */
#include "runtime/config/run_config.h"
#include "runtime/recording.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define COPY (410 * US) /* 4 MB */

static GArray *uses;

static void note_use(struct orr_trace *trace, const struct orr_trace_use *use)
{
    (void)trace;
    g_array_append_vals(uses, use, 1);
}

static struct unit_run *make(int cpus, int gpus, const char *models)
{
    struct orr_config config = unit_config("eager", cpus, gpus);
    struct unit_run *unit;

    config.models = models;
    unit = unit_run_new("three-gpus.xml", &config);
    unit->run->totals.calls.use = note_use;
    uses = g_array_new(FALSE, FALSE, sizeof(struct orr_trace_use));
    return unit;
}

static void end(struct unit_run *unit)
{
    unit_wait(unit);
    unit_run_free(unit);
    g_array_unref(uses);
}

static const struct orr_trace_use *use(unsigned i)
{
    assert_in_range(i, 0, uses->len - 1);
    return &g_array_index(uses, struct orr_trace_use, i);
}

static void acquire(struct unit_run *unit, struct orr_data *data,
                    enum orr_access_mode mode)
{
    g_autoptr(GError) error = NULL;

    if (!orr_data_acquire(unit->run, data, mode, &error))
        fail_msg("%s", error->message);
}

static void unregister(struct unit_run *unit, struct orr_data *data)
{
    g_autoptr(GError) error = NULL;

    if (!orr_data_unregister(unit->run, data, &error))
        fail_msg("%s", error->message);
}

/* A task of 1 ms on a GPU writes it; then it is copied home. */
static void it_waits_for_the_writer_and_the_copy(void **state)
{
    struct unit_run *unit = make(0, 1, "overheads=off");
    struct orr_data *data = orr_data_register(unit->run, 4000000);

    (void)state;
    unit_submit(unit, data, ORR_W);
    acquire(unit, data, ORR_R);
    assert_int_equal(unit->run->engine.now, 1000 * US + COPY);
    orr_data_release(unit->run, data);
    assert_int_equal(use(0)->asked, 0);
    assert_int_equal(use(0)->acquired, 1000 * US + COPY);
    assert_int_equal(use(0)->released, use(0)->acquired);
    assert_int_equal(use(0)->mode, ORR_R);
    assert_int_equal(unit->copies->len, 1);
    assert_string_equal(unit_copy(unit, 0)->why, "fetch");
    end(unit);
}

/* Nothing is copied for an access that only writes. */
static void a_writer_needs_no_copy(void **state)
{
    struct unit_run *unit = make(0, 1, "overheads=off");
    struct orr_data *data = orr_data_register(unit->run, 4000000);

    (void)state;
    unit_submit(unit, data, ORR_W);
    acquire(unit, data, ORR_W);
    assert_int_equal(unit->run->engine.now, 1000 * US);
    assert_int_equal(data->valid, 1);
    orr_data_release(unit->run, data);
    assert_int_equal(unit->copies->len, 0);
    end(unit);
}

/* With overheads, and nothing to wait for: 2 us to release. To wait for a task
 * on a CPU takes 1 us after its end. */
static void it_takes_the_time_of_internal_tasks(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);
    struct orr_data *data = orr_data_register(unit->run, 4000000);

    (void)state;
    acquire(unit, data, ORR_RW);
    assert_int_equal(unit->run->engine.now, 0);
    orr_data_release(unit->run, data);
    assert_int_equal(unit->run->engine.now, 2 * US);
    unit_submit(unit, data, ORR_RW);
    acquire(unit, data, ORR_RW);
    assert_int_equal(unit->run->engine.now,
                     use(0)->released + unit_task(unit, 0)->ended + 1 * US);
    orr_data_release(unit->run, data);
    end(unit);
}

static void tasks_after_wait_until_it_is_released(void **state)
{
    struct unit_run *unit = make(2, 0, "overheads=off");
    struct orr_data *data = orr_data_register(unit->run, 1000);
    struct orr_data *other = orr_data_register(unit->run, 1000);

    (void)state;
    acquire(unit, data, ORR_R);
    unit_submit(unit, data, ORR_R);
    unit_submit(unit, data, ORR_RW);
    unit_submit(unit, other, ORR_RW);
    acquire(unit, other, ORR_RW);
    assert_int_equal(unit->run->engine.now, 1000 * US);
    assert_int_equal(unit->tasks->len, 2); /* the reader, and the other one */
    orr_data_release(unit->run, data);
    orr_data_release(unit->run, other);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 2)->started, 1000 * US);
    end(unit);
}

/* The writer holds the datum, though nothing orders the two. */
static void unordered_data_are_waited_for_too(void **state)
{
    struct unit_run *unit = make(2, 0, "overheads=off");
    struct orr_data *data = orr_data_register(unit->run, 1000);

    (void)state;
    orr_data_set_unordered(unit->run, data, true);
    unit_submit(unit, data, ORR_RW);
    acquire(unit, data, ORR_RW);
    assert_int_equal(unit->run->engine.now, 1000 * US);
    unit_submit(unit, data, ORR_RW);
    orr_data_release(unit->run, data);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 1)->started, 1000 * US);
    end(unit);
}

/* The next datum of the same size gets the buffer, without a call of the
 * driver; its first one takes some time. */
static void unregistered_data_leave_their_buffers(void **state)
{
    struct unit_run *unit = make(0, 1, NULL);
    struct orr_data *data = orr_data_register(unit->run, 8000000);
    struct orr_data *later = orr_data_register(unit->run, 8000000);
    int64_t first, second;

    (void)state;
    unit_submit(unit, data, ORR_W);
    unregister(unit, data);
    first = unit_task(unit, 0)->kernel_started - unit_task(unit, 0)->taken;
    assert_true(use(0)->unregisters);
    assert_int_equal(unit->copies->len, 1);
    assert_int_equal(unit->evictions->len, 1);
    unit_submit(unit, later, ORR_W);
    unit_wait(unit);
    second = unit_task(unit, 1)->kernel_started - unit_task(unit, 1)->taken;
    assert_int_equal(first - second, unit->run->overheads.gpu_alloc);
    assert_int_equal(orr_run_report(unit->run)->evictions, 0);
    end(unit);
}

/* 1 MiB of memory: buffers of other sizes are freed first. */
static void spare_buffers_make_room(void **state)
{
    struct orr_config config = unit_config("eager", 0, 1);
    struct unit_run *unit;
    struct orr_data *data[2];

    (void)state;
    config.gpu_memory_bytes = 64 << 20;
    unit = unit_run_new("three-gpus.xml", &config);
    data[0] = orr_data_register(unit->run, 40 << 20);
    data[1] = orr_data_register(unit->run, 41 << 20);
    unit_submit(unit, data[0], ORR_W);
    unregister(unit, data[0]);
    unit_submit(unit, data[1], ORR_W);
    unit_wait(unit);
    assert_int_equal(data[1]->valid, 2);
    assert_int_equal(orr_run_report(unit->run)->evictions, 0);
    assert_null(unit->run->store.memories[1].spares);
    unit_run_free(unit);
}

static void check_error(struct unit_run *unit, const char *expected)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    assert_non_null(strstr(error->message, expected));
    unit_run_free(unit);
    g_array_unref(uses);
}

static void wrong_uses_are_errors(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);
    struct orr_data *data = orr_data_register(unit->run, 1000);

    (void)state;
    orr_data_release(unit->run, data);
    check_error(unit, "is released, but the application has not acquired it");

    unit = make(1, 0, NULL);
    data = orr_data_register(unit->run, 1000);
    acquire(unit, data, ORR_R);
    acquire(unit, data, ORR_R);
    assert_false(orr_data_acquire(unit->run, data, ORR_W, NULL));
    check_error(unit, "acquires a datum that it has not released");

    unit = make(1, 0, NULL);
    data = orr_data_register(unit->run, 1000);
    unregister(unit, data);
    unit_submit(unit, data, ORR_R);
    check_error(unit, "access 0: data was unregistered");

    unit = make(1, 0, NULL);
    data = orr_data_register(unit->run, 1000);
    assert_false(orr_data_acquire(unit->run, data, 8, NULL));
    check_error(unit, "with the mode 8");
}

/* A task waits for the application, which waits for all tasks. */
static void a_datum_that_is_kept_hangs_the_run(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);
    struct orr_data *data = orr_data_register(unit->run, 1000);

    (void)state;
    acquire(unit, data, ORR_R);
    unit_wait(unit);
    unit_submit(unit, data, ORR_RW);
    check_error(unit, "the application has acquired data handle 0, and not "
                      "released it");
}

static void it_is_told_what_the_application_waits_for(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    static const uint64_t tag = 7;
    struct orr_access access = {data, ORR_RW};
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .count = 1,         .accesses = &access,
                                 .wait_count = 1,    .wait_tags = &tag};

    (void)state;
    orr_task_submit(unit->run, &spec);
    assert_false(orr_data_acquire(unit->run, data, ORR_R, NULL));
    check_error(unit, "the application waits to use data handle 0");
}

/* Bounds keep the order that an acquisition implies. */
static void graphs_know_the_order(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    struct orr_workload *workload;

    (void)state;
    orr_run_record(unit->run, UINT64_MAX);
    unit_submit(unit, data, ORR_R);
    acquire(unit, data, ORR_W);
    orr_data_release(unit->run, data);
    unit_submit(unit, data, ORR_R);
    unregister(unit, data);
    workload = orr_run_workload(unit->run);
    assert_int_equal(workload->task_count, 4);
    assert_int_equal(workload->first_predecessor[4], 3);
    orr_workload_free(workload);
    unit_run_free(unit);
    g_array_unref(uses);
}

ORR_TESTS(acquire)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_waits_for_the_writer_and_the_copy),
        cmocka_unit_test(a_writer_needs_no_copy),
        cmocka_unit_test(it_takes_the_time_of_internal_tasks),
        cmocka_unit_test(tasks_after_wait_until_it_is_released),
        cmocka_unit_test(unordered_data_are_waited_for_too),
        cmocka_unit_test(unregistered_data_leave_their_buffers),
        cmocka_unit_test(spare_buffers_make_room),
        cmocka_unit_test(wrong_uses_are_errors),
        cmocka_unit_test(a_datum_that_is_kept_hangs_the_run),
        cmocka_unit_test(it_is_told_what_the_application_waits_for),
        cmocka_unit_test(graphs_know_the_order),
    };

    return cmocka_run_group_tests_name("acquire", tests, NULL, NULL);
}

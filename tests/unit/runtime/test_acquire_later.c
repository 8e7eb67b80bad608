/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Data that the application acquires without waiting, or not in RAM, and data
 * of which the content is dropped. */
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

/* What a callback did. */
struct called {
    struct unit_run *unit;
    struct orr_data *data;
    struct orr_data *next; /* acquired in the callback, too; NULL: none */
    enum orr_access_mode submits; /* a task that accesses @data so; 0: none */
    bool keeps;                   /* it does not release @data */
    unsigned count;
    orr_time date;
};

static void acquire_later(struct called *called, enum orr_access_mode mode,
                          int node);

static void call(struct orr_run *run, void *data)
{
    struct called *called = data;

    called->count++;
    called->date = orr_run_now(run);
    if (called->submits)
        unit_submit(called->unit, called->data, called->submits);
    if (!called->keeps)
        orr_data_release(run, called->data);
    if (called->next) {
        called->data = called->next;
        called->next = NULL;
        acquire_later(called, ORR_RW, 0);
    }
}

static void acquire_later(struct called *called, enum orr_access_mode mode,
                          int node)
{
    const struct orr_acquire how = {ORR_ACQUIRE_INIT, .mode = mode,
                                    .node = node, .callback = {call, called}};

    orr_data_acquire_later(called->unit->run, called->data, &how);
}

static void acquire_as(struct unit_run *unit, struct orr_data *data,
                       enum orr_access_mode mode, int node)
{
    const struct orr_acquire how = {ORR_ACQUIRE_INIT, .mode = mode,
                                    .node = node};
    g_autoptr(GError) error = NULL;

    if (!orr_data_acquire_as(unit->run, data, &how, &error))
        fail_msg("%s", error->message);
}

static void check_refused(struct unit_run *unit, const char *expected)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    if (!strstr(error->message, expected))
        fail_msg("%s", error->message);
    unit_run_free(unit);
}

/* A task of 1 ms on a GPU writes the datum; then it is copied home. */
static void the_callback_comes_with_the_content(void **state)
{
    struct unit_run *unit = make(0, 1, "overheads=off");
    struct called called = {.unit = unit,
                            .data = orr_data_register(unit->run, BYTES)};

    (void)state;
    unit_submit(unit, called.data, ORR_W);
    acquire_later(&called, ORR_R, 0);
    assert_int_equal(orr_run_now(unit->run), 0);
    assert_int_equal(called.count, 0);
    unit_wait(unit);
    assert_int_equal(called.count, 1);
    assert_int_equal(called.date, MS + COPY);
    unit_run_free(unit);
}

/* With overheads: at once, and 2 us to release, if there is nothing to await.
 * After a task that ends, 1 us. */
static void it_takes_the_time_of_internal_tasks(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);
    struct called called = {.unit = unit,
                            .data = orr_data_register(unit->run, BYTES)};

    (void)state;
    acquire_later(&called, ORR_RW, 0);
    assert_int_equal(called.date, 0);
    assert_int_equal(orr_run_now(unit->run), 2 * US);
    unit_submit(unit, called.data, ORR_RW);
    acquire_later(&called, ORR_RW, 0);
    unit_wait(unit);
    assert_int_equal(called.count, 2);
    assert_int_equal(called.date, unit_task(unit, 0)->ended + US);
    unit_run_free(unit);
}

/* The reader that was submitted before the callback waits for the release, and
 * the writer of the callback for the reader. */
static void later_tasks_wait_for_the_release(void **state)
{
    struct unit_run *unit = make(2, 0, "overheads=off");
    struct called called = {.unit = unit,
                            .data = orr_data_register(unit->run, BYTES)};

    (void)state;
    called.submits = ORR_RW;
    unit_submit(unit, called.data, ORR_RW);
    acquire_later(&called, ORR_RW, 0);
    unit_submit(unit, called.data, ORR_R);
    unit_wait(unit);
    assert_int_equal(called.date, MS);
    assert_int_equal(unit_task(unit, 1)->started, MS);
    assert_string_equal(unit_task(unit, 1)->name, "unit");
    assert_int_equal(unit_task(unit, 2)->started, 2 * MS);
    assert_int_equal(unit->tasks->len, 3);
    unit_run_free(unit);
}

/* Without a release, tasks after it wait until the application releases it. */
static void the_release_may_come_later(void **state)
{
    struct unit_run *unit = make(1, 0, "overheads=off");
    struct called called = {.unit = unit,
                            .data = orr_data_register(unit->run, BYTES)};

    (void)state;
    called.keeps = true;
    unit_submit(unit, called.data, ORR_RW);
    acquire_later(&called, ORR_RW, 0);
    unit_wait(unit);
    assert_int_equal(called.count, 1);
    unit_submit(unit, called.data, ORR_RW);
    assert_true(orr_run_sleep(unit->run, 4 * MS, NULL));
    assert_int_equal(unit->tasks->len, 1);
    orr_data_release(unit->run, called.data);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 1)->started, 5 * MS);
    unit_run_free(unit);
}

/* The second datum is written until 2 ms. */
static void a_callback_may_acquire_more(void **state)
{
    struct unit_run *unit = make(1, 0, "overheads=off");
    struct called called = {.unit = unit,
                            .data = orr_data_register(unit->run, BYTES)};

    (void)state;
    called.next = orr_data_register(unit->run, BYTES);
    unit_submit(unit, called.data, ORR_RW);
    unit_submit(unit, called.next, ORR_RW);
    acquire_later(&called, ORR_RW, 0);
    unit_wait(unit);
    assert_int_equal(called.count, 2);
    assert_int_equal(called.date, 2 * MS);
    unit_run_free(unit);
}

/* An access without an order goes first, though a task waits for its turn. */
static void it_may_be_unordered(void **state)
{
    static const uint64_t tag = 7;
    struct unit_run *unit = make(1, 0, "overheads=off");
    struct called called = {.unit = unit,
                            .data = orr_data_register(unit->run, BYTES)};
    const struct orr_acquire how = {ORR_ACQUIRE_INIT, .mode = ORR_RW,
                                    .unordered = true,
                                    .callback = {call, &called}};
    const struct orr_access access = {called.data, ORR_RW};
    const struct orr_task_spec waits = {
        ORR_TASK_SPEC_INIT,  .kernel = unit->unit, .count = 1,
        .accesses = &access, .wait_count = 1,      .wait_tags = &tag};
    const struct orr_task_spec first = {ORR_TASK_SPEC_INIT,
                                        .kernel = unit->unit, .tag = tag};

    (void)state;
    orr_task_submit(unit->run, &waits);
    orr_data_acquire_later(unit->run, called.data, &how);
    assert_int_equal(called.count, 1);
    orr_task_submit(unit->run, &first);
    unit_wait(unit);
    unit_run_free(unit);
}

static void it_may_come_to_a_gpu(void **state)
{
    struct unit_run *unit = make(1, 2, "overheads=off");
    struct orr_data *data = orr_data_register(unit->run, BYTES);

    (void)state;
    acquire_as(unit, data, ORR_R, 2);
    assert_int_equal(orr_run_now(unit->run), COPY);
    assert_int_equal(data->valid, 1 | 4);
    orr_data_release_on(unit->run, data, 2);
    acquire_as(unit, data, ORR_W, 1);
    assert_int_equal(data->valid, 2);
    orr_data_release(unit->run, data);
    assert_int_equal(unit->copies->len, 1);
    unit_run_free(unit);
}

static void it_may_come_nowhere(void **state)
{
    struct unit_run *unit = make(0, 1, "overheads=off");
    struct orr_data *data = orr_data_register(unit->run, BYTES);

    (void)state;
    for (int node = ORR_ALL_NODES; node <= ORR_NO_NODE; node++) {
        unit_submit(unit, data, ORR_W);
        acquire_as(unit, data, ORR_RW, node);
        assert_int_equal(data->valid, 2);
        assert_int_equal(data->copies[1].uses, node == ORR_ALL_NODES);
        orr_data_release(unit->run, data);
        assert_int_equal(data->uses, 0);
    }
    assert_int_equal(orr_run_now(unit->run), 2 * MS);
    assert_int_equal(unit->copies->len, 0);
    unit_run_free(unit);
}

/* The next datum of its size gets the buffer. */
static void invalidated_data_have_neither_content_nor_buffers(void **state)
{
    struct unit_run *unit = make(0, 1, "overheads=off");
    struct orr_data *data = orr_data_register(unit->run, BYTES);
    struct orr_data *next = orr_data_register(unit->run, BYTES);
    g_autoptr(GError) error = NULL;

    (void)state;
    unit_submit(unit, data, ORR_W);
    assert_true(orr_data_invalidate(unit->run, data, &error));
    assert_int_equal(orr_run_now(unit->run), MS);
    assert_int_equal(data->valid, 0);
    assert_int_equal(data->allocated, 1);
    assert_int_equal(unit->evictions->len, 1);
    assert_non_null(unit->run->store.memories[1].spares);
    unit_submit(unit, next, ORR_W);
    unit_wait(unit);
    assert_null(unit->run->store.memories[1].spares);
    unit_submit(unit, data, ORR_W);
    unit_submit(unit, data, ORR_R);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 0);
    unit_run_free(unit);
}

/* In the order of submission: between two writers. 1 us to submit, and 3 us
 * between them, as for an acquisition. */
static void data_may_be_invalidated_by_submission(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);
    struct orr_data *data = orr_data_register(unit->run, BYTES);

    (void)state;
    unit_submit(unit, data, ORR_RW);
    orr_data_invalidate_submit(unit->run, data);
    unit_submit(unit, data, ORR_W);
    assert_int_equal(data->valid, 1);
    unit_wait(unit);
    assert_int_equal(data->valid, 1);
    assert_int_equal(unit->tasks->len, 2);
    unit_submit(unit, data, ORR_R);
    unit_wait(unit);
    orr_data_invalidate_submit(unit->run, data);
    assert_int_equal(data->valid, 0);
    unit_submit(unit, data, ORR_R);
    check_refused(unit, "task 3 (unit): data handle 0 has no content");
}

static void deinitialized_data_keep_their_buffers(void **state)
{
    struct unit_run *unit = make(0, 1, "overheads=off");
    struct orr_data *data = orr_data_register(unit->run, BYTES);
    g_autoptr(GError) error = NULL;

    (void)state;
    unit_submit(unit, data, ORR_W);
    orr_data_deinitialize_submit(unit->run, data);
    unit_wait(unit);
    assert_int_equal(data->valid, 0);
    assert_int_equal(data->allocated, 1 | 2);
    assert_true(orr_data_deinitialize(unit->run, data, &error));
    assert_true(orr_data_unregister(unit->run, data, &error));
    assert_int_equal(unit->copies->len, 0);
    unit_run_free(unit);
}

static void data_may_be_unregistered_without_a_copy(void **state)
{
    struct unit_run *unit = make(0, 1, "overheads=off");
    struct orr_data *data[] = {orr_data_register(unit->run, BYTES),
                               orr_data_register(unit->run, BYTES)};
    g_autoptr(GError) error = NULL;

    (void)state;
    unit_submit(unit, data[0], ORR_W);
    unit_submit(unit, data[1], ORR_W);
    orr_data_unregister_submit(unit->run, data[1]);
    assert_true(orr_data_unregister_no_coherency(unit->run, data[0], &error));
    assert_int_equal(orr_run_now(unit->run), MS);
    assert_int_not_equal(data[1]->id, ORR_UNREGISTERED);
    unit_wait(unit);
    assert_int_equal(data[1]->id, ORR_UNREGISTERED);
    assert_int_equal(unit->evictions->len, 2);
    assert_int_equal(unit->copies->len, 0);
    unit_run_free(unit);
}

/* The task that needs a buffer for it ends after 1 ms. */
static void buffers_of_workers_go_with_the_datum(void **state)
{
    struct unit_run *unit = make(0, 1, "overheads=off");
    struct orr_data *scratch = orr_data_register(unit->run, BYTES);
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                       .scratch_count = 1, .scratch = &scratch};

    (void)state;
    orr_task_submit(unit->run, &spec);
    orr_data_unregister_submit(unit->run, scratch);
    assert_int_equal(scratch->id, ORR_UNREGISTERED);
    assert_int_equal(unit->evictions->len, 0);
    unit_wait(unit);
    assert_int_equal(unit->evictions->len, 1);
    unit_run_free(unit);
}

static void data_that_leave_are_not_used(void **state)
{
    struct unit_run *unit = make(0, 1, NULL);
    struct orr_data *data = orr_data_register(unit->run, BYTES);

    (void)state;
    unit_submit(unit, data, ORR_W);
    orr_data_unregister_submit(unit->run, data);
    orr_data_unregister_submit(unit->run, data);
    check_refused(unit, "data handle 0 was unregistered");
}

static void check_way(const struct orr_acquire *how, bool later,
                      const char *expected)
{
    struct unit_run *unit = make(1, 1, NULL);
    struct orr_data *data = orr_data_register(unit->run, BYTES);
    g_autoptr(GError) error = NULL;

    if (later)
        orr_data_acquire_later(unit->run, data, how);
    else
        assert_false(orr_data_acquire_as(unit->run, data, how, &error));
    check_refused(unit, expected);
}

static void wrong_ways_are_refused(void **state)
{
    struct called called = {.count = 0};
    const struct orr_acquire sizeless = {.mode = ORR_R};
    const struct orr_acquire below = {ORR_ACQUIRE_INIT, .mode = ORR_R,
                                      .node = -3};
    const struct orr_acquire beyond = {ORR_ACQUIRE_INIT, .mode = ORR_R,
                                       .node = 2};
    const struct orr_acquire silent = {ORR_ACQUIRE_INIT, .mode = ORR_R};
    const struct orr_acquire calls = {ORR_ACQUIRE_INIT, .mode = ORR_R,
                                      .callback = {call, &called}};
    const struct orr_acquire none = {ORR_ACQUIRE_INIT};

    (void)state;
    check_way(&sizeless, false, "the size of struct orr_acquire is 0");
    check_way(&below, false, "on a node below ORR_ALL_NODES");
    check_way(&beyond, false, "there is no memory node 2");
    check_way(&silent, true, "acquires a datum later, but has no callback");
    check_way(&calls, false, "waits for a datum, but has a callback");
    check_way(&none, false, "with the mode 0");
}

static void a_release_needs_an_acquisition(void **state)
{
    struct unit_run *unit = make(1, 1, NULL);
    struct orr_data *data = orr_data_register(unit->run, BYTES);

    (void)state;
    acquire_as(unit, data, ORR_R, 1);
    orr_data_release_on(unit->run, data, 0);
    check_refused(unit, "data handle 0 is released on a node on which");
}

static void a_hang_is_not_blamed_on_it(void **state)
{
    static const uint64_t tag = 7;
    struct unit_run *unit = make(1, 0, NULL);
    struct called called = {.unit = unit,
                            .data = orr_data_register(unit->run, BYTES)};
    const struct orr_access access = {called.data, ORR_RW};
    const struct orr_task_spec waits = {
        ORR_TASK_SPEC_INIT,  .kernel = unit->unit, .count = 1,
        .accesses = &access, .wait_count = 1,      .wait_tags = &tag};

    (void)state;
    orr_task_submit(unit->run, &waits);
    acquire_later(&called, ORR_R, 0);
    check_refused(unit, "task 0 (unit) waits for the tag 7, which no task has");
}

static void recordings_have_no_callbacks(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);
    struct called called = {.unit = unit,
                            .data = orr_data_register(unit->run, BYTES)};

    (void)state;
    orr_run_keep_for_bounds(unit->run);
    unit_submit(unit, called.data, ORR_RW);
    acquire_later(&called, ORR_RW, 0);
    orr_data_invalidate_submit(unit->run, called.data);
    unit_submit(unit, called.data, ORR_W);
    unit_wait(unit);
    assert_int_equal(called.count, 0);
    unit_run_free(unit);
}

ORR_TESTS(acquire_later)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_callback_comes_with_the_content),
        cmocka_unit_test(it_takes_the_time_of_internal_tasks),
        cmocka_unit_test(later_tasks_wait_for_the_release),
        cmocka_unit_test(the_release_may_come_later),
        cmocka_unit_test(a_callback_may_acquire_more),
        cmocka_unit_test(it_may_be_unordered),
        cmocka_unit_test(it_may_come_to_a_gpu),
        cmocka_unit_test(it_may_come_nowhere),
        cmocka_unit_test(invalidated_data_have_neither_content_nor_buffers),
        cmocka_unit_test(data_may_be_invalidated_by_submission),
        cmocka_unit_test(deinitialized_data_keep_their_buffers),
        cmocka_unit_test(data_may_be_unregistered_without_a_copy),
        cmocka_unit_test(buffers_of_workers_go_with_the_datum),
        cmocka_unit_test(data_that_leave_are_not_used),
        cmocka_unit_test(wrong_ways_are_refused),
        cmocka_unit_test(a_release_needs_an_acquisition),
        cmocka_unit_test(a_hang_is_not_blamed_on_it),
        cmocka_unit_test(recordings_have_no_callbacks),
    };

    return cmocka_run_group_tests_name("acquire_later", tests, NULL, NULL);
}

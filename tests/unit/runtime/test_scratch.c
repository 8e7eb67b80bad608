/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffers of workers that tasks use. */
#include "runtime/config/run_config.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

static void submit(struct unit_run *unit, struct orr_data *scratch,
                   struct orr_data *updated)
{
    const struct orr_access access = {updated, ORR_RW};
    const struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,  .kernel = unit->unit, .count = updated != NULL,
        .accesses = &access, .scratch_count = 1,   .scratch = &scratch};

    orr_task_submit(unit->run, &spec);
}

/* All tasks use it, at the same time. */
static void it_implies_no_dependencies(void **state)
{
    struct orr_config config = unit_config("eager", 3, 0);
    struct unit_run *unit;
    struct orr_data *data;

    (void)state;
    config.models = "overheads=off";
    unit = unit_run_new("three-gpus.xml", &config);
    data = orr_data_register(unit->run, 1000);
    for (unsigned i = 0; i < 3; i++)
        submit(unit, data, NULL);
    unit_submit(unit, data, ORR_RW);
    unit_wait(unit);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(unit_task(unit, i)->started, 0);
    assert_int_equal(unit->allocations->len, 0);
    unit_run_free(unit);
}

/* One buffer on each GPU, which the next tasks find. Nothing is copied but the
 * datum that is updated. */
static void each_worker_has_one_buffer(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 0, 2);
    struct orr_data *scratch = orr_data_register(unit->run, 8000000);
    unsigned found[3] = {0};

    (void)state;
    for (unsigned i = 0; i < 8; i++)
        submit(unit, scratch, NULL);
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, 8);
    assert_int_equal(unit->copies->len, 0);
    for (unsigned i = 0; i < unit->allocations->len; i++)
        found[g_array_index(unit->allocations, struct orr_trace_allocation, i)
                  .memory_node]++;
    assert_int_equal(found[1], 1);
    assert_int_equal(found[2], 1);
    assert_int_equal(scratch->valid, 1);
    assert_int_equal(scratch->allocated, 1);
    unit_run_free(unit);
}

/* 64 MiB: the buffer goes, without a copy, when a task needs room, and comes
 * again. */
static void it_is_evicted_without_a_copy(void **state)
{
    struct orr_config config = unit_config("eager", 0, 1);
    struct unit_run *unit;
    struct orr_data *scratch, *large;

    (void)state;
    config.gpu_memory_bytes = 64 << 20;
    unit = unit_run_new("three-gpus.xml", &config);
    scratch = orr_data_register(unit->run, 40 << 20);
    large = orr_data_register(unit->run, 41 << 20);
    submit(unit, scratch, NULL);
    unit_wait(unit);
    unit_submit(unit, large, ORR_W);
    unit_wait(unit);
    assert_int_equal(unit->evictions->len, 1);
    assert_int_equal(unit->copies->len, 0);
    submit(unit, scratch, NULL);
    unit_wait(unit);
    assert_int_equal(unit->evictions->len, 2);
    assert_int_equal(unit->copies->len, 1); /* of the large one, home */
    unit_run_free(unit);
}

/* Whose data do not fit into a GPU together. */
static void it_counts_when_a_task_has_to_fit(void **state)
{
    struct orr_config config = unit_config("eager", 1, 1);
    struct unit_run *unit;

    (void)state;
    config.gpu_memory_bytes = 64 << 20;
    unit = unit_run_new("three-gpus.xml", &config);
    submit(unit, orr_data_register(unit->run, 40 << 20),
           orr_data_register(unit->run, 41 << 20));
    unit_wait(unit);
    assert_string_equal(unit_task(unit, 0)->worker_name, "CPU0");
    unit_run_free(unit);
}

/* How long the @i-th task waited for its buffer. */
static int64_t wait_of(const struct unit_run *unit, unsigned i)
{
    return unit_task(unit, i)->kernel_started - unit_task(unit, i)->taken;
}

/* A chunk of 32 MiB at 650 us per MiB, for the first of two small buffers; 8
 * MiB for a large one. */
static void check_pinning(int gpus, int64_t chunk, int64_t large)
{
    struct unit_run *unit = unit_run_on("eager", 1, gpus);
    const unsigned cpu = (unsigned)gpus;
    struct orr_data *scratch[] = {orr_data_register(unit->run, 1000),
                                  orr_data_register(unit->run, 1000),
                                  orr_data_register(unit->run, 8 << 20)};

    for (unsigned i = 0; i < 4; i++) {
        const struct orr_task_spec spec = {
            ORR_TASK_SPEC_INIT, .kernel = unit->unit,
            .worker_count = 1,  .workers = &cpu,
            .scratch_count = 1, .scratch = &scratch[i % 3]};

        orr_task_submit(unit->run, &spec);
        unit_wait(unit);
    }
    assert_int_equal(wait_of(unit, 0) - wait_of(unit, 3), chunk);
    assert_int_equal(wait_of(unit, 1) - wait_of(unit, 3), 0);
    assert_int_equal(wait_of(unit, 2) - wait_of(unit, 3), large);
    unit_run_free(unit);
}

static void host_memory_is_pinned_beside_gpus(void **state)
{
    (void)state;
    check_pinning(1, 32 * INT64_C(650000), 8 * INT64_C(650000));
    check_pinning(0, 0, 0);
}

static bool unregister(struct unit_run *unit, struct orr_data *data)
{
    g_autoptr(GError) error = NULL;
    bool done = orr_data_unregister(unit->run, data, &error);

    if (!done)
        assert_non_null(
            strstr(error->message, "for which task 0 (unit) needs a buffer"));
    return done;
}

/* Until the tasks that use it have ended, 1 ms each. The next datum of its size
 * then has its place. */
static void it_goes_when_its_datum_goes(void **state)
{
    struct orr_config config = unit_config("eager", 0, 1);
    struct unit_run *unit;
    struct orr_data *scratch, *next;

    (void)state;
    config.gpu_memory_bytes = 64 << 20;
    config.models = "overheads=off";
    unit = unit_run_new("three-gpus.xml", &config);
    scratch = orr_data_register(unit->run, 40 << 20);
    for (unsigned i = 0; i < 3; i++)
        submit(unit, scratch, NULL);
    assert_true(unregister(unit, scratch));
    assert_int_equal(unit->run->engine.now, 3000000);
    assert_int_equal(unit->allocations->len, 1);
    next = orr_data_register(unit->run, 40 << 20);
    unit_submit(unit, next, ORR_W);
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->evictions, 0);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 4000000);
    unit_run_free(unit);
}

/* A task that never runs needs it. */
static void to_unregister_it_may_hang(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_data *scratch = orr_data_register(unit->run, 1000);
    static const uint64_t tag = 7;
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                       .scratch_count = 1, .scratch = &scratch,
                                       .wait_count = 1,    .wait_tags = &tag};

    (void)state;
    orr_task_submit(unit->run, &spec);
    assert_false(unregister(unit, scratch));
    unit_run_free(unit);
}

static void five_us(const void *data, unsigned worker, struct orr_cost *cost)
{
    (void)data;
    (void)worker;
    cost->ns = 5000;
}

/* 7 us for a task that brings costs, twice 5 us for a kernel with costs. */
static void tasks_with_costs_have_buffers(void **state)
{
    static const struct orr_cost cost = {.ns = 7000};
    struct orr_config config = unit_config("dmda", 0, 1);
    struct unit_run *unit;
    struct orr_kernel *own;
    struct orr_data *scratch;
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .implementations = 1,
                                 .costs = &cost, .scratch_count = 1,
                                 .scratch = &scratch};

    (void)state;
    config.models = "overheads=off";
    unit = unit_run_new("three-gpus.xml", &config);
    scratch = orr_data_register(unit->run, 8000000);
    own = orr_kernel_new(unit->run, "own", NULL);
    spec.kernel = own;
    orr_task_submit(unit->run, &spec);
    unit_wait(unit);
    assert_true(orr_kernel_set_costs(unit->run, own, five_us, NULL, NULL));
    spec.implementations = 0;
    spec.costs = NULL;
    orr_task_submit(unit->run, &spec);
    orr_task_submit(unit->run, &spec);
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 17000);
    assert_int_equal(unit->allocations->len, 1);
    unit_run_free(unit);
}

static void check_refused(const struct orr_task_spec *wrong,
                          const char *expected)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_task_spec spec = *wrong;
    g_autoptr(GError) error = NULL;

    spec.kernel = unit->unit;
    orr_task_submit(unit->run, &spec);
    assert_false(orr_run_wait(unit->run, &error));
    assert_non_null(strstr(error->message, expected));
    unit_run_free(unit);
}

static void wrong_ones_are_refused(void **state)
{
    static struct orr_data *const none = NULL;
    const struct orr_task_spec missing = {ORR_TASK_SPEC_INIT,
                                          .scratch_count = 1};
    const struct orr_task_spec null = {ORR_TASK_SPEC_INIT, .scratch_count = 1,
                                       .scratch = &none};
    const struct orr_task_spec many = {ORR_TASK_SPEC_INIT,
                                       .scratch_count = ORR_MAX_SCRATCH + 1,
                                       .scratch = &none};

    (void)state;
    check_refused(&missing, "scratch is NULL, but scratch_count is not 0");
    check_refused(&null, "a datum of scratch is NULL");
    check_refused(&many, "scratch_count is above ORR_MAX_SCRATCH");
}

ORR_TESTS(scratch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_implies_no_dependencies),
        cmocka_unit_test(each_worker_has_one_buffer),
        cmocka_unit_test(it_is_evicted_without_a_copy),
        cmocka_unit_test(it_counts_when_a_task_has_to_fit),
        cmocka_unit_test(host_memory_is_pinned_beside_gpus),
        cmocka_unit_test(it_goes_when_its_datum_goes),
        cmocka_unit_test(to_unregister_it_may_hang),
        cmocka_unit_test(tasks_with_costs_have_buffers),
        cmocka_unit_test(wrong_ones_are_refused),
    };

    return cmocka_run_group_tests_name("scratch", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Data to which tasks add, and their reduction. */
#include "runtime/config/run_config.h"
#include "runtime/recording.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define COPY (410 * US) /* 4 MB */
#define REDUCES (100 * US)

static const struct orr_task_times on_cpu = {ORR_TASK_TIMES_INIT,
                                             .cpu_ns = REDUCES};

struct reduced {
    struct unit_run *unit;
    struct orr_kernel *kernel;
    struct orr_data *sum;
};

/* Its tasks take 1 ms on each worker; only CPUs reduce, in 100 us. */
static struct reduced make(int cpus, int gpus, const char *models)
{
    struct orr_config config = unit_config("eager", cpus, gpus);
    struct reduced reduced;

    config.models = models;
    reduced.unit = unit_run_new("three-gpus.xml", &config);
    reduced.kernel = orr_kernel_new(reduced.unit->run, "reduce", NULL);
    reduced.sum = orr_data_register(reduced.unit->run, 4000000);
    orr_data_set_name(reduced.sum, "sum");
    orr_data_set_reduction(reduced.unit->run, reduced.sum, reduced.kernel,
                           &on_cpu);
    return reduced;
}

static void add(const struct reduced *reduced, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        unit_submit(reduced->unit, reduced->sum, ORR_REDUX);
}

/* One task on each worker. */
static void add_on_all(const struct reduced *reduced)
{
    const struct orr_access access = {reduced->sum, ORR_REDUX};

    for (unsigned w = 0; w < reduced->unit->run->worker_count; w++) {
        const struct orr_task_spec spec = {
            ORR_TASK_SPEC_INIT, .kernel = reduced->unit->unit,
            .count = 1,         .accesses = &access,
            .worker_count = 1,  .workers = &w};

        orr_task_submit(reduced->unit->run, &spec);
    }
}

static void end(const struct reduced *reduced)
{
    unit_wait(reduced->unit);
    unit_run_free(reduced->unit);
}

static void acquire(const struct reduced *reduced)
{
    g_autoptr(GError) error = NULL;

    if (!orr_data_acquire(reduced->unit->run, reduced->sum, ORR_R, &error))
        fail_msg("%s", error->message);
}

static void fifty_us(const void *data, unsigned worker, struct orr_cost *cost)
{
    (void)data;
    (void)worker;
    cost->ns = 50 * US;
}

/* Each worker adds in 10 us, as the task says; two reductions follow, in 50 us
 * each, as the kernel says; then the reader, in 1 ms. */
static void kernels_and_tasks_may_have_costs(void **state)
{
    static const struct orr_cost costs[] = {{.ns = 10 * US}, {.ns = 10 * US}};
    struct orr_config config = unit_config("eager", 2, 0);
    struct unit_run *unit;
    struct orr_kernel *own, *reduces;
    struct orr_data *sum;

    (void)state;
    config.models = "overheads=off";
    unit = unit_run_new("three-gpus.xml", &config);
    own = orr_kernel_new(unit->run, "add", NULL);
    reduces = orr_kernel_new(unit->run, "reduce", NULL);
    sum = orr_data_register(unit->run, 4000000);
    assert_true(orr_kernel_set_costs(unit->run, reduces, fifty_us, NULL, NULL));
    orr_data_set_reduction(unit->run, sum, reduces, NULL);
    for (unsigned i = 0; i < 2; i++) {
        const struct orr_access access = {sum, ORR_REDUX};
        const struct orr_task_spec spec = {
            ORR_TASK_SPEC_INIT,   .kernel = own,     .count = 1,
            .accesses = &access,  .worker_count = 1, .workers = &i,
            .implementations = 1, .costs = costs};

        orr_task_submit(unit->run, &spec);
    }
    unit_submit(unit, sum, ORR_R);
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 1110 * US);
    unit_run_free(unit);
}

/* sum + copy of CPU0, beside copy of CPU1 + copy of CPU2; then sum + copy of
 * CPU1. */
static void copies_are_reduced_in_a_tree(void **state)
{
    struct reduced reduced = make(3, 0, "overheads=off");

    (void)state;
    add(&reduced, 3);
    unit_submit(reduced.unit, reduced.sum, ORR_R);
    unit_wait(reduced.unit);
    assert_int_equal(reduced.unit->tasks->len, 7);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(unit_task(reduced.unit, i)->started, 0);
    for (unsigned i = 3; i < 6; i++)
        assert_string_equal(unit_task(reduced.unit, i)->name, "reduce");
    assert_int_equal(unit_task(reduced.unit, 3)->started, 1000 * US);
    assert_int_equal(unit_task(reduced.unit, 4)->started, 1000 * US);
    assert_int_equal(unit_task(reduced.unit, 5)->started, 1100 * US);
    assert_int_equal(unit_task(reduced.unit, 6)->started, 1200 * US);
    assert_int_equal(orr_run_report(reduced.unit->run)->makespan_ns, 2200 * US);
    end(&reduced);
}

/* From the end of the last task that adds: the task that reduces is pushed and
 * submitted, the worker takes a turn for the one memory, and fetches two data,
 * each 1 us. Then the reader, which was submitted before: without a submission,
 * and with one datum. */
static void the_reduction_takes_the_time_of_tasks(void **state)
{
    struct reduced reduced = make(1, 0, "quirks=off");
    const struct unit_run *unit = reduced.unit;

    (void)state;
    add(&reduced, 1);
    unit_submit(reduced.unit, reduced.sum, ORR_R);
    unit_wait(reduced.unit);
    assert_int_equal(unit->tasks->len, 3);
    assert_int_equal(unit_task(unit, 1)->started - unit_task(unit, 0)->ended,
                     5 * US);
    assert_int_equal(unit_task(unit, 1)->kernel_ended -
                         unit_task(unit, 1)->kernel_started,
                     REDUCES);
    assert_int_equal(unit_task(unit, 2)->started - unit_task(unit, 1)->ended,
                     3 * US);
    end(&reduced);
}

/* The GPU's copy is copied to RAM, 410 us, and added; then the CPU's copy. */
static void copies_of_gpus_are_fetched(void **state)
{
    struct reduced reduced = make(1, 1, "overheads=off");

    (void)state;
    add_on_all(&reduced);
    acquire(&reduced);
    assert_int_equal(reduced.unit->run->engine.now,
                     1000 * US + COPY + 2 * REDUCES);
    orr_data_release(reduced.unit->run, reduced.sum);
    assert_int_equal(reduced.unit->copies->len, 1);
    assert_string_equal(unit_copy(reduced.unit, 0)->datum.name, "sum@CUDA0");
    end(&reduced);
}

/* Each worker adds to one copy as often as it likes: two tasks reduce. */
static void each_worker_has_one_copy(void **state)
{
    struct reduced reduced = make(2, 0, "overheads=off");

    (void)state;
    add(&reduced, 8);
    unit_submit(reduced.unit, reduced.sum, ORR_RW);
    unit_wait(reduced.unit);
    assert_int_equal(reduced.unit->tasks->len, 11);
    assert_int_equal(orr_run_report(reduced.unit->run)->makespan_ns,
                     (4000 + 200 + 1000) * US);
    end(&reduced);
}

/* All readers wait for one reduction; later tasks add again, after them. The
 * buffer on the GPU is found again. */
static void it_can_be_repeated(void **state)
{
    struct reduced reduced = make(1, 1, "overheads=off");
    unsigned on_gpu = 0;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        add_on_all(&reduced);
        unit_submit(reduced.unit, reduced.sum, ORR_RW);
    }
    unit_wait(reduced.unit);
    assert_int_equal(reduced.unit->tasks->len, 15);
    for (unsigned i = 0; i < reduced.unit->allocations->len; i++) {
        const struct orr_trace_allocation *allocation = &g_array_index(
            reduced.unit->allocations, struct orr_trace_allocation, i);

        on_gpu += allocation->datum.name &&
                  strcmp(allocation->datum.name, "sum@CUDA0") == 0;
    }
    assert_int_equal(on_gpu, 1);
    end(&reduced);
}

static void readers_share_a_reduction(void **state)
{
    struct reduced reduced = make(2, 0, "overheads=off");

    (void)state;
    add(&reduced, 2);
    for (unsigned i = 0; i < 2; i++)
        unit_submit(reduced.unit, reduced.sum, ORR_R);
    unit_wait(reduced.unit);
    assert_int_equal(reduced.unit->tasks->len, 6);
    assert_int_equal(unit_task(reduced.unit, 4)->started, 1200 * US);
    assert_int_equal(unit_task(reduced.unit, 5)->started, 1200 * US);
    end(&reduced);
}

/* Nobody reads the sum. */
static void what_nobody_needs_is_not_reduced(void **state)
{
    struct reduced reduced = make(1, 1, "overheads=off");

    (void)state;
    add(&reduced, 5);
    unit_wait(reduced.unit);
    assert_int_equal(reduced.unit->tasks->len, 5);
    assert_int_equal(reduced.unit->copies->len, 0);
    end(&reduced);
}

static void wont_use_and_unregister_reduce(void **state)
{
    struct reduced reduced = make(1, 1, "overheads=off");
    g_autoptr(GError) error = NULL;

    (void)state;
    add_on_all(&reduced);
    orr_data_wont_use(reduced.unit->run, reduced.sum);
    unit_wait(reduced.unit);
    assert_int_equal(reduced.unit->tasks->len, 4);
    add_on_all(&reduced);
    if (!orr_data_unregister(reduced.unit->run, reduced.sum, &error))
        fail_msg("%s", error->message);
    assert_int_equal(reduced.unit->tasks->len, 8);
    end(&reduced);
}

/* Copies with contributions are not evicted: the large datum waits for room
 * until they are reduced. */
static void contributions_stay_in_memory(void **state)
{
    struct orr_config config = unit_config("eager", 1, 1);
    const unsigned gpu = 0;
    struct orr_access access = {NULL, ORR_REDUX};
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .count = 1,
                                 .accesses = &access, .worker_count = 1,
                                 .workers = &gpu};
    struct orr_data *large;
    struct unit_run *unit;

    (void)state;
    config.gpu_memory_bytes = 64 << 20;
    config.models = "overheads=off";
    unit = unit_run_new("three-gpus.xml", &config);
    access.data = orr_data_register(unit->run, 30 << 20);
    large = orr_data_register(unit->run, 40 << 20);
    orr_data_set_reduction(unit->run, access.data,
                           orr_kernel_new(unit->run, "reduce", NULL), &on_cpu);
    spec.kernel = unit->unit;
    orr_task_submit(unit->run, &spec);
    unit_wait(unit);
    assert_int_equal(unit->evictions->len, 0);
    assert_true(orr_data_acquire(unit->run, access.data, ORR_R, NULL));
    orr_data_release(unit->run, access.data);
    access = (struct orr_access){large, ORR_W};
    orr_task_submit(unit->run, &spec);
    unit_wait(unit);
    assert_int_equal(unit->evictions->len, 1);
    unit_run_free(unit);
}

/* Modes as declared; then the data, those to which it adds last. */
static uint8_t seen[4];

static void note_modes(struct orr_trace *trace,
                       const struct orr_trace_task *task)
{
    (void)trace;
    if (task->access_count < 3)
        return;
    assert_int_equal(task->access_count, 3);
    assert_int_equal(task->datum_count, 3);
    assert_int_equal(task->modes[0], ORR_REDUX);
    assert_int_equal(task->modes[1], ORR_RW | ORR_COMMUTE);
    assert_int_equal(task->modes[2], ORR_R);
    for (unsigned i = 0; i < 3; i++)
        seen[i] = task->accesses[i].mode;
    seen[3]++;
}

static void traces_tell_the_mode(void **state)
{
    struct reduced reduced = make(1, 1, NULL);
    struct orr_run *run = reduced.unit->run;
    const struct orr_access accesses[] = {
        {reduced.sum, ORR_REDUX},
        {orr_data_register(run, 1000), ORR_RW | ORR_COMMUTE},
        {orr_data_register(run, 1000), ORR_R}};
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT,
                                       .kernel = reduced.unit->unit, .count = 3,
                                       .accesses = accesses};

    (void)state;
    reduced.unit->run->totals.calls.task = note_modes;
    seen[3] = 0;
    orr_task_submit(run, &spec);
    unit_wait(reduced.unit);
    assert_int_equal(seen[3], 1);
    assert_int_equal(seen[0], ORR_RW | ORR_COMMUTE);
    assert_int_equal(seen[1], ORR_R);
    assert_int_equal(seen[2], ORR_REDUX);
    end(&reduced);
}

/* 3 adds what task 0 has added to the sum, 4 what task 1 has; 2 reads it. */
static void note_parents(struct orr_trace *trace,
                         const struct orr_trace_task *task)
{
    static const struct {
        unsigned count;
        uint64_t parents[3];
    } expected[] = {{0, {0}}, {0, {0}}, {3, {0, 1, 4}}, {1, {0}}, {2, {1, 3}}};

    (void)trace;
    assert_in_range(task->order, 0, 4);
    assert_int_equal(task->parent_count, expected[task->order].count);
    for (unsigned i = 0; i < task->parent_count; i++)
        assert_int_equal(task->parents[i], expected[task->order].parents[i]);
}

static void traces_tell_what_a_reduction_awaits(void **state)
{
    struct orr_trace trace = {ORR_TRACE_INIT, .task = note_parents,
                              .wants = ORR_TRACE_PARENTS};
    struct orr_config config = unit_config("eager", 2, 0);
    g_autofree char *platform = source_file("tests/platforms/three-gpus.xml");
    struct unit_run unit = {0};
    struct reduced reduced = {.unit = &unit};

    (void)state;
    config.platform = platform;
    config.trace = &trace;
    unit.run = orr_run_new(&config, NULL);
    unit.unit = orr_kernel_new(unit.run, "reduce", NULL);
    reduced.sum = orr_data_register(unit.run, 1000);
    orr_data_set_reduction(unit.run, reduced.sum, unit.unit, &on_cpu);
    for (unsigned w = 0; w < 2; w++) {
        const struct orr_access access = {reduced.sum, ORR_REDUX};
        const struct orr_task_spec spec = {
            ORR_TASK_SPEC_INIT, .kernel = unit.unit, .times = &on_cpu,
            .count = 1,         .accesses = &access, .worker_count = 1,
            .workers = &w};

        orr_task_submit(unit.run, &spec);
    }
    orr_task_submit(unit.run, &(const struct orr_task_spec){
                                  ORR_TASK_SPEC_INIT, .kernel = unit.unit,
                                  .times = &on_cpu, .count = 1,
                                  .accesses = (const struct orr_access[]){
                                      {reduced.sum, ORR_R}}});
    unit_wait(&unit);
    assert_int_equal(orr_run_report(unit.run)->tasks, 5);
    orr_run_free(unit.run);
}

static void check_refused(enum orr_access_mode mode, bool twice, bool unordered,
                          bool reduced_again, const char *expected)
{
    struct reduced reduced = make(1, 0, NULL);
    struct orr_run *run = reduced.unit->run;
    const struct orr_access accesses[] = {
        {mode == ORR_REDUX ? reduced.sum : orr_data_register(run, 1),
         ORR_REDUX},
        {reduced.sum, ORR_R}};
    const struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT, .kernel = reduced.unit->unit,
        .count = twice ? 2 : 1, .accesses = accesses, .unordered = unordered};
    g_autoptr(GError) error = NULL;

    if (reduced_again)
        orr_data_set_reduction(run, reduced.sum, reduced.kernel, &on_cpu);
    orr_task_submit(run, &spec);
    assert_false(orr_run_wait(run, &error));
    assert_non_null(strstr(error->message, expected));
    unit_run_free(reduced.unit);
}

static void wrong_ones_are_refused(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 0, 1);
    g_autoptr(GError) error = NULL;

    (void)state;
    check_refused(ORR_W, false, false, false, "that has no reduction");
    check_refused(ORR_REDUX, true, false, false, "lists a datum twice");
    check_refused(ORR_REDUX, false, true, false, "is unordered");
    check_refused(ORR_REDUX, false, false, true, "has a reduction already");
    orr_data_set_reduction(unit->run, orr_data_register(unit->run, 1),
                           unit->unit, &on_cpu);
    assert_false(orr_run_wait(unit->run, &error));
    assert_non_null(strstr(error->message, "no worker of the run"));
    unit_run_free(unit);
}

/* Bounds: the tasks that add do not wait for each other, the reader does. */
static void graphs_know_the_order(void **state)
{
    struct reduced reduced = make(1, 0, NULL);
    struct orr_workload *workload;

    (void)state;
    orr_run_record(reduced.unit->run, UINT64_MAX);
    add(&reduced, 2);
    unit_submit(reduced.unit, reduced.sum, ORR_R);
    workload = orr_run_workload(reduced.unit->run);
    assert_int_equal(workload->task_count, 4); /* and what collects */
    assert_int_equal(workload->first_predecessor[2], 0);
    assert_int_equal(workload->first_predecessor[3], 2);
    orr_workload_free(workload);
    unit_run_free(reduced.unit);
}

ORR_TESTS(redux)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_and_tasks_may_have_costs),
        cmocka_unit_test(copies_are_reduced_in_a_tree),
        cmocka_unit_test(the_reduction_takes_the_time_of_tasks),
        cmocka_unit_test(copies_of_gpus_are_fetched),
        cmocka_unit_test(each_worker_has_one_copy),
        cmocka_unit_test(it_can_be_repeated),
        cmocka_unit_test(readers_share_a_reduction),
        cmocka_unit_test(what_nobody_needs_is_not_reduced),
        cmocka_unit_test(wont_use_and_unregister_reduce),
        cmocka_unit_test(contributions_stay_in_memory),
        cmocka_unit_test(traces_tell_the_mode),
        cmocka_unit_test(traces_tell_what_a_reduction_awaits),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(graphs_know_the_order),
    };

    return cmocka_run_group_tests_name("redux", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What policies expect, for programs: as a policy sees it for the same task. */
#include <math.h>

#include "runtime/capture.h"
#include "tests/support/broken_policies.h"

#define US ((int64_t)1000)
#define BYTES 4000000

enum { WORKERS = 4, NODES = 4 };

/* What was expected of one task, and of its first datum. */
struct figures {
    int64_t durations[WORKERS][ORR_MAX_IMPLEMENTATIONS];
    int64_t transfers[NODES];
    int64_t loads[NODES];
};

static struct figures seen; /* by the policy, of the last task pushed */

static int64_t or_never(orr_time time)
{
    return time == ORR_NEVER ? -1 : time;
}

/* First come, first served, after a look at the task. */
static void look_and_push(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_task_access access = {.datum = 0};
    bool has_data = orr_sched_access(sched, task, 0, &access);
    unsigned count = orr_sched_implementations(sched, task);

    for (unsigned w = 0; w < WORKERS; w++) {
        for (unsigned i = 0; i < ORR_MAX_IMPLEMENTATIONS; i++)
            seen.durations[w][i] =
                i < count ? or_never(orr_sched_implementation_duration(
                                sched, task, w, i))
                          : -1;
    }
    for (unsigned n = 0; n < NODES; n++) {
        seen.transfers[n] = orr_sched_transfer(sched, task, n);
        seen.loads[n] = has_data ? orr_sched_load(sched, access.datum, n) : 0;
    }
    broken_push_mute(sched, task);
    for (unsigned w = 0; w < WORKERS; w++)
        orr_sched_wake(sched, w);
}

static struct orr_task *pop_own(struct orr_sched *sched, unsigned worker)
{
    struct broken_queue *queue = orr_sched_state(sched);

    return queue->first &&
                   orr_sched_duration(sched, queue->first, worker) != ORR_NEVER
               ? broken_pop(sched, worker)
               : NULL;
}

static const struct orr_sched_ops spy = {
    .name = "spy",
    .state_size = sizeof(struct broken_queue),
    .push = look_and_push,
    .pop = pop_own,
};

/* Three GPUs and a CPU. */
static struct unit_run *make(uint64_t gpu_memory_bytes)
{
    struct orr_config config = unit_config(NULL, 1, 3);

    config.models = "overheads=off";
    config.gpu_memory_bytes = gpu_memory_bytes;
    return broken_run_with(&spy, &config);
}

static struct figures ask(struct unit_run *unit,
                          const struct orr_task_spec *spec)
{
    struct figures asked;

    for (unsigned w = 0; w < WORKERS; w++) {
        for (unsigned i = 0; i < ORR_MAX_IMPLEMENTATIONS; i++)
            asked.durations[w][i] = orr_task_expected_ns(unit->run, spec, w, i);
    }
    for (unsigned n = 0; n < NODES; n++) {
        asked.transfers[n] = orr_task_expected_transfer_ns(unit->run, spec, n);
        asked.loads[n] = spec->count > 0
                             ? orr_data_expected_transfer_ns(
                                   unit->run, spec->accesses[0].data, n)
                             : 0;
    }
    return asked;
}

/* Submits a task as @spec says; the policy has to see what the program saw just
 * before, which is returned. */
static struct figures check(struct unit_run *unit,
                            const struct orr_task_spec *spec)
{
    struct figures asked = ask(unit, spec);

    orr_task_submit(unit->run, spec);
    unit_wait(unit);
    assert_memory_equal(&asked, &seen, sizeof(asked));
    return asked;
}

/* A is on GPU 0, from where the data of a copy are believed to need half the
 * time to GPU 1 and twice the time to GPU 2, as to RAM: 2400 us, and 10 us more
 * for each copy. B is in RAM. */
static void copies_depend_on_where_data_are(void **state)
{
    struct unit_run *unit = make(0);
    struct orr_data *a = orr_data_register(unit->run, BYTES);
    struct orr_data *b = orr_data_register(unit->run, BYTES);
    const struct orr_access accesses[] = {{a, ORR_R}, {b, ORR_RW}};
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .count = 2, .accesses = accesses};
    const struct orr_task_spec writes = {
        ORR_TASK_SPEC_INIT, .kernel = unit->unit,
        .count = 1,         .accesses = &(struct orr_access){a, ORR_W},
        .worker_count = 1,  .workers = &(unsigned){0},
    };
    const int64_t copy = 2410 * US, near = 1210 * US, far = 4810 * US;
    struct figures figures;

    (void)state;
    check(unit, &writes);
    figures = check(unit, &spec);
    assert_int_equal(figures.loads[0], copy);
    assert_int_equal(figures.loads[1], 0);
    assert_int_equal(figures.loads[2], near);
    assert_int_equal(figures.loads[3], far);
    assert_int_equal(figures.transfers[0], copy);
    assert_int_equal(figures.transfers[1], copy);
    assert_int_equal(figures.transfers[2], near + copy);
    assert_int_equal(figures.transfers[3], far + copy);
    for (unsigned w = 0; w < WORKERS; w++)
        assert_int_equal(figures.durations[w][0], 1000 * US);
    assert_int_equal(figures.durations[0][1], -1);
    unit_run_free(unit);
}

/* A datum that is only written is not copied. */
static void writes_need_no_copy(void **state)
{
    struct unit_run *unit = make(0);
    struct orr_access access = {orr_data_register(unit->run, BYTES), ORR_W};
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                       .count = 1, .accesses = &access};
    struct figures figures = check(unit, &spec);

    (void)state;
    assert_int_equal(figures.transfers[1], 0);
    assert_int_not_equal(figures.loads[1], 0);
    unit_run_free(unit);
}

static void times_and_workers_of_the_task_count(void **state)
{
    const struct orr_task_times times = {ORR_TASK_TIMES_INIT, .cpu_ns = 7 * US,
                                         .gpu_ns = 2 * US};
    const unsigned workers[] = {1, 3};
    struct unit_run *unit = make(0);
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                       .times = &times, .worker_count = 2,
                                       .workers = workers};
    struct figures figures = check(unit, &spec);

    (void)state;
    assert_int_equal(figures.durations[0][0], -1);
    assert_int_equal(figures.durations[1][0], 2 * US);
    assert_int_equal(figures.durations[2][0], -1);
    assert_int_equal(figures.durations[3][0], 7 * US);
    unit_run_free(unit);
}

/* Implementation 1 takes 1 us longer; GPU 2 cannot run any, the CPU only the
 * first. */
static void cost(const void *data, unsigned worker, unsigned implementation,
                 struct orr_cost *cost)
{
    (void)data;
    if (worker == 2 || (worker == 3 && implementation == 1))
        return;
    cost->ns = ((int64_t)worker + 1) * 10 * US + implementation * US;
}

static void implementations_are_apart(void **state)
{
    struct unit_run *unit = make(0);
    struct orr_kernel *kernel = orr_kernel_new(unit->run, "own", NULL);
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = kernel};
    struct figures figures;

    (void)state;
    assert_true(
        orr_kernel_set_implementations(unit->run, kernel, 2, cost, NULL, NULL));
    figures = check(unit, &spec);
    assert_int_equal(figures.durations[0][0], 10 * US);
    assert_int_equal(figures.durations[0][1], 11 * US);
    assert_int_equal(figures.durations[0][2], -1);
    assert_int_equal(figures.durations[2][0], -1);
    assert_int_equal(figures.durations[3][0], 40 * US);
    assert_int_equal(figures.durations[3][1], -1);
    unit_run_free(unit);
}

/* 16 MiB do not fit into 8 MiB. */
static void a_task_must_fit_into_the_memory(void **state)
{
    struct unit_run *unit = make(UINT64_C(8) << 20);
    struct orr_access access = {orr_data_register(unit->run, 16 << 20), ORR_RW};
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                       .count = 1, .accesses = &access};
    struct figures figures = check(unit, &spec);

    (void)state;
    assert_int_equal(figures.durations[0][0], -1);
    assert_int_equal(figures.durations[3][0], 1000 * US);
    unit_run_free(unit);
}

static void some_tasks_cannot_run(void **state)
{
    struct unit_run *unit = make(0);
    const struct orr_task_times times = {ORR_TASK_TIMES_INIT, .cpu_ns = 7 * US};
    struct orr_access access = {orr_data_register(unit->run, BYTES), ORR_R};
    const struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,       .kernel = unit->unit,
        .times = &times,          .count = 1,
        .accesses = &access,      .worker_count = 1,
        .workers = &(unsigned){0}};
    const struct orr_task_spec none = {ORR_TASK_SPEC_INIT, .count = 1,
                                       .accesses = &access,
                                       .synchronises = true};

    (void)state;
    assert_int_equal(orr_task_expected_ns(unit->run, &spec, 0, 0), -1);
    assert_int_equal(orr_task_expected_transfer_ns(unit->run, &spec, 1), -1);
    assert_int_equal(orr_task_expected_ns(unit->run, &none, 0, 0), -1);
    assert_int_equal(orr_task_expected_transfer_ns(unit->run, &none, 1), 0);
    assert_int_equal(orr_task_expected_ns(unit->run, &none, WORKERS, 0), -1);
    unit_wait(unit); /* no error */
    unit_run_free(unit);
}

/* The digest of a run, which asks or not. */
static uint64_t digest(bool asks)
{
    struct orr_config config = unit_config("dmdas", 1, 3);
    struct unit_run *unit = unit_run_new("three-gpus.xml", &config);
    const struct orr_task_times times = {ORR_TASK_TIMES_INIT, .cpu_ns = 3 * US,
                                         .gpu_ns = 2 * US};
    struct orr_access accesses[2];
    uint64_t digest;

    for (unsigned i = 0; i < 2; i++)
        accesses[i] = (struct orr_access){orr_data_register(unit->run, BYTES),
                                          i == 0 ? ORR_R : ORR_RW};
    for (unsigned i = 0; i < 20; i++) {
        const struct orr_task_spec spec = {
            ORR_TASK_SPEC_INIT, .kernel = unit->unit,
            .name = "named",    .times = i % 3 == 0 ? &times : NULL,
            .count = 2,         .accesses = accesses,
            .tag = i + 1,       .callback = NULL};

        if (asks)
            ask(unit, &spec);
        orr_task_submit(unit->run, &spec);
    }
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->tasks, 20);
    assert_int_equal(orr_run_report(unit->run)->times_from[ORR_TIMES_GIVEN], 7);
    digest = orr_run_report(unit->run)->digest;
    unit_run_free(unit);
    return digest;
}

static void to_ask_changes_nothing(void **state)
{
    struct unit_run *unit = make(0);
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT,
                                       .kernel = unit->unit};

    (void)state;
    ask(unit, &spec);
    assert_int_equal(orr_run_now(unit->run), 0);
    assert_int_equal(unit->run->graph.live, 0);
    assert_null(unit->unit->task_name);
    unit_run_free(unit);
    assert_int_equal(digest(true), digest(false));
}

/* The run has the error @message, and answers -1 from then on. */
static void check_error(struct unit_run *unit, int64_t answer,
                        const char *message)
{
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT,
                                       .kernel = unit->unit};
    g_autoptr(GError) error = NULL;

    assert_int_equal(answer, -1);
    assert_int_equal(orr_task_expected_ns(unit->run, &spec, 0, 0), -1);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message, message);
    unit_run_free(unit);
}

static void wrong_arguments_are_errors(void **state)
{
    const struct orr_task_spec no_kernel = {ORR_TASK_SPEC_INIT};
    const struct orr_task_spec no_size = {.size = 0};
    struct unit_run *unit = make(0);

    (void)state;
    check_error(unit, orr_task_expected_ns(unit->run, &no_kernel, 0, 0),
                "task 0 (unnamed): kernel is NULL");
    unit = make(0);
    check_error(unit, orr_task_expected_ns(unit->run, &no_size, 0, 0),
                "task 0: the size of struct orr_task_spec is 0: begin it "
                "with ORR_TASK_SPEC_INIT");
    unit = make(0);
    check_error(unit, orr_data_expected_transfer_ns(unit->run, NULL, 0),
                "the datum is NULL");
    unit = make(0);
    assert_int_equal(orr_data_state(unit->run, NULL, 0), 0);
    check_error(unit, -1, "the datum is NULL");
    unit = make(0);
    check_error(
        unit,
        orr_task_expected_transfer_ns(
            unit->run,
            &(struct orr_task_spec){ORR_TASK_SPEC_INIT, .kernel = unit->unit},
            NODES),
        "there is no memory node 4: expected 0, for RAM, to 3, for the "
        "last GPU");
}

static void without_a_machine_nothing_is_expected(void **state)
{
    struct orr_capture capture = {.task = NULL};
    struct orr_run *run = orr_capture_new(&capture);
    const struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT, .kernel = orr_kernel_new(run, "own", NULL)};
    const struct orr_data *data = orr_data_register(run, 1);

    (void)state;
    assert_int_equal(orr_task_expected_ns(run, &spec, 0, 0), -1);
    assert_int_equal(orr_task_expected_transfer_ns(run, &spec, 5), -1);
    assert_int_equal(orr_data_expected_transfer_ns(run, data, 5), -1);
    assert_int_equal(orr_data_state(run, data, 5), 0);
    assert_true(orr_run_wait(run, NULL));
    orr_run_free(run);
}

static struct orr_run *run_on(const char *platform)
{
    g_autofree char *path = g_strdup_printf(
        "%s/platforms/%s.xml", g_getenv("abs_top_srcdir"), platform);
    struct orr_config *config = orr_config_new();
    struct orr_run *run;

    assert_true(orr_config_set(config, "platform", path, NULL));
    run = orr_run_new(config, NULL);
    orr_config_free(config);
    assert_non_null(run);
    return run;
}

/* GEMM takes 2 n^3 operations. At n = 960 it reaches 0.362 of the 67 TFlop/s of
 * a GPU and 0.817 of the 128 or 64 GFlop/s of a CPU. */
static void flops_take_the_speed_of_the_machine(void **state)
{
    struct orr_run *run = run_on("dgx-h100"), *measured = run_on("attila");
    const double gemm = 2 * 960. * 960 * 960;
    unsigned cpu = orr_run_workers(run) - 1;

    (void)state;
    assert_int_equal(orr_run_flops_ns(run, 0, ORR_SINGLE_PRECISION, gemm),
                     (int64_t)(gemm / (67e12 * 0.362) * 1e9 + 0.5));
    assert_int_equal(orr_run_flops_ns(run, cpu, ORR_SINGLE_PRECISION, gemm),
                     (int64_t)(gemm / (128e9 * 0.817) * 1e9 + 0.5));
    assert_int_equal(orr_run_flops_ns(run, cpu, ORR_DOUBLE_PRECISION, gemm),
                     (int64_t)(gemm / (64e9 * 0.817) * 1e9 + 0.5));
    assert_int_equal(orr_run_flops_ns(run, cpu + 1, ORR_DOUBLE_PRECISION, gemm),
                     0);
    assert_int_equal(orr_run_flops_ns(run, 0, ORR_DOUBLE_PRECISION, NAN), 0);
    assert_int_equal(orr_run_flops_ns(run, 0, ORR_DOUBLE_PRECISION, 1e300), 0);
    assert_int_equal(orr_run_flops_ns(measured, 0, ORR_SINGLE_PRECISION, gemm),
                     0);
    orr_run_free(run);
    orr_run_free(measured);
}

ORR_TESTS(prediction)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_depend_on_where_data_are),
        cmocka_unit_test(writes_need_no_copy),
        cmocka_unit_test(times_and_workers_of_the_task_count),
        cmocka_unit_test(implementations_are_apart),
        cmocka_unit_test(a_task_must_fit_into_the_memory),
        cmocka_unit_test(some_tasks_cannot_run),
        cmocka_unit_test(to_ask_changes_nothing),
        cmocka_unit_test(wrong_arguments_are_errors),
        cmocka_unit_test(without_a_machine_nothing_is_expected),
        cmocka_unit_test(flops_take_the_speed_of_the_machine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Volumes to time, on modelled.xml: at tile 100, gemm takes 1 ms on a core, and
 * 2 x 100^3 flops at half of 1 TFlop/s, 4 us, on the GPU.
 */
#include "models/dagtime/dag_times.h"

#include <string.h>

#include "models/dag/dag_builder.h"
#include "models/format/platform_xml.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/temp_file.h"

/* The facts about the only task of a graph, which updates three data. */
struct known {
    const char *kernel;
    uint64_t bytes; /* of each datum */
    double flops;
    orr_time duration;
    const char *device;
    uint32_t memory_node; /* of a device without a name */
};

static struct orr_dag *graph_of(const struct known *known)
{
    struct orr_dag_builder *builder =
        orr_dag_builder_new("a.test", "test", ORR_DAG_BY_RANK);
    struct orr_dag_task *task;
    struct orr_dag *dag;

    builder->line = 7;
    task = orr_dag_task_of(builder, orr_dag_define(builder, "one", 3, NULL));
    if (known->kernel)
        task->kernel =
            orr_dag_kernel_of(builder, known->kernel, strlen(known->kernel));
    if (known->device)
        task->device =
            orr_dag_device_of(builder, known->device, 0, known->memory_node);
    task->flops = known->flops;
    task->duration = known->duration;
    task->line = 7;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t datum = orr_dag_datum_add(builder, known->bytes, 0, NULL);

        assert_true(orr_dag_access(builder, 0, datum,
                                   ORR_DAG_READ | ORR_DAG_WRITE, NULL));
    }
    dag = orr_dag_builder_finish(builder, NULL);
    assert_non_null(dag);
    orr_dag_builder_free(builder);
    return dag;
}

static int setup(void **state)
{
    g_autofree char *path = source_file("tests/platforms/modelled.xml");

    *state = orr_platform_read(path, NULL);
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    orr_platform_free(*state);
    return 0;
}

/* A speed for tasks of any kernel: 1 GFlop/s on a core, 10 on the GPU. */
static void add_any(struct orr_platform *platform)
{
    struct orr_platform_kernel *kernel;

    platform->kernels = g_renew(struct orr_platform_kernel, platform->kernels,
                                platform->kernel_count + 1);
    kernel = &platform->kernels[platform->kernel_count++];
    *kernel = (struct orr_platform_kernel){
        .family = g_strdup("any"),
        .name = g_strdup("any"),
        .flops_count = 2,
        .flops = g_new0(struct orr_flops, 2),
    };
    for (unsigned device = 0; device < 2; device++) {
        kernel->flops[device] = (struct orr_flops){
            .device = device,
            .operations = 1,
            .peak = device == 0 ? 1e9 : 1e10,
            .point_count = 1,
            .points = g_new0(struct orr_flops_point, 1),
        };
        kernel->flops[device].points[0] = (struct orr_flops_point){1, 1.0};
    }
}

static struct orr_dag_times *times_of(const struct orr_platform *platform,
                                      const struct known *known, unsigned cpus,
                                      unsigned gpus, const char *speeds,
                                      GError **error)
{
    struct orr_dag *dag = graph_of(known);
    struct orr_dag_time_settings settings = {
        .platform = platform,
        .cpus = cpus,
        .gpus = gpus,
    };
    struct orr_dag_times *times;

    assert_true(orr_assumed_speeds_parse(speeds, &settings.speeds, NULL));
    times = orr_dag_times_new(dag, &settings, error);
    orr_dag_free(dag);
    return times;
}

static void expect(const struct orr_platform *platform,
                   const struct known *known, const char *speeds,
                   enum orr_dag_time_source source, orr_time cpu, orr_time gpu)
{
    g_autoptr(GError) error = NULL;
    struct orr_dag_times *times =
        times_of(platform, known, 1, 1, speeds, &error);

    if (error)
        fail_msg("%s", error->message);
    assert_int_equal(times->tasks[0].source, source);
    assert_int_equal(times->counts[source], 1);
    assert_int_equal(times->tasks[0].cpu, cpu);
    assert_int_equal(times->tasks[0].gpu, gpu);
    orr_dag_times_free(times);
}

/* All is known, and the calibration counts; at tile 200, the GPU alone is
 * modelled: 2 x 200^3 flops at 0.625 TFlop/s. */
static void test_a_calibration_comes_first(void **state)
{
    struct known gemm = {"chol_model_gemm", 40000, 5e9, 7 * ORR_S, "CPU0", 0};

    add_any(*state);
    expect(*state, &gemm, NULL, ORR_DAG_TIME_CALIBRATION, ORR_MS, 4 * ORR_US);
    gemm.bytes = 160000;
    expect(*state, &gemm, NULL, ORR_DAG_TIME_CALIBRATION, 0, 25600);
}

/* 5 GFlop at 1 and at 10 GFlop/s. */
static void test_flops_come_second(void **state)
{
    const struct known other = {"solve", 40000, 5e9, 7 * ORR_S, "CPU0", 0};

    add_any(*state);
    expect(*state, &other, NULL, ORR_DAG_TIME_FLOPS, 5 * ORR_S, ORR_S / 2);
}

static void test_a_recorded_duration_is_scaled_by_speeds(void **state)
{
    const struct known cpu = {"solve", 40000, 5e9, 7 * ORR_S, "CPU0", 0};
    const struct known gpu = {"solve", 40000, -1, 7 * ORR_S, "CUDA1", 0};
    const struct known nobody = {"solve", 40000, -1, 7 * ORR_S, NULL, 0};

    expect(*state, &cpu, NULL, ORR_DAG_TIME_RECORDED, 7 * ORR_S, 0);
    expect(*state, &gpu, NULL, ORR_DAG_TIME_RECORDED, 0, 7 * ORR_S);
    expect(*state, &nobody, NULL, ORR_DAG_TIME_RECORDED, 7 * ORR_S, 0);
    expect(*state, &cpu, "CUDA=10", ORR_DAG_TIME_RECORDED, 7 * ORR_S,
           7 * ORR_S / 10);
    expect(*state, &gpu, "CPU=1,CUDA=10", ORR_DAG_TIME_RECORDED, 70 * ORR_S,
           7 * ORR_S);
    expect(*state, &cpu, "CPU=2,CUDA=4,recorded-CPU=1", ORR_DAG_TIME_RECORDED,
           7 * ORR_S / 2, 7 * ORR_S / 4);
}

static void test_a_device_without_a_name_is_known_by_its_memory(void **state)
{
    struct known known = {"solve", 40000, -1, 7 * ORR_S, "", 0};

    expect(*state, &known, NULL, ORR_DAG_TIME_RECORDED, 7 * ORR_S, 0);
    known.memory_node = 1;
    expect(*state, &known, NULL, ORR_DAG_TIME_RECORDED, 0, 7 * ORR_S);
    known.memory_node = ORR_DAG_NONE;
    expect(*state, &known, NULL, ORR_DAG_TIME_RECORDED, 7 * ORR_S, 0);
}

/* 0 would mean that it is not known. */
static void test_a_scaled_duration_is_a_ns_at_least(void **state)
{
    const struct known known = {"solve", 40000, -1, 1, "CPU0", 0};

    expect(*state, &known, "CUDA=10", ORR_DAG_TIME_RECORDED, 1, 1);
}

static void test_a_task_without_kernel_needs_no_time(void **state)
{
    const struct known nothing = {NULL, 40000, -1, -1, NULL, 0};

    expect(*state, &nothing, NULL, ORR_DAG_TIME_NONE, 0, 0);
}

static void expect_refused(const struct orr_platform *platform,
                           const struct known *known, unsigned cpus,
                           unsigned gpus, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_null(times_of(platform, known, cpus, gpus, NULL, &error));
    assert_non_null(error);
    assert_string_equal(error->message, message);
}

static void test_an_error_names_kernel_and_devices(void **state)
{
    const struct known gpu = {"solve", 40000, -1, 7 * ORR_S, "CUDA1", 0};
    const struct known flops = {"solve", 40000, 5e9, -1, NULL, 0};

    expect_refused(*state, &gpu, 1, 0,
                   "a.test:7: task 'one': kernel 'solve' has no duration for "
                   "data of these sizes on CPU of platform modelled; its "
                   "duration was recorded on a GPU, and --assume-speed "
                   "CUDA=SPEED scales it");
    expect_refused(*state, &flops, 1, 1,
                   "a.test:7: task 'one': kernel 'solve' has no duration for "
                   "data of these sizes on CPU and CUDA0 of platform modelled; "
                   "its flops need the speed of a kernel 'any' of family 'any' "
                   "with <flops>, or assumed ones: --assume-flops "
                   "CPU=20GFlop/s,CUDA=1TFlop/s");
}

/* 5 GFlop, at 20 GFlop/s and at 1 TFlop/s; a speed of the platform comes first.
 */
static void test_flops_are_timed_at_assumed_speeds(void **state)
{
    const struct known known = {"solve", 40000, 5e9, 7 * ORR_S, "CPU0", 0};
    struct orr_dag *dag = graph_of(&known);
    struct orr_dag_time_settings settings = {
        .platform = *state,
        .cpus = 1,
        .gpus = 1,
    };
    struct orr_dag_times *times;

    assert_true(
        orr_assumed_flops_parse("CUDA=1TFlop/s", &settings.speeds, NULL));
    times = orr_dag_times_new(dag, &settings, NULL);
    assert_int_equal(times->tasks[0].source, ORR_DAG_TIME_FLOPS);
    assert_int_equal(times->tasks[0].cpu, 0);
    assert_int_equal(times->tasks[0].gpu, 5 * ORR_MS);
    orr_dag_times_free(times);
    assert_true(orr_assumed_flops_parse("CUDA=1TFlop/s,CPU=20GFlop/s",
                                        &settings.speeds, NULL));
    times = orr_dag_times_new(dag, &settings, NULL);
    assert_int_equal(times->tasks[0].cpu, ORR_S / 4);
    orr_dag_times_free(times);
    add_any(*state);
    times = orr_dag_times_new(dag, &settings, NULL);
    assert_int_equal(times->tasks[0].cpu, 5 * ORR_S);
    orr_dag_times_free(times);
    orr_dag_free(dag);
}

static void refuse_speeds(const char *text, const char *message)
{
    struct orr_assumed_speeds speeds = {{3, 4}, {5, 6}, {7, 8}};
    g_autoptr(GError) error = NULL;

    assert_false(orr_assumed_speeds_parse(text, &speeds, &error));
    assert_non_null(strstr(error->message, message));
    assert_true(speeds.target[0] > 2.9 && speeds.recording[1] > 5.9);
}

static void test_wrong_speeds_are_refused(void **state)
{
    (void)state;
    refuse_speeds("CUDA", "'CUDA': expected CLASS=SPEED");
    refuse_speeds("", "expected CLASS=SPEED");
    refuse_speeds("CUDA=1,CUDA=2", "'CUDA=2': the class has a speed already");
    refuse_speeds("FPGA=1", "FPGA");
    refuse_speeds("CPU=0", "'CPU=0': expected a number above 0");
    refuse_speeds("CPU=-1", "'CPU=-1': expected a number above 0");
    refuse_speeds("CPU=nan", "'CPU=nan': expected a number above 0");
    refuse_speeds("CPU=2e9", "'CPU=2e9': expected a number above 0");
    refuse_speeds("CPU=1,", "'': expected CLASS=SPEED");
}

static void test_wrong_flops_are_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"", "'': expected CLASS=SPEED, as in CUDA=1TFlop/s"},
        {"CPU=10", "'CPU=10': expected a speed from 1 Flop/s to 2^63 Flop/s"},
        {"CPU=0GFlop/s", "'CPU=0GFlop/s': expected a speed"},
        {"recorded-CPU=1GFlop/s", "recorded-CPU"},
        {"CPU=1GFlop/s,CPU=2GFlop/s", "the class has a speed already"},
    };
    struct orr_assumed_speeds speeds = {{3, 4}, {5, 6}, {7, 8}};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;

        assert_false(orr_assumed_flops_parse(wrong[i][0], &speeds, &error));
        assert_non_null(strstr(error->message, wrong[i][1]));
        assert_true(speeds.flops[0] > 6.9 && speeds.flops[1] > 7.9);
    }
}

#define ON_PLATFORM(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

ORR_TESTS(dag_times)
{
    const struct CMUnitTest tests[] = {
        ON_PLATFORM(test_a_calibration_comes_first),
        ON_PLATFORM(test_flops_come_second),
        ON_PLATFORM(test_a_recorded_duration_is_scaled_by_speeds),
        ON_PLATFORM(test_a_device_without_a_name_is_known_by_its_memory),
        ON_PLATFORM(test_a_scaled_duration_is_a_ns_at_least),
        ON_PLATFORM(test_a_task_without_kernel_needs_no_time),
        ON_PLATFORM(test_an_error_names_kernel_and_devices),
        ON_PLATFORM(test_flops_are_timed_at_assumed_speeds),
        cmocka_unit_test(test_wrong_speeds_are_refused),
        cmocka_unit_test(test_wrong_flops_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs on machines other than their file's. */
#include "models/format/platform_save.h"
#include "models/format/platform_xml.h"
#include "models/platform/platform_change.h"
#include "models/platform/platform_resize.h"
#include "runtime/config/run_config.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define BYTES ((uint64_t)4000000)
#define TILE ((uint64_t)3686400) /* 960 x 960 floats */
#define ALONE (410 * US)
#define SHARED (810 * US)

static struct unit_run *make(const char *platform, int gpus,
                             const char *const *changes)
{
    struct orr_config config;

    orr_config_init(&config);
    config.sched = "eager";
    config.cpus = 0;
    config.gpus = gpus;
    config.models = "overheads=off";
    config.changes = changes;
    return unit_run_new(platform, &config);
}

static void submit_on(struct unit_run *unit, const char *name)
{
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = orr_kernel_find(unit->run, "test", name, ORR_SINGLE_PRECISION,
                                  960, NULL),
        .count = 1,
        .accesses =
            (const struct orr_access[]){
                {orr_data_register(unit->run, BYTES), ORR_R}},
    };

    assert_non_null(spec.kernel);
    orr_task_submit(unit->run, &spec);
}

/* Two copies that start together, for tasks on two GPUs: when they end. */
static void expect_copies(int gpus, const char *first, const char *second,
                          int64_t end)
{
    struct unit_run *unit = make("switches.xml", gpus, NULL);

    submit_on(unit, first);
    submit_on(unit, second);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 2);
    assert_int_equal(unit_copy(unit, 0)->ended, end);
    assert_int_equal(unit_copy(unit, 1)->ended, end);
    unit_run_free(unit);
}

static void
two_gpus_behind_one_switch_share_it_and_behind_two_do_not(void **state)
{
    (void)state;
    expect_copies(3, "on-cuda1", "on-cuda2", SHARED);
    expect_copies(3, "on-cuda0", "on-cuda1", ALONE);
    expect_copies(3, "on-cuda0", "on-cuda2", ALONE);
}

/* CUDA3 is CUDA2 once again: what runs on one of them runs on both. */
static void a_gpu_more_is_behind_the_switch_of_the_last_one(void **state)
{
    (void)state;
    expect_copies(4, "on-cuda2", "on-cuda2", SHARED);
    expect_copies(4, "on-cuda0", "on-cuda2", ALONE);
}

static void a_wider_switch_lets_both_pass(void **state)
{
    const char *const changes[] = {"link.B.bandwidth=20GBps", NULL};
    struct unit_run *unit = make("switches.xml", 3, changes);

    (void)state;
    submit_on(unit, "on-cuda1");
    submit_on(unit, "on-cuda2");
    unit_wait(unit);
    assert_int_equal(unit_copy(unit, 1)->ended, ALONE);
    unit_run_free(unit);
}

/* 4 MB at 5 GB/s and 10 us. */
static void half_the_bandwidth_is_twice_the_time(void **state)
{
    const char *const changes[] = {"pcie=0.5x", NULL};
    struct unit_run *unit = make("switches.xml", 1, changes);

    (void)state;
    submit_on(unit, "on-cuda0");
    unit_wait(unit);
    assert_int_equal(unit_copy(unit, 0)->ended, 810 * US);
    assert_int_equal(unit_task(unit, 0)->ended, 1810 * US);
    unit_run_free(unit);
}

/* A kernel of 500 us behind a copy of 410 us. */
/* 4 MB at 7.1003 GB/s and 56.803 GB/s, and 10 us, rounded up to ns. */
static void a_generation_decides_how_long_a_copy_takes(void **state)
{
    static const struct {
        const char *change;
        int64_t ns;
    } cases[] = {{"pcie=gen3x8", 573355}, {"pcie=gen5x16", 80420}};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *const changes[] = {cases[i].change, NULL};
        struct unit_run *unit = make("switches.xml", 1, changes);

        submit_on(unit, "on-cuda0");
        unit_wait(unit);
        assert_int_equal(unit_copy(unit, 0)->ended, cases[i].ns);
        unit_run_free(unit);
    }
}

static void half_the_duration_is_half_the_time(void **state)
{
    const char *const changes[] = {"kernel.on-cuda0.CUDA0.scale=0.5", NULL};
    struct unit_run *unit = make("switches.xml", 1, changes);

    (void)state;
    submit_on(unit, "on-cuda0");
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 0)->ended, 910 * US);
    unit_run_free(unit);
}

static struct orr_run *run_new(const char *platform, const char *sched,
                               int gpus, const char *const *changes)
{
    struct orr_config config;
    g_autoptr(GError) error = NULL;
    struct orr_run *run;

    orr_config_init(&config);
    config.platform = platform;
    config.sched = sched;
    config.cpus = 0;
    config.gpus = gpus;
    config.changes = changes;
    run = orr_run_new(&config, &error);
    if (error)
        fail_msg("%s", error->message);
    return run;
}

static int64_t finish(struct orr_run *run)
{
    int64_t makespan;

    assert_true(orr_run_wait(run, NULL));
    makespan = orr_run_report(run)->makespan_ns;
    orr_run_free(run);
    return makespan;
}

/* 96 independent gemms of 960 x 960 floats, each with @data matrices. */
static int64_t independent(const char *sched, int gpus, unsigned data)
{
    struct orr_run *run = run_new("idgraf", sched, gpus, NULL);
    struct orr_kernel *gemm = orr_kernel_find(run, "cholesky", "gemm",
                                              ORR_SINGLE_PRECISION, 960, NULL);

    assert_non_null(gemm);
    for (int i = 0; i < 96; i++) {
        struct orr_access accesses[3];
        struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = gemm,
                                     .count = data, .accesses = accesses};

        for (unsigned d = 0; d < data; d++)
            accesses[d] =
                (struct orr_access){orr_data_register(run, TILE), ORR_R};
        orr_task_submit(run, &spec);
    }
    return finish(run);
}

static void expect_each_to_help(const char *sched)
{
    int64_t before = independent(sched, 1, 0);
    int64_t one = before;

    for (int gpus = 2; gpus <= 8; gpus++) {
        int64_t makespan = independent(sched, gpus, 0);

        if (makespan >= before)
            fail_msg("%s: %d GPUs take %" G_GINT64_FORMAT
                     " ns, one less %" G_GINT64_FORMAT,
                     sched, gpus, makespan, before);
        before = makespan;
    }
    assert_true(before <= one / 7); /* an eighth and a little */
}

static void every_gpu_more_helps_what_is_parallel(void **state)
{
    (void)state;
    expect_each_to_help("eager");
    expect_each_to_help("dmda");
    expect_each_to_help("dmdas");
    expect_each_to_help("ws");
}

/* The makespan of one task that reads @bytes on the only GPU. */
static int64_t single_copy(const char *platform, const char *const *changes,
                           uint64_t bytes)
{
    struct orr_run *run = run_new(platform, "dmda", 1, changes);
    struct orr_access access = {orr_data_register(run, bytes), ORR_RW};
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = orr_kernel_find(run, "cholesky", "gemm", ORR_SINGLE_PRECISION,
                                  960, NULL),
        .count = 1,
        .accesses = &access,
    };

    assert_non_null(spec.kernel);
    orr_task_submit(run, &spec);
    return finish(run);
}

/* Whatever the links were before. */
static void twice_all_bandwidths_never_slow_down_a_single_copy(void **state)
{
    static const char *const platforms[] = {"attila",  "mirage",   "idgraf",
                                            "sirocco", "hannibal", "dgx-h100"};
    g_autoptr(GRand) rand = g_rand_new_with_seed(4);

    (void)state;
    for (int i = 0; i < 120; i++) {
        g_autofree char *host = g_strdup_printf(
            "link.*.bandwidth=%dMBps", g_rand_int_range(rand, 1, 100000));
        g_autofree char *up = g_strdup_printf(
            "link.*0*.bandwidth=%dMBps", g_rand_int_range(rand, 1, 100000));
        const char *const slow[] = {host, up, NULL};
        const char *const fast[] = {host, up, "link.*.bandwidth=2x", NULL};
        const char *platform = platforms[i % G_N_ELEMENTS(platforms)];
        uint64_t bytes = (uint64_t)g_rand_int_range(rand, 1, 500000000);
        int64_t before = single_copy(platform, slow, bytes);
        int64_t after = single_copy(platform, fast, bytes);

        if (after > before)
            fail_msg("%s, %s, %s: %" G_GINT64_FORMAT
                     " ns, then %" G_GINT64_FORMAT,
                     platform, host, up, before, after);
    }
}

/* Three GPUs in a graph with copies among them. */
static int64_t busy(const char *platform, int gpus)
{
    struct orr_config config;
    struct unit_run *unit;
    struct orr_data *data[8];
    int64_t makespan;

    orr_config_init(&config);
    config.sched = "dmda";
    config.cpus = 0;
    config.gpus = gpus;
    unit = unit_run_new(platform, &config);
    for (unsigned i = 0; i < G_N_ELEMENTS(data); i++)
        data[i] = orr_data_register(unit->run, BYTES);
    for (unsigned i = 0; i < 60; i++)
        unit_submit_pair(unit, data[i % 8], data[(3 * i + 1) % 8]);
    unit_wait(unit);
    makespan = orr_run_report(unit->run)->makespan_ns;
    assert_true(orr_run_report(unit->run)->gpus == 3);
    unit_run_free(unit);
    return makespan;
}

static void three_gpus_of_three_are_the_files(void **state)
{
    (void)state;
    assert_int_equal(busy("three-gpus.xml", 3), busy("three-gpus.xml", -1));
    assert_int_equal(busy("switches.xml", 3), busy("switches.xml", -1));
}

/* Where all GPUs are alike, the third once again is the third. */
static void a_third_gpu_that_is_repeated_is_the_files(void **state)
{
    g_autofree char *path = source_file("tests/platforms/three-gpus.xml");
    const char *const alike[] = {"belief.*.bandwidth=10GBps", NULL};
    const struct orr_what_if what = {-1, -1, alike, false};
    struct orr_platform *platform = orr_platform_read(path, NULL);
    char *three = temp_file_new("", 0);
    char *two = temp_file_new("", 0);

    (void)state;
    orr_changes_free(orr_platform_change(platform, &what, NULL));
    assert_true(orr_platform_save(platform, NULL, three, NULL));
    orr_platform_shrink(platform, 2, platform->cores);
    assert_true(orr_platform_save(platform, NULL, two, NULL));
    assert_int_equal(busy(two, 3), busy(three, 3));
    temp_file_remove(two);
    temp_file_remove(three);
    orr_platform_free(platform);
}

ORR_TESTS(whatif)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            two_gpus_behind_one_switch_share_it_and_behind_two_do_not),
        cmocka_unit_test(a_gpu_more_is_behind_the_switch_of_the_last_one),
        cmocka_unit_test(a_wider_switch_lets_both_pass),
        cmocka_unit_test(half_the_bandwidth_is_twice_the_time),
        cmocka_unit_test(a_generation_decides_how_long_a_copy_takes),
        cmocka_unit_test(half_the_duration_is_half_the_time),
        cmocka_unit_test(every_gpu_more_helps_what_is_parallel),
        cmocka_unit_test(twice_all_bandwidths_never_slow_down_a_single_copy),
        cmocka_unit_test(three_gpus_of_three_are_the_files),
        cmocka_unit_test(a_third_gpu_that_is_repeated_is_the_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages about changes that had no influence on a run. */
#include "runtime/config/run_config.h"
#include "runtime/diagnosis/unused_settings.h"

#include <string.h>

#include "tests/support/unit_run.h"

#define MIB ((uint64_t)1024 * 1024)

struct options {
    const char *change; /* of the platform */
    const char *sched;  /* NULL: eager */
    const char *models;
    const char *kernel; /* NULL: unit */
    int gpus;
    uint64_t gpu_memory_bytes;
    uint64_t window;
    bool stale;
    uint64_t bytes; /* of the data of a task; 0: none */
};

static const char *unused_of(struct unit_run *unit, unsigned i)
{
    const char *const *unused = orr_run_report(unit->run)->unused;

    for (unsigned j = 0; j < i; j++)
        assert_non_null(unused[j]);
    return unused[i];
}

/* Three tasks, each with data of its own, on GPUs alone. */
static struct unit_run *run_options(const struct options *options)
{
    const char *const changes[] = {options->change, NULL};
    struct orr_config config;
    struct unit_run *unit;

    orr_config_init(&config);
    config.sched = options->sched ? options->sched : "eager";
    config.cpus = 0;
    config.gpus = options->gpus;
    config.models = options->models;
    config.changes = changes;
    config.gpu_memory_bytes = options->gpu_memory_bytes;
    config.window.most = options->window;
    config.stale_calibration = options->stale;
    unit = unit_run_new("three-gpus.xml", &config);
    if (options->kernel)
        unit->unit = orr_kernel_find(unit->run, "test", options->kernel,
                                     ORR_SINGLE_PRECISION, 960, NULL);
    for (int i = 0; i < 3; i++) {
        if (options->bytes > 0)
            unit_submit(unit, orr_data_register(unit->run, options->bytes),
                        ORR_R);
        else
            unit_submit_bare(unit);
    }
    unit_wait(unit);
    return unit;
}

static void expect_unused(const struct options *options, const char *expected)
{
    struct unit_run *unit = run_options(options);
    const char *sentence = unused_of(unit, 0);

    if (!sentence || strcmp(sentence, expected) != 0)
        fail_msg("%s", sentence ? sentence : "nothing is unused");
    assert_null(unused_of(unit, 1));
    unit_run_free(unit);
}

static void expect_used(const struct options *options)
{
    struct unit_run *unit = run_options(options);

    if (unused_of(unit, 0))
        fail_msg("%s", unused_of(unit, 0));
    unit_run_free(unit);
}

static void a_link_that_no_copy_took_is_named(void **state)
{
    struct options options = {
        .change = "link.RAM-CUDA2.bandwidth=5GBps", .gpus = 3, .bytes = 4000};

    (void)state;
    expect_used(&options);
    options.gpus = 2;
    expect_unused(&options, "link.RAM-CUDA2.bandwidth was never used: no copy "
                            "took that link");
    options.change = "link.RAM-CUDA2.latency=5us";
    expect_unused(&options, "link.RAM-CUDA2.latency was never used: no copy "
                            "took that link");
    options.change = "link.*CUDA2.latency=5us";
    expect_unused(&options, "link.*CUDA2.latency was never used: no copy took "
                            "any such link");
    /* One of several is enough. */
    options.change = "link.RAM-*.latency=5us";
    expect_used(&options);
}

static void without_data_no_link_is_used(void **state)
{
    struct options options = {.change = "pcie=0.5x", .gpus = 1};

    (void)state;
    expect_unused(&options, "pcie was never used: no copy took any such link");
    options.bytes = 4000;
    expect_used(&options);
}

/* All that goes to CUDA0 also crosses Host, of 10 GB/s. */
static void a_link_that_was_never_the_narrowest_is_named(void **state)
{
    struct options options = {
        .change = "link.RAM-CUDA0.bandwidth=20GBps", .gpus = 1, .bytes = 4000};

    (void)state;
    expect_unused(&options,
                  "link.RAM-CUDA0.bandwidth was never used: copies over "
                  "RAM-CUDA0 also cross Host, which is no faster");
    options.change = "link.RAM-CUDA0.bandwidth=9GBps";
    expect_used(&options);
    /* Both together are the narrowest, before and after. */
    options.change = "link.*.bandwidth=0.5x";
    expect_used(&options);
    options.change = "link.*.bandwidth=2x";
    expect_used(&options);
}

static void what_policies_expected_of_it_is_told_apart(void **state)
{
    struct options options = {.change = "link.CUDA0-CUDA1.bandwidth=1GBps",
                              .sched = "dmda",
                              .gpus = 2,
                              .bytes = 4000};

    (void)state;
    expect_unused(&options,
                  "link.CUDA0-CUDA1.bandwidth influenced only predictions of "
                  "the policy: no copy took that link");
    /* Then the calibration is what it was. */
    options.change = "link.CUDA0-CUDA2.bandwidth=1GBps";
    expect_unused(&options, "link.CUDA0-CUDA2.bandwidth was never used: no "
                            "copy took that link");
}

static void a_memory_that_was_never_full_is_named(void **state)
{
    struct options options = {
        .change = "memory.CUDA0.size=2GiB", .gpus = 1, .bytes = 4 * MIB};

    (void)state;
    expect_unused(&options, "memory.CUDA0.size was never used: CUDA0 was never "
                            "full, it held 33.6 MB at most");
    options.change = "memory.CUDA1.size=2GiB";
    expect_unused(&options,
                  "memory.CUDA1.size was never used: that GPU is not in use");
    options.change = "memory.CUDA0.size=2GiB";
    options.models = "memory=off";
    expect_unused(&options, "memory.CUDA0.size was never used: with "
                            "memory=off, memory is unlimited");
    options.models = NULL;
    options.gpu_memory_bytes = 900 * MIB;
    options.bytes = 400 * MIB; /* more than two do not fit */
    expect_unused(&options, "memory.CUDA0.size was never used: the usable "
                            "memory of GPUs is set separately");
}

static void a_memory_that_is_full_now_or_would_have_been_is_not(void **state)
{
    struct options options = {
        .change = "memory.CUDA0.size=500MiB", .gpus = 1, .bytes = 200 * MIB};

    (void)state;
    expect_used(&options); /* 450 MiB for 600 */
    options.change = "memory.CUDA0.size=8GiB";
    options.bytes = 400 * MIB; /* 921 MiB before for 1200 */
    expect_used(&options);
}

static void a_given_memory_is_named(void **state)
{
    struct options options = {.change = "overhead.push=2us",
                              .gpus = 1,
                              .gpu_memory_bytes = 500 * MIB,
                              .bytes = 4 * MIB};

    (void)state;
    expect_unused(&options, "gpu-memory was never used: no GPU was ever full, "
                            "they held 33.6 MB at most");
    options.bytes = 200 * MIB;
    expect_used(&options);
    options.gpu_memory_bytes = 8192 * MIB;
    options.bytes = 400 * MIB;
    expect_used(&options);
}

static void a_kernel_that_never_ran_there_is_named(void **state)
{
    struct options options = {.change = "kernel.unit.CUDA*.scale=2", .gpus = 1};

    (void)state;
    expect_used(&options);
    options.change = "kernel.unit.CPU.scale=2";
    expect_unused(&options,
                  "kernel.unit.CPU.scale was never used: unit never ran there");
    options.change = "kernel.mixed.CUDA0.scale=2";
    expect_unused(&options, "kernel.mixed.CUDA0.scale was never used: mixed "
                            "never ran there");
    options.change = "kernel.unit.CUDA0.960.deviation=2us";
    expect_unused(&options, "kernel.unit.CUDA0.960.deviation was never used: "
                            "with durations=mean, durations do not vary");
    options.models = "durations=sampled";
    expect_used(&options);
    options.models = NULL;
    /* dmda asked how long it would take there. */
    options.sched = "dmda";
    options.gpus = 2;
    options.kernel = "on-cuda0";
    options.change = "kernel.on-cuda0.CUDA0.scale=2";
    expect_used(&options);
}

static void an_overhead_that_was_never_paid_is_named(void **state)
{
    struct options options = {.change = "overhead.transfer-queue=5us",
                              .gpus = 1};

    (void)state;
    expect_unused(
        &options,
        "overhead.transfer-queue was never used: nothing in the run costs it");
    options.bytes = 4000;
    expect_used(&options);
    options.change = "overhead.gpu-free=5us";
    expect_unused(
        &options,
        "overhead.gpu-free was never used: nothing in the run costs it");
    options.models = "overheads=off";
    expect_unused(&options, "overhead.gpu-free was never used: with "
                            "overheads=off, it costs nothing");
}

static void beliefs_that_nobody_looks_at_are_named(void **state)
{
    struct options options = {
        .change = "belief.RAM-CUDA0.bandwidth=1GBps", .gpus = 1, .bytes = 4000};

    (void)state;
    expect_unused(&options, "belief.RAM-CUDA0.bandwidth was never used: policy "
                            "eager does not ask how long copies take");
    options.sched = "dmda";
    expect_used(&options);
    options.models = "belief=route";
    expect_unused(&options, "belief.RAM-CUDA0.bandwidth was never used: with "
                            "belief=route, policies use the route");
    options.models = NULL;
    options.change = "belief.RAM-CUDA2.bandwidth=1GBps";
    expect_unused(&options, "belief.RAM-CUDA2.bandwidth was never used: that "
                            "GPU is not in use");
}

static void a_stale_calibration_is_no_exception(void **state)
{
    struct options options = {
        .change = "pcie=0.5x", .gpus = 1, .bytes = 4000, .stale = true};

    (void)state;
    expect_unused(&options, "stale-calibration was never used: policy eager "
                            "does not ask how long copies take");
    options.sched = "dmda";
    expect_used(&options);
}

static void a_change_to_what_was_is_none(void **state)
{
    struct options options = {
        .change = "link.Host.bandwidth=10GBps", .gpus = 1, .bytes = 4000};

    (void)state;
    expect_unused(
        &options,
        "link.Host.bandwidth changed nothing: it had that value already");
    options.change = "cores=9";
    expect_unused(
        &options,
        "cores was never used: the number of CPU workers is set separately");
}

static void a_window_that_never_closed_is_named(void **state)
{
    struct options options = {.window = 2, .gpus = 1};

    (void)state;
    expect_used(&options);
    options.window = 3; /* of three tasks, the last finds two in flight */
    expect_unused(&options, "window was never used: submission never waited "
                            "for it");
}

static void a_pipeline_without_tasks_is_named(void **state)
{
    static const char *const classes[][2] = {{"unit=gpu"}, {"unit=cpu"}};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(classes); i++) {
        struct orr_config config = unit_config("eager", 1, 1);
        struct unit_run *unit;
        const char *sentence;

        config.pipeline = 3;
        config.where = classes[i];
        unit = unit_run_new("three-gpus.xml", &config);
        unit_submit_bare(unit);
        unit_wait(unit);
        sentence = unused_of(unit, 0);
        if (i == 0)
            assert_null(sentence);
        else
            assert_string_equal(
                sentence, "pipeline was never used: no task ran on a GPU");
        unit_run_free(unit);
    }
}

static void models_that_nothing_asked_are_named(void **state)
{
    struct options options = {.models = "network=crude", .gpus = 1};

    (void)state;
    expect_unused(&options, "network=crude was never used: nothing was copied");
    options.models = "belief=route";
    expect_unused(&options, "belief=route was never used: policy eager does "
                            "not ask how long copies take");
    options.models = "pitch=off";
    expect_unused(&options, "pitch=off was never used: no copy on this machine "
                            "depends on the pitch");
    options.bytes = 4000;
    options.models = "sharing=fair,network=crude";
    expect_unused(&options, "sharing=fair was never used: with network=crude, "
                            "copies share no link");
    options.models = "network=crude";
    expect_used(&options);
    options.models = "pitch=on,belief=reference";
    expect_used(&options);
    options.models = "belief=route";
    options.sched = "dmda";
    expect_used(&options);
}

ORR_TESTS(unused_settings)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_that_no_copy_took_is_named),
        cmocka_unit_test(without_data_no_link_is_used),
        cmocka_unit_test(a_link_that_was_never_the_narrowest_is_named),
        cmocka_unit_test(what_policies_expected_of_it_is_told_apart),
        cmocka_unit_test(a_memory_that_was_never_full_is_named),
        cmocka_unit_test(a_memory_that_is_full_now_or_would_have_been_is_not),
        cmocka_unit_test(a_given_memory_is_named),
        cmocka_unit_test(a_kernel_that_never_ran_there_is_named),
        cmocka_unit_test(an_overhead_that_was_never_paid_is_named),
        cmocka_unit_test(beliefs_that_nobody_looks_at_are_named),
        cmocka_unit_test(a_stale_calibration_is_no_exception),
        cmocka_unit_test(a_change_to_what_was_is_none),
        cmocka_unit_test(a_window_that_never_closed_is_named),
        cmocka_unit_test(a_pipeline_without_tasks_is_named),
        cmocka_unit_test(models_that_nothing_asked_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/parameters.h"

#include "tests/support/platform_file.h"

/* Kind and value of "path=value", which are to be understood. */
static void understand(const char *path, const char *text,
                       enum orr_parameter_kind *kind,
                       struct orr_parameter_value *value)
{
    g_autoptr(GError) error = NULL;

    if (!orr_parameter_kind_of(path, kind, &error) ||
        !orr_parameter_parse(*kind, text, value, &error))
        fail_msg("%s", error->message);
}

static void expect_understood(const char *path, const char *text,
                              bool is_factor, double number)
{
    enum orr_parameter_kind kind;
    struct orr_parameter_value value = {.number = -1};

    understand(path, text, &kind, &value);
    assert_true(value.is_factor == is_factor);
    assert_true(value.number == number);
}

static void values_have_the_unit_of_their_figure(void **state)
{
    (void)state;
    expect_understood("cores", "12", false, 12);
    expect_understood("memory.CUDA0.size", "24GB", false, 24e9);
    expect_understood("link.Host.bandwidth", "12GBps", false, 12e9);
    expect_understood("link.a.b.c.latency", "2us", false, 2000);
    expect_understood("belief.RAM-CUDA0.bandwidth", "1MBps", false, 1e6);
    expect_understood("belief.RAM-CUDA0.latency", "2us", false, 2e-6);
    expect_understood("overhead.push", "0ns", false, 0);
    expect_understood("kernel.gemm.CUDA0.960.mean", "2ms", false, 2e6);
    expect_understood("kernel.gemm.CUDA0.peak", "2TFlop/s", false, 2e12);
}

static void a_factor_suits_any_figure(void **state)
{
    (void)state;
    expect_understood("cores", "2x", true, 2);
    expect_understood("link.Host.bandwidth", "0.5x", true, 0.5);
    expect_understood("link.Host.latency", "0x", true, 0);
    expect_understood("kernel.gemm.CUDA*.scale", "0.5x", true, 0.5);
    expect_understood("kernel.gemm.CUDA*.scale", "0.5", true, 0.5);
}

static void expect_refused(const char *path, const char *text)
{
    enum orr_parameter_kind kind;
    struct orr_parameter_value value;
    GError *error = NULL;

    assert_true(orr_parameter_kind_of(path, &kind, NULL));
    assert_false(orr_parameter_parse(kind, text, &value, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    g_error_free(error);
}

static void what_is_no_value_of_a_figure_is_refused(void **state)
{
    (void)state;
    expect_refused("link.Host.bandwidth", "0GBps");
    expect_refused("link.Host.bandwidth", "0x");
    expect_refused("link.Host.bandwidth", "-1GBps");
    expect_refused("link.Host.bandwidth", "12");
    expect_refused("link.Host.bandwidth", "12GB");
    expect_refused("link.Host.bandwidth", "fast");
    expect_refused("link.Host.bandwidth", "");
    expect_refused("link.Host.bandwidth", "x");
    expect_refused("link.Host.latency", "-1us");
    expect_refused("memory.CUDA0.size", "0B");
    expect_refused("cores", "0");
    expect_refused("cores", "1.5");
    expect_refused("kernel.gemm.CPU.scale", "0");
    expect_refused("kernel.gemm.CPU.960.mean", "0us");
    expect_refused("kernel.gemm.CPU.scale", "infx");
}

static void
a_path_that_is_no_figures_is_refused_with_those_there_are(void **state)
{
    static const char *const paths[] = {
        "",
        "links.Host.bandwidth",
        "link.Host",
        "link",
        "core",
        "cores.CPU",
        "memory",
        "memory.CUDA0",
        ".size",
        "*.bandwidth",
        "link.bandwidth.Host",
        "kernel",
        "link..",
        "overhead",
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        enum orr_parameter_kind kind;
        GError *error = NULL;

        if (orr_parameter_kind_of(paths[i], &kind, &error))
            fail_msg("%s is a figure", paths[i]);
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN));
        assert_non_null(strstr(error->message, "memory.GPU.size"));
        g_error_free(error);
    }
}

static bool holds(const GArray *figures, const struct orr_parameter *figure)
{
    for (unsigned i = 0; i < figures->len; i++) {
        const struct orr_parameter *other =
            &g_array_index(figures, struct orr_parameter, i);

        if (other->index == figure->index && other->device == figure->device &&
            other->tile == figure->tile)
            return true;
    }
    return false;
}

/* Every figure is found by each of its paths, and by no other kind's. */
static void every_figure_has_paths_of_its_own(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/everything.xml");
    unsigned count = 0;

    (void)state;
    for (int k = 0; k < ORR_PARAMETERS; k++) {
        g_autoptr(GArray) all =
            orr_parameters_list(platform, (enum orr_parameter_kind)k);

        assert_true(all->len > 0);
        for (unsigned i = 0; i < all->len; i++) {
            struct orr_parameter *figure =
                &g_array_index(all, struct orr_parameter, i);
            g_autofree char *path = orr_parameter_path(platform, figure, 0);
            g_autoptr(GArray) found = NULL;
            enum orr_parameter_kind kind;

            assert_true(orr_parameter_kind_of(path, &kind, NULL));
            assert_int_equal(kind, k);
            found = orr_parameters_match(platform, path, kind, NULL);
            assert_non_null(found);
            assert_true(found->len >= 1);
            assert_true(holds(found, figure));
            count++;
        }
    }
    assert_true(count > 30);
    orr_platform_free(platform);
}

static GArray *match(const struct orr_platform *platform, const char *path)
{
    enum orr_parameter_kind kind;
    g_autoptr(GError) error = NULL;
    GArray *found;

    assert_true(orr_parameter_kind_of(path, &kind, NULL));
    found = orr_parameters_match(platform, path, kind, &error);
    if (error)
        fail_msg("%s", error->message);
    return found;
}

static void expect_matches(const struct orr_platform *platform,
                           const char *path, unsigned count)
{
    g_autoptr(GArray) found = match(platform, path);

    assert_int_equal(found->len, count);
}

static void wildcards_find_several(void **state)
{
    struct orr_platform *platform = platform_read("platforms/attila.xml");

    (void)state;
    expect_matches(platform, "memory.*.size", 3);
    expect_matches(platform, "memory.CUDA?.size", 3);
    expect_matches(platform, "memory.CUDA1.size", 1);
    expect_matches(platform, "link.RAM-*.bandwidth", 3);
    expect_matches(platform, "link.PCI:0000:[80-84] *.latency", 3);
    expect_matches(platform, "overhead.*-queue", 2);
    expect_matches(platform, "belief.RAM-*.latency", 3);
    /* Of Cholesky, of LU in both precisions, and three of the family gemm; on
     * CPUs and three GPUs. */
    expect_matches(platform, "kernel.gemm.*.scale", 24);
    expect_matches(platform, "kernel.cholesky.gemm.single.CUDA0.scale", 1);
    /* Of kernels called gemm, in whatever family. */
    expect_matches(platform, "kernel.gemm.CUDA0.960.mean", 4);
    orr_platform_free(platform);
}

static void a_route_calls_the_link_that_it_has_alone(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/everything.xml");
    g_autoptr(GArray) found = match(platform, "link.CUDA0-RAM.bandwidth");
    GError *error = NULL;

    (void)state;
    /* Its only link. */
    assert_int_equal(found->len, 1);
    assert_int_equal(g_array_index(found, struct orr_parameter, 0).index, 0);
    /* Neither of its links is its own. */
    assert_null(orr_parameters_match(platform, "link.RAM-CUDA0.bandwidth",
                                     ORR_PARAMETER_BANDWIDTH, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    assert_non_null(strstr(error->message, "PCI:0000:[00-07] up, Host"));
    g_error_free(error);
    orr_platform_free(platform);
}

static void what_matches_nothing_lists_what_there_is(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/two-gpus.xml");
    GError *error = NULL;

    (void)state;
    assert_null(orr_parameters_match(platform, "memory.GPU0.size",
                                     ORR_PARAMETER_MEMORY, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN));
    assert_string_equal(error->message,
                        "platform two-gpus has no figure with that path; "
                        "instead of 'GPU0', it has: CUDA0, CUDA1");
    g_error_free(error);
    orr_platform_free(platform);
}

static void set(struct orr_platform *platform, const char *path,
                const char *text, struct orr_parameter *figure)
{
    enum orr_parameter_kind kind;
    struct orr_parameter_value value;
    g_autoptr(GArray) found = match(platform, path);
    g_autoptr(GError) error = NULL;

    understand(path, text, &kind, &value);
    *figure = g_array_index(found, struct orr_parameter, 0);
    if (!orr_parameter_set(platform, figure, &value, &error))
        fail_msg("%s", error->message);
}

static void a_figure_tells_what_it_was_and_is(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/two-gpus.xml");
    struct orr_parameter figure;

    (void)state;
    set(platform, "link.Host.bandwidth", "0.5x", &figure);
    assert_true(figure.before == 10e9 && figure.after == 5e9);
    assert_true(platform->links[0].bytes_per_s == 5e9);
    set(platform, "overhead.submit", "3us", &figure);
    assert_true(figure.before == 1000 && figure.after == 3000);
    assert_int_equal(platform->overheads.submit, 3000);
    set(platform, "memory.CUDA1.size", "1.5x", &figure);
    assert_int_equal(platform->gpus[1].memory_bytes, 1500000000);
    assert_int_equal(platform->gpus[0].memory_bytes, 1000000000);
    orr_platform_free(platform);
}

static void a_scale_is_one_of_all_durations_on_the_device(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/everything.xml");
    struct orr_parameter figure;

    (void)state;
    set(platform, "kernel.cholesky.gemm.single.CUDA0.scale", "0.5", &figure);
    assert_int_equal(orr_platform_duration(&platform->kernels[0], 320, 1),
                     500000);
    assert_int_equal(orr_platform_duration(&platform->kernels[0], 960, 1),
                     289722); /* 579444.7 ns, rounded, and its half */
    assert_int_equal(orr_platform_duration(&platform->kernels[0], 960, 2),
                     579445);
    orr_platform_free(platform);
}

static void a_scale_of_a_modelled_kernel_is_one_of_its_peak(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/modelled.xml");
    const struct orr_platform_kernel *kernel = &platform->kernels[0];
    unsigned device = kernel->flops[0].device;
    g_autofree char *path =
        g_strdup_printf("kernel.%s.%s.scale", kernel->name,
                        orr_platform_device_name(platform, device));
    orr_time before = orr_platform_duration(kernel, 960, device);
    struct orr_parameter figure;

    (void)state;
    set(platform, path, "3", &figure);
    assert_in_range(orr_platform_duration(kernel, 960, device), 3 * before - 2,
                    3 * before + 2);
    orr_platform_free(platform);
}

/* The first duration with a histogram, and its kernel's number. */
static const struct orr_platform_duration *
find_histogram(const struct orr_platform *platform, unsigned *kernel)
{
    for (*kernel = 0; *kernel < platform->kernel_count; (*kernel)++) {
        for (unsigned i = 0; i < platform->kernels[*kernel].count; i++) {
            if (platform->kernels[*kernel].durations[i].histogram)
                return &platform->kernels[*kernel].durations[i];
        }
    }
    fail_msg("no histogram");
    return NULL;
}

static void histograms_scale_with_their_durations(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/everything.xml");
    unsigned index;
    const struct orr_platform_duration *duration =
        find_histogram(platform, &index);
    orr_time mean = orr_histogram_mean(duration->histogram);
    g_autofree char *path = g_strdup_printf(
        "kernel.%s.%s.%s.%s.scale", platform->kernels[index].family,
        platform->kernels[index].name,
        orr_precision_name(platform->kernels[index].precision),
        orr_platform_device_name(platform, duration->device));
    struct orr_parameter figure;

    (void)state;
    set(platform, path, "2", &figure);
    expect_near((double)orr_histogram_mean(duration->histogram),
                2 * (double)mean, 2);
    orr_platform_free(platform);
}

static void no_figure_leaves_the_bounds_of_files(void **state)
{
    static const char *const settings[][2] = {
        {"link.Host.bandwidth", "1e-12x"},
        {"link.Host.bandwidth", "1e12x"},
        {"overhead.push", "1e12x"},
        {"memory.CUDA0.size", "1e12x"},
        {"memory.CUDA0.size", "1e-12x"},
        {"cores", "1e9x"},
        {"cores", "0.1x"},
        {"link.RAM-CUDA0.latency", "2e6s"},
    };
    struct orr_platform *platform =
        platform_read("tests/platforms/two-gpus.xml");

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
        enum orr_parameter_kind kind;
        struct orr_parameter_value value;
        g_autoptr(GArray) found = match(platform, settings[i][0]);
        GError *error = NULL;

        understand(settings[i][0], settings[i][1], &kind, &value);
        if (orr_parameter_set(platform, (void *)found->data, &value, &error))
            fail_msg("%s=%s", settings[i][0], settings[i][1]);
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
        g_error_free(error);
    }
    assert_true(platform->links[0].bytes_per_s == 10e9);
    assert_int_equal(platform->cores, 4);
    orr_platform_free(platform);
}

ORR_TESTS(parameters)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_have_the_unit_of_their_figure),
        cmocka_unit_test(a_factor_suits_any_figure),
        cmocka_unit_test(what_is_no_value_of_a_figure_is_refused),
        cmocka_unit_test(
            a_path_that_is_no_figures_is_refused_with_those_there_are),
        cmocka_unit_test(every_figure_has_paths_of_its_own),
        cmocka_unit_test(wildcards_find_several),
        cmocka_unit_test(a_route_calls_the_link_that_it_has_alone),
        cmocka_unit_test(what_matches_nothing_lists_what_there_is),
        cmocka_unit_test(a_figure_tells_what_it_was_and_is),
        cmocka_unit_test(a_scale_is_one_of_all_durations_on_the_device),
        cmocka_unit_test(a_scale_of_a_modelled_kernel_is_one_of_its_peak),
        cmocka_unit_test(histograms_scale_with_their_durations),
        cmocka_unit_test(no_figure_leaves_the_bounds_of_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "models/format/platform_xml.h"
#include "models/import/platform_find.h"
#include "tests/support/temp_file.h"

enum { RAM, GPU0, GPU1, GPU2 };

static struct orr_platform *read_source(const char *name)
{
    g_autofree char *path = source_file(name);
    GError *error = NULL;
    struct orr_platform *platform = orr_platform_read(path, &error);

    assert_null(error);
    assert_non_null(platform);
    assert_string_equal(platform->path, path);
    return platform;
}

static int setup(void **state)
{
    *state = read_source("tests/platforms/everything.xml");
    return 0;
}

static int teardown(void **state)
{
    orr_platform_free(*state);
    return 0;
}

static void processors_are_read(void **state)
{
    const struct orr_platform *platform = *state;

    assert_string_equal(platform->name, "every-thing");
    assert_string_equal(platform->description, "A & B, on two lines");
    assert_int_equal(platform->cores, 3);
    assert_string_equal(platform->cpu_model, "Pentium & Co");
    assert_int_equal(platform->gpu_count, 2);
    assert_int_equal(platform->node_count, 3);
    assert_string_equal(platform->gpus[0].name, "CUDA0");
    assert_string_equal(platform->gpus[0].model, "C2050");
    assert_int_equal(platform->gpus[0].memory_bytes, 3220897792);
    assert_true(platform->gpus[0].peer);
    assert_string_equal(platform->gpus[1].name, "CUDA1");
    assert_null(platform->gpus[1].model);
    assert_int_equal(platform->gpus[1].memory_bytes, 1073741824);
    assert_false(platform->gpus[1].peer);
}

static void sockets_are_read(void **state)
{
    const struct orr_platform *platform = *state;

    assert_int_equal(platform->sockets, 3);
    assert_int_equal(platform->gpus[0].socket, 0);
    assert_int_equal(platform->gpus[1].socket, 2);
}

static void links_keep_every_digit(void **state)
{
    const struct orr_platform *platform = *state;

    assert_int_equal(platform->link_count, 2);
    assert_string_equal(platform->links[0].name, "Host");
    assert_true(platform->links[0].bytes_per_s == 6526732233.112210);
    assert_int_equal(platform->links[0].latency, 0);
    assert_string_equal(platform->links[1].name, "PCI:0000:[00-07] up");
    assert_true(platform->links[1].bytes_per_s == 5e9);
    assert_int_equal(platform->links[1].latency, 9000);
}

static void expect_route(const struct orr_platform *platform, unsigned from,
                         unsigned to, const unsigned *links, unsigned count)
{
    const struct orr_platform_route *route =
        orr_platform_route(platform, from, to);

    assert_int_equal(route->count, count);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(route->links[i], links[i]);
}

static void routes_are_one_way_ordered_and_may_repeat_a_link(void **state)
{
    const unsigned up[] = {1, 0};
    const unsigned host[] = {0};
    const unsigned twice[] = {0, 1, 0};

    expect_route(*state, RAM, GPU0, up, 2);
    expect_route(*state, GPU0, RAM, host, 1);
    expect_route(*state, RAM, GPU1, host, 1);
    expect_route(*state, GPU1, RAM, host, 1);
    expect_route(*state, GPU0, GPU1, twice, 3);
    expect_route(*state, GPU1, GPU0, NULL, 0);
    expect_route(*state, RAM, RAM, NULL, 0);
}

static void beliefs_are_not_rounded_to_nanoseconds(void **state)
{
    const struct orr_platform_belief *belief =
        orr_platform_belief(*state, RAM, GPU0);

    assert_true(belief->bytes_per_s == 6008942513.0);
    assert_true(belief->latency_s == 9.500836 / 1e6);
    belief = orr_platform_belief(*state, GPU1, RAM);
    assert_true(belief->bytes_per_s == 1e9);
    assert_true(belief->latency_s == 2e-3);
    assert_true(orr_platform_belief(*state, GPU1, GPU0)->latency_s == 1.5e-6);
    assert_true(orr_platform_belief(*state, RAM, GPU1)->latency_s == 3);
    belief = orr_platform_belief(*state, GPU0, RAM);
    assert_true(belief->bytes_per_s == 0);
}

static void overheads_are_read(void **state)
{
    const struct orr_platform *platform = *state;
    const struct orr_platform_overheads *overheads = &platform->overheads;

    assert_int_equal(overheads->submit, 2000);
    assert_int_equal(overheads->push, 3000);
    assert_int_equal(overheads->fetch, 4000);
    assert_int_equal(overheads->progress, 5000);
    assert_int_equal(overheads->kernel_queue, 6000);
    assert_int_equal(overheads->transfer_queue, 7000);
    assert_int_equal(overheads->stream_start, 8000);
    assert_int_equal(overheads->gpu_alloc, 9000);
    assert_int_equal(overheads->gpu_free, 10000);
    assert_int_equal(overheads->host_pin, 11000);
}

static void expect_duration(const struct orr_platform_duration *duration,
                            unsigned tile, unsigned device, orr_time mean)
{
    assert_int_equal(duration->tile, tile);
    assert_int_equal(duration->device, device);
    assert_int_equal(duration->mean, mean);
}

/* 579.4447 us is 579444.7 ns. */
static void durations_are_sorted_and_rounded_to_nanoseconds(void **state)
{
    const struct orr_platform *platform = *state;
    const struct orr_platform_kernel *gemm = &platform->kernels[0];

    assert_int_equal(platform->kernel_count, 3);
    assert_string_equal(gemm->family, "cholesky");
    assert_string_equal(gemm->name, "gemm");
    assert_int_equal(gemm->precision, ORR_SINGLE);
    assert_int_equal(gemm->count, 4);
    expect_duration(&gemm->durations[0], 320, 1, 1000000);
    expect_duration(&gemm->durations[1], 960, 0, 84075590);
    expect_duration(&gemm->durations[2], 960, 1, 579445);
    expect_duration(&gemm->durations[3], 960, 2, 579445);
    assert_int_equal(gemm->durations[1].deviation, 3415200);
    assert_int_equal(gemm->durations[1].samples, 1665);
    assert_int_equal(gemm->durations[2].deviation, 0);
    assert_int_equal(gemm->durations[2].samples, 0);
}

/* 2.5 x 960^3 Flop at half of 1.25 TFlop/s; 320^3 / 3 at 30.7 GFlop/s. */
static void where_a_kernel_is_modelled_its_duration_follows(void **state)
{
    const struct orr_platform *platform = *state;
    const struct orr_platform_kernel *gemm = &platform->kernels[1];
    const struct orr_platform_kernel *potrf = &platform->kernels[2];

    assert_int_equal(gemm->flops_count, 2);
    assert_null(orr_platform_flops(gemm, 0));
    assert_int_equal(orr_platform_duration(gemm, 960, 0), ORR_S);
    assert_int_equal(orr_platform_duration(gemm, 320, 0), ORR_NEVER);
    assert_int_equal(orr_platform_duration(gemm, 960, 1), 3538944);
    assert_int_equal(orr_platform_duration(gemm, 960, 2), 3538944);
    assert_int_equal(potrf->flops_count, 2);
    assert_int_equal(orr_platform_duration(potrf, 320, 0), 355787);
    assert_int_equal(orr_platform_duration(potrf, 320, 1), ORR_NEVER);
}

static void devices_of_one_duration_share_its_histogram(void **state)
{
    const struct orr_platform *platform = *state;
    const struct orr_platform_kernel *gemm = &platform->kernels[0];
    const struct orr_histogram *histogram = gemm->durations[2].histogram;

    assert_null(gemm->durations[1].histogram);
    assert_non_null(histogram);
    assert_ptr_equal(gemm->durations[3].histogram, histogram);
    assert_int_equal(histogram->count, 3);
    assert_int_equal(histogram->bins[0].from, 500000);
    assert_int_equal(histogram->bins[2].to, 6000000);
    assert_int_equal(orr_histogram_samples(histogram), 38);
    assert_string_equal(histogram->source, "a record");
}

static void a_kernel_without_source_has_that_of_its_section(void **state)
{
    const struct orr_platform *platform = *state;

    assert_string_equal(platform->kernels[0].source, "made up");
    assert_string_equal(platform->kernels[1].source, "measured");
    assert_int_equal(platform->kernels[1].precision, ORR_DOUBLE);
}

static struct orr_platform *read_text(const char *text)
{
    char *path = temp_file_new(text, strlen(text));
    struct orr_platform *platform = orr_platform_read(path, NULL);

    temp_file_remove(path);
    return platform;
}

static void most_sections_can_be_left_out(void **state)
{
    struct orr_platform *platform =
        read_text("<platform version='1' name='x'>"
                  "<processors><cpu cores='1'/></processors></platform>");

    (void)state;
    assert_non_null(platform);
    assert_null(platform->description);
    assert_null(platform->cpu_model);
    assert_int_equal(platform->node_count, 1);
    assert_int_equal(platform->overheads.gpu_alloc, 175000);
    assert_int_equal(platform->kernel_count, 0);
    expect_route(platform, RAM, RAM, NULL, 0);
    orr_platform_free(platform);
}

/* A day is the limit of each route, and both together take 100,000 s. */
static void each_route_counts_its_own_latency(void **state)
{
    struct orr_platform *platform = read_text(
        "<platform version='1' name='x'>"
        "<processors><cpu cores='1'/><gpu name='g' memory='2MiB'/></processors>"
        "<links><link name='l' bandwidth='1GBps' latency='50000s'/></links>"
        "<routes><route from='RAM' to='g'><via link='l'/></route>"
        "<route from='g' to='RAM'><via link='l'/></route></routes>"
        "</platform>");

    (void)state;
    assert_non_null(platform);
    orr_platform_free(platform);
}

static void errors_may_be_ignored(void **state)
{
    (void)state;
    assert_null(orr_platform_read("/nowhere/x.xml", NULL));
}

/* tests/shell/bad-platforms.sh compares the messages. */
static void every_bad_platform_is_refused_in_one_line(void **state)
{
    g_autofree char *folder = source_file("tests/bad-platforms");
    const char *const folders[] = {folder, NULL};
    g_auto(GStrv) names = orr_platform_names(folders);

    (void)state;
    assert_true(g_strv_length(names) > 80);
    for (char **name = names; *name; name++) {
        g_autofree char *path = g_strconcat(folder, "/", *name, ".xml", NULL);
        GError *error = NULL;

        assert_null(orr_platform_load(*name, folders, &error));
        assert_true(error->domain == ORR_ERROR);
        assert_true(g_str_has_prefix(error->message, path));
        assert_true(error->message[strlen(path)] == ':');
        assert_true(strlen(error->message + strlen(path)) < 300);
        assert_null(strchr(error->message, '\n'));
        g_error_free(error);
    }
}

/* Properties common to the machines that were calibrated with StarPU. */
static void expect_calibrated(const struct orr_platform *platform,
                              unsigned durations)
{
    unsigned count = 0;

    assert_int_equal(platform->cores, 12);
    assert_int_equal(platform->gpu_count, 3);
    assert_int_equal(platform->link_count, 34);
    assert_int_equal(platform->kernel_count, 15);
    assert_int_equal(platform->overheads.gpu_free, 750000);
    for (unsigned from = 0; from < 4; from++) {
        for (unsigned to = 0; to < 4; to++) {
            bool apart = from != to;

            assert_int_equal(orr_platform_route(platform, from, to)->count > 0,
                             apart);
            assert_int_equal(
                orr_platform_belief(platform, from, to)->bytes_per_s > 0,
                apart);
        }
    }
    for (unsigned k = 0; k < platform->kernel_count; k++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[k];

        assert_true(g_str_has_prefix(kernel->source, "StarPU, codelets/45/"));
        assert_true(g_str_has_suffix(kernel->source, platform->name));
        count += kernel->count;
    }
    assert_int_equal(count, durations);
}

static orr_time find_duration(const struct orr_platform *platform,
                              const char *family, const char *name,
                              enum orr_precision precision, unsigned device)
{
    return orr_platform_duration(
        orr_platform_kernel(platform, family, name, precision, NULL), 960,
        device);
}

/* A sample of figures, read in the calibration files by eye. */
static void attila_is_as_calibrated(void **state)
{
    struct orr_platform *attila = read_source("platforms/attila.xml");
    const struct orr_platform_route *route =
        orr_platform_route(attila, GPU0, GPU2);

    (void)state;
    expect_calibrated(attila, 176);
    assert_int_equal(attila->gpus[2].memory_bytes, 3220897792);
    assert_int_equal(route->count, 13);
    assert_string_equal(attila->links[route->links[0]].name, "CUDA0-CUDA2");
    assert_int_equal(attila->links[route->links[0]].latency, 25000);
    assert_string_equal(attila->links[route->links[6]].name, "Host");
    assert_string_equal(attila->links[route->links[7]].name, "Host");
    assert_true(orr_platform_belief(attila, GPU2, RAM)->bytes_per_s ==
                4533335723.0);
    assert_true(orr_platform_belief(attila, RAM, GPU2)->latency_s ==
                10.237367 / 1e6);
    assert_int_equal(find_duration(attila, "cholesky", "gemm", ORR_SINGLE, 0),
                     84075590);
    assert_int_equal(find_duration(attila, "cholesky", "potrf", ORR_SINGLE, 1),
                     44253570);
    assert_int_equal(find_duration(attila, "lu", "gemm", ORR_DOUBLE, 3),
                     5840318);
    orr_platform_free(attila);
}

static void mirage_is_as_calibrated(void **state)
{
    struct orr_platform *mirage = read_source("platforms/mirage.xml");

    (void)state;
    expect_calibrated(mirage, 192);
    assert_int_equal(mirage->gpus[0].memory_bytes, 5636554752);
    assert_true(mirage->links[0].bytes_per_s == 6517450307.894589);
    assert_true(orr_platform_belief(mirage, GPU0, GPU1)->latency_s ==
                24.149859 / 1e6);
    assert_int_equal(find_duration(mirage, "lu", "getrf", ORR_SINGLE, 0),
                     128643600);
    assert_int_equal(find_duration(mirage, "lu", "trsm_ru", ORR_DOUBLE, 2),
                     6791353);
    orr_platform_free(mirage);
}

ORR_TESTS(platform_xml)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(processors_are_read),
        T(sockets_are_read),
        T(links_keep_every_digit),
        T(routes_are_one_way_ordered_and_may_repeat_a_link),
        T(beliefs_are_not_rounded_to_nanoseconds),
        T(overheads_are_read),
        T(durations_are_sorted_and_rounded_to_nanoseconds),
        T(where_a_kernel_is_modelled_its_duration_follows),
        T(devices_of_one_duration_share_its_histogram),
        T(a_kernel_without_source_has_that_of_its_section),
#undef T
#define T(test) cmocka_unit_test(test)
        T(most_sections_can_be_left_out),
        T(each_route_counts_its_own_latency),
        T(errors_may_be_ignored),
        T(every_bad_platform_is_refused_in_one_line),
        T(attila_is_as_calibrated),
        T(mirage_is_as_calibrated),
#undef T
    };

    return cmocka_run_group_tests_name("platform_xml", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <sys/stat.h>

#include "models/format/platform_save.h"
#include "models/format/platform_xml.h"
#include "tests/support/temp_file.h"

static struct orr_platform *read_path(const char *path)
{
    GError *error = NULL;
    struct orr_platform *platform = orr_platform_read(path, &error);

    assert_null(error);
    assert_non_null(platform);
    return platform;
}

static struct orr_platform *read_source(const char *name)
{
    g_autofree char *path = source_file(name);

    return read_path(path);
}

/* Writes @platform and reads it back. */
static struct orr_platform *copy(const struct orr_platform *platform)
{
    g_autofree char *text = orr_platform_format(platform, NULL);
    char *path = temp_file_new(text, strlen(text));
    struct orr_platform *read = read_path(path);

    temp_file_remove(path);
    return read;
}

static void assert_same_machine(const struct orr_platform *a,
                                const struct orr_platform *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(g_strcmp0(a->description, b->description), 0);
    assert_int_equal(g_strcmp0(a->models, b->models), 0);
    assert_int_equal(a->uncalibrated, b->uncalibrated);
    assert_int_equal(g_strcmp0(a->cpu_model, b->cpu_model), 0);
    assert_int_equal(a->cores, b->cores);
    assert_int_equal(a->sockets, b->sockets);
    assert_int_equal(a->gpu_count, b->gpu_count);
    for (unsigned i = 0; i < a->gpu_count; i++) {
        assert_string_equal(a->gpus[i].name, b->gpus[i].name);
        assert_int_equal(g_strcmp0(a->gpus[i].model, b->gpus[i].model), 0);
        assert_int_equal(a->gpus[i].memory_bytes, b->gpus[i].memory_bytes);
        assert_int_equal(a->gpus[i].peer, b->gpus[i].peer);
        assert_int_equal(a->gpus[i].socket, b->gpus[i].socket);
    }
    assert_int_equal(a->link_count, b->link_count);
    for (unsigned i = 0; i < a->link_count; i++) {
        assert_string_equal(a->links[i].name, b->links[i].name);
        assert_true(a->links[i].bytes_per_s == b->links[i].bytes_per_s);
        assert_int_equal(a->links[i].latency, b->links[i].latency);
        assert_int_equal(a->links[i].kind, b->links[i].kind);
    }
    assert_memory_equal(&a->overheads, &b->overheads, sizeof(a->overheads));
}

static void assert_same_pairs(const struct orr_platform *a,
                              const struct orr_platform *b)
{
    for (unsigned i = 0; i < a->node_count * a->node_count; i++) {
        assert_int_equal(a->routes[i].count, b->routes[i].count);
        if (a->routes[i].count > 0)
            assert_memory_equal(a->routes[i].links, b->routes[i].links,
                                a->routes[i].count * sizeof(unsigned));
        assert_true(a->beliefs[i].bytes_per_s == b->beliefs[i].bytes_per_s);
        assert_true(a->beliefs[i].latency_s == b->beliefs[i].latency_s);
    }
}

static void assert_same_models(const struct orr_platform_kernel *a,
                               const struct orr_platform_kernel *b)
{
    assert_int_equal(a->flops_count, b->flops_count);
    for (unsigned i = 0; i < a->flops_count; i++) {
        assert_int_equal(a->flops[i].device, b->flops[i].device);
        assert_true(orr_flops_equal(&a->flops[i], &b->flops[i]));
    }
}

static void assert_same_segments(const struct orr_platform *a,
                                 const struct orr_platform *b)
{
    assert_int_equal(a->segment_count, b->segment_count);
    for (unsigned i = 0; i < a->segment_count; i++) {
        const struct orr_pitch_segment *left = &a->segments[i];
        const struct orr_pitch_segment *right = &b->segments[i];

        assert_int_equal(left->from, right->from);
        assert_int_equal(left->to, right->to);
        assert_int_equal(left->pitched, right->pitched);
        assert_true(left->bytes_above == right->bytes_above);
        assert_true(left->bytes_to == right->bytes_to);
        assert_true(left->pitch_above == right->pitch_above);
        assert_true(left->pitch_to == right->pitch_to);
        assert_int_equal(left->latency, right->latency);
        assert_true(left->bytes_per_s == right->bytes_per_s);
    }
}

static void assert_same_histogram(const struct orr_histogram *a,
                                  const struct orr_histogram *b)
{
    assert_int_equal(!a, !b);
    if (!a || !b)
        return;
    assert_int_equal(a->count, b->count);
    for (unsigned i = 0; i < a->count; i++) {
        assert_int_equal(a->bins[i].from, b->bins[i].from);
        assert_int_equal(a->bins[i].to, b->bins[i].to);
        assert_int_equal(a->bins[i].samples, b->bins[i].samples);
    }
    assert_int_equal(g_strcmp0(a->source, b->source), 0);
}

static void assert_same_duration(const struct orr_platform_duration *a,
                                 const struct orr_platform_duration *b)
{
    assert_int_equal(a->tile, b->tile);
    assert_int_equal(a->device, b->device);
    assert_int_equal(a->mean, b->mean);
    assert_true(a->mean_s <= b->mean_s && a->mean_s >= b->mean_s);
    assert_int_equal(a->deviation, b->deviation);
    assert_int_equal(a->samples, b->samples);
    assert_same_histogram(a->histogram, b->histogram);
}

static void assert_same_kernels(const struct orr_platform *a,
                                const struct orr_platform *b)
{
    assert_int_equal(a->kernel_count, b->kernel_count);
    for (unsigned i = 0; i < a->kernel_count; i++) {
        const struct orr_platform_kernel *left = &a->kernels[i];
        const struct orr_platform_kernel *right = &b->kernels[i];

        assert_string_equal(left->family, right->family);
        assert_string_equal(left->name, right->name);
        assert_int_equal(left->precision, right->precision);
        assert_int_equal(g_strcmp0(left->source, right->source), 0);
        assert_int_equal(left->count, right->count);
        for (unsigned d = 0; d < left->count; d++)
            assert_same_duration(&left->durations[d], &right->durations[d]);
        assert_same_models(left, right);
    }
}

static void expect_copy_is_same(struct orr_platform *platform)
{
    struct orr_platform *read = copy(platform);

    assert_same_machine(platform, read);
    assert_same_pairs(platform, read);
    assert_same_segments(platform, read);
    assert_same_kernels(platform, read);
    orr_platform_free(read);
    orr_platform_free(platform);
}

static void what_is_written_is_read_back_the_same(void **state)
{
    (void)state;
    expect_copy_is_same(read_source("tests/platforms/everything.xml"));
    expect_copy_is_same(read_source("tests/platforms/cpu-only.xml"));
    expect_copy_is_same(read_source("platforms/attila.xml"));
    expect_copy_is_same(read_source("platforms/hannibal.xml"));
    expect_copy_is_same(read_source("platforms/idgraf.xml"));
    expect_copy_is_same(read_source("platforms/dgx-h100.xml"));
}

/* Figures that no short decimal number is. */
static void every_bit_of_a_figure_is_kept(void **state)
{
    struct orr_platform *platform =
        read_source("tests/platforms/everything.xml");

    (void)state;
    platform->links[0].bytes_per_s = 1e10 / 3;
    platform->links[1].bytes_per_s = 1;
    platform->links[1].latency = 86399999999999;
    platform->beliefs[1].bytes_per_s = 2e10 / 7;
    platform->beliefs[1].latency_s = 1e-5 / 3;
    platform->beliefs[2].bytes_per_s = 9e18;
    platform->beliefs[2].latency_s = 86399.123456789;
    platform->overheads.push = 1;
    platform->kernels[1].flops[0].peak = 1e13 / 7;
    platform->kernels[1].flops[0].operations = 1.0 / 3;
    platform->kernels[1].flops[1].points[0].efficiency = 1.0 / 7;
    expect_copy_is_same(platform);
}

static void names_of_any_text_are_escaped(void **state)
{
    struct orr_platform *platform =
        read_source("tests/platforms/everything.xml");

    (void)state;
    g_free(platform->links[0].name);
    platform->links[0].name = g_strdup("<a> & \"b\" 'c' \xc3\xa9");
    g_free(platform->cpu_model);
    platform->cpu_model = g_strdup("]]> -- &amp;");
    expect_copy_is_same(platform);
}

static void figures_are_written_as_people_would(void **state)
{
    struct orr_platform *platform = read_source("platforms/attila.xml");
    g_autofree char *text = orr_platform_format(platform, NULL);

    (void)state;
    assert_non_null(strstr(text, "<link name=\"RAM-CUDA1\" "
                                 "bandwidth=\"6001134065.085753Bps\" "
                                 "latency=\"9us\"/>"));
    assert_non_null(strstr(text, "<pair from=\"RAM\" to=\"CUDA0\" "
                                 "bandwidth=\"6008.942513MBps\" "
                                 "latency=\"9.500836us\"/>"));
    assert_non_null(strstr(text, "<duration tile=\"960\" device=\"CPU\" "
                                 "mean=\"75933.7us\" "
                                 "deviation=\"4030.251us\" samples=\"31\"/>"));
    /* Means are measured to less than a ns. */
    assert_non_null(strstr(text, "<duration tile=\"320\" device=\"CUDA0\" "
                                 "mean=\"688.9531us\" "));
    orr_platform_free(platform);
}

static void sources_are_written_where_they_belong(void **state)
{
    static const struct orr_platform_sources sources = {
        .comment = "found -- in --- the attic-",
        .processors = "a \"label\"",
        .links = "b",
        .routes = "c",
        .calibration = "d",
        .overheads = "e",
    };
    struct orr_platform *platform =
        read_source("tests/platforms/everything.xml");
    g_autofree char *text = orr_platform_format(platform, &sources);
    char *path = temp_file_new(text, strlen(text));

    (void)state;
    assert_non_null(strstr(text, "<processors source=\"a &quot;label"));
    assert_non_null(strstr(text, "<links source=\"b\">"));
    assert_non_null(strstr(text, "<routes source=\"c\">"));
    assert_non_null(strstr(text, "<calibration source=\"d\">"));
    assert_non_null(strstr(text, "<overheads source=\"e\">"));
    assert_non_null(strstr(text, "found - - in - - - the attic-  -->"));
    orr_platform_free(read_path(path)); /* no comment ends early */
    temp_file_remove(path);
    orr_platform_free(platform);
}

static void expect_refused(const struct orr_platform *platform,
                           const char *path, const char *expected)
{
    GError *error = NULL;

    assert_false(orr_platform_save(platform, NULL, path, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_true(g_str_has_prefix(error->message, path));
    assert_non_null(strstr(error->message, expected));
    g_error_free(error);
}

static void a_file_is_replaced_as_a_whole(void **state)
{
    struct orr_platform *platform =
        read_source("tests/platforms/everything.xml");
    char *path = temp_file_new("old", 3);
    GError *error = NULL;

    (void)state;
    assert_true(orr_platform_save(platform, NULL, path, &error));
    assert_null(error);
    orr_platform_free(read_path(path));
    temp_file_remove(path);
    expect_refused(platform, "/nowhere/at/all.xml", "No such file");
    orr_platform_free(platform);
}

static void what_is_no_file_is_not_replaced(void **state)
{
    struct orr_platform *platform =
        read_source("tests/platforms/everything.xml");
    char *path = temp_file_new("", 0);

    (void)state;
    assert_int_equal(g_remove(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_refused(platform, path, "not a regular file");
    assert_false(g_file_test(path, G_FILE_TEST_IS_REGULAR));
    temp_file_remove(path);
    orr_platform_free(platform);
}

ORR_TESTS(platform_save)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back_the_same),
        cmocka_unit_test(every_bit_of_a_figure_is_kept),
        cmocka_unit_test(names_of_any_text_are_escaped),
        cmocka_unit_test(figures_are_written_as_people_would),
        cmocka_unit_test(sources_are_written_where_they_belong),
        cmocka_unit_test(a_file_is_replaced_as_a_whole),
        cmocka_unit_test(what_is_no_file_is_not_replaced),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

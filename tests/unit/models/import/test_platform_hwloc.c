/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tests/hwloc: cores as lstopo made them, PCI devices written by hand. */
#include "models/import/platform_hwloc.h"

#include <string.h>

#include "models/format/platform_save.h"
#include "models/format/platform_xml.h"
#include "models/rng.h"
#include "tests/support/temp_file.h"

enum { RAM, GPU0, GPU1, GPU2, GPU3 };

#define GEN4 31507692000.0 /* bytes/s of 16 lanes, as the files have it */
#define GEN3 15753846000.0

static struct orr_platform *detect(const char *name, GPtrArray *notes)
{
    g_autofree char *path = source_file(name);
    GError *error = NULL;
    struct orr_platform *platform =
        orr_platform_hwloc_read(path, notes, &error);

    if (error)
        fail_msg("%s", error->message);
    return platform;
}

static GPtrArray *new_notes(void)
{
    return g_ptr_array_new_with_free_func(g_free);
}

static void assert_noted(const GPtrArray *notes, const char *what)
{
    for (guint i = 0; i < notes->len; i++) {
        if (strstr(g_ptr_array_index(notes, i), what))
            return;
    }
    fail_msg("no note says: %s", what);
}

static void cores_are_dealt_to_sockets_and_threads_do_not_count(void **state)
{
    g_autoptr(GPtrArray) notes = new_notes();
    struct orr_platform *platform =
        detect("tests/hwloc/two-sockets.xml", notes);

    (void)state;
    assert_string_equal(platform->name, "node7");
    assert_int_equal(platform->cores, 8);
    assert_int_equal(platform->sockets, 2);
    assert_string_equal(platform->cpu_model, "Intel(R) Xeon(R) Gold 5418N");
    assert_string_equal(platform->models, "clean");
    assert_noted(notes, "2 NUMA nodes are treated as one RAM");
    orr_platform_free(platform);
}

static void gpus_have_their_model_memory_and_socket(void **state)
{
    struct orr_platform *platform = detect("tests/hwloc/two-sockets.xml", NULL);

    (void)state;
    assert_int_equal(platform->gpu_count, 2);
    for (unsigned g = 0; g < 2; g++) {
        assert_string_equal(platform->gpus[g].model, "NVIDIA A30");
        assert_int_equal(platform->gpus[g].memory_bytes,
                         UINT64_C(24258) * 1024 * 1024);
        assert_int_equal(platform->gpus[g].socket, g);
        assert_false(platform->gpus[g].peer);
    }
    assert_string_equal(platform->gpus[0].name, "CUDA0");
    assert_string_equal(platform->gpus[1].name, "CUDA1");
    assert_int_equal(platform->uncalibrated,
                     ORR_PLATFORM_LINKS | ORR_PLATFORM_KERNELS);
    orr_platform_free(platform);
}

static void a_display_that_computes_nothing_is_left_out(void **state)
{
    g_autoptr(GPtrArray) notes = new_notes();
    struct orr_platform *platform =
        detect("tests/hwloc/two-sockets.xml", notes);

    (void)state;
    assert_noted(notes, "0000:03:00.0 (ASPEED Graphics Family)");
    orr_platform_free(platform);
}

static void expect_route(const struct orr_platform *platform, unsigned from,
                         unsigned to, const char *expected)
{
    const struct orr_platform_route *route =
        orr_platform_route(platform, from, to);
    g_autoptr(GString) links = g_string_new(NULL);

    for (unsigned i = 0; i < route->count; i++)
        g_string_append_printf(links, "%s%s", i > 0 ? ", " : "",
                               platform->links[route->links[i]].name);
    assert_string_equal(links->str, expected);
}

static double speed_of(const struct orr_platform *platform, const char *link)
{
    for (unsigned i = 0; i < platform->link_count; i++) {
        if (strcmp(platform->links[i].name, link) == 0)
            return platform->links[i].bytes_per_s;
    }
    fail_msg("no link is called %s", link);
    return 0;
}

static void a_gpu_of_its_own_has_a_link_each_way(void **state)
{
    struct orr_platform *platform = detect("tests/hwloc/two-sockets.xml", NULL);

    (void)state;
    assert_int_equal(platform->link_count, 4);
    expect_route(platform, RAM, GPU1, "CUDA1 in");
    expect_route(platform, GPU1, RAM, "CUDA1 out");
    expect_route(platform, GPU0, GPU1, "CUDA0 out, CUDA1 in");
    assert_true(speed_of(platform, "CUDA0 in") == GEN4);
    assert_true(speed_of(platform, "CUDA1 out") == GEN4);
    orr_platform_free(platform);
}

/* CUDA counts those behind the second switch first. */
static void gpus_behind_a_switch_share_its_link_to_the_host(void **state)
{
    struct orr_platform *platform =
        detect("tests/hwloc/two-switches.xml", NULL);

    (void)state;
    assert_int_equal(platform->gpu_count, 4);
    assert_int_equal(platform->link_count, 2 * (4 + 2));
    expect_route(platform, RAM, GPU0, "switch0 0000:[22-24] in, CUDA0 in");
    expect_route(platform, RAM, GPU1, "switch0 0000:[22-24] in, CUDA1 in");
    expect_route(platform, GPU2, RAM, "CUDA2 out, switch1 0000:[02-04] out");
    expect_route(platform, GPU0, GPU1, "CUDA0 out, CUDA1 in");
    expect_route(platform, GPU1, GPU2,
                 "CUDA1 out, switch0 0000:[22-24] out, "
                 "switch1 0000:[02-04] in, CUDA2 in");
    assert_true(speed_of(platform, "CUDA0 in") == GEN4);
    assert_true(speed_of(platform, "CUDA1 in") == GEN3);
    assert_true(speed_of(platform, "switch0 0000:[22-24] out") == GEN4);
    orr_platform_free(platform);
}

static void what_is_not_known_is_a_placeholder_and_marked(void **state)
{
    g_autoptr(GPtrArray) notes = new_notes();
    struct orr_platform *platform =
        detect("tests/hwloc/unknown-cards.xml", notes);

    (void)state;
    assert_string_equal(platform->name, "unknown-cards");
    assert_string_equal(platform->gpus[0].name, "CUDA0");
    assert_string_equal(platform->gpus[0].model, "GA102 [GeForce RTX 3090]");
    assert_string_equal(platform->gpus[1].name, "HIP0");
    assert_null(platform->gpus[1].model);
    assert_int_equal(platform->gpus[1].memory_bytes, 1 << 30);
    assert_int_equal(platform->uncalibrated, ORR_PLATFORM_MEMORY |
                                                 ORR_PLATFORM_LINKS |
                                                 ORR_PLATFORM_KERNELS);
    assert_noted(notes, "CUDA0: the size of its memory is unknown");
    assert_noted(notes, "4 of 4 links: their speed is unknown");
    orr_platform_free(platform);
}

static void without_gpus_only_kernels_are_missing(void **state)
{
    struct orr_platform *platform = detect("tests/hwloc/no-gpu.xml", NULL);

    (void)state;
    assert_int_equal(platform->cores, 16);
    assert_int_equal(platform->sockets, 2);
    assert_int_equal(platform->gpu_count, 0);
    assert_int_equal(platform->link_count, 0);
    assert_int_equal(platform->uncalibrated, ORR_PLATFORM_KERNELS);
    orr_platform_free(platform);
}

static void uneven_sockets_are_left_out(void **state)
{
    g_autoptr(GPtrArray) notes = new_notes();
    struct orr_platform *platform = detect("tests/hwloc/uneven.xml", notes);

    (void)state;
    assert_int_equal(platform->cores, 3);
    assert_int_equal(platform->sockets, 0);
    assert_noted(notes, "sockets left out");
    orr_platform_free(platform);
}

static void the_format_of_hwloc_1_is_read(void **state)
{
    struct orr_platform *platform = detect("tests/hwloc/version-1.xml", NULL);

    (void)state;
    assert_int_equal(platform->cores, 4);
    assert_int_equal(platform->sockets, 2);
    orr_platform_free(platform);
}

static struct orr_platform *detect_text(const char *text, size_t size,
                                        GError **error)
{
    char *path = temp_file_new(text, size);
    struct orr_platform *platform = orr_platform_hwloc_read(path, NULL, error);

    temp_file_remove(path);
    return platform;
}

/* Fails unless the file of @platform says the same as it. */
static void expect_written(const struct orr_platform *platform)
{
    g_autofree char *text = orr_platform_format(platform, NULL);
    g_autofree char *again = NULL;
    char *path = temp_file_new(text, strlen(text));
    GError *error = NULL;
    struct orr_platform *read = orr_platform_read(path, &error);

    if (error)
        fail_msg("%s\n%s", error->message, text);
    again = orr_platform_format(read, NULL);
    assert_string_equal(again, text);
    orr_platform_free(read);
    temp_file_remove(path);
}

static void what_is_detected_is_a_platform_file(void **state)
{
    static const char *const names[] = {
        "tests/hwloc/no-gpu.xml", "tests/hwloc/two-sockets.xml",
        "tests/hwloc/two-switches.xml", "tests/hwloc/uneven.xml",
        "tests/hwloc/unknown-cards.xml"};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        struct orr_platform *platform = detect(names[i], NULL);

        expect_written(platform);
        orr_platform_free(platform);
    }
}

/* Of the leak sanitizer, when it is there. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier): its name for it */
void __lsan_disable(void) __attribute__((weak));
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
void __lsan_enable(void) __attribute__((weak));

static void this_machine_has_cores(void **state)
{
    GError *error = NULL;
    struct orr_platform *platform;

    (void)state;
    if (__lsan_disable) /* libpciaccess leaks, which hwloc may use */
        __lsan_disable();
    platform = orr_platform_hwloc_read(NULL, NULL, &error);
    if (__lsan_enable)
        __lsan_enable();
    if (error)
        fail_msg("%s", error->message);
    assert_true(platform->cores >= 1);
    assert_true(platform->uncalibrated & ORR_PLATFORM_KERNELS);
    expect_written(platform);
    orr_platform_free(platform);
}

static void expect_refused(const char *text, enum orr_error code,
                           const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_null(detect_text(text, strlen(text), &error));
    assert_non_null(error);
    if (!strstr(error->message, message))
        fail_msg("'%s' does not say '%s'", error->message, message);
    assert_int_equal(error->code, code);
}

#define OBJECT(attributes) "<object " attributes "/>"
#define TOPOLOGY(inside) "<topology version='2.0'>\n" inside "</topology>\n"
#define CARD                                                                   \
    OBJECT("type='PCIDev' pci_busid='0000:01:00.0' "                           \
           "pci_type='0302 [10de:2330] [0:0] a1'")

static void what_no_platform_can_be_is_refused(void **state)
{
    g_autoptr(GString) cards = g_string_new("<topology>");

    (void)state;
    expect_refused("", ORR_ERROR_SYNTAX, ":1: the file is empty");
    expect_refused("lstopo", ORR_ERROR_SYNTAX, ":1: not well-formed");
    expect_refused("<platform/>", ORR_ERROR_SYNTAX,
                   ":1: the outermost element is 'platform', not <topology>");
    expect_refused("<topology>\n<object/></topology>", ORR_ERROR_SYNTAX,
                   ":2: <object> lacks the attribute type");
    expect_refused(TOPOLOGY("<object type='Core'>"), ORR_ERROR_SYNTAX,
                   "not well-formed");
    expect_refused("<!DOCTYPE topology [<!ENTITY a 'b'>]>\n" TOPOLOGY(""),
                   ORR_ERROR_SYNTAX, "declaration");
    expect_refused(TOPOLOGY(""), ORR_ERROR_VALUE, ": 0 cores");
    expect_refused(TOPOLOGY(OBJECT("type='Core'") CARD CARD), ORR_ERROR_VALUE,
                   ": 2 GPUs: ");
    for (unsigned i = 0; i < 32; i++)
        g_string_append(cards, OBJECT("type='Core'") CARD);
    g_string_append(cards, "</topology>");
    expect_refused(cards->str, ORR_ERROR_VALUE, ": 32 GPUs: ");
}

static void odd_figures_count_as_unknown(void **state)
{
    static const char *const speeds[] = {"nan", "inf",  "-1",  "1e300",
                                         "0",   "fast", "1e7", ""};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(speeds); i++) {
        g_autofree char *text =
            g_strdup_printf(TOPOLOGY(OBJECT("type='PU'") OBJECT(
                                "type='PCIDev' pci_busid='\xE2\x82\xAC' "
                                "pci_type='0302 [10de:0] [0:0] a1' "
                                "pci_link_speed='%s'")),
                            speeds[i]);
        struct orr_platform *platform = detect_text(text, strlen(text), NULL);

        assert_non_null(platform);
        assert_int_equal(platform->cores, 1);
        assert_true(platform->links[0].bytes_per_s > 15e9 &&
                    platform->links[0].bytes_per_s < 16e9);
        orr_platform_free(platform);
    }
}

/* One byte or a few lines changed, by a draw that is always the same. */
static void spoil(GString *text, uint64_t draw)
{
    static const char signs[] = "0123456789abcdefx-,.[]<>/\"' \n\x7F\xC3";
    gsize at = draw % text->len;
    gsize length = MIN(1 + (draw >> 40) % 300, text->len - at);
    g_autofree char *piece = g_strndup(text->str + at, length);

    if ((draw >> 32) % 4 == 0)
        g_string_erase(text, (gssize)at, (gssize)length);
    else if ((draw >> 32) % 4 == 1)
        g_string_insert(text, (gssize)at, piece);
    else
        text->str[at] = signs[(draw >> 40) % (sizeof(signs) - 1)];
}

static void expect_error_or_platform(const GString *text, unsigned *platforms)
{
    GError *error = NULL;
    struct orr_platform *platform = detect_text(text->str, text->len, &error);

    if (platform) {
        expect_written(platform);
        ++*platforms;
    } else {
        assert_non_null(error);
        assert_null(strchr(error->message, '\n'));
    }
    assert_true((platform == NULL) == (error != NULL));
    orr_platform_free(platform);
    g_clear_error(&error);
}

static void spoilt_files_are_refused_or_platforms_all_the_same(void **state)
{
    enum { ROUNDS = 400 };
    static const char *const names[] = {"tests/hwloc/two-sockets.xml",
                                        "tests/hwloc/two-switches.xml"};
    unsigned platforms = 0;

    (void)state;
    for (unsigned i = 0; i < ROUNDS; i++) {
        g_autofree char *path = source_file(names[i % 2]);
        g_autofree char *content = NULL;
        g_autoptr(GString) text = NULL;

        assert_true(g_file_get_contents(path, &content, NULL, NULL));
        text = g_string_new(content);
        for (unsigned j = 0; j <= i % 3; j++)
            spoil(text, orr_rng_bits(1, i, j));
        expect_error_or_platform(text, &platforms);
    }
    assert_true(platforms > ROUNDS / 10 && platforms < ROUNDS * 9 / 10);
}

ORR_TESTS(platform_hwloc)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test(test)
        T(cores_are_dealt_to_sockets_and_threads_do_not_count),
        T(gpus_have_their_model_memory_and_socket),
        T(a_display_that_computes_nothing_is_left_out),
        T(a_gpu_of_its_own_has_a_link_each_way),
        T(gpus_behind_a_switch_share_its_link_to_the_host),
        T(what_is_not_known_is_a_placeholder_and_marked),
        T(without_gpus_only_kernels_are_missing),
        T(uneven_sockets_are_left_out),
        T(the_format_of_hwloc_1_is_read),
        T(what_is_detected_is_a_platform_file),
        T(this_machine_has_cores),
        T(what_no_platform_can_be_is_refused),
        T(odd_figures_count_as_unknown),
        T(spoilt_files_are_refused_or_platforms_all_the_same),
#undef T
    };

    return cmocka_run_group_tests_name("platform_hwloc", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/cost/pitch.h"

#include "models/format/platform_xml.h"
#include "models/platform/platform.h"
#include "tests/support/temp_file.h"

/* A tile of 960 x 960 floats. */
#define TILE ((uint64_t)3600 * 1024)

enum { HOST, GPU, OTHER };

/* Two ranges of payload, and one of pitch, from HOST to GPU. */
static const struct orr_pitch_segment segments[] = {
    {HOST, GPU, true, 0, 1000, 100, UINT64_MAX, 1, 1e9},
    {HOST, GPU, true, 1000, UINT64_MAX, 100, UINT64_MAX, 2, 2e9},
    {HOST, GPU, false, 0, UINT64_MAX, 0, UINT64_MAX, 3, 3e9},
};

/* The latency of the segment that the copy has: its mark. 0: none. */
static orr_time mark(unsigned from, unsigned to, uint64_t bytes,
                     uint64_t pitch_bytes)
{
    const struct orr_pitch_copy copy = {from, to, bytes, pitch_bytes};
    const struct orr_pitch_segment *found =
        orr_pitch_find(segments, G_N_ELEMENTS(segments), &copy);

    return found ? found->latency : 0;
}

static void ranges_begin_above_one_figure_and_end_at_the_other(void **state)
{
    (void)state;
    assert_int_equal(mark(HOST, GPU, 1000, 101), 1);
    assert_int_equal(mark(HOST, GPU, 1001, 101), 2);
    assert_int_equal(mark(HOST, GPU, 1000, 100), 0);
    assert_int_equal(mark(HOST, GPU, UINT64_MAX, UINT64_MAX), 2);
}

static void each_kind_and_direction_has_its_own(void **state)
{
    (void)state;
    assert_int_equal(mark(HOST, GPU, 1000, 0), 3);
    assert_int_equal(mark(GPU, HOST, 1000, 0), 0);
    assert_int_equal(mark(GPU, HOST, 1000, 101), 0);
    assert_int_equal(mark(HOST, OTHER, 1000, 101), 0);
}

static void segments_overlap_if_a_copy_could_have_both(void **state)
{
    struct orr_pitch_segment a = {HOST, GPU, true, 10, 20, 5, 9, 0, 1};
    struct orr_pitch_segment b = a;

    (void)state;
    assert_true(orr_pitch_overlap(&a, &b));
    b.bytes_above = 20;
    b.bytes_to = 30;
    assert_false(orr_pitch_overlap(&a, &b));
    b.bytes_above = 19;
    assert_true(orr_pitch_overlap(&a, &b));
    b.pitch_above = 9;
    b.pitch_to = 10;
    assert_false(orr_pitch_overlap(&b, &a));
    b = a;
    b.pitched = false;
    assert_false(orr_pitch_overlap(&a, &b));
    b = a;
    b.to = OTHER;
    assert_false(orr_pitch_overlap(&a, &b));
}

static struct orr_platform *read_machine(const char *name)
{
    g_autofree char *file = g_strdup_printf("%s.xml", name);
    g_autofree char *path = source_file(file);
    GError *error = NULL;
    struct orr_platform *platform = orr_platform_read(path, &error);

    assert_null(error);
    return platform;
}

static void segments_have_the_ranges_that_are_given(void **state)
{
    struct orr_platform *platform = read_machine("tests/platforms/everything");
    const struct orr_pitch_segment *read = platform->segments;

    (void)state;
    assert_int_equal(platform->segment_count, 3);
    assert_int_equal(read[0].from, ORR_RAM);
    assert_int_equal(read[0].to, 1);
    assert_true(read[0].pitched);
    assert_int_equal(read[0].bytes_above, 1024);
    assert_int_equal(read[0].bytes_to, 1000000000);
    assert_int_equal(read[0].pitch_above, 262144);
    assert_int_equal(read[0].pitch_to, 1048576);
    assert_int_equal(read[0].latency, 12 * ORR_US);
    assert_true(read[0].bytes_per_s == 1653658596.433726);
    assert_int_equal(read[1].bytes_above, 0);
    assert_true(read[1].bytes_to == UINT64_MAX);
    assert_true(read[1].pitch_to == UINT64_MAX);
    assert_false(read[2].pitched);
    assert_int_equal(read[2].bytes_to, 4096);
    assert_int_equal(read[2].latency, 0);
    orr_platform_free(platform);
}

/* The first link of a route of hannibal is that of the GPU alone. */
static const struct orr_platform_link *
gpu_link(const struct orr_platform *platform, unsigned from, unsigned to)
{
    return &platform->links[orr_platform_route(platform, from, to)->links[0]];
}

/* Between 65,536 and 65,537 floats in a row of the matrix, at the tile. */
static void expect_pair(const struct orr_platform *plain,
                        const struct orr_platform *pitched, unsigned from,
                        unsigned to)
{
    struct orr_pitch_copy copy = {from, to, TILE, 262144};
    const struct orr_platform_link *link = gpu_link(pitched, from, to);
    const struct orr_pitch_segment *segment;
    double fast = gpu_link(plain, from, to)->bytes_per_s;

    assert_null(orr_pitch_find(plain->segments, plain->segment_count, &copy));
    copy.pitch_bytes = 262148;
    segment = orr_pitch_find(plain->segments, plain->segment_count, &copy);
    assert_non_null(segment);
    assert_true(segment->bytes_per_s == link->bytes_per_s);
    assert_true(segment->bytes_per_s / fast > 0.27612);
    assert_true(segment->bytes_per_s / fast < 0.27613);
    assert_int_equal(segment->latency, link->latency);
}

static void hannibal_beyond_the_threshold_is_hannibal_pitch(void **state)
{
    struct orr_platform *plain = read_machine("platforms/hannibal");
    struct orr_platform *pitched = read_machine("platforms/hannibal-pitch");

    (void)state;
    assert_int_equal(plain->segment_count, 6);
    assert_int_equal(pitched->segment_count, 0);
    for (unsigned gpu = 1; gpu <= 3; gpu++) {
        expect_pair(plain, pitched, ORR_RAM, gpu);
        expect_pair(plain, pitched, gpu, ORR_RAM);
    }
    orr_platform_free(plain);
    orr_platform_free(pitched);
}

ORR_TESTS(pitch)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test(test)
        T(ranges_begin_above_one_figure_and_end_at_the_other),
        T(each_kind_and_direction_has_its_own),
        T(segments_overlap_if_a_copy_could_have_both),
        T(segments_have_the_ranges_that_are_given),
        T(hannibal_beyond_the_threshold_is_hannibal_pitch),
#undef T
    };

    return cmocka_run_group_tests_name("pitch", tests, NULL, NULL);
}

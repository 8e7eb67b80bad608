/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whatever is read ends: in size, and if nobody writes, in time. */
#include "models/base/input.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "models/base/error.h"
#include "tests/support/temp_file.h"

/* Long enough for nothing but data that are there. */
static const struct orr_input_limits brief = {
    .bytes = 1000, .silence_s = 0.01, .whole_s = 3600};

static char *fifo_new(void)
{
    char *path = temp_file_new("", 0);

    assert_int_equal(g_remove(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    return path;
}

static struct orr_input *open_input(const char *path,
                                    const struct orr_input_limits *limits)
{
    struct orr_input *input = orr_input_open(path, limits, NULL);

    assert_non_null(input);
    return input;
}

/* Fails unless reading @input ends with @message. Closes it. */
static void assert_refused(struct orr_input *input, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *whole =
        g_strdup_printf("%s: %s", orr_input_path(input), message);

    assert_null(orr_input_read_all(input, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_string_equal(error->message, whole);
    orr_input_close(input);
}

static void a_file_is_read_to_its_end(void **state)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 200000};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autofree char *text = g_strnfill(sizes[i], 'x');
        char *path = temp_file_new(text, sizes[i]);
        GByteArray *bytes = orr_input_read_file(path, sizes[i], NULL);

        assert_non_null(bytes);
        assert_int_equal(bytes->len, sizes[i]);
        if (sizes[i] > 0)
            assert_memory_equal(bytes->data, text, sizes[i]);
        g_byte_array_unref(bytes);
        temp_file_remove(path);
    }
}

static void a_file_that_is_too_large_is_refused(void **state)
{
    char *path = temp_file_new("12345", 5);
    g_autoptr(GError) error = NULL;
    g_autofree char *message =
        g_strconcat(path, ": the file is larger than 4 bytes", NULL);

    (void)state;
    assert_null(orr_input_read_file(path, 4, &error));
    assert_string_equal(error->message, message);
    temp_file_remove(path);
}

/* Its size is 0, and it never ends. */
static void a_device_without_end_is_refused(void **state)
{
    struct orr_input_limits limits = orr_input_limits(3 << 20);

    (void)state;
    assert_refused(open_input("/dev/zero", &limits),
                   "the file is larger than 3 MiB");
}

static void a_pipe_into_which_nobody_writes_is_refused(void **state)
{
    char *path = fifo_new();

    (void)state;
    assert_refused(open_input(path, &brief),
                   "no data for 0.01 s, the limit for pipes and devices");
    temp_file_remove(path);
}

static void a_pipe_that_falls_silent_is_refused(void **state)
{
    char *path = fifo_new();
    struct orr_input *input = open_input(path, &brief);
    int writer = open(path, O_WRONLY | O_CLOEXEC);

    (void)state;
    assert_int_equal(write(writer, "some", 4), 4);
    assert_refused(input,
                   "no data for 0.01 s, the limit for pipes and devices");
    close(writer);
    temp_file_remove(path);
}

/* The pipe may be silent for long, but must end at some time. */
static void a_pipe_that_does_not_end_is_refused(void **state)
{
    const struct orr_input_limits limits = {
        .bytes = 1000, .silence_s = 3600, .whole_s = 0.01};
    char *path = fifo_new();
    struct orr_input *input = open_input(path, &limits);
    int writer = open(path, O_WRONLY | O_CLOEXEC);

    (void)state;
    assert_int_equal(write(writer, "some", 4), 4);
    assert_refused(input, "the end does not come within 0.01 s, the limit for "
                          "pipes and devices");
    close(writer);
    temp_file_remove(path);
}

static void a_pipe_that_ends_is_read(void **state)
{
    struct orr_input_limits limits = orr_input_limits(1000);
    char *path = fifo_new();
    struct orr_input *input = open_input(path, &limits);
    int writer = open(path, O_WRONLY | O_CLOEXEC);
    GByteArray *bytes;

    (void)state;
    assert_int_equal(write(writer, "all", 3), 3);
    close(writer);
    bytes = orr_input_read_all(input, NULL);
    assert_non_null(bytes);
    assert_int_equal(bytes->len, 3);
    assert_memory_equal(bytes->data, "all", 3);
    g_byte_array_unref(bytes);
    orr_input_close(input);
    temp_file_remove(path);
}

static void what_cannot_be_opened_is_named(void **state)
{
    static const char *const cases[][2] = {
        {"/no\nwhere", "/no?where: No such file or directory"},
        {"/", "/: Is a directory"},
        {"", ": No such file or directory"},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(orr_input_read_file(cases[i][0], 10, &error));
        assert_string_equal(error->message, cases[i][1]);
    }
}

/* Fails unless the lines of @text are @lines, which end with NULL. */
static void assert_lines(const char *text, size_t size,
                         const char *const *lines)
{
    struct orr_input_limits limits = orr_input_limits(10 << 20);
    char *path = temp_file_new(text, size);
    struct orr_input *input = open_input(path, &limits);
    GString *line = g_string_new(NULL);
    GError *error = NULL;

    for (; *lines; lines++) {
        assert_true(orr_input_read_line(input, line, NULL));
        assert_string_equal(line->str, *lines);
    }
    assert_false(orr_input_read_line(input, line, &error));
    assert_null(error);
    g_string_free(line, TRUE);
    orr_input_close(input);
    temp_file_remove(path);
}

static void a_file_is_read_in_lines(void **state)
{
    static const char *const none[] = {NULL};
    static const char *const empty[] = {"", "", NULL};
    static const char *const usual[] = {"one", "", "two\rtwo", "three", NULL};
    g_autofree char *lengthy = g_strnfill(150000, 'x');
    g_autofree char *text = g_strconcat("a\n", lengthy, "\nb", NULL);
    const char *const across[] = {"a", lengthy, "b", NULL};

    (void)state;
    assert_lines("", 0, none);
    assert_lines("\n\r\n", 3, empty);
    assert_lines("one\n\ntwo\rtwo\r\nthree", 20, usual);
    assert_lines(text, strlen(text), across);
}

static void a_line_without_end_is_refused(void **state)
{
    struct orr_input_limits limits = orr_input_limits((uint64_t)1 << 40);
    struct orr_input *input = open_input("/dev/zero", &limits);
    GString *line = g_string_new(NULL);
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_false(orr_input_read_line(input, line, &error));
    assert_string_equal(error->message,
                        "/dev/zero:1: the line is longer than 1 MiB");
    assert_true(line->allocated_len < 8 * ORR_INPUT_MAX_LINE);
    g_string_free(line, TRUE);
    orr_input_close(input);
}

/* A gzip file with @count times @text; its name, for temp_file_remove(). */
static char *packed_new(const char *text, unsigned count, unsigned cut)
{
    GZlibCompressor *gzip =
        g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
    g_autoptr(GString) all = g_string_new(NULL);
    size_t size = 1 << 20;
    g_autofree char *packed = g_malloc(size);
    g_autofree char *path = temp_file_new("", 0);
    char *name = g_strconcat(path, ".gz", NULL);
    gsize used;
    gsize got;

    for (unsigned i = 0; i < count; i++)
        g_string_append(all, text);
    assert_int_equal(g_converter_convert(G_CONVERTER(gzip), all->str, all->len,
                                         packed, size, G_CONVERTER_INPUT_AT_END,
                                         &used, &got, NULL),
                     G_CONVERTER_FINISHED);
    assert_int_equal(used, all->len);
    assert_true(g_file_set_contents(name, packed, (gssize)(got - cut), NULL));
    assert_int_equal(g_remove(path), 0);
    g_object_unref(gzip);
    return name;
}

static void a_gzip_file_is_unpacked(void **state)
{
    char *path = packed_new("a line\n", 30000, 0);
    const struct orr_input_limits limits = orr_input_limits(1 << 20);
    struct orr_input *input = open_input(path, &limits);
    unsigned lines = 0;
    size_t length;
    char *line;

    (void)state;
    while (orr_input_next_line(input, &line, &length, NULL)) {
        assert_string_equal(line, "a line");
        lines++;
    }
    assert_int_equal(lines, 30000);
    orr_input_close(input);
    temp_file_remove(path);
}

static void a_gzip_file_is_limited_in_what_comes_out(void **state)
{
    const struct orr_input_limits limits = orr_input_limits(10000);
    char *path = packed_new("0000000000", 2000, 0);

    (void)state;
    assert_refused(open_input(path, &limits),
                   "the file is larger than 10000 bytes");
    temp_file_remove(path);
}

static void a_gzip_file_that_is_cut_is_refused(void **state)
{
    const struct orr_input_limits limits = orr_input_limits(1 << 20);
    char *path = packed_new("a line\n", 100, 4);

    (void)state;
    assert_refused(open_input(path, &limits), "the gzip file ends too early");
    temp_file_remove(path);
}

/* Peeked bytes are read again, as bytes and as lines. */
static void peeking_reads_nothing(void **state)
{
    char *path = temp_file_new("one\ntwo\n", 8);
    const struct orr_input_limits limits = orr_input_limits(1000);
    struct orr_input *input = open_input(path, &limits);
    const char *text;
    size_t size;
    char *line;

    (void)state;
    assert_true(orr_input_peek(input, &text, &size, NULL));
    assert_int_equal(size, 8);
    assert_memory_equal(text, "one\ntwo\n", 8);
    assert_true(orr_input_next_line(input, &line, &size, NULL));
    assert_string_equal(line, "one");
    g_byte_array_unref(orr_input_read_all(input, NULL));
    assert_false(orr_input_next_line(input, &line, &size, NULL));
    orr_input_close(input);
    temp_file_remove(path);
}

/* More lines than the buffer first holds: it grows and moves, they stay. */
static void lines_that_are_held_stay(void **state)
{
    g_autoptr(GString) all = g_string_new("before\n");
    const struct orr_input_limits limits = orr_input_limits(1 << 20);
    struct orr_input *input;
    const char *held;
    size_t offset = 0;
    char *path;
    size_t length;
    char *line;

    (void)state;
    for (unsigned i = 0; i < 30000; i++)
        g_string_append_printf(all, "line %u\n", i);
    path = temp_file_new(all->str, all->len);
    input = open_input(path, &limits);
    assert_true(orr_input_next_line(input, &line, &length, NULL));
    orr_input_hold(input, line + length + 1);
    while (orr_input_next_line(input, &line, &length, NULL))
        assert_int_equal(line + length + 1 - orr_input_held(input),
                         offset += length + 1);
    held = orr_input_held(input);
    for (unsigned i = 0; i < 30000; i++) {
        g_autofree char *expected = g_strdup_printf("line %u", i);

        assert_string_equal(held, expected);
        held += strlen(held) + 1;
    }
    orr_input_close(input);
    temp_file_remove(path);
}

/* All lines that are at hand come at once, and the last one gets an end. */
static void whole_lines_come_together(void **state)
{
    const struct orr_input_limits limits = orr_input_limits(1 << 20);
    g_autoptr(GString) all = g_string_new(NULL);
    g_autoptr(GString) got = g_string_new(NULL);
    struct orr_input *input;
    unsigned times = 0;
    char *path;
    char *begin;
    char *end;

    (void)state;
    for (unsigned i = 0; i < 30000; i++)
        g_string_append_printf(all, "%sline %u", i > 0 ? "\n" : "", i);
    path = temp_file_new(all->str, all->len);
    input = open_input(path, &limits);
    for (; orr_input_next_lines(input, times, &begin, &end, NULL); times++) {
        assert_true(end > begin && end[-1] == '\n');
        g_string_append_len(got, begin, end - begin);
        orr_input_hold(input, end); /* also behind the end that it got */
    }
    g_string_append_c(all, '\n');
    assert_string_equal(got->str, all->str);
    assert_in_range(times, 2, 100);
    orr_input_close(input);
    temp_file_remove(path);
}

/* The error names the line after the line number that the caller passed. */
static void a_line_may_be_too_long_for_whole_lines(void **state)
{
    const struct orr_input_limits limits = orr_input_limits(1 << 22);
    g_autofree char *text = g_strnfill(ORR_INPUT_MAX_LINE + 1, 'x');
    char *path = temp_file_new(text, ORR_INPUT_MAX_LINE + 1);
    struct orr_input *input = open_input(path, &limits);
    g_autoptr(GError) error = NULL;
    char *begin;
    char *end;

    (void)state;
    assert_false(orr_input_next_lines(input, 6, &begin, &end, &error));
    assert_non_null(
        strstr(error->message, ":7: the line is longer than 1 MiB"));
    orr_input_close(input);
    temp_file_remove(path);
}

static void a_zero_is_noticed(void **state)
{
    char *path = temp_file_new("one\nt\0wo\n", 9);
    const struct orr_input_limits limits = orr_input_limits(1000);
    struct orr_input *input = open_input(path, &limits);
    size_t length;
    char *line;

    (void)state;
    assert_false(orr_input_has_zeros(input));
    assert_true(orr_input_next_line(input, &line, &length, NULL));
    assert_true(orr_input_next_line(input, &line, &length, NULL));
    assert_int_equal(length, 4);
    assert_true(orr_input_has_zeros(input));
    orr_input_close(input);
    temp_file_remove(path);
}

ORR_TESTS(input)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_to_its_end),
        cmocka_unit_test(a_file_that_is_too_large_is_refused),
        cmocka_unit_test(a_device_without_end_is_refused),
        cmocka_unit_test(a_pipe_into_which_nobody_writes_is_refused),
        cmocka_unit_test(a_pipe_that_falls_silent_is_refused),
        cmocka_unit_test(a_pipe_that_does_not_end_is_refused),
        cmocka_unit_test(a_pipe_that_ends_is_read),
        cmocka_unit_test(what_cannot_be_opened_is_named),
        cmocka_unit_test(a_file_is_read_in_lines),
        cmocka_unit_test(a_line_without_end_is_refused),
        cmocka_unit_test(a_gzip_file_is_unpacked),
        cmocka_unit_test(a_gzip_file_is_limited_in_what_comes_out),
        cmocka_unit_test(a_gzip_file_that_is_cut_is_refused),
        cmocka_unit_test(peeking_reads_nothing),
        cmocka_unit_test(lines_that_are_held_stay),
        cmocka_unit_test(whole_lines_come_together),
        cmocka_unit_test(a_line_may_be_too_long_for_whole_lines),
        cmocka_unit_test(a_zero_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

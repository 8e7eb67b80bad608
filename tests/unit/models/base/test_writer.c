/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All bytes put into a writer reach its file, wherever its buffer ends. */
#include "models/base/writer.h"

#include "tests/support/cmocka_all.h"

/* Flushes @writer, closes its file and returns the content. Free with free().
 */
static char *read_all(struct orr_writer *writer)
{
    char *text;
    long size;

    orr_writer_flush(writer);
    size = ftell(writer->file);
    rewind(writer->file);
    text = g_malloc0((gsize)size + 1);
    assert_int_equal(fread(text, 1, (size_t)size, writer->file), size);
    fclose(writer->file);
    return text;
}

static void texts_and_numbers_follow_on_each_other(void **state)
{
    struct orr_writer writer = {.file = tmpfile()};
    g_autofree char *text = NULL;

    (void)state;
    orr_writer_text(&writer, "a ");
    orr_writer_count(&writer, UINT64_MAX);
    orr_writer_char(&writer, ' ');
    orr_writer_decimal(&writer, -1500, 3);
    orr_writer_bytes(&writer, " bcd", 3);
    orr_writer_char(&writer, ' ');
    orr_writer_hexadecimal(&writer, 0);
    orr_writer_hexadecimal(&writer, 0x1af);
    orr_writer_text(&writer, "");
    text = read_all(&writer);
    assert_string_equal(text, "a 18446744073709551615 -1.500 bc 01af");
}

/* Pieces of 7 bytes end at each place in the buffer, whose size is not a
 * multiple of 7. */
static void nothing_is_lost_where_the_buffer_ends(void **state)
{
    struct orr_writer writer = {.file = tmpfile()};
    enum { PIECES = 8 * ORR_WRITER_BUFFER / 7 };
    g_autofree char *text = NULL;

    (void)state;
    for (unsigned i = 0; i < PIECES; i++) {
        orr_writer_char(&writer, '<');
        orr_writer_count(&writer, 10000 + i % 90000);
        orr_writer_text(&writer, ">");
    }
    text = read_all(&writer);
    assert_int_equal(strlen(text), 7 * PIECES);
    for (unsigned i = 0; i < PIECES; i++) {
        char piece[8];

        g_snprintf(piece, sizeof piece, "<%u>", 10000 + i % 90000);
        assert_memory_equal(text + (size_t)7 * i, piece, 7);
    }
}

static void a_text_may_be_longer_than_the_buffer(void **state)
{
    struct orr_writer writer = {.file = tmpfile()};
    const size_t length = (size_t)3 * ORR_WRITER_BUFFER;
    g_autofree char *text = g_strnfill(length, 'x');
    g_autofree char *found = NULL;

    (void)state;
    orr_writer_char(&writer, 'a');
    orr_writer_text(&writer, text);
    orr_writer_char(&writer, 'z');
    found = read_all(&writer);
    assert_int_equal(strlen(found), length + 2);
    assert_memory_equal(found, "ax", 2);
    assert_string_equal(found + length, "xz");
}

ORR_TESTS(writer)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_numbers_follow_on_each_other),
        cmocka_unit_test(nothing_is_lost_where_the_buffer_ends),
        cmocka_unit_test(a_text_may_be_longer_than_the_buffer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

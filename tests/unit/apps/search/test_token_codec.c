/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The words of tokens are printable, and damaged words are refused. */
#include "apps/token/token_codec.h"

#include <gio/gio.h>
#include <string.h>

#include "models/base/error.h"
#include "tests/support/token_fixture.h"

#define ALPHABET                                                               \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

static bool is_refused(const char *word)
{
    struct orr_token token;
    g_autoptr(GError) error = NULL;
    bool refused = !orr_token_parse(&token, word, &error);

    if (refused)
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_SYNTAX));
    orr_token_clear(&token);
    return refused;
}

static void a_word_is_printable(void **state)
{
    g_autofree char *word = token_word();

    (void)state;
    assert_true(g_str_has_prefix(word, "orr1-"));
    assert_int_equal(strspn(word, ALPHABET), strlen(word));
    assert_true(strlen(word) < 300);
}

static void a_token_changed_in_any_letter_is_refused(void **state)
{
    g_autofree char *word = token_word();
    const size_t length = strlen(word);

    (void)state;
    assert_false(is_refused(word));
    for (size_t i = 0; i < length; i += orr_tests_are_full() ? 1 : 10) {
        char letter = word[i];

        for (const char *other = ALPHABET "=+/ \n\x80"; *other; other++) {
            word[i] = *other;
            assert_int_equal(is_refused(word), *other != letter);
        }
        word[i] = letter;
    }
}

static void a_token_that_lost_letters_is_refused(void **state)
{
    g_autofree char *word = token_word();
    g_autofree char *longer = g_strconcat(word, "A", NULL);

    (void)state;
    assert_true(is_refused(longer));
    for (size_t length = strlen(word); length > 0; length--) {
        word[length - 1] = '\0';
        assert_true(is_refused(word));
    }
}

/* Returns a valid word for bytes that orr_token_format() does not make. */
static char *word_of(const char *bytes, size_t length)
{
    g_autoptr(GByteArray) array = g_byte_array_new();

    g_byte_array_append(array, (const guint8 *)bytes, (guint)length);
    return orr_token_encode(array);
}

static void a_token_that_was_cut_before_it_was_packed_is_refused(void **state)
{
    g_autofree char *word = token_word();
    g_autoptr(GByteArray) bytes = orr_token_decode(word, NULL);

    (void)state;
    assert_non_null(bytes);
    for (guint length = 0; length < bytes->len; length++) {
        g_autofree char *cut = word_of((const char *)bytes->data, length);

        assert_true(is_refused(cut));
    }
}

/* Returns a valid word for @bytes with the largest number at byte @at. */
static char *word_with_most(const GByteArray *bytes, guint at)
{
    static const guint8 most[] = {0xff, 0xff, 0xff, 0xff, 0xff,
                                  0xff, 0xff, 0xff, 0xff, 0x01};
    g_autoptr(GByteArray) changed = g_byte_array_new();

    g_byte_array_append(changed, bytes->data, at);
    g_byte_array_append(changed, most, sizeof(most));
    g_byte_array_append(changed, bytes->data + at + 1, bytes->len - at - 1);
    return orr_token_encode(changed);
}

/* Replaces each byte in turn by the largest number. */
static void huge_counts_are_refused(void **state)
{
    g_autofree char *word = token_word();
    g_autoptr(GByteArray) bytes = orr_token_decode(word, NULL);
    size_t refused = 0;

    (void)state;
    assert_non_null(bytes);
    for (guint at = 0; at < bytes->len; at++) {
        g_autofree char *hostile = word_with_most(bytes, at);

        refused += is_refused(hostile);
    }
    /* Inside texts they are letters, and they are valid hashes. */
    assert_true(refused > 20);
}

/* 256 MiB of zeros in a word of 350,000 letters. */
static void a_word_for_too_much_is_refused(void **state)
{
    size_t size = (size_t)256 * 1024 * 1024;
    g_autoptr(GZlibCompressor) zlib =
        g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_RAW, 9);
    g_autofree guint8 *packed = g_malloc(size / 512);
    g_autofree guint8 *zeros = g_malloc0(size);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree char *text = NULL;
    g_autofree char *word = NULL;
    guint8 digest[32];
    gsize length = sizeof(digest), read, written;

    (void)state;
    assert_int_equal(g_converter_convert(G_CONVERTER(zlib), zeros, size, packed,
                                         size / 512, G_CONVERTER_INPUT_AT_END,
                                         &read, &written, NULL),
                     G_CONVERTER_FINISHED);
    g_checksum_update(sum, packed, (gssize)written);
    g_checksum_get_digest(sum, digest, &length);
    memcpy(packed + written, digest, 4);
    text = g_base64_encode(packed, written + 4);
    g_strdelimit(text, "+", '-');
    g_strdelimit(text, "/", '_');
    text[strcspn(text, "=")] = '\0';
    word = g_strconcat("orr1-", text, NULL);
    assert_true(is_refused(word));
}

static void nonsense_is_no_token(void **state)
{
    static const char *const words[] = {
        "",          "orr1", "orr1-",     "orr1-A",       "orr2-",
        "orr1-====", "dmda", "orr1-AAAA", "orr1-AAAAAAAA"};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        assert_true(is_refused(words[i]));
}

ORR_TESTS(token_codec)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_printable),
        cmocka_unit_test(a_token_changed_in_any_letter_is_refused),
        cmocka_unit_test(a_token_that_lost_letters_is_refused),
        cmocka_unit_test(a_token_that_was_cut_before_it_was_packed_is_refused),
        cmocka_unit_test(huge_counts_are_refused),
        cmocka_unit_test(a_word_for_too_much_is_refused),
        cmocka_unit_test(nonsense_is_no_token),
    };

    return cmocka_run_group_tests_name("token_codec", tests, NULL, NULL);
}

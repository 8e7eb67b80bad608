/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/token/token_codec.h"

#include <gio/gio.h>
#include <stdbool.h>
#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"

#define PREFIX "orr1-"

enum { CHECK = 4, SHA256 = 32 }; /* bytes */

/* Stores the checksum of @length bytes in the first CHECK bytes of @digest. */
static void compute_check(const guint8 *bytes, size_t length,
                          guint8 digest[SHA256])
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    gsize size = SHA256;

    g_checksum_update(sum, bytes, (gssize)length);
    g_checksum_get_digest(sum, digest, &size);
}

/*
 * Converts @input; NULL if @converter fails, does not use all of the input, or
 * makes more than @most bytes.
 */
static GByteArray *convert(GConverter *converter, const GByteArray *input,
                           size_t most)
{
    g_autofree guint8 *output = g_malloc(most + 1);
    gsize read, written;

    /* With room for all of the output, one call converts everything. */
    if (g_converter_convert(converter, input->data, input->len, output,
                            most + 1, G_CONVERTER_INPUT_AT_END, &read, &written,
                            NULL) != G_CONVERTER_FINISHED ||
        read < input->len || written > most)
        return NULL;
    return g_byte_array_new_take(g_memdup2(output, written), written);
}

static char *encode_base64url(const GByteArray *bytes)
{
    char *text = g_base64_encode(bytes->data, bytes->len);

    g_strdelimit(text, "+", '-');
    g_strdelimit(text, "/", '_');
    text[strcspn(text, "=")] = '\0';
    return text;
}

/* Returns NULL unless @text is exactly what encode_base64url() returns. */
static GByteArray *decode_base64url(const char *text)
{
    /* The decoder ignores an incomplete group after the last complete group of
     * four. */
    g_autofree char *padded = g_strconcat(text, "===", NULL);
    g_autoptr(GByteArray) bytes = NULL;
    g_autofree char *again = NULL;
    guint8 *decoded;
    gsize length;

    g_strdelimit(padded, "-", '+');
    g_strdelimit(padded, "_", '/');
    decoded = g_base64_decode(padded, &length);
    bytes = g_byte_array_new_take(decoded, length);
    again = encode_base64url(bytes);
    return strcmp(again, text) == 0 ? g_steal_pointer(&bytes) : NULL;
}

char *orr_token_encode(const GByteArray *bytes)
{
    g_autoptr(GZlibCompressor) compressor =
        g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_RAW, 9);
    /* DEFLATE adds five bytes to each block that it cannot compress. */
    g_autoptr(GByteArray) packed =
        convert(G_CONVERTER(compressor), bytes, 2 * (size_t)bytes->len + 64);
    g_autofree char *text = NULL;
    guint8 digest[SHA256];

    g_assert(packed);
    compute_check(packed->data, packed->len, digest);
    g_byte_array_append(packed, digest, CHECK);
    text = encode_base64url(packed);
    return g_strconcat(PREFIX, text, NULL);
}

/* Removes the checksum from the end of @bytes. Returns whether it is correct.
 */
static bool remove_check(GByteArray *bytes)
{
    guint8 digest[SHA256];

    if (bytes->len < CHECK)
        return false;
    compute_check(bytes->data, bytes->len - CHECK, digest);
    if (memcmp(digest, bytes->data + bytes->len - CHECK, CHECK) != 0)
        return false;
    g_byte_array_set_size(bytes, bytes->len - CHECK);
    return true;
}

GByteArray *orr_token_decode(const char *word, GError **error)
{
    g_autoptr(GZlibDecompressor) expander =
        g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_RAW);
    g_autoptr(GByteArray) packed = NULL;
    GByteArray *bytes = NULL;
    g_autofree char *quoted = orr_quote(word);

    if (!g_str_has_prefix(word, PREFIX)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_SYNTAX,
                    "%s is not a token: it does not begin with " PREFIX,
                    quoted);
        return NULL;
    }
    packed = decode_base64url(word + strlen(PREFIX));
    if (packed && remove_check(packed))
        bytes = convert(G_CONVERTER(expander), packed, ORR_TOKEN_CODEC_MAX);
    if (!bytes)
        g_set_error(
            error, ORR_ERROR, ORR_ERROR_SYNTAX,
            "the token %s is damaged: a part of it is missing or changed",
            quoted);
    return bytes;
}

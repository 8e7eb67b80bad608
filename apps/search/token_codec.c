/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/token_codec.h"

#include <gio/gio.h>
#include <stdbool.h>
#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"

#define PREFIX "orr1-"

enum { CHECK = 4, SHA256 = 32, CHUNK = 64 * 1024 };

static void add_check(GByteArray *bytes)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 digest[SHA256];
    gsize length = sizeof(digest);

    if (bytes->len > 0)
        g_checksum_update(sum, bytes->data, bytes->len);
    g_checksum_get_digest(sum, digest, &length);
    g_byte_array_append(bytes, digest, CHECK);
}

/*
 * All that @converter makes of @input. Returns NULL with @error if it cannot,
 * if it leaves some of it, or if that is more than ORR_TOKEN_CODEC_MAX.
 */
static GByteArray *convert(GConverter *converter, const guint8 *input,
                           gsize length, GError **error)
{
    g_autoptr(GByteArray) output = g_byte_array_new();
    g_autofree guint8 *chunk = g_malloc(CHUNK);
    GConverterResult result = G_CONVERTER_CONVERTED;
    gsize read, written;

    if (length == 0)
        input = chunk; /* it may be NULL, of an empty array */
    while (result != G_CONVERTER_FINISHED) {
        result = g_converter_convert(converter, input, length, chunk, CHUNK,
                                     G_CONVERTER_INPUT_AT_END, &read, &written,
                                     error);
        if (result == G_CONVERTER_ERROR)
            return NULL;
        input += read;
        length -= read;
        if (output->len + written > ORR_TOKEN_CODEC_MAX) {
            g_set_error_literal(error, ORR_ERROR, ORR_ERROR_SYNTAX, "too long");
            return NULL;
        }
        g_byte_array_append(output, chunk, (guint)written);
    }
    if (length == 0)
        return g_steal_pointer(&output);
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_SYNTAX, "too much");
    return NULL;
}

char *orr_token_encode(const GByteArray *bytes)
{
    g_autoptr(GZlibCompressor) compressor =
        g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_RAW, 9);
    g_autoptr(GByteArray) packed =
        convert(G_CONVERTER(compressor), bytes->data, bytes->len, NULL);
    g_autofree char *text = NULL;

    g_assert(packed);
    add_check(packed);
    text = g_base64_encode(packed->data, packed->len);
    g_strdelimit(text, "+", '-');
    g_strdelimit(text, "/", '_');
    text[strcspn(text, "=")] = '\0';
    return g_strconcat(PREFIX, text, NULL);
}

/*
 * The bytes behind base64url @text, NULL if it is none. Each has one text
 * only: the unused bits of the last letter are zero.
 */
static GByteArray *decode(const char *text)
{
    g_autofree char *padded = NULL;
    g_autofree char *again = NULL;
    guint8 *bytes;
    gsize length = strlen(text);

    if (strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                     "0123456789-_") != length ||
        length % 4 == 1)
        return NULL;
    padded = g_strconcat(text, &"==="[3 - (4 - length % 4) % 4], NULL);
    g_strdelimit(padded, "-", '+');
    g_strdelimit(padded, "_", '/');
    bytes = g_base64_decode(padded, &length);
    again = g_base64_encode(bytes, length);
    if (strcmp(again, padded) != 0)
        g_clear_pointer(&bytes, g_free);
    return bytes ? g_byte_array_new_take(bytes, length) : NULL;
}

/* Whether the last bytes are those of the others' sum, which remain. */
static bool take_check(GByteArray *bytes)
{
    guint8 said[CHECK];

    if (!bytes || bytes->len < CHECK)
        return false;
    memcpy(said, bytes->data + bytes->len - CHECK, CHECK);
    g_byte_array_set_size(bytes, bytes->len - CHECK);
    add_check(bytes);
    if (memcmp(said, bytes->data + bytes->len - CHECK, CHECK) != 0)
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
                    "%s is no token: it does not begin with " PREFIX, quoted);
        return NULL;
    }
    packed = decode(word + strlen(PREFIX));
    if (take_check(packed))
        bytes = convert(G_CONVERTER(expander), packed->data, packed->len, NULL);
    if (!bytes)
        g_set_error(error, ORR_ERROR, ORR_ERROR_SYNTAX,
                    "the token %s is damaged: something of it was lost or "
                    "changed",
                    quoted);
    return bytes;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TOKEN_CODEC_H
#define ORR_TOKEN_CODEC_H

#include <glib.h>

/*
 * Bytes as one printable word that survives mail, shells and file names:
 * "orr1-" and then, in the alphabet of base64url (RFC 4648, section 5, without
 * padding), the bytes compressed (DEFLATE, RFC 1951) and four bytes of their
 * SHA-256, so that a word that lost or changed a letter is not taken for
 * another one.
 */

/* More than a token ever needs; a short word may not stand for more. */
#define ORR_TOKEN_CODEC_MAX ((size_t)16 * 1024 * 1024)

/* The word for @bytes, ORR_TOKEN_CODEC_MAX at most. To be freed with g_free().
 */
char *orr_token_encode(const GByteArray *bytes);

/*
 * The bytes that @word stands for. To be freed with g_byte_array_unref().
 *
 * Returns NULL with ORR_ERROR_SYNTAX if it is no such word, is damaged, or
 * stands for more than ORR_TOKEN_CODEC_MAX.
 */
GByteArray *orr_token_decode(const char *word, GError **error);

#endif

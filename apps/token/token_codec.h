/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TOKEN_CODEC_H
#define ORR_TOKEN_CODEC_H

#include <glib.h>

/*
 * Encodes bytes as one printable word that survives mail, shells and file
 * names: "orr1-", followed in base64url (RFC 4648, section 5, without padding)
 * by the compressed bytes (DEFLATE, RFC 1951) and the first four bytes of their
 * SHA-256. These detect a word that lost or changed a letter.
 */

/* Limit of the decoded size, which a short word must not exceed either. */
#define ORR_TOKEN_CODEC_MAX ((size_t)16 * 1024 * 1024)

/* Returns the word for @bytes, at most ORR_TOKEN_CODEC_MAX. Free with
 * g_free(). */
char *orr_token_encode(const GByteArray *bytes);

/*
 * Returns the bytes of @word; free with g_byte_array_unref(). Returns NULL with
 * ORR_ERROR_SYNTAX if @word is not a token, is damaged, or would decode to more
 * than ORR_TOKEN_CODEC_MAX.
 */
GByteArray *orr_token_decode(const char *word, GError **error);

#endif

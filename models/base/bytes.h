/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BYTES_H
#define ORR_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/*
 * Short texts, several bytes at a time, without a call: for readers of large
 * files. Copies of a fixed size are single loads.
 */
static inline uint64_t orr_eight_bytes(const char *text)
{
    uint64_t word;

    memcpy(&word, text, sizeof word);
    return word;
}

static inline uint64_t orr_four_bytes(const char *text)
{
    uint32_t word;

    memcpy(&word, text, sizeof word);
    return word;
}

/* A word made of all bytes of a text of up to eight bytes; it may hold some
 * bytes twice. */
static inline uint64_t orr_word_of(const char *text, size_t length)
{
    if (length >= 4)
        return orr_four_bytes(text) << 32 | orr_four_bytes(text + length - 4);
    if (length == 0)
        return 0;
    return (uint64_t)(unsigned char)text[0] << 16 |
           (uint64_t)(unsigned char)text[length / 2] << 8 |
           (unsigned char)text[length - 1];
}

/* Whether @a and @b are equal in their first @length bytes. */
static inline bool orr_same_bytes(const char *a, const char *b, size_t length)
{
    if (length <= 8)
        return orr_word_of(a, length) == orr_word_of(b, length);
    for (; length > 8; a += 8, b += 8, length -= 8) {
        if (orr_eight_bytes(a) != orr_eight_bytes(b))
            return false;
    }
    return orr_eight_bytes(a + length - 8) == orr_eight_bytes(b + length - 8);
}

/* orr_count_plain() may read so many bytes behind the end of the plain text. */
#define ORR_PLAIN_PADDING 15

#ifdef __SSE2__
/* The number of bytes at @text before the first quotation mark, backslash or
 * control character, which end plain text in JSON. There must be one. */
static inline size_t orr_count_plain(const char *text)
{
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i slash = _mm_set1_epi8('\\');
    const __m128i control = _mm_set1_epi8(0x1f);

    for (size_t count = 0;; count += sizeof(__m128i)) {
        __m128i bytes =
            _mm_loadu_si128((const __m128i *)(const void *)(text + count));
        __m128i ends =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote),
                                      _mm_cmpeq_epi8(bytes, slash)),
                         _mm_cmpeq_epi8(_mm_max_epu8(bytes, control), control));
        unsigned mask = (unsigned)_mm_movemask_epi8(ends);

        if (mask != 0)
            return count + (unsigned)__builtin_ctz(mask);
    }
}
#else
static inline size_t orr_count_plain(const char *text)
{
    const char *at = text;

    while ((unsigned char)*at >= 0x20 && *at != '"' && *at != '\\')
        at++;
    return (size_t)(at - text);
}
#endif

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROTOBUF_H
#define ORR_PROTOBUF_H

#include <glib.h>
#include <stdint.h>
#include <string.h>

/*
 * Writes messages in the wire format of Protocol Buffers
 * (https://protobuf.dev/programming-guides/encoding): fields with a number and
 * a type, one after the other; a message in a message is a field with a length.
 * Written without a library, because a trace has 20 fields a task and
 * libprotobuf-c takes three times as long.
 */
struct orr_protobuf {
    uint8_t *bytes; /* owned */
    size_t size;
    size_t room;
};

/* The type of a field, which follows its number in its tag. */
enum {
    ORR_PROTOBUF_VARINT = 0,
    ORR_PROTOBUF_FIXED64 = 1,
    ORR_PROTOBUF_LEN = 2
};

/* The bytes of the longest number. */
enum { ORR_PROTOBUF_LONGEST = 10 };

/* Also clears a zero-initialised message. */
static inline void orr_protobuf_clear(struct orr_protobuf *message)
{
    g_free(message->bytes);
}

/* Makes room for @size bytes more. */
static inline uint8_t *orr_protobuf_room(struct orr_protobuf *message,
                                         size_t size)
{
    if (G_UNLIKELY(message->room - message->size < size)) {
        message->room = 2 * message->room + size;
        message->bytes = g_realloc(message->bytes, message->room);
    }
    return message->bytes + message->size;
}

/* Writes a number in groups of 7 bits, the lowest first, to @at, where there is
 * room. Returns its end. */
static inline uint8_t *orr_protobuf_encode(uint8_t *at, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        *at++ = (uint8_t)(number | 0x80);
    *at++ = (uint8_t)number;
    return at;
}

static inline void orr_protobuf_number(struct orr_protobuf *message,
                                       uint64_t number)
{
    uint8_t *at = orr_protobuf_room(message, ORR_PROTOBUF_LONGEST);

    message->size = (size_t)(orr_protobuf_encode(at, number) - message->bytes);
}

static inline void orr_protobuf_tag(struct orr_protobuf *message,
                                    unsigned field, unsigned type)
{
    orr_protobuf_number(message, field << 3 | type);
}

/* A field that is an integer or a bool; negative numbers in two's complement.
 */
static inline void orr_protobuf_varint(struct orr_protobuf *message,
                                       unsigned field, uint64_t value)
{
    orr_protobuf_tag(message, field, ORR_PROTOBUF_VARINT);
    orr_protobuf_number(message, value);
}

/* A field of 8 bytes. */
static inline void orr_protobuf_fixed64(struct orr_protobuf *message,
                                        unsigned field, uint64_t value)
{
    uint64_t bytes = GUINT64_TO_LE(value);

    orr_protobuf_tag(message, field, ORR_PROTOBUF_FIXED64);
    memcpy(orr_protobuf_room(message, sizeof(bytes)), &bytes, sizeof(bytes));
    message->size += sizeof(bytes);
}

/* A field that is a string; it has to be UTF-8. */
static inline void orr_protobuf_text(struct orr_protobuf *message,
                                     unsigned field, const char *text)
{
    size_t length = strlen(text);

    orr_protobuf_tag(message, field, ORR_PROTOBUF_LEN);
    orr_protobuf_number(message, length);
    memcpy(orr_protobuf_room(message, length), text, length);
    message->size += length;
}

/*
 * Begins a message as field of a message. Its length is written in @width
 * bytes, at most 4, so it must be shorter than 128 to the power of @width;
 * shorter lengths are padded. Returns the offset for orr_protobuf_end().
 */
static inline size_t orr_protobuf_begin(struct orr_protobuf *message,
                                        unsigned field, unsigned width)
{
    orr_protobuf_tag(message, field, ORR_PROTOBUF_LEN);
    orr_protobuf_room(message, width);
    return message->size += width;
}

static inline void orr_protobuf_end(struct orr_protobuf *message, size_t begin,
                                    unsigned width)
{
    size_t length = message->size - begin;
    uint32_t groups = GUINT32_TO_LE(
        (uint32_t)((length & 0x7f) | (length & 0x3f80) << 1 |
                   (length & 0x1fc000) << 2 | (length & 0xfe00000) << 3) |
        (UINT32_C(0x80808080) & ((UINT32_C(1) << 8 * (width - 1)) - 1)));

    g_assert(length >> 7 * width == 0);
    memcpy(message->bytes + begin - width, &groups, width);
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WRITER_H
#define ORR_WRITER_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "models/digits.h"

/*
 * Writes many short texts and numbers to a file. They are gathered in a buffer:
 * to put one costs a copy, where fputs() and fprintf() cost a hundred
 * instructions and more. ferror() of the file reports errors. Call
 * orr_writer_flush() at the end.
 */
enum { ORR_WRITER_BUFFER = 1 << 14 }; /* bytes */

struct orr_writer {
    FILE *file;  /* borrowed */
    size_t used; /* bytes of the buffer; 0 at first */
    char buffer[ORR_WRITER_BUFFER];
};

static inline void orr_writer_flush(struct orr_writer *writer)
{
    fwrite(writer->buffer, 1, writer->used, writer->file);
    writer->used = 0;
}

/* Room for @size bytes, at most ORR_WRITER_BUFFER. */
static inline char *orr_writer_room(struct orr_writer *writer, size_t size)
{
    if (writer->used + size > ORR_WRITER_BUFFER)
        orr_writer_flush(writer);
    return writer->buffer + writer->used;
}

static inline void orr_writer_char(struct orr_writer *writer, char c)
{
    *orr_writer_room(writer, 1) = c;
    writer->used++;
}

static inline void orr_writer_bytes(struct orr_writer *writer,
                                    const char *bytes, size_t size)
{
    if (size > ORR_WRITER_BUFFER) {
        orr_writer_flush(writer);
        fwrite(bytes, 1, size, writer->file);
        return;
    }
    memcpy(orr_writer_room(writer, size), bytes, size);
    writer->used += size;
}

static inline void orr_writer_text(struct orr_writer *writer, const char *text)
{
    orr_writer_bytes(writer, text, strlen(text));
}

/* Puts the number from @at to @end, behind which there is room to read
 * ORR_DIGITS bytes: a copy of constant size is a few instructions. */
static inline void orr_writer_number(struct orr_writer *writer, const char *at,
                                     const char *end)
{
    memcpy(orr_writer_room(writer, ORR_DIGITS), at, ORR_DIGITS);
    writer->used += (size_t)(end - at);
}

static inline void orr_writer_count(struct orr_writer *writer, uint64_t count)
{
    char text[2 * ORR_DIGITS];
    char *end = text + ORR_DIGITS;

    orr_writer_number(writer, orr_digits_put(end, count), end);
}

/* Puts @number divided by 10^@digits, as orr_digits_put_decimal(). */
static inline void orr_writer_decimal(struct orr_writer *writer, int64_t number,
                                      unsigned digits)
{
    char text[2 * ORR_DIGITS];
    char *end = text + ORR_DIGITS;

    orr_writer_number(writer, orr_digits_put_decimal(end, number, digits), end);
}

/* Puts @number in base 16, without zeros before it. */
static inline void orr_writer_hexadecimal(struct orr_writer *writer,
                                          uint64_t number)
{
    char text[2 * ORR_DIGITS];
    char *end = text + ORR_DIGITS;
    char *at = end;

    do
        *--at = "0123456789abcdef"[number % 16];
    while (number /= 16);
    orr_writer_number(writer, at, end);
}

#endif

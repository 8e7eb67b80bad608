/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DIGITS_H
#define ORR_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Numbers as decimal text, many times faster than by printf(). They are written
 * from the last digit on: before @end, behind room for ORR_DIGITS bytes. The
 * result is the first byte of the text, which ends at @end, without a zero
 * byte.
 */
enum { ORR_DIGITS = 24 };

/* Writes the two digits of @number, below 100. */
static inline char *orr_digits_put_pair(char *end, unsigned number)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324"
        "25262728293031323334353637383940414243444546474849"
        "50515253545556575859606162636465666768697071727374"
        "75767778798081828384858687888990919293949596979899";

    return memcpy(end - 2, &pairs[(size_t)2 * number], 2);
}

/* Writes the four digits of @number, below 10000: one division of 32 bits
 * instead of two dependent ones of 64. */
static inline char *orr_digits_put_four(char *end, unsigned number)
{
    orr_digits_put_pair(end, number % 100);
    return orr_digits_put_pair(end - 2, number / 100);
}

static inline char *orr_digits_put(char *end, uint64_t number)
{
    char *at = end;
    unsigned rest;

    for (; number >= 10000; number /= 10000)
        at = orr_digits_put_four(at, (unsigned)(number % 10000));
    rest = (unsigned)number;
    if (rest >= 100) {
        at = orr_digits_put_pair(at, rest % 100);
        rest /= 100;
    }
    if (rest >= 10)
        return orr_digits_put_pair(at, rest);
    *--at = (char)('0' + rest);
    return at;
}

/* Writes @number divided by 10^@digits with all its digits: "12.345678" for
 * 12345678 and 6. @digits is at most 18. */
static inline char *orr_digits_put_decimal(char *end, int64_t number,
                                           unsigned digits)
{
    uint64_t whole = number < 0 ? -(uint64_t)number : (uint64_t)number;
    char *at = end;

    for (unsigned left = digits; left >= 4; left -= 4) {
        at = orr_digits_put_four(at, (unsigned)(whole % 10000));
        whole /= 10000;
    }
    if (digits % 4 >= 2) {
        at = orr_digits_put_pair(at, (unsigned)(whole % 100));
        whole /= 100;
    }
    if (digits % 2 == 1) {
        *--at = (char)('0' + whole % 10);
        whole /= 10;
    }
    if (digits > 0)
        *--at = '.';
    at = orr_digits_put(at, whole);
    if (number < 0)
        *--at = '-';
    return at;
}

/*
 * Writes @value, from 1e-4 to 1e6, if it is a multiple of 1e-9, without zeros
 * at the end. Most reported numbers are times in s that were computed from ns.
 * The text is the same as by "%.15g": a decimal number of at most 15 digits
 * survives its conversion to double. Returns NULL if @value is not such a
 * number.
 */
static inline char *orr_digits_put_nano(char *end, double value)
{
    unsigned digits = 9;
    int64_t nano;
    double read;

    if (!(value >= 1e-4 && value < 1e6))
        return NULL;
    nano = (int64_t)(value * 1e9 + 0.5);
    read = (double)nano / 1e9;
    if (read < value || read > value)
        return NULL;
    for (; digits > 0 && nano % 10 == 0; digits--)
        nano /= 10;
    return orr_digits_put_decimal(end, nano, digits);
}

#endif

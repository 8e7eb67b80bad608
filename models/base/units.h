/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_UNITS_H
#define ORR_UNITS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "models/time.h"

/*
 * Quantities as users write them on the command line and in platform files: a
 * decimal number and its unit, with nothing before or after. The format is the
 * one of the C locale, whatever the locale of the user.
 *
 *   bytes   B KB MB GB TB (powers of 1000), KiB MiB GiB TiB (of 1024);
 *           a whole number of bytes below 2^63
 *   rate    a unit of bytes followed by "ps" or "/s": GBps; above 0 and below
 *           2^63 bytes/s
 *   time    ns us ms s; rounded to the nearest nanosecond
 *
 * All return false with ORR_ERROR_VALUE on anything else: no number, no unit,
 * negative, not finite, too large. The message quotes the text and names the
 * expected form.
 */
bool orr_parse_bytes(const char *text, uint64_t *bytes, GError **error);
bool orr_parse_rate(const char *text, double *bytes_per_s, GError **error);
bool orr_parse_time(const char *text, orr_time *time, GError **error);

/* Parse watts in mW, W, kW or MW, up to 1e6 W, and joules in pJ, nJ, uJ, mJ, J
 * or kJ, up to 1e9 J; 0 is allowed. */
bool orr_parse_watts(const char *text, double *watts, GError **error);
bool orr_parse_joules(const char *text, double *joules, GError **error);

/* Parses a speed in Flop/s, KFlop/s, MFlop/s, GFlop/s, TFlop/s or PFlop/s, from
 * 1 to 2^63 Flop/s. */
bool orr_parse_flops(const char *text, double *flops_per_s, GError **error);

/* Parses a decimal number above 0 and at most @max. */
bool orr_parse_number(const char *text, double max, double *number,
                      GError **error);

/* Parses a factor such as "2x": a decimal number, not negative, and an x. */
bool orr_parse_factor(const char *text, double *factor, GError **error);

/*
 * Sets *@number to the decimal number that is the whole of @text; returns false
 * if it is none. @characters: all that it may have, as strtod() also accepts
 * blanks, hexadecimal, "inf" and "nan".
 */
bool orr_parse_decimal(const char *text, const char *characters,
                       double *number);

/* Parses a whole decimal number in [@min, @max]. */
bool orr_parse_count(const char *text, uint64_t min, uint64_t max,
                     uint64_t *count, GError **error);

/*
 * Format a quantity for people, with three significant digits and a unit of its
 * size: "3.69 MB", "12.0 GB/s", "66.9 TFlop/s", "812 us". Free with g_free().
 */
char *orr_format_bytes(uint64_t bytes);
char *orr_format_rate(double bytes_per_s);
char *orr_format_flops(double flops_per_s);
char *orr_format_time(orr_time time);

/* Formats @bytes as a whole number of the largest possible unit, bytes, KiB,
 * MiB or GiB: "16 MiB". Free with g_free(). */
char *orr_format_limit(uint64_t bytes);

/*
 * Quotes @text for a message: without control characters, and cut after 60
 * bytes, since it may come from an untrusted file. Free with g_free().
 */
char *orr_quote(const char *text);

#endif

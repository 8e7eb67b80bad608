/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_UNITS_H
#define ORR_UNITS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "models/time.h"

/*
 * Quantities with their unit, as users write them on the command line and in
 * platform files: a decimal number and a unit, with nothing before or after,
 * in the C locale whatever the user's.
 *
 *   bytes   B KB MB GB TB (powers of 1000), KiB MiB GiB TiB (of 1024);
 *           a whole number of bytes below 2^63
 *   rate    the same followed by "ps" or "/s": GBps; above 0 and below 2^63
 *           bytes/s
 *   time    ns us ms s; rounded to the nearest nanosecond
 *
 * Return false with @error (ORR_ERROR_VALUE, the text quoted and what was
 * expected) on anything else: no number, no unit, negative, not finite, too
 * large.
 */
bool orr_parse_bytes(const char *text, uint64_t *bytes, GError **error);
bool orr_parse_rate(const char *text, double *bytes_per_s, GError **error);
bool orr_parse_time(const char *text, orr_time *time, GError **error);

/* Flop/s KFlop/s MFlop/s GFlop/s TFlop/s PFlop/s; from 1 to 2^63. */
bool orr_parse_flops(const char *text, double *flops_per_s, GError **error);

/* A decimal number above 0 and at most @max, with nothing before or after. */
bool orr_parse_number(const char *text, double max, double *number,
                      GError **error);

/* A factor, "2x": a decimal number, not negative, with an x behind it. */
bool orr_parse_factor(const char *text, double *factor, GError **error);

/* A whole decimal number in [@min, @max], with nothing before or after. */
bool orr_parse_count(const char *text, uint64_t min, uint64_t max,
                     uint64_t *count, GError **error);

/*
 * The reverse, for people: three significant digits and the unit that suits,
 * e.g. "3.69 MB", "12.0 GB/s", "66.9 TFlop/s", "812 us". To be freed with
 * g_free().
 */
char *orr_format_bytes(uint64_t bytes);
char *orr_format_rate(double bytes_per_s);
char *orr_format_flops(double flops_per_s);
char *orr_format_time(orr_time time);

/*
 * @text as messages show it: in quotes, on one line, and not longer than a
 * line should be, since it may come from anywhere. To be freed with g_free().
 */
char *orr_quote(const char *text);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TIME_H
#define ORR_TIME_H

#include <stdint.h>

#include "models/api.h"

ORR_BEGIN_DECLS

/*
 * Simulated time, in nanoseconds since the start of the run.
 *
 * An integer, so that two events compare the same way on every machine; a
 * double would make the order of nearly simultaneous events depend on the
 * compiler. 63 bits of nanoseconds last 292 years.
 */
typedef int64_t orr_time;

/* Later than any event: "never". orr_time_add() keeps it. */
#define ORR_NEVER INT64_MAX

#define ORR_US ((orr_time)1000)
#define ORR_MS ((orr_time)1000000)
#define ORR_S ((orr_time)1000000000)

/* Adds a duration (>= 0 ns) to a date; ORR_NEVER on overflow. */
static inline orr_time orr_time_add(orr_time t, orr_time d)
{
    return d >= ORR_NEVER - t ? ORR_NEVER : t + d;
}

/* The nearest whole number to @ns (>= 0); ORR_NEVER from 2^63 on. */
static inline orr_time orr_time_nearest(double ns)
{
    orr_time whole;

    if (ns >= 9223372036854775808.0)
        return ORR_NEVER;
    whole = (orr_time)ns;
    return ns - (double)whole >= 0.5 ? whole + 1 : whole;
}

/* Converts @seconds (finite, >= 0) to the nearest ns; ORR_NEVER if too large.
 */
ORR_API orr_time orr_time_from_seconds(double seconds);

static inline double orr_time_to_seconds(orr_time t)
{
    return (double)t / 1e9;
}

ORR_END_DECLS

#endif

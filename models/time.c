/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/time.h"

/* 2^63, the first value that an orr_time cannot hold. */
#define TOO_LARGE 9223372036854775808.0

orr_time orr_time_nearest(double ns)
{
    orr_time whole;

    if (ns >= TOO_LARGE)
        return ORR_NEVER;
    whole = (orr_time)ns;
    return ns - (double)whole >= 0.5 ? whole + 1 : whole;
}

orr_time orr_time_from_seconds(double seconds)
{
    return orr_time_nearest(seconds * 1e9);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PITCH_H
#define ORR_PITCH_H

#include <stdbool.h>

#include "models/base/units.h"

/*
 * What a copy takes beside what its route allows: piecewise linear in the
 * payload, the slope and the intercept depending on the pitch.
 *
 * A tile inside a larger matrix is not contiguous: the starts of its columns
 * are a pitch (leading dimension, in bytes) apart. Its copies are 2D, which
 * some GPUs do far slower beyond some pitch. A platform holds segments; for
 * its direction and kind, a copy of s bytes with pitch p has the one with
 *
 *     bytes_above < s <= bytes_to  and  pitch_above < p <= pitch_to
 *
 * if there is one. Alone on its route it then takes, in seconds,
 *
 *     latency + s / min(bytes_per_s, bandwidth of the route)
 *
 * and among others it never gets more than bytes_per_s. Without a segment
 * it takes what the route gives, as if it were contiguous.
 *
 * Units: bytes, bytes per second, ns. Source: Stanisic, Thibault, Legrand,
 * Videau, Mehaut, Euro-Par 2014, section on the communication model, who
 * measured it on several GPUs. Valid for pinned host memory and square or
 * oblong tiles of any width: the width of the columns is no parameter. Data
 * are contiguous in the memories of GPUs, whatever they are in RAM.
 */
struct orr_pitch_segment {
    unsigned from, to; /* memory nodes */
    bool pitched;      /* of copies of what is not contiguous in RAM */
    uint64_t bytes_above, bytes_to; /* payload */
    uint64_t pitch_above, pitch_to; /* 0 and UINT64_MAX unless pitched */
    orr_time latency;               /* instead of the route's */
    double bytes_per_s;             /* > 0; at most */
};

/* What is asked about. */
struct orr_pitch_copy {
    unsigned from, to;
    uint64_t bytes;
    uint64_t pitch_bytes; /* 0: contiguous */
};

/* The segment, of @count, that @copy has; borrowed; NULL if it has none. */
const struct orr_pitch_segment *
orr_pitch_find(const struct orr_pitch_segment *segments, unsigned count,
               const struct orr_pitch_copy *copy);

/* Whether some copy would have both: a platform with such two is refused. */
bool orr_pitch_overlap(const struct orr_pitch_segment *a,
                       const struct orr_pitch_segment *b);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PITCH_H
#define ORR_PITCH_H

#include <stdbool.h>

#include "models/base/units.h"

/*
 * The duration of copies on GPUs where it depends on the pitch: piecewise
 * linear in the payload, with a slope and an intercept that depend on the
 * pitch.
 *
 * A tile inside a larger matrix is not contiguous: the starts of its columns
 * are a pitch (leading dimension, in bytes) apart. Its copies are 2D, which
 * some GPUs do far slower beyond some pitch. A platform holds segments, for
 * each direction and kind. A segment applies to a copy of s bytes with pitch p
 * if
 *
 *     bytes_above < s <= bytes_to  and  pitch_above < p <= pitch_to
 *
 * Alone on its route, such a copy takes, in seconds,
 *
 *     latency + s / min(bytes_per_s, bandwidth of the route)
 *
 * and if it shares links, it never gets more than bytes_per_s. If no segment
 * applies, a copy is as fast as its route allows, as if it were contiguous.
 *
 * Units: bytes, bytes per second, ns. Source: Stanisic, Thibault, Legrand,
 * Videau, Mehaut, Euro-Par 2014, section on the communication model, measured
 * on several GPUs. Valid for pinned host memory and tiles of any shape: the
 * length of a column is not a parameter. In GPU memory, data are always
 * contiguous.
 */
struct orr_pitch_segment {
    unsigned from, to; /* memory nodes */
    bool pitched;      /* for data that are not contiguous in RAM */
    uint64_t bytes_above, bytes_to; /* payload */
    uint64_t pitch_above, pitch_to; /* 0 and UINT64_MAX unless pitched */
    orr_time latency;               /* ns; replaces the latency of the route */
    double bytes_per_s;             /* > 0; upper limit */
};

/* A copy whose segment is looked for. */
struct orr_pitch_copy {
    unsigned from, to;
    uint64_t bytes;
    uint64_t pitch_bytes; /* 0: contiguous */
};

/* The segment that applies to @copy, borrowed; NULL if none of the @count does.
 */
const struct orr_pitch_segment *
orr_pitch_find(const struct orr_pitch_segment *segments, unsigned count,
               const struct orr_pitch_copy *copy);

/* Whether both apply to some copy. Platforms with such a pair are refused. */
bool orr_pitch_overlap(const struct orr_pitch_segment *a,
                       const struct orr_pitch_segment *b);

#endif

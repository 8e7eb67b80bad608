/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/cost/pitch.h"

#include <stddef.h>

static bool has(const struct orr_pitch_segment *segment,
                const struct orr_pitch_copy *copy)
{
    return segment->from == copy->from && segment->to == copy->to &&
           segment->pitched == (copy->pitch_bytes > 0) &&
           copy->bytes > segment->bytes_above &&
           copy->bytes <= segment->bytes_to &&
           (!segment->pitched || (copy->pitch_bytes > segment->pitch_above &&
                                  copy->pitch_bytes <= segment->pitch_to));
}

const struct orr_pitch_segment *
orr_pitch_find(const struct orr_pitch_segment *segments, unsigned count,
               const struct orr_pitch_copy *copy)
{
    for (unsigned i = 0; i < count; i++) {
        if (has(&segments[i], copy))
            return &segments[i];
    }
    return NULL;
}

bool orr_pitch_overlap(const struct orr_pitch_segment *a,
                       const struct orr_pitch_segment *b)
{
    return a->from == b->from && a->to == b->to && a->pitched == b->pitched &&
           a->bytes_above < b->bytes_to && b->bytes_above < a->bytes_to &&
           a->pitch_above < b->pitch_to && b->pitch_above < a->pitch_to;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRESSION_H
#define ORR_PROGRESSION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Numbers of which the next can be told from the last three, as long as they
 * grow by steps that themselves grow by the same amount, perhaps none. Loops
 * over the tiles of a matrix, or of a triangle, access data whose numbers do.
 *
 * Arithmetic is modulo 2^64: what is told may be any number. Zero-initialised
 * expects 0.
 */
struct orr_progression {
    uint64_t last, step, growth;
};

/* @number comes next. Returns whether it was expected. */
static inline bool orr_progression_note(struct orr_progression *progression,
                                        uint64_t number)
{
    uint64_t step = number - progression->last;
    uint64_t growth = step - progression->step;
    bool expected = growth == progression->growth;

    *progression = (struct orr_progression){number, step, growth};
    return expected;
}

/* What is expected next; after, for 2, what is expected after that; and so on.
 */
static inline uint64_t
orr_progression_expect(const struct orr_progression *progression,
                       unsigned after)
{
    return progression->last + after * progression->step +
           (uint64_t)after * (after + 1) / 2 * progression->growth;
}

#endif

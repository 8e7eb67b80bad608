/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRESSION_H
#define ORR_PROGRESSION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Predicts the next number of a sequence from the last three, if the steps
 * between them grow by a constant amount, which may be zero. So do the numbers
 * of data in loops over the tiles of a matrix or of a triangle.
 *
 * Arithmetic is modulo 2^64: any number may be predicted. Zero-initialised
 * predicts 0.
 */
struct orr_progression {
    uint64_t last, step, growth;
};

/* @number comes next. Returns whether it was expected. */
static inline bool orr_progression_add(struct orr_progression *progression,
                                       uint64_t number)
{
    uint64_t step = number - progression->last;
    uint64_t growth = step - progression->step;
    bool expected = growth == progression->growth;

    *progression = (struct orr_progression){number, step, growth};
    return expected;
}

/* The expected number, @after steps ahead: 1 is the next. */
static inline uint64_t
orr_progression_expect(const struct orr_progression *progression,
                       unsigned after)
{
    return progression->last + after * progression->step +
           (uint64_t)after * (after + 1) / 2 * progression->growth;
}

#endif

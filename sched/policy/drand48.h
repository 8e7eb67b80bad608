/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DRAND48_H
#define ORR_DRAND48_H

#include <stdint.h>

/* The random numbers of POSIX drand48() and lrand48(), which StarPU uses: a
 * linear congruential generator modulo 2^48. */
struct orr_drand48 {
    uint64_t state; /* 48 bits */
};

/* As srand48(), which uses the low 32 bits of @seed. */
static inline void orr_drand48_seed(struct orr_drand48 *draws, uint64_t seed)
{
    draws->state = seed << 16 | 0x330eu;
}

static inline uint64_t orr_drand48_step(struct orr_drand48 *draws)
{
    draws->state =
        (draws->state * 0x5deece66du + 0xbu) & ((UINT64_C(1) << 48) - 1);
    return draws->state;
}

/* drand48(): uniform in [0, 1). */
static inline double orr_drand48_uniform(struct orr_drand48 *draws)
{
    return (double)orr_drand48_step(draws) / (double)(UINT64_C(1) << 48);
}

/* lrand48(): uniform, 31 bits. */
static inline uint32_t orr_drand48_bits(struct orr_drand48 *draws)
{
    return (uint32_t)(orr_drand48_step(draws) >> 17);
}

#endif

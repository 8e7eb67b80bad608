/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RNG_H
#define ORR_RNG_H

#include <stdint.h>

#include "models/api.h"

ORR_BEGIN_DECLS

/*
 * Counter-based random numbers: a draw is a pure function of (seed, stream,
 * counter). So the n-th gemm is equally slow under every policy, in whatever
 * order draws are made. Philox4x32-10: Salmon, Moraes, Dror, Shaw,
 * Parallel random numbers: as easy as 1, 2, 3, SC 2011.
 */
ORR_API uint64_t orr_rng_bits(uint64_t seed, uint64_t stream, uint64_t counter);

/* Uniform in [0, 1): the 53 high bits of orr_rng_bits(). */
ORR_API double orr_rng_uniform(uint64_t seed, uint64_t stream,
                               uint64_t counter);

ORR_END_DECLS

#endif

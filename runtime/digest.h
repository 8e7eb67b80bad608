/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DIGEST_H
#define ORR_DIGEST_H

#include <stdint.h>

/* Two hashes of a run: runs that differ have different digests, except with
 * probability 2^-64. Zero-initialised is the digest of an empty run. */
struct orr_digest {
    uint64_t dated; /* hash of each task and copy as it ended, with dates */
    uint64_t order; /* hash of the order of starts of tasks, with workers, and
                       of copies */
};

/* The multiplication spreads @word over the high bits, the shift over the low
 * ones. Order matters. */
static inline void orr_digest_add(uint64_t *digest, uint64_t word)
{
    uint64_t mixed = (*digest ^ word) * UINT64_C(0xc6a4a7935bd1e995);

    *digest = mixed ^ mixed >> 32;
}

/* Words for tasks are even, for copies odd. */
static inline uint64_t orr_digest_task(uint64_t id, unsigned worker)
{
    return id << 1 ^ (uint64_t)worker << 48;
}

static inline uint64_t orr_digest_copy(uint64_t data, unsigned from,
                                       unsigned to)
{
    return (data << 1 | 1) ^ (uint64_t)from << 48 ^ (uint64_t)to << 56;
}

#endif

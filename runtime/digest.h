/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DIGEST_H
#define ORR_DIGEST_H

#include <stdint.h>

/*
 * What a run did, in two words: two runs that differ anywhere have, but for
 * one chance in 2^64, different digests. Zero-initialised is that of nothing.
 */
struct orr_digest {
    uint64_t dated; /* of each task and copy as it ended, with dates */
    uint64_t order; /* which task started where, which copy began, in order */
};

/* The word is scattered over the digest's high half, and that over its low
 * half, so that what comes next meets it wherever it falls. Order matters. */
static inline void orr_digest_add(uint64_t *digest, uint64_t word)
{
    uint64_t mixed = (*digest ^ word) * UINT64_C(0xc6a4a7935bd1e995);

    *digest = mixed ^ mixed >> 32;
}

/* One word for what a task or a copy is: tasks are even, copies odd. */
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

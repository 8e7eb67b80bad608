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

/* A step of MurmurHash64A (Appleby, 2008): what comes in is scattered over the
 * whole word, whose order it then depends on. */
static inline void orr_digest_add(uint64_t *digest, uint64_t word)
{
    const uint64_t factor = UINT64_C(0xc6a4a7935bd1e995);

    word *= factor;
    word ^= word >> 47;
    word *= factor;
    *digest = (*digest ^ word) * factor + 1;
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/rng.h"

enum { ROUNDS = 10 };

static uint32_t low(uint64_t x)
{
    return (uint32_t)x;
}

static uint32_t high(uint64_t x)
{
    return (uint32_t)(x >> 32);
}

/* The seed is Philox's key. Counter and stream make up its counter, the low
 * half first. Of the four output words, the first two are used. */
uint64_t orr_rng_bits(uint64_t seed, uint64_t stream, uint64_t counter)
{
    uint32_t x[4] = {low(counter), high(counter), low(stream), high(stream)};
    uint32_t key[2] = {low(seed), high(seed)};

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t a = UINT64_C(0xd2511f53) * x[0];
        uint64_t b = UINT64_C(0xcd9e8d57) * x[2];

        x[0] = high(b) ^ x[1] ^ key[0];
        x[1] = low(b);
        x[2] = high(a) ^ x[3] ^ key[1];
        x[3] = low(a);
        key[0] += 0x9e3779b9; /* golden ratio */
        key[1] += 0xbb67ae85; /* square root of 3, less 1 */
    }
    return (uint64_t)x[1] << 32 | x[0];
}

double orr_rng_uniform(uint64_t seed, uint64_t stream, uint64_t counter)
{
    return (double)(orr_rng_bits(seed, stream, counter) >> 11) * 0x1p-53;
}

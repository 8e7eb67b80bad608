/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BUFFER_H
#define ORR_BUFFER_H

#include "runtime/data/suballoc.h"
#include "runtime/engine/pool.h"

/*
 * The buffer of one replicate in the memory of a GPU.
 *
 * There are far fewer buffers than replicates, so they stay in the cache,
 * unlike the data of a large run. Hence the fields to sort, clean and evict
 * them are here.
 */
struct orr_replicate;

/* A place in a list of evictable buffers, or the head that closes the list to a
 * ring: its newer is the oldest. */
struct orr_candidate {
    struct orr_candidate *older, *newer;
};

struct orr_buffer {
    _Alignas(ORR_CACHE_LINE) struct orr_replicate *copy;

    /* In the list of its node: see memory.h. */
    struct orr_buffer *older, *newer;
    int64_t place; /* grows from the oldest to the newest */
    struct orr_block block;
    bool clean; /* RAM has a valid copy, or will have */

    /* Among the evictable buffers: see eviction.h. */
    uint8_t list; /* number of its list, plus one; 0: in none */
    struct orr_candidate candidate;
};

#endif

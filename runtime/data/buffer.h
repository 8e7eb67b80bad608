/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BUFFER_H
#define ORR_BUFFER_H

#include "models/heap.h"
#include "runtime/data/suballoc.h"
#include "runtime/engine/pool.h"

/*
 * A buffer in the memory of a GPU, which is that of one replicate.
 *
 * There are far fewer of them than replicates: together they stay in the
 * cache, where the data of a large run do not. So what it takes to keep them
 * in order, to clean them and to choose which goes is here.
 */
struct orr_replicate;

struct orr_buffer {
    _Alignas(ORR_CACHE_LINE) struct orr_replicate *copy;

    /* Among those of the node: see memory.h. */
    struct orr_buffer *older, *newer;
    int64_t place; /* grows from the oldest to the newest */
    struct orr_block block;
    bool clean; /* counted as having a valid copy elsewhere */

    /* Among those that may be evicted: see victims.h. */
    struct orr_heap *candidates;
    struct orr_heap_item candidate;
};

#endif

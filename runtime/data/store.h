/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DATA_STORE_H
#define ORR_DATA_STORE_H

#include "runtime/data/copy.h"
#include "runtime/data/memory.h"
#include "runtime/data/push_pop_overlap.h"

/* The data of a run, and the memories of its machine. */

/* Sources are cached on machines with at most this many nodes. */
#define ORR_SOURCES_NODES 9

/* By destination node: the node from which to copy a datum, and the predicted
 * ns; 0 ns on nodes where it is valid. */
struct orr_source_row {
    bool known;
    uint8_t nodes[ORR_SOURCES_NODES];
    orr_time times[(ORR_SOURCES_NODES + 3) / 4 * 4];
};

/* Data of at most this many sizes have tables of predictions. */
#define ORR_DATA_SIZES 8

/* Predicted copies of data of one size. */
struct orr_data_size {
    uint64_t bytes;
    orr_time *predictions;          /* predicted ns, [from * node_count + to] */
    struct orr_source_row *sources; /* filled on demand, by mask of the nodes
                                       where it is valid; NULL: many nodes */
};

struct orr_parents; /* runtime/data/parents.h */
struct orr_victims; /* runtime/data/victim.h */

struct orr_store {
    GPtrArray *data;        /* struct orr_data, in order of registration */
    GHashTable *matrices;   /* by name of a matrix: number of its first part */
    uint64_t largest_bytes; /* size of the largest datum */
    bool instant_copies;    /* every datum is valid on every node: orr_config */

    struct orr_memory *memories; /* by node */
    uint32_t refused_nodes;    /* nodes where memories[].refused may be set, one
                                  bit each */
    uint32_t reclaiming_nodes; /* nodes where a driver is making room, one bit
                                  each */
    /* by destination: nodes from which a copy needs no stop in RAM, one bit
     * each */
    uint32_t direct_nodes[ORR_MAX_NODES];
    bool skips_ram; /* GPU drivers skip RAM: only CPU workers have requests of
                       RAM to handle */
    struct orr_mutex driver_lock; /* held during a driver's memory call */
    struct orr_victims *victims;  /* NULL: eviction is the runtime's own */
    struct orr_copies copies;
    struct orr_push_pop_overlap push_pop_overlap;
    struct orr_parents *parents; /* NULL: the trace does not want them */

    struct orr_pool requests;
    struct orr_pool chains;
    struct orr_pool callbacks;
    struct orr_pool data_pool;
    struct orr_pool watchers, watchings, watches; /* see struct orr_data */

    /* By orr_data.size. Index 0 is for all sizes without tables. */
    struct orr_data_size sizes[ORR_DATA_SIZES + 1];
    unsigned size_count; /* number of sizes with tables */
};

#endif

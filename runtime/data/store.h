/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DATA_STORE_H
#define ORR_DATA_STORE_H

#include "models/platform/switches.h"
#include "runtime/data/copy.h"
#include "runtime/data/data_turns.h"
#include "runtime/data/memory.h"
#include "runtime/data/push_pop_overlap.h"
#include "runtime/data/request.h"
#include "runtime/decision_history.h"
#include "runtime/engine/executor.h"
#include "runtime/engine/totals.h"

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
    /* Borrowed from the run: orr_run_lend(). */
    struct orr_run *run; /* for functions that other rooms have given */
    struct orr_engine *engine;
    const struct orr_data_turns *turns;
    const struct orr_platform *platform;
    const struct orr_switches *switches;
    struct orr_sched *const *sched; /* *@sched is NULL before and after the
                                       policy works */
    struct orr_totals *totals;
    struct orr_decision_history *history;
    /* a buffer has arrived for the task of the worker @data */
    orr_completed *arrived;
    unsigned node_count, gpu_count;
    orr_time stream_start; /* orr_platform_overheads.stream_start */

    struct orr_executor *executor; /* owned */
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

/*
 * Whether an access of @mode is granted with its buffer. A task that only
 * writes gets it when it fetches: until then a prefetched buffer has no content
 * that could be evicted or copied. In the reference the prefetch grants it
 * (StarPU, _starpu_create_request_to_fetch_data()).
 */
static inline bool orr_request_grants(const struct orr_store *store,
                                      unsigned mode, enum orr_level level)
{
    return mode & ORR_R || level == ORR_FETCH ||
           orr_switches_quirks(store->switches);
}

/* Whether data can be copied from node @from to node @to not via RAM. */
static inline bool orr_route_is_direct(const struct orr_store *store,
                                       unsigned from, unsigned to)
{
    return store->direct_nodes[to] & 1u << from;
}

/* The buffers of @data on @nodes, one bit each, may have become evictable, or
 * no longer hold the only valid copy: see eviction.h. */
static inline void orr_eviction_consider(struct orr_store *store,
                                         struct orr_data *data, uint32_t nodes)
{
    nodes &= data->passed | (data->allocated & store->refused_nodes);
    if (nodes && !orr_data_is_written(data))
        orr_eviction_reconsider(store, data, nodes);
}

/* The acting actor locks @data and unlocks them at once. */
static inline void orr_data_lock_briefly(struct orr_store *store,
                                         struct orr_data *data)
{
    if (orr_switches_quirks(store->switches) && store->switches->overheads)
        orr_spinlock_lock_briefly(&data->lock, store->engine);
}

/*
 * Both make the workers that drive @node take another turn. After
 * orr_store_wake(), but not after orr_store_signal(), they count as woken when
 * a policy looks for a sleeping worker (orr_sched_wake()).
 */
static inline void orr_store_wake(struct orr_store *store, unsigned node)
{
    if (G_UNLIKELY(store->engine->interleaving) || node == ORR_RAM) {
        store->turns->wake_node(store->run, node);
        return;
    }
    store->memories[node].driver->woken = true;
    orr_actor_signal_plain(store->memories[node].driver);
}

static inline void orr_store_signal(struct orr_store *store, unsigned node)
{
    if (G_UNLIKELY(store->engine->interleaving) || node == ORR_RAM)
        store->turns->signal_node(store->run, node);
    else
        orr_actor_signal_plain(store->memories[node].driver);
}

#endif

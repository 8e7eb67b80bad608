/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DATA_H
#define ORR_DATA_H

#include "models/platform/platform.h"
#include "runtime/data/buffer.h"
#include "runtime/data/spinlock.h"
#include "runtime/graph/datum.h"
#include "runtime/graph/graph.h"
#include "runtime/orrery_trace.h"

/*
 * Data, and the state of their copies: one replicate on each memory node.
 *
 * Coherence is MSI: OWNER is the only valid copy, SHARED one of several,
 * INVALID no copy, though its buffer may still be there. A write on a node
 * invalidates every other copy.
 */
/* Prepares @pool for data with @node_count copies; in @arena, unless NULL. */
void orr_data_pool_init(struct orr_pool *pool, unsigned node_count,
                        struct orr_arena *arena);

/* A datum of @bytes out of @pool, whose only valid copy is in RAM. */
struct orr_data *orr_data_new(struct orr_pool *pool, unsigned node_count,
                              uint32_t id, uint64_t bytes);

/* Makes @data a part of @matrix: see orr_data_set_name(), which does this.
 * Returns a copy of @matrix, owned by the store. */
const char *orr_data_set_matrix(struct orr_data *data, const char *matrix);

/* @data as traces show it; the name is borrowed. */
static inline struct orr_trace_datum
orr_data_traced(const struct orr_data *data)
{
    return (struct orr_trace_datum){
        .number = data->id,
        .bytes = data->bytes,
        .name = data->name,
        .has_coordinates = data->has_coordinates,
        .row = data->row,
        .column = data->column,
    };
}

static inline bool orr_replicate_is_valid(const struct orr_replicate *copy)
{
    return copy->data->valid & 1u << copy->node;
}

/* Whether it is the only valid copy. */
static inline bool orr_replicate_is_owner(const struct orr_replicate *copy)
{
    return copy->data->valid == 1u << copy->node;
}

static inline enum orr_state
orr_replicate_state(const struct orr_replicate *copy)
{
    if (!orr_replicate_is_valid(copy))
        return ORR_INVALID;
    return orr_replicate_is_owner(copy) ? ORR_OWNER : ORR_SHARED;
}

static inline bool orr_replicate_is_allocated(const struct orr_replicate *copy)
{
    return copy->data->allocated & 1u << copy->node;
}

/* Whether a request that has been taken is to fill it. */
static inline bool orr_replicate_is_loading(const struct orr_replicate *copy)
{
    return copy->data->loading & 1u << copy->node;
}

/* @copy has got or lost its buffer: notifies the policy of the tasks that watch
 * it. */
void orr_replicate_buffer_changed(struct orr_store *store,
                                  struct orr_replicate *copy);

/* A request begins or ceases to fill @copy: notifies the policy of the tasks
 * that watch it. */
void orr_replicate_flip_loading(struct orr_store *store,
                                struct orr_replicate *copy);

/* Pins @copy. */
static inline void orr_replicate_hold(struct orr_replicate *copy)
{
    copy->uses++;
    copy->data->uses++;
}

/* Unpins @copy, which may become evictable. */
void orr_replicate_release(struct orr_store *store, struct orr_replicate *copy);

/*
 * Grants access @mode on @copy. To read, its content must have arrived: all
 * valid copies become SHARED. To write: all other copies become INVALID, and
 * @copy becomes OWNER.
 */
void orr_replicate_grant(struct orr_store *store, struct orr_replicate *copy,
                         enum orr_access_mode mode);

/* Drops the content of @data: no copy is valid. Their buffers count as clean.
 */
void orr_data_deinit(struct orr_store *store, struct orr_data *data);

/* Invalidates @copy, which is not the only valid one. */
void orr_replicate_drop(struct orr_store *store, struct orr_replicate *copy);

/*
 * The node from which to bring @data to node @to: among the nodes with a valid
 * copy and a direct route, the node with the least predicted time, ties broken
 * by lowest number; without such a node, RAM if valid there, else the highest
 * numbered GPU with a valid copy (StarPU, _starpu_select_src_node()). @to, if
 * no copy is valid.
 */
unsigned orr_data_source(const struct orr_store *store,
                         const struct orr_data *data, unsigned to);

/* Predicted ns to copy @data to @node; 0: it is valid there. */
orr_time orr_data_load_time(const struct orr_store *store,
                            const struct orr_data *data, unsigned node);

/* orr_data_hold(): a job holds @data, to read (ORR_R) or to write (ORR_W).
 * orr_data_let_go(): it releases @data. */
void orr_data_hold(struct orr_store *store, struct orr_data *data,
                   enum orr_access_mode mode);
void orr_data_let_go(struct orr_store *store, struct orr_data *data);

/* Requests a write-back of @data to RAM for when the links are idle; if a job
 * holds it to write, once it is released. */
void orr_data_write_back(struct orr_store *store, struct orr_data *data);

/* Requests a copy of @data on @node, at level ORR_PREFETCH, or ORR_IDLE if
 * @idle; if a job holds it to write, once it is released. */
void orr_data_bring(struct orr_store *store, struct orr_data *data,
                    unsigned node, bool idle);

/* Load into the cache the data that @job accesses, and their copies on a
 * node. */
void orr_job_prefetch_cache_data(const struct orr_job *job);

static inline void orr_job_prefetch_cache_copies(const struct orr_job *job,
                                                 unsigned node)
{
    for (unsigned i = 0; i < job->access_count; i++) {
        __builtin_prefetch(orr_access_data(&job->accesses[i]));
        __builtin_prefetch(&orr_access_data(&job->accesses[i])->copies[node]);
    }
}

/* Predicted ns to transfer the data that @job reads to @node: see sched.h. */
orr_time orr_job_transfer(const struct orr_store *store,
                          const struct orr_job *job, unsigned node);

/* The same for all @nodes (one bit each): sets @times[node]. @times has
 * ORR_MAX_NODES elements; elements of other nodes may change, too. */
void orr_job_transfers(const struct orr_store *store, const struct orr_job *job,
                       uint32_t nodes, orr_time *times);

/* The bytes that the job of @active lacks on @node: see sched.h. */
void orr_active_missing(struct orr_active *active, unsigned node,
                        struct orr_missing *missing);

/* From orr_job_watch(), which returns the missing bytes, to orr_job_unwatch(),
 * the policy is notified when they change: once, until it asks for them
 * again. */
struct orr_missing orr_job_watch(struct orr_store *store, struct orr_job *job,
                                 unsigned node);
void orr_job_unwatch(struct orr_store *store, struct orr_job *job);

/* The name of @data in messages: "A(2,1)", "norm", "data handle 7"; g_free().
 */
char *orr_data_describe(const struct orr_data *data);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DATA_H
#define ORR_DATA_H

#include "models/platform/platform.h"
#include "runtime/data/buffer.h"
#include "runtime/data/spinlock.h"
#include "runtime/graph/graph.h"
#include "runtime/orrery_trace.h"

/*
 * Data, and the state of their copies: one replicate on each memory node.
 *
 * Coherence is MSI: OWNER is the only valid copy, SHARED one of several,
 * INVALID no copy, though its buffer may still be there. A write on a node
 * invalidates every other copy.
 */
struct orr_run;
struct orr_request;

enum orr_state { ORR_INVALID, ORR_SHARED, ORR_OWNER };

/* All bits of @expected of a replicate: more than tasks can be in flight. */
#define ORR_MOST_EXPECTED 0x3ffffffu

/* There are many, and each event touches a few, scattered in memory: so they
 * are small, two in a cache line. */
struct orr_replicate {
    struct orr_data *data;
    /* requests that fill this copy, oldest first */
    struct orr_request *requests;
    struct orr_buffer *buffer; /* its buffer, listed in memory.h; or NULL */
    unsigned uses;             /* tasks and requests that pin it */
    unsigned node : 5;
    /* @requests may include some that are for no task */
    unsigned has_taskless : 1;
    /* number of tasks to come for which it was prefetched; the last bits, so
     * that one addition counts */
    unsigned expected : 26;
};

/* A ready job that the policy watches: it is notified when the number of bytes
 * of the job's data that are missing on @node changes. */
struct orr_watching {
    struct orr_active *active;
    struct orr_missing missing; /* bytes on @node */
    struct orr_watch *watches;  /* array, one for each access */
    uint8_t node;
    bool notified; /* the policy has been notified that @missing has changed */
};

/* An access that watches one copy of its datum. */
struct orr_watch {
    struct orr_watching *of;
    struct orr_watch *next_access;  /* next watch of the same job */
    struct orr_watch *next, **link; /* links in the list of the copy */
    bool reads;
};

/* When a popping driver last posted a request for a datum: push_pop_overlap.h.
 */
struct orr_post {
    orr_time date;
    unsigned from, to; /* operations */
};

/* orr_data.id of data that were unregistered. */
#define ORR_UNREGISTERED UINT32_MAX

/* The first cache line has the hot fields, the second line the fields that
 * requests use. */
struct orr_data {
    /* Masks of nodes, one bit each: nodes with a valid copy */
    _Alignas(ORR_CACHE_LINE) uint32_t valid;
    uint32_t allocated; /* nodes with a buffer; RAM always has one, but see
                           scratch.c */
    /* nodes on which eviction has passed the buffer: eviction.h */
    uint32_t passed;
    uint32_t awaited;      /* nodes on which a request is to fill the copy */
    uint32_t loading;      /* nodes on which such a request has been taken */
    uint8_t mode;          /* ORR_R or ORR_W: how it was last acquired */
    bool hint_pending : 1; /* @wont_use or @prefetches wait until the writer
                              releases the datum */
    bool arbitrated : 1; /* it has a @holder or @requesters: the arbiter must be
                            asked */
    bool unordered : 1;  /* orr_data_set_unordered() */
    bool wont_use : 1;
    bool has_coordinates : 1; /* set by orr_data_set_coordinates() */
    bool invalidated : 1;     /* @invalidation is pending */
    bool scratch : 1;         /* a worker's own: never valid on a GPU */
    bool redux : 1;           /* orr_data_set_reduction() */
    uint8_t size;   /* index of its size in orr_run.sizes; 0: no entry */
    uint8_t group;  /* access mode of the newest accessors */
    uint32_t id;    /* order of registration */
    uint32_t root;  /* for a part: @id of the first part of the same whole; else
                       its own @id */
    unsigned users; /* jobs that hold it */
    uint32_t newest_access; /* place of the newest access in the group after
                               @last_exclusive, or 0 */
    uint64_t bytes;
    struct orr_job *last_exclusive; /* the last job with exclusive access,
                                       unless it is complete; or NULL */
    struct orr_job *holder; /* job that has acquired it to write, through the
                               arbiter; or NULL */

    _Alignas(ORR_CACHE_LINE) struct orr_post post;
    struct orr_watch **watchers; /* by node; NULL: there was no watcher yet */
    struct orr_spinlock lock;
    /* pending request after a write, or NULL */
    struct orr_request *invalidation;

    /* Last element of the circular queue of the arbiter; NULL: empty. */
    struct orr_requester *requesters;
    uint32_t prefetches;      /* nodes, one bit each, to which the application
                                 prefetches it */
    uint32_t idle_prefetches; /* nodes in @prefetches that may wait until the
                                 link is idle */
    /* pitch in RAM; 0: contiguous, as on all other nodes */
    uint64_t pitch_bytes;
    uint64_t span_bytes;  /* size of the enclosing block in RAM, gaps between
                             columns included; equals @bytes if contiguous */
    unsigned row, column; /* coordinates in its matrix */
    const char *name;     /* borrowed, or NULL */
    struct orr_run *run;  /* NULL: it is a buffer of a worker */
    unsigned uses;        /* sum of @uses over all copies */
    struct orr_replicate copies[]; /* by node */
};

/* Prepares @pool for data with @node_count copies; in @arena, unless NULL. */
void orr_data_pool_init(struct orr_pool *pool, unsigned node_count,
                        struct orr_arena *arena);

/* A datum of @bytes out of @pool, whose only valid copy is in RAM. */
struct orr_data *orr_data_new(struct orr_pool *pool, unsigned node_count,
                              uint32_t id, uint64_t bytes);

/* Makes @data a part of @matrix: see orr_data_set_name(), which does this. */
void orr_data_set_matrix(struct orr_data *data, const char *matrix);

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
void orr_replicate_buffer_changed(struct orr_run *run,
                                  struct orr_replicate *copy);

/* A request begins or ceases to fill @copy: notifies the policy of the tasks
 * that watch it. */
void orr_replicate_flip_loading(struct orr_run *run,
                                struct orr_replicate *copy);

/* Pins @copy. */
static inline void orr_replicate_hold(struct orr_replicate *copy)
{
    copy->uses++;
    copy->data->uses++;
}

/* Unpins @copy, which may become evictable. */
void orr_replicate_release(struct orr_run *run, struct orr_replicate *copy);

/*
 * Grants access @mode on @copy. To read, its content must have arrived: all
 * valid copies become SHARED. To write: all other copies become INVALID, and
 * @copy becomes OWNER.
 */
void orr_replicate_grant(struct orr_run *run, struct orr_replicate *copy,
                         enum orr_access_mode mode);

/* Invalidates @copy, which is not the only valid one. */
void orr_replicate_drop(struct orr_run *run, struct orr_replicate *copy);

/*
 * The node from which to bring @data to node @to: among the nodes with a valid
 * copy and a direct route, the node with the least predicted time, ties broken
 * by lowest number; without such a node, RAM if valid there, else the highest
 * numbered GPU with a valid copy (StarPU, _starpu_select_src_node()).
 */
unsigned orr_data_source(const struct orr_run *run, const struct orr_data *data,
                         unsigned to);

/* Predicted ns to copy @data to @node; 0: it is valid there. */
orr_time orr_data_load_time(const struct orr_run *run,
                            const struct orr_data *data, unsigned node);

/* orr_data_hold(): a job holds @data, to read (ORR_R) or to write (ORR_W).
 * orr_data_let_go(): it releases @data. */
void orr_data_hold(struct orr_run *run, struct orr_data *data,
                   enum orr_access_mode mode);
void orr_data_let_go(struct orr_run *run, struct orr_data *data);

/* Requests a write-back of @data to RAM for when the links are idle; if a job
 * holds it to write, once it is released. */
void orr_data_write_back(struct orr_run *run, struct orr_data *data);

/* Requests a copy of @data on @node, at level ORR_PREFETCH, or ORR_IDLE if
 * @idle; if a job holds it to write, once it is released. */
void orr_data_bring(struct orr_run *run, struct orr_data *data, unsigned node,
                    bool idle);

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
orr_time orr_job_transfer(const struct orr_run *run, const struct orr_job *job,
                          unsigned node);

/* The same for all @nodes (one bit each): sets @times[node]. @times has
 * ORR_MAX_NODES elements; elements of other nodes may change, too. */
void orr_job_transfers(const struct orr_run *run, const struct orr_job *job,
                       uint32_t nodes, orr_time *times);

/* The bytes that the job of @active lacks on @node: see sched.h. */
void orr_active_missing(struct orr_active *active, unsigned node,
                        struct orr_missing *missing);

/* From orr_job_watch(), which returns the missing bytes, to orr_job_unwatch(),
 * the policy is notified when they change: once, until it asks for them
 * again. */
struct orr_missing orr_job_watch(struct orr_run *run, struct orr_job *job,
                                 unsigned node);
void orr_job_unwatch(struct orr_run *run, struct orr_job *job);

#endif

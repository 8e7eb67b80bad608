/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DATA_H
#define ORR_DATA_H

#include "models/platform/platform.h"
#include "runtime/data/buffer.h"
#include "runtime/data/spinlock.h"
#include "runtime/graph/graph.h"

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

/*
 * There are many, and what happens touches a few each time, here and there:
 * a replicate is one cache line, and what is asked of a datum all the time is
 * in its first one.
 */
struct orr_replicate {
    _Alignas(ORR_CACHE_LINE) struct orr_data *data;
    uint8_t node;
    uint8_t state;     /* enum orr_state */
    bool allocated;    /* has a buffer */
    unsigned uses;     /* tasks and requests that need it to stay */
    unsigned expected; /* tasks to come that it was prefetched for */
    unsigned taskless; /* of its requests, those that are for no task */
    struct orr_request *loading;  /* the request that is filling it */
    struct orr_request *requests; /* towards it, oldest first */
    struct orr_request *last_request;
    struct orr_watch *watchers;
    struct orr_buffer *buffer; /* as memory.h lists it, or NULL */
};

/* When a popping driver last posted a request for a datum:
 * runtime/data/push_overlap.h. */
struct orr_post {
    orr_time date;
    unsigned from, to; /* rounds */
};

struct orr_data {
    /* Nodes with a valid copy, a bit each; */
    _Alignas(ORR_CACHE_LINE) uint32_t valid;
    uint32_t buffers; /* GPUs whose memory.h lists a buffer of it, likewise */
    uint8_t mode;     /* ORR_R or ORR_W: how it was last acquired */
    bool wont_use_pending; /* orr_data_wont_use() came while somebody wrote */
    bool invalidated;      /* @invalidation is pending */
    uint8_t group;         /* what the newest of @accessors do with it */
    unsigned users;        /* jobs that hold it */
    unsigned uses;         /* of all its copies */
    unsigned incoming;     /* requests towards any of its copies */
    uint64_t id;           /* order of registration */
    uint64_t bytes;
    struct orr_accessors accessors;

    /* What is asked when somebody wants to have it elsewhere. */
    _Alignas(ORR_CACHE_LINE) struct orr_commute_waiter
        *commute_waiters;             /* that wait: the
last, whose next is the first; NULL: none */
    struct orr_request *invalidation; /* pending, after a write */
    struct orr_spinlock lock;

    uint64_t pitch_bytes; /* in RAM; 0: contiguous, as it is elsewhere */
    bool has_coordinates; /* see orr_data_set_coordinates(): */
    unsigned row, column; /* of its matrix */
    struct orr_post post;
    struct orr_replicate copies[]; /* by node */
};

/* The acting actor holds the lock of @data for a moment, and wakes somebody. */
void orr_data_touch_lock(struct orr_run *run, struct orr_data *data);

/* Gets @pool ready for data on machines with so many nodes. */
void orr_data_pool_init(struct orr_pool *pool, unsigned node_count);

/* A datum of @bytes out of @pool, whose only valid copy is in RAM. */
struct orr_data *orr_data_new(struct orr_pool *pool, unsigned node_count,
                              uint64_t id, uint64_t bytes);

/*
 * The following change what a replicate offers and tell the policy of those
 * tasks that watch it.
 */
void orr_replicate_set_allocated(struct orr_run *run,
                                 struct orr_replicate *copy, bool allocated);
void orr_replicate_set_loading(struct orr_run *run, struct orr_replicate *copy,
                               struct orr_request *request);

/* One user more of @copy. */
static inline void orr_replicate_hold(struct orr_replicate *copy)
{
    copy->uses++;
    copy->data->uses++;
}

/* One user less of @copy: it may become evictable. */
void orr_replicate_release(struct orr_run *run, struct orr_replicate *copy);

/*
 * Grants access @mode on the copy, whose content has arrived if it is to be
 * read: for reading, all valid copies become SHARED; for writing, all others
 * become INVALID and this one OWNER.
 */
void orr_replicate_grant(struct orr_run *run, struct orr_replicate *copy,
                         enum orr_access_mode mode);

/* The copy is dropped; if one valid copy is left elsewhere, it is OWNER. */
void orr_replicate_drop(struct orr_run *run, struct orr_replicate *copy);

/*
 * The node from which to bring @data to node @to: among the valid copies with
 * a direct route, that of least predicted time, the lowest number winning
 * ties; failing that RAM, then the highest numbered GPU (StarPU,
 * _starpu_select_src_node()).
 */
unsigned orr_data_source(const struct orr_run *run, const struct orr_data *data,
                         unsigned to);

/* Whether a copy can go from node @from to node @to without passing by RAM. */
bool orr_route_is_direct(const struct orr_run *run, unsigned from, unsigned to);

/* A job holds @data, for reading (ORR_R) or for writing (ORR_W), until ... */
void orr_data_acquire(struct orr_run *run, struct orr_data *data,
                      enum orr_access_mode mode);
void orr_data_release(struct orr_run *run, struct orr_data *data);

/* Has @data written back to RAM when the links are idle; while somebody
 * writes it, that waits for the release. */
void orr_data_write_back(struct orr_run *run, struct orr_data *data);

/*
 * Data lie all over a large memory: has those that @job accesses brought into
 * the cache, with what is asked of their copies; or those on one node only.
 */
void orr_job_prefetch_cache_data(const struct orr_run *run,
                                 const struct orr_job *job);

static inline void orr_job_prefetch_cache_copies(const struct orr_job *job,
                                                 unsigned node)
{
    for (unsigned i = 0; i < job->access_count; i++) {
        __builtin_prefetch(job->accesses[i].data);
        __builtin_prefetch(&job->accesses[i].data->copies[node]);
    }
}

/* Predicted ns to bring what @job reads to @node: see sched.h. */
orr_time orr_job_transfer(const struct orr_run *run, const struct orr_job *job,
                          unsigned node);

/* The same for each of @nodes, a bit each: @times, by node. */
void orr_job_transfers(const struct orr_run *run, const struct orr_job *job,
                       uint32_t nodes, orr_time *times);

/* What the job of @active lacks on @node: see sched.h. */
void orr_active_missing(struct orr_active *active, unsigned node,
                        struct orr_missing *missing);

/* The policy is to be told when the above changes, once until it asks again,
 * until unwatch. */
void orr_job_watch(struct orr_job *job, unsigned node);
void orr_job_unwatch(struct orr_job *job);

#endif

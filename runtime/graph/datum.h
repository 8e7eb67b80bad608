/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DATUM_H
#define ORR_DATUM_H

#include "runtime/engine/actor.h"
#include "runtime/engine/pool.h"
#include "sched/sched.h"

/* A datum, to which tasks refer, and its copies: runtime/data/data.h acts on
 * them. */
struct orr_active;
struct orr_buffer;
struct orr_job;
struct orr_request;
struct orr_requester;
struct orr_store;

/* The lock of a datum: see runtime/data/spinlock.h. Zero-initialised is
 * unlocked. */
struct orr_spinlock {
    /* the holder unlocks at this date; ORR_NEVER: not known yet */
    orr_time until;
    const struct orr_actor *holder; /* or NULL */
    orr_time touched; /* last date at which it was locked briefly */
    /* the actor that locked it briefly at that date, or NULL */
    const struct orr_actor *toucher;
    /* the request that the holder queues, or NULL */
    const struct orr_request *request;
    orr_time passed; /* last date at which a waiting actor got the lock */
    unsigned passer; /* number of waiting actors that checked at @passed, up to
                        the one that got it */
    unsigned taken;  /* locks minus unlocks, if the interleaving counts them */
};

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
    uint32_t allocated; /* nodes with a buffer; RAM always has one, but for
                           temporary data and buffers of workers: pin.h */
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
    bool temporary : 1;   /* orr_data_register_temporary() */
    bool invalidated : 1; /* @invalidation is pending */
    bool scratch : 1;     /* a worker's own: never valid on a GPU */
    bool redux : 1;       /* orr_data_set_reduction() */
    uint8_t size;   /* index of its size in orr_store.sizes; 0: no entry */
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
    uint64_t span_bytes;     /* size of the enclosing block in RAM, gaps between
                                columns included; equals @bytes if contiguous */
    unsigned row, column;    /* coordinates in its matrix */
    const char *name;        /* borrowed, or NULL */
    struct orr_store *store; /* NULL: it is a buffer of a worker */
    unsigned uses;           /* sum of @uses over all copies */
    bool has_coordinates;    /* set by orr_data_set_coordinates() */
    bool empty;              /* it has no content after all jobs that were
                                submitted so far */
    bool leaving;            /* orr_data_unregister_submit() */
    uint32_t arbiter;        /* orr_data_set_arbiter(); 0: none */
    struct orr_replicate copies[]; /* by node */
};

#endif

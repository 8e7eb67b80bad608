/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_REQUEST_H
#define ORR_REQUEST_H

#include "runtime/data/data.h"

/*
 * Requests to make a datum valid, or at least allocated, on a node.
 *
 * A request waits in a queue (queues.h) of the node whose driver handles it.
 * The driver starts it when the limits allow, and completes it once it notices
 * that the copy has ended (progress.h; StarPU, data_request.c and coherency.c).
 */
struct orr_worker;

/* Why data move, the most urgent first. */
enum orr_level {
    ORR_FETCH,    /* a popped task waits for it */
    ORR_PREFETCH, /* a task placed on a worker will need it */
    ORR_IDLE,     /* whenever the link has nothing else to do */
    ORR_LEVELS
};

enum orr_direction { ORR_IN, ORR_OUT, ORR_DIRECTIONS };

/* What follows when a request is complete. */
typedef void orr_completed(struct orr_run *run, void *data);

struct orr_callback {
    struct orr_callback *next;
    orr_completed *call;
    void *data;
};

/* @request waits for the request that has this link. */
struct orr_chain {
    struct orr_chain *next;
    struct orr_request *request;
};

/* Embedded in a request that waits in a queue, as its first member: its
 * neighbours in the list of its priority. Private to waiting.h. */
struct orr_wait {
    struct orr_wait *before, *behind;
};

/* Two cache lines; the first has the fields of waiting requests. */
struct orr_request {
    _Alignas(ORR_CACHE_LINE) union {
        struct orr_wait wait;             /* in a queue */
        struct orr_request *next_pending; /* while it is pending */
    };
    struct orr_data *data;
    struct orr_replicate *from; /* equals @to if nothing is copied */
    struct orr_replicate *to;
    uint8_t node; /* whose driver handles it */
    uint8_t peer;
    uint8_t direction;
    uint8_t mode;       /* enum orr_access_mode */
    uint8_t level;      /* enum orr_level */
    bool invalidates;   /* copies nothing, only grants writing */
    bool holds;         /* pins @to */
    bool cancelled;     /* its task found the data valid first */
    bool has_no_effect; /* cancelled, or a duplicate */
    bool queued;        /* waits in a queue */
    bool fresh;         /* not posted yet */
    bool copied;        /* its copy has ended */
    bool completed;
    bool evicts; /* an evicting driver waits for it */
    bool loads;  /* it is the request that is to fill @to now */
    int priority;
    unsigned awaited; /* requests that must complete first */
    unsigned references;
    unsigned prefetched; /* tasks that will need its result */

    uint64_t job; /* number of its task plus one; 0: it has no task */
    struct orr_store *store;
    orr_time created;
    /* Neighbours in to->requests; the previous one of the first is the last. */
    struct orr_request *next_incoming, *previous_incoming;
    struct orr_chain *chained;
    struct orr_callback *callbacks;
};

/* The specification of a request. */
struct orr_request_spec {
    struct orr_data *data;
    unsigned node; /* where the datum is needed */
    enum orr_access_mode mode;
    enum orr_level level;
    /* the access of the task that needs the datum, or NULL */
    struct orr_job_access *access;
    struct orr_worker *worker; /* worker that fetches for its task: notified on
                                  arrival; or NULL */
};

/*
 * Requests the datum of @spec, whose access is not a hit (access_hit.h). If no
 * copy of the datum is valid, there is nothing to read: only a buffer is
 * requested.
 * Creates requests or joins existing ones. Returns the last request of the
 * chain.
 */
struct orr_request *orr_request_submit(struct orr_store *store,
                                       const struct orr_request_spec *spec);

/* Returns a new request that completes when all requests for @data that are
 * under way now are complete; NULL: there are none. RAM's drivers handle it. */
struct orr_request *orr_request_await_all(struct orr_store *store,
                                          struct orr_data *data);

/* Makes a request, and those chained to it, as urgent as @level. */
void orr_request_raise_level(struct orr_store *store,
                             struct orr_request *request, enum orr_level level);

/* Ends @request: grants the access, unpins the replicates, posts the requests
 * chained to it, calls back, and frees it unless referenced. */
void orr_request_complete(struct orr_store *store, struct orr_request *request);

/* Has @call be called with @data when @request is complete. */
void orr_request_notify(struct orr_store *store, struct orr_request *request,
                        orr_completed *call, void *data);

/* Drops a reference taken by incrementing @references. */
void orr_request_unref(struct orr_store *store, struct orr_request *request);

/* Whether another request is filling the destination of @request. */
static inline bool orr_request_is_late(const struct orr_request *request)
{
    return !request->loads && orr_replicate_is_loading(request->to);
}

/* The request that fills @copy, which is loading: most often its oldest one, so
 * it is searched from there. */
struct orr_request *orr_replicate_loader(const struct orr_replicate *copy);

/* @request is the one to fill its destination. */
void orr_request_load(struct orr_store *store, struct orr_request *request);

/* Makes @request, which is late, complete together with the request that fills
 * the copy. */
void orr_request_join(struct orr_store *store, struct orr_request *request);

#endif

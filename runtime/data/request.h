/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_REQUEST_H
#define ORR_REQUEST_H

#include "runtime/data/data.h"

/*
 * Requests: to have a datum valid, or at least allocated, on a node.
 *
 * A request waits in a queue of the node whose driver handles it, is started
 * by that driver (progress.h) when the limits allow, and completes when its
 * copy has ended and the driver has noticed. Queues are by peer node, by
 * direction and by urgency; within one, by priority, then first come first
 * served (StarPU, data_request.c and coherency.c).
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

/* Somebody to be told of a completion. */
struct orr_callback {
    struct orr_callback *next;
    struct orr_worker *worker;   /* one more buffer has arrived, or */
    struct orr_request *request; /* this duplicate is complete too */
};

/* "@request waits for the one that holds this". */
struct orr_chain {
    struct orr_chain *next;
    struct orr_request *request;
};

/* Embedded in a request that waits in a queue. Private to waiting.c. */
struct orr_wait {
    struct orr_request *before, *behind; /* among those of its priority */
};

/* In two cache lines, of which the first is for those that wait. */
struct orr_request {
    _Alignas(ORR_CACHE_LINE) union {
        struct orr_wait wait; /* in a queue of its handling node; then */
        struct orr_request *next_pending; /* among those in flight */
    };
    struct orr_data *data;
    struct orr_replicate *from; /* itself @to when nothing is read */
    struct orr_replicate *to;
    uint8_t node; /* that handles it */
    uint8_t peer;
    uint8_t direction;
    uint8_t mode;       /* enum orr_access_mode */
    uint8_t level;      /* enum orr_level */
    bool invalidates;   /* merely takes the right to write */
    bool holds;         /* counted in to->uses */
    bool cancelled;     /* its task found the data valid before it started */
    bool has_no_effect; /* ends without effect: cancelled, or a duplicate */
    bool queued;        /* in @wait */
    bool fresh;         /* not posted yet */
    bool copied;        /* its copy has ended */
    bool completed;
    bool evicts; /* an evicting driver waits for it */
    int priority;
    unsigned awaited; /* requests that must complete first */
    unsigned references;
    unsigned prefetched; /* tasks that count on the result to stay */

    uint64_t job; /* serial number of the task it is for, plus one; or 0 */
    struct orr_run *run;
    orr_time created;
    struct orr_request *next_incoming, *previous_incoming; /* in to->requests */
    struct orr_chain *chained;
    struct orr_callback *callbacks;
};

/* What somebody wants of a datum. */
struct orr_request_spec {
    struct orr_replicate *to;
    enum orr_access_mode mode;
    enum orr_level level;
    const struct orr_job *job;     /* that it is for, or NULL, */
    struct orr_job_access *access; /* and which of its accesses */
    struct orr_worker *worker;     /* to be told when it is there, or NULL */
    int priority;
};

/*
 * Sees to it that what is wanted comes true. Either it is true already, and
 * the worker is told at once, or requests are created, or joined, that will.
 *
 * Returns the last request that it depends on, or NULL in the first case.
 */
struct orr_request *orr_request_submit(struct orr_run *run,
                                       const struct orr_request_spec *spec);

/* Makes a request more urgent, with those that it chains. */
void orr_request_raise_level(struct orr_run *run, struct orr_request *request,
                             enum orr_level level);

/*
 * Ends @request: grants the access, releases what it held, starts what was
 * chained to it, tells whom it concerns, and frees it unless referenced.
 */
void orr_request_complete(struct orr_run *run, struct orr_request *request);

/* Drops a reference taken by incrementing @references. */
void orr_request_unref(struct orr_run *run, struct orr_request *request);

/* Tells @request, which found @other doing the same, to wait for it. */
void orr_request_join(struct orr_run *run, struct orr_request *request,
                      struct orr_request *other);

#endif

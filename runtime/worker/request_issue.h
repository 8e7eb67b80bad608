/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_REQUEST_ISSUE_H
#define ORR_REQUEST_ISSUE_H

#include "runtime/data/memory.h"

/*
 * Starts requests that wait in a queue. To start a request, the driver
 * allocates its destination if need be and queues the copy, which takes time.
 * At most five fetches, two prefetches and one idle copy are in flight at a
 * time, counting all levels (StarPU, data_request.c; see orr_lane_room()).
 */
struct orr_worker;

/* A queue: the requests between a node and a peer in one direction, of one
 * level of urgency. */
struct orr_queue_id {
    unsigned node; /* node whose driver starts the requests */
    unsigned peer;
    enum orr_direction direction;
    enum orr_level level;
};

/* The requests of a queue that are being started, one after the other. Private
 * except @started_some and @lacks_memory, the results. */
struct orr_issuing {
    enum {
        ORR_ISSUE_BEGIN, /* the request */
        ORR_ISSUE_ALLOCATED,
        ORR_ISSUE_QUEUED,
        ORR_ISSUE_PAUSED
    } at;
    bool allocated;
    bool started_some; /* some started, or completed at once */
    bool lacks_memory; /* a request could not start for lack of memory */
    uint8_t refused_count;
    uint8_t next, count;
    uint8_t level; /* level of the queue */
    uint8_t node;
    struct orr_run *run;
    struct orr_worker *worker;
    const struct orr_lane *lane;
    orr_time since;
    struct orr_request *request; /* the request that is being started */
    /* First the refused requests; from index next on, requests still to
     * start. */
    struct orr_request *taken[ORR_MOST_IN_FLIGHT];
};

/*
 * In a procedure: @worker begins to start the requests of @queue that may
 * start, at least one. ORR_DONE: finished. Otherwise the procedure must return
 * the result, and call orr_request_issue_resume() when it is resumed.
 */
enum orr_next orr_request_issue(struct orr_actor *actor,
                                struct orr_worker *worker,
                                const struct orr_queue_id *queue,
                                struct orr_issuing *issuing);
enum orr_next orr_request_issue_resume(struct orr_actor *actor,
                                       struct orr_issuing *issuing);

/*
 * @queue holds prefetches, of which some may start. Returns whether the first
 * one was refused, for lack of memory or because a driver is making room, and
 * would be refused again. (The reference tries each time.) If neither
 * run->store.refused_nodes nor run->store.reclaiming_nodes is set, it was not.
 */
bool orr_prefetch_is_refused(const struct orr_run *run,
                             const struct orr_queue_id *queue);

/*
 * allocate.c, in a procedure: allocates a buffer for @copy, which may make room
 * first. ORR_DONE: finished. Otherwise it calls, since the driver must allocate
 * or buffers must be written back. Sets *@done, which must outlive the call, to
 * whether @copy has a buffer.
 */
enum orr_next orr_memory_allocate(struct orr_actor *actor,
                                  struct orr_worker *worker,
                                  struct orr_replicate *copy,
                                  enum orr_level level, bool *done);

/*
 * allocate.c, in a procedure: frees the buffer of @copy, if it is not in use
 * and does not hold the only valid copy, as if room were made. Returns whether
 * it calls; otherwise nothing is done.
 */
bool orr_memory_evict(struct orr_actor *actor, struct orr_run *run,
                      struct orr_replicate *copy);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COPY_H
#define ORR_COPY_H

#include "models/cost/share.h"
#include "models/platform/platform.h"
#include "runtime/engine/actor.h"
#include "runtime/engine/pool.h"

/*
 * Copies that drivers have submitted, and their dependencies.
 *
 * There is one stream for each ordered pair of nodes. Besides, as observed with
 * CUDA (StarPU, simgrid.c), a copy between two GPUs excludes copies into either
 * of them, and copies in the opposite direction. A copy starts when all earlier
 * copies that exclude it have ended.
 */
struct orr_request;
struct orr_run;

/* @copy waits for the copy that has this link. */
struct orr_copy_link {
    struct orr_copy_link *next;
    struct orr_copy *copy;
};

struct orr_copy {
    struct orr_store *store;
    struct orr_request *request;
    struct orr_actor *waiter; /* for a barrier, which copies nothing: the actor
                                 to resume; else NULL */
    unsigned from, to;
    uint64_t bytes;
    unsigned awaited; /* copies that must end first */
    struct orr_copy_link *dependents, *last_dependent;
    orr_time submitted; /* date at which it was given to its stream */
    bool by_segment;    /* it takes a segment's time, says the executor: see
                           pitch.h */

    /* Private to the executor, and not zeroed. */
    struct orr_event event;
    size_t route; /* index among the executor's routes */
    struct orr_flow flow;
    double bytes_left;
    struct orr_network *network; /* the network that carries the copy */

    /* The state that the interleaving keeps of a copy follows, not zeroed. */
};

/* The copies from one node to another. */
struct orr_copy_stream {
    struct orr_copy *latest; /* the latest copy, unless it has ended; or NULL */
    bool used;               /* a copy has started */
};

struct orr_copies {
    struct orr_pool pool;
    struct orr_pool links;
    unsigned under_way;              /* copies that have not ended */
    unsigned between[ORR_MAX_NODES]; /* by GPU: copies between this GPU and
                                        other GPUs that have not ended */
    struct orr_copy_stream *streams; /* [from * nodes + to] */
};

void orr_copies_init(struct orr_store *store);
void orr_copies_clear(struct orr_store *store);

/* Submits the copy that @request needs. */
void orr_copy_submit(struct orr_store *store, struct orr_request *request);

/* How many elementary operations it would take now to start the copy that
 * @request needs; 0 if it must wait for others. */
unsigned orr_copy_operations(const struct orr_request *request);

/* Resumes @actor, about to suspend, once all copies submitted so far have
 * ended. Returns false if they have. */
bool orr_copies_await_all(struct orr_store *store, struct orr_actor *actor);

/* For the executor: whether @event only starts a copy. */
bool orr_copy_is_start(const struct orr_event *event);

/* For the executor: @copy has ended. */
void orr_copy_ended(struct orr_store *store, struct orr_copy *copy);

/* For the plain interleaving. orr_copy_start(): gives @copy, which awaits no
 * other copy, to the executor once its stream has started. orr_copy_finish():
 * the work after the end of @copy. */
void orr_copy_start(struct orr_store *store, struct orr_copy *copy);
void orr_copy_finish(struct orr_store *store, struct orr_copy *copy);

/* The two halves of orr_copy_finish(). The first records the end of @copy and
 * wakes the driver; the second launches the copies that waited for @copy, and
 * frees it. */
void orr_copy_notify_end(struct orr_store *store, struct orr_copy *copy);
void orr_copy_launch_dependents(struct orr_store *store, struct orr_copy *copy);

#endif

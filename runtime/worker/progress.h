/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRESS_H
#define ORR_PROGRESS_H

#include "runtime/worker/request_issue.h"

/*
 * Progress of data transfers, made by a worker's driver between tasks (StarPU,
 * datawizard.c). For each memory node that it drives, it completes requests
 * whose copies have ended and starts waiting ones: first requests into the
 * node, then requests out of it to each peer. To start a request takes time: 10
 * us to queue a copy, more to allocate.
 */
struct orr_actor;
struct orr_frame;
struct orr_worker;

/* The queues of a node in one direction, with all its peers or a single one. */
struct orr_group {
    enum {
        ORR_GROUP_BEGIN,
        ORR_GROUP_SCANNED, /* an interleaving has called a scan up to a queue */
        ORR_GROUP_ISSUING
    } at;
    struct orr_queue_id queue;  /* the last one handled, or the next */
    uint32_t peers;             /* a bit each */
    unsigned in_flight;         /* requests checked that are still in flight */
    struct orr_issuing issuing; /* in ORR_GROUP_ISSUING */
};

/* For lock-step: how far the lists of requests of a node in one direction have
 * been scanned (lockstep/queue_scan.h). */
struct orr_queue_scan {
    unsigned node;
    enum orr_direction direction;
    unsigned scanned; /* number of lists scanned */
    bool stopped; /* a request was posted to the last scanned list meanwhile */
};

/*
 * A turn handles the nodes that a worker drives: RAM, then its own. For each
 * node a little time passes; then come the group into the node and the groups
 * out of it, one for each peer.
 *
 * A turn is no procedure with a frame of its own: its state is a member of the
 * locals of the procedure that makes it, since a driver makes many turns and
 * most are short.
 */
struct orr_turn {
    enum { ORR_TURN_NODE, ORR_TURN_IN, ORR_TURN_OUT } at;
    bool progressed; /* a request was completed or started */
    bool in_group;
    struct orr_worker *worker;
    struct orr_memory *memory; /* memory of @node; not valid in ORR_TURN_NODE */
    unsigned node;
    /* first peer with a group out of the node that has not been handled */
    unsigned peer;
    struct orr_group group;     /* if in_group */
    struct orr_queue_scan scan; /* for lock-step */
};

/* Begins a turn for all nodes that @worker drives. */
static inline void orr_turn_begin(struct orr_turn *turn,
                                  struct orr_worker *worker)
{
    turn->at = ORR_TURN_NODE;
    turn->progressed = false;
    turn->worker = worker;
    turn->node = ORR_RAM;
}

/* Begins a turn for @node alone, the last node of its worker, without the
 * little time before it, which has passed already. */
static inline void orr_turn_begin_now(struct orr_turn *turn,
                                      struct orr_worker *worker, unsigned node)
{
    orr_turn_begin(turn, worker);
    turn->at = ORR_TURN_IN;
    turn->node = node;
}

/* In a procedure: continues the turn. ORR_DONE: the turn has ended. Otherwise
 * the procedure must return the result, and call this again when it is
 * resumed. */
enum orr_next orr_turn_resume(struct orr_actor *actor, struct orr_turn *turn);

/* For lock-step: begins a group of the turn's node. */
void orr_turn_begin_group(struct orr_turn *turn, enum orr_direction direction,
                          uint32_t peers);

/* For lock-step: finds the next group out of the node that has work, and sets
 * turn->peer to the peer after it. Returns false if there is none. */
bool orr_turn_find_out(struct orr_turn *turn);

/* For explore/footprint.c: whether a turn would find nothing to do for @node
 * now. */
bool orr_progress_is_quiet(const struct orr_run *run, unsigned node);

/* Predicted results of a turn that is resumed. */
enum orr_turn_outlook {
    ORR_TURN_FINDS,  /* it may find something to do */
    ORR_TURN_SLEEPS, /* it finds nothing, and sleeps */
    ORR_TURN_ENDS    /* it finds nothing, and ends */
};

/* For explore/footprint.c: predicts the rest of @turn. Sets *@relied to the
 * nodes on whose state the prediction relies, a bit each. */
enum orr_turn_outlook orr_turn_predict(const struct orr_turn *turn,
                                       uint64_t *relied);

/* For explore/footprint.c: the turn under way in the procedure of @frame, if
 * that is orr_progress_until_free() or orr_progress_until(); else NULL. */
const struct orr_turn *orr_progress_turn_in(const struct orr_frame *frame);

/*
 * Calls: waits until the lock of @data is free. A worker makes progress
 * meanwhile, for some turns; the application (@worker NULL) merely waits.
 */
void orr_progress_until_free(struct orr_actor *actor, struct orr_worker *worker,
                             struct orr_data *data);

/* Calls turns of progress until @request is complete. */
void orr_progress_until(struct orr_actor *actor, struct orr_worker *worker,
                        struct orr_request *request);

#endif

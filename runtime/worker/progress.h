/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRESS_H
#define ORR_PROGRESS_H

#include "runtime/data/request.h"

/*
 * What a worker's driver does for data between tasks. For each memory node that
 * it drives, it completes requests whose copies have ended and starts others:
 * first those into the node, then those out of it to each peer (StarPU,
 * datawizard.c). To start a request takes time: 10 us to queue a copy, more to
 * allocate.
 */
struct orr_actor;
struct orr_worker;

/*
 * Calls, on @actor, one turn of progress for all nodes that @worker drives.
 * Sets @progressed, which outlives the frame, if anything was done.
 */
void orr_progress_once(struct orr_actor *actor, struct orr_worker *worker,
                       bool *progressed);

/* For explore/footprint.c: whether a turn would find nothing to do for @node
 * now. */
bool orr_progress_is_quiet(const struct orr_run *run, unsigned node);

/* The procedure of a turn. */
enum orr_next orr_progress_turn(struct orr_actor *actor, void *locals);

/* What a turn does when it is resumed. */
enum orr_turn_outlook {
    ORR_TURN_FINDS,  /* it may find something to do */
    ORR_TURN_SLEEPS, /* it finds nothing, and sleeps */
    ORR_TURN_ENDS    /* it finds nothing, and ends */
};

/* Predicts it from the @locals of the turn. Sets *@relied to the nodes whose
 * state the prediction relies on, if any, a bit each. */
enum orr_turn_outlook orr_progress_predict(const void *locals,
                                           uint64_t *relied);

/* Calls a turn that takes no time before its node: that has passed. */
void orr_progress_now(struct orr_actor *actor, struct orr_worker *worker,
                      bool *progressed);

/* How long a turn takes that starts now and finds nothing to do unless an event
 * comes meanwhile; 0: it may find something. */
orr_time orr_progress_idle_time(const struct orr_worker *worker);

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

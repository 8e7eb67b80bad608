/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRESS_H
#define ORR_PROGRESS_H

#include "runtime/data/request.h"

/*
 * What a worker's driver does for data between tasks: it notices copies that
 * have ended and starts requests, for each memory node that it drives, first
 * those into the node, then those out of it to each peer (StarPU,
 * datawizard.c). Starting a request takes the driver's time: 10 us to queue
 * a copy, more to allocate.
 */
struct orr_actor;
struct orr_worker;

/*
 * Calls, on @actor, one turn of progress for all nodes that @worker drives.
 * Sets @progressed, which outlives the frame, if anything was done.
 */
void orr_progress_once(struct orr_actor *actor, struct orr_worker *worker,
                       bool *progressed);

/* For footprint.c. Whether a turn would find nothing to do for @node now. */
bool orr_progress_is_quiet(const struct orr_run *run, unsigned node);

/* The procedure of a turn, and what it does when it is resumed: */
enum orr_next orr_progress_turn(struct orr_actor *actor, void *locals);

enum orr_turn_outlook {
    ORR_TURN_FINDS,  /* something, as far as is known; or else nothing, and */
    ORR_TURN_SLEEPS, /* then sleeps, or */
    ORR_TURN_ENDS    /* that was the last node */
};

/* With its @locals; sets the nodes on which that relies. */
enum orr_turn_outlook orr_progress_predict(const void *locals,
                                           uint64_t *relied);

/* Calls the rest of a turn whose time has passed: a turn without taking any. */
void orr_progress_now(struct orr_actor *actor, struct orr_worker *worker,
                      bool *progressed);

/*
 * If a turn that starts now would find nothing to do, unless something
 * happens meanwhile: how long it takes. Otherwise, or when in doubt, 0.
 */
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

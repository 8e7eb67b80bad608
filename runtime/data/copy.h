/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COPY_H
#define ORR_COPY_H

#include "models/cost/share.h"
#include "runtime/engine/actor.h"
#include "runtime/engine/pool.h"

/*
 * Copies that drivers have submitted, and which of them wait for each other.
 *
 * There is one stream for each ordered pair of nodes. Beyond that, as
 * observed with CUDA (StarPU, simgrid.c), a copy between two GPUs excludes
 * copies into either of them and the same copy the other way round. So a copy
 * starts when all earlier ones that exclude it have ended.
 */
struct orr_request;
struct orr_run;

/* "@copy waits for the one that holds this". */
struct orr_copy_link {
    struct orr_copy_link *next;
    struct orr_copy *copy;
};

struct orr_copy {
    struct orr_run *run;
    struct orr_request *request;
    struct orr_actor *waiter; /* a barrier, not a copy: resumes this actor */
    struct orr_copy *next, **link; /* among those not yet ended, newest first */
    unsigned from, to;
    uint64_t bytes;
    unsigned awaited; /* copies that must end first */
    struct orr_copy_link *dependents, *last_dependent;
    orr_time submitted; /* given to its stream */

    /* The executor's. */
    struct orr_event event;
    size_t route;    /* among the executor's */
    bool by_segment; /* of the platform: see pitch.h */
    struct orr_flow flow;
    double bytes_left;
    struct orr_network *network; /* that carries it */

    /* Behind it: what the interleaving keeps of a copy. */
};

struct orr_copies {
    struct orr_copy *newest;
    struct orr_pool pool;
    struct orr_pool links;
    bool *stream_used; /* [from * nodes + to]: has carried a copy */
};

void orr_copies_init(struct orr_run *run);
void orr_copies_clear(struct orr_run *run);

/* Submits the copy that @request needs. */
void orr_copy_submit(struct orr_run *run, struct orr_request *request);

/*
 * How many operations (actor.h: rounds) it would take now to start the copy
 * that @request needs; none, if it must wait for others.
 */
unsigned orr_copy_operations(const struct orr_request *request);

/*
 * Has @actor, about to suspend, resumed when all copies submitted so far have
 * ended. Returns false if they have.
 */
bool orr_copies_await_all(struct orr_run *run, struct orr_actor *actor);

/* For the executor: whether @event merely has it start a copy. */
bool orr_copy_is_start(const struct orr_event *event);

/* For the executor: @copy has ended. */
void orr_copy_ended(struct orr_run *run, struct orr_copy *copy);

/*
 * The plain interleaving: @copy awaits no other any more, and is given to the
 * executor, after the time that it takes to start its stream if it is the first
 * there. It has ended: both of the following.
 */
void orr_copy_start(struct orr_run *run, struct orr_copy *copy);
void orr_copy_finish(struct orr_run *run, struct orr_copy *copy);

/* The end of @copy is noted and told. Then the copies that waited for it are
 * launched, and it is freed. */
void orr_copy_tell(struct orr_run *run, struct orr_copy *copy);
void orr_copy_forget(struct orr_run *run, struct orr_copy *copy);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PUSH_POP_OVERLAP_H
#define ORR_PUSH_POP_OVERLAP_H

#include "runtime/data/data.h"

/*
 * A push and a pop that overlap at one date, in the plain interleaving.
 *
 * In the reference, the actors of one date take turns after each elementary
 * operation (SimGrid): a mutex taken or given, a signal. Mostly it suffices to
 * run ours in the right order, but not after a push that takes hundreds of
 * operations under the policy's lock, like heteroprio's. A driver that waits
 * for this lock pops once it is free, and prefetches while the pusher wakes a
 * worker and goes on to the next task. If both meet at the lock of a datum, the
 * pusher loses microseconds in which others pop.
 *
 * Operations are counted from the moment at which the pusher gives back the
 * policy's lock.
 */
struct orr_run;

struct orr_push_pop_overlap {
    const struct orr_actor *pusher; /* the last actor that pushed */
    uint64_t number;                /* of its push */
    orr_time date;                  /* of its push */
    unsigned push;                  /* operations of the pusher since then */
    unsigned pops;                  /* operations of the pops since then */
    bool popping;                   /* a pop is under way */
    unsigned pop; /* the operation that this pop has reached */
};

/* The last pop of a worker. */
struct orr_pop {
    uint64_t after;      /* number of the push before it */
    unsigned operations; /* at which it ended */
};

/* @actor has given back the policy's lock; others pop before it goes on. */
void orr_push_pop_overlap_pushed(struct orr_run *run,
                                 const struct orr_actor *actor);

/* Called before and after the pop of a worker, whose @pop is set. */
void orr_push_pop_overlap_pop_begins(struct orr_run *run);
void orr_push_pop_overlap_pop_ends(struct orr_run *run, struct orr_pop *pop);

/* During a pop, a request for @data is posted under the lock of @data.
 * @elsewhere: not to the memory node of the popping worker. */
void orr_push_pop_overlap_post(struct orr_run *run, struct orr_data *data,
                               bool elsewhere);

/* The pusher checks whether to wake @worker, whose last pop was @pop. Returns
 * whether this pop is still under way: no other worker need be woken. */
bool orr_push_pop_overlap_meets_pop(struct orr_run *run,
                                    const struct orr_actor *worker,
                                    const struct orr_pop *pop);

/* The pusher has woken its workers and goes on to the next task. */
void orr_push_pop_overlap_push_ends(struct orr_run *run);

/* Whether @actor may find a lock taken by a pop, which is for
 * orr_push_pop_overlap_meets_lock() to say. */
static inline bool
orr_push_pop_overlap_counts(const struct orr_push_pop_overlap *overlap,
                            const struct orr_actor *actor)
{
    return overlap->pusher == actor && overlap->date == actor->engine->now;
}

/* Whether @actor, after its push, finds the lock of @data taken by a pop. */
bool orr_push_pop_overlap_meets_lock(const struct orr_run *run,
                                     const struct orr_actor *actor,
                                     const struct orr_data *data);

#endif

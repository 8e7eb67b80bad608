/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PUSH_POP_OVERLAP_H
#define ORR_PUSH_POP_OVERLAP_H

#include "runtime/data/data.h"

/*
 * A push and a pop that overlap at one date, in the plain interleaving.
 *
 * In the reference, the actors of one date take turns after each elementary
 * operation (SimGrid), such as a mutex locked or unlocked, or a signal. Mostly
 * it suffices to run our actors in the right order, but not after a push that
 * takes hundreds of operations under the policy's lock, as in heteroprio. A
 * driver that waits for this lock pops as soon as it is free, and prefetches
 * while the pusher wakes a worker and starts with the next task. If both meet
 * at the lock of a datum, the pusher loses microseconds, during which other
 * workers pop.
 *
 * Operations are counted from the moment at which the pusher unlocks the
 * policy's lock.
 */
struct orr_run;

struct orr_push_pop_overlap {
    const struct orr_actor *pusher; /* the last actor that pushed */
    uint64_t number;                /* number of its push */
    orr_time date;                  /* date of its push */
    unsigned push; /* operations of the pusher since the push */
    unsigned pops; /* operations of all pops since the push */
    bool popping;  /* a pop is under way */
    unsigned pop;  /* number of the operation that this pop has reached */
};

/* The last pop of a worker. */
struct orr_pop {
    uint64_t after;      /* number of the last push before the pop */
    unsigned operations; /* number of the operation at which the pop ended */
};

/* @actor has unlocked the policy's lock; other actors pop before it
 * continues. */
void orr_push_pop_overlap_pushed(struct orr_store *store,
                                 const struct orr_actor *actor);

/* Called before and after the pop of a worker. Sets *@pop. */
void orr_push_pop_overlap_pop_begins(struct orr_store *store);
void orr_push_pop_overlap_pop_ends(struct orr_store *store,
                                   struct orr_pop *pop);

/* During a pop, a request for @data is posted under the lock of @data.
 * @elsewhere: not to the memory node of the popping worker. */
void orr_push_pop_overlap_post(struct orr_store *store, struct orr_data *data,
                               bool elsewhere);

/* The pusher checks whether to wake @worker. @pop: its last pop. Returns
 * whether this pop is still under way: no other worker need be woken. */
bool orr_push_pop_overlap_meets_pop(struct orr_store *store,
                                    const struct orr_actor *worker,
                                    const struct orr_pop *pop);

/* The pusher has woken workers and begins with the next task. */
void orr_push_pop_overlap_push_ends(struct orr_store *store);

/* Whether orr_push_pop_overlap_meets_lock() must be asked about @actor;
 * otherwise the answer is false. */
static inline bool
orr_push_pop_overlap_counts(const struct orr_push_pop_overlap *overlap,
                            const struct orr_actor *actor)
{
    return overlap->pusher == actor && overlap->date == actor->engine->now;
}

/* Whether @actor, after its push, finds the lock of @data taken by a pop. */
bool orr_push_pop_overlap_meets_lock(const struct orr_store *store,
                                     const struct orr_actor *actor,
                                     const struct orr_data *data);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PUSH_OVERLAP_H
#define ORR_PUSH_OVERLAP_H

#include "runtime/data/data.h"

/*
 * What happens at one date around a push, in rounds; in runs that do not go by
 * rounds altogether (manner.h).
 *
 * In the reference, the actors that run at one date take one elementary
 * operation each in turn (SimGrid): a mutex taken or given, a signal. Most
 * often it suffices to run ours in the right order. Not so around a push that
 * takes hundreds of operations under the policy's lock, like heteroprio's: a
 * driver that is about to pop at the same date waits for the lock, pops as
 * soon as it is given back, and prefetches while the pusher looks for somebody
 * to wake and goes on to the data of the next task. Whether they meet at the
 * lock of a datum then is a matter of few operations. As it costs the pusher
 * microseconds during which others pop, it decides much of what follows.
 *
 * Operations are counted from where the policy's lock is given back.
 */
struct orr_run;
struct orr_worker;

struct orr_push_overlap {
    const struct orr_actor *pusher; /* the last to push, */
    uint64_t number;                /* which push it is, */
    orr_time date;                  /* at this date, */
    unsigned push;                  /* has done so many operations since */
    unsigned pops;                  /* those of the pops since */
    bool popping;                   /* a pop is under way, */
    unsigned pop;                   /* that far */
};

/* @actor has given the policy's lock back: others pop before it goes on. */
void orr_push_overlap_pushed(struct orr_run *run,
                             const struct orr_actor *actor);

/* Between the two, @worker pops. */
void orr_push_overlap_pop_begins(struct orr_run *run);
void orr_push_overlap_pop_ends(struct orr_run *run, struct orr_worker *worker);

/*
 * During a pop, a request for @data is posted under its lock; @elsewhere: to
 * another node than the popping worker's, whose driver is told.
 */
void orr_push_overlap_post(struct orr_run *run, struct orr_data *data,
                           bool elsewhere);

/*
 * The pusher looks whether to wake @worker. Returns whether it meets it in
 * its pop; it is then content.
 */
bool orr_push_overlap_meets_pop(struct orr_run *run,
                                const struct orr_worker *worker);

/* The pusher has woken whom it would and goes on. */
void orr_push_overlap_go_on(struct orr_run *run);

/* Whether @actor, which goes on, finds the lock of @data taken by a pop. */
bool orr_push_overlap_meets_lock(const struct orr_run *run,
                                 const struct orr_actor *actor,
                                 const struct orr_data *data);

#endif

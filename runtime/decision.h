/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DECISION_H
#define ORR_DECISION_H

#include "sched/sched.h"

/*
 * Where the simulator may choose among equals.
 *
 * A run is a pure function of its inputs, but at many points something else
 * would have been as right: of two events of one date, either may come first.
 * On a real machine it is chance that decides there. A decider takes its part:
 * it is asked at each such point, and what it answers makes one schedule of
 * the many that are possible. Without a decider, and with one that always
 * answers 0, the run is what it always was.
 */
enum orr_decision_kind {
    ORR_DECIDE_EVENT,    /* which of those due at one date goes first: actors
                            that were woken, then events that fire */
    ORR_DECIDE_WAKE,     /* which sleeping worker is woken */
    ORR_DECIDE_LOCK,     /* who gets a lock, whom a condition wakes */
    ORR_DECIDE_STEP,     /* in a concurrent policy, at an operation on a lock:
                            0 go on; others: let others run first, for longer
                            and longer */
    ORR_DECIDE_VICTIM,   /* which buffer is evicted */
    ORR_DECIDE_COPY,     /* which request starts */
    ORR_DECIDE_DURATION, /* what a kernel takes: 0 the mean; others: quantiles,
                            from the shortest to the longest */
    ORR_DECISION_KINDS
};

/* An option that favours neither a worker nor the application, which is
 * ORR_NO_WORKER: the end of a copy, say. */
#define ORR_NOBODY (ORR_NO_WORKER - 1)

/* No more options than this are offered: the first ones. */
enum { ORR_MOST_OPTIONS = 32 };

struct orr_decision {
    enum orr_decision_kind kind;
    unsigned count;      /* of options, >= 2; 0 is the default */
    const unsigned *who; /* whom each favours; NULL: options are not workers */
};

/*
 * What a step did: an event that fired while nobody was woken yet, and all
 * that came of it before the next. See dfs.h for what may be told from it.
 */
enum orr_step {
    ORR_STEP_ANY,   /* whatever it likes */
    ORR_STEP_PLAIN, /* likewise, but it woke nobody and did not wait for the
                       clock to advance */
    ORR_STEP_IDLE   /* an actor merely let others go first, once more: it
                       neither read nor wrote what is not its own */
};

/* Embedded in whatever decides. A run calls it from its own thread. */
struct orr_decider {
    /* Returns an option: less than @decision->count. */
    unsigned (*decide)(struct orr_decider *decider,
                       const struct orr_decision *decision);

    /* Optional. The step before was @before; now @due events of the next date
     * may fire, or as many as are told apart, which is decided at once if
     * there are several. 0: something else may come first. */
    void (*step)(struct orr_decider *decider, enum orr_step before,
                 unsigned due);
};

/*
 * Asks @decider. Where there is none, or nothing to choose, callers spare
 * themselves the call: the answer is 0.
 */
unsigned orr_decide(struct orr_decider *decider, enum orr_decision_kind kind,
                    unsigned count, const unsigned *who);

/* "event", "wake", ... */
const char *orr_decision_name(enum orr_decision_kind kind);

#endif

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
#define ORR_NO_ACTOR (ORR_NO_WORKER - 1)

/* No more options than this are offered: the first ones. */
enum { ORR_MOST_OPTIONS = 32 };

struct orr_decision {
    enum orr_decision_kind kind;
    unsigned count;      /* of options, >= 2; 0 is the default */
    const unsigned *who; /* whom each favours; NULL: options are not workers */
};

/*
 * A step is an event that fires while nobody is woken, and all that comes of it
 * before the next. These are the objects that it may touch, a bit each: of each
 * memory node, whether a driver's turn finds nothing to do for it; of each
 * worker, what others see of it; ...
 */
enum { ORR_TOUCH_NODES = 32, ORR_TOUCH_WORKERS = 24 };

#define ORR_TOUCH_NODE(n) ((uint64_t)1 << (n))
#define ORR_TOUCH_WORKER(w) ((uint64_t)1 << (ORR_TOUCH_NODES + (w)))
/* which events are due, who is woken, who waits for the clock to advance; */
#define ORR_TOUCH_DUE ((uint64_t)1 << 56)
/* all that the policy remembers; */
#define ORR_TOUCH_POLICY ((uint64_t)1 << 57)
/* the graph of tasks; */
#define ORR_TOUCH_GRAPH ((uint64_t)1 << 58)
/* the shares that copies have of the links; */
#define ORR_TOUCH_SHARES ((uint64_t)1 << 59)
/* data, memory, requests, and all else. */
#define ORR_TOUCH_REST ((uint64_t)1 << 60)

/* What it touched. What is its actor's own is not counted, nor that its event
 * was due and, if so, is again. */
struct orr_footprint {
    uint64_t reads, writes;
};

struct orr_event;

/* The @count @events that may fire next, at @date; none: something else may
 * come first. */
struct orr_due {
    unsigned count;
    struct orr_event *const *events;
    int64_t date;
};

/* Embedded in whatever decides. A run calls it from its own thread. */
struct orr_decider {
    /* Returns an option: less than @decision->count. */
    unsigned (*decide)(struct orr_decider *decider,
                       const struct orr_decision *decision);

    /* Optional. The step before left @before; now those of @due may come, or
     * as many as are told apart, which is decided at once if there are
     * several. Steps are as short as can be then. */
    void (*step)(struct orr_decider *decider,
                 const struct orr_footprint *before, const struct orr_due *due);
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

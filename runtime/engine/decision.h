/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DECISION_H
#define ORR_DECISION_H

#include "sched/sched.h"

/*
 * Where the simulator may choose among equals.
 *
 * A run is a pure function of its inputs, but many of its choices are
 * arbitrary: of two events of one date, either may come first. On a real
 * machine, chance decides. Here a decider may: it is asked at each choice, and
 * its answers select one of the possible schedules. A decider that always
 * answers 0 yields the same run as none.
 */
enum orr_decision_kind {
    ORR_DECIDE_EVENT,    /* which woken actor, or else event, of one date comes
                            first */
    ORR_DECIDE_WAKE,     /* which sleeping worker is woken */
    ORR_DECIDE_LOCK,     /* which actor gets a lock, or is woken by a condition
                          */
    ORR_DECIDE_STEP,     /* in a concurrent policy, at an operation on a lock: 0
                            continue; else let other actors run first, the longer
                            the higher the option */
    ORR_DECIDE_VICTIM,   /* which buffer is evicted */
    ORR_DECIDE_COPY,     /* which request starts */
    ORR_DECIDE_DURATION, /* how long a kernel takes: 0 the default; else a
                            quantile, ascending */
    ORR_DECIDE_ORDER,    /* in a concurrent policy, before an operation: 0
                            continue; 1 wait for another caller's operation on the
                            same object. Used by the depth-first search (dfs.h);
                            other strategies use ORR_DECIDE_STEP */
    ORR_DECIDE_GAP,      /* as ORR_DECIDE_STEP, between place and push */
    ORR_DECISION_KINDS
};

/* Stands in orr_decision.actors for an option that favours neither a worker nor
 * the application (ORR_NO_WORKER), such as the end of a copy. */
#define ORR_NO_ACTOR (ORR_NO_WORKER - 1)

/* At most this many options are offered, the first ones. */
enum { ORR_MOST_OPTIONS = 32 };

/* For ORR_DECIDE_ORDER: the operation that the caller is about to make. */
struct orr_order {
    const void *object; /* a lock, a condition, a worker, or memory */
    bool releases; /* it releases a lock; a caller that waits for the lock comes
                      later in any case */
    bool tries;    /* it tries a lock without waiting; its order with a release
                      does matter */
};

struct orr_decision {
    enum orr_decision_kind kind;
    unsigned count; /* number of options, >= 2; option 0 is the default */
    const unsigned *actors;        /* by option: the index of the actor that it
                                      favours; NULL: no actors */
    const struct orr_order *order; /* set for ORR_DECIDE_ORDER only */
};

/*
 * A step is an event that fires while no actor is woken, with all its effects
 * before the next. It may touch these objects, a bit each.
 */
enum { ORR_TOUCH_NODES = 32, ORR_TOUCH_WORKERS = 24 };

/* Whether a driver's turn finds nothing to do for a memory node. */
#define ORR_TOUCH_NODE(n) ((uint64_t)1 << (n))
/* The part of a worker's state that other actors see. */
#define ORR_TOUCH_WORKER(w) ((uint64_t)1 << (ORR_TOUCH_NODES + (w)))
/* Which events are due, and which actors are woken or wait for the clock. */
#define ORR_TOUCH_DUE ((uint64_t)1 << 56)
/* The state of the policy. */
#define ORR_TOUCH_POLICY ((uint64_t)1 << 57)
/* The graph of tasks. */
#define ORR_TOUCH_GRAPH ((uint64_t)1 << 58)
/* The shares that copies have of the links. */
#define ORR_TOUCH_SHARES ((uint64_t)1 << 59)
/* Data, memory, requests, and all else. */
#define ORR_TOUCH_REST ((uint64_t)1 << 60)

/* The objects that a step read and wrote, without the private state of its
 * actor, and without its event, even if that is scheduled again. */
struct orr_footprint {
    uint64_t reads, writes;
};

struct orr_event;

/* The @count @events that may fire next, at @date (ns); @count 0: an actor runs
 * before any event. */
struct orr_due {
    unsigned count;
    struct orr_event *const *events;
    int64_t date;
};

/* Embedded in its implementation. A run calls it from its own thread. */
struct orr_decider {
    /* Returns an option: less than @decision->count. */
    unsigned (*decide)(struct orr_decider *decider,
                       const struct orr_decision *decision);

    /* Optional. The last step had the footprint @before; now the events of
     * @due may come. If there are several, decide() is called next with the
     * first ORR_MOST_OPTIONS. Steps are as short as possible then. */
    void (*step)(struct orr_decider *decider,
                 const struct orr_footprint *before, const struct orr_due *due);

    /* Optional. A caller for which ORR_DECIDE_ORDER has chosen 1 continues
     * because nothing else can happen: no other caller operated on the
     * object. */
    void (*in_vain)(struct orr_decider *decider);
};

/* Asks @decider. Returns 0 without one, or with less than two options. */
unsigned orr_decide(struct orr_decider *decider, enum orr_decision_kind kind,
                    unsigned count, const unsigned *actors);

/* Asks @decider for an ORR_DECIDE_ORDER about the caller @actor. */
unsigned orr_decide_order(struct orr_decider *decider, unsigned actor,
                          const struct orr_order *order);

/* "event", "wake", ... */
const char *orr_decision_name(enum orr_decision_kind kind);

#endif

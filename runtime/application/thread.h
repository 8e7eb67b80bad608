/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_THREAD_H
#define ORR_THREAD_H

#include "runtime/engine/actor.h"

struct orr_acquisition; /* runtime/application/acquire.h */
struct orr_data;        /* runtime/data/data.h */
struct orr_park;        /* runtime/orrery.h */
struct orr_run;         /* runtime/run.h */
struct orr_tag;         /* runtime/graph/tags.h */

/* At the same time, at most. */
#define ORR_MAX_THREADS 256

/* A limit on tasks in flight: once @shuts tasks are, a thread waits until no
 * more than @opens are. @shuts 0: no limit. */
struct orr_limits {
    uint64_t shuts, opens;
};

/*
 * A thread of the application, which has one unless it makes more
 * (orr_run_thread_new()). One of them has control at a time: it keeps control
 * until it waits in a call, where another one may continue.
 */
struct orr_thread {
    struct orr_actor actor;  /* first; acts in its calls */
    struct orr_thread *next; /* in the order of their numbers */
    unsigned number;         /* 0: the thread that made the run */

    /* Whether what it waits for has come, asked while it is
     * orr_application.thread. NULL: it does not wait. */
    bool (*over)(const struct orr_run *run);

    /* What it waits for. */
    struct orr_acquisition *acquiring;    /* an acquisition; or NULL */
    const struct orr_data *unregistering; /* until no task needs a buffer for
                                             this datum; or NULL */
    const struct orr_tag *awaited;        /* the task of this tag; or NULL */
    uint64_t ends;                        /* how often it had ended before */
    struct orr_limits limits;             /* tasks to end */
    bool awaits_window; /* in lock-step: on the condition of @limits */
    bool admitted;      /* its next task does not wait for the window */
    const struct orr_park *parked; /* until orr_run_unpark(); or NULL */
    struct orr_event alarm;        /* of orr_run_park() with a time */
    bool begun, ended; /* it was given control; it does not take it again */
};

#endif

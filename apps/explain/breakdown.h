/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BREAKDOWN_H
#define ORR_BREAKDOWN_H

#include "apps/explain/observation.h"

/*
 * Where the time of each worker goes, after Brodowicz and Sterling's SLOW:
 * starvation, latency, overhead, waiting (for contention). At each date, a
 * worker has the first of these states that holds:
 *
 *   computing   a kernel runs
 *   waiting     the task that it took lacks data, except for
 *   latency     the time that the last copy that it waits for takes with its
 *               links alone, with the copy of the datum to the source before it
 *               if there is one
 *   overhead    it holds a task whose data are there: the driver is at work; or
 *               some task that it could run is ready, and it has none: the
 *               policy keeps it for another worker, or the driver is at work
 *   starvation  no task that it could run is ready
 *
 * A ready task is one that awaits no other, and that no worker has taken.
 */
enum orr_worker_state {
    ORR_COMPUTING,
    ORR_STARVATION,
    ORR_LATENCY,
    ORR_OVERHEAD,
    ORR_WAITING,
    ORR_STATES
};

struct orr_breakdown {
    unsigned worker_count;
    int64_t (*ns)[ORR_STATES]; /* by worker: its states add up to the end */
    GArray *gaps;              /* struct orr_gap, by worker, ascending */
};

/* A worker did not compute. */
struct orr_gap {
    unsigned worker;
    int64_t from, to;
    int64_t ns[ORR_STATES]; /* they add up to its length */
    uint32_t next; /* index of the task whose kernel ran then; ORR_SEEN_NONE: it
                      was the last one */
};

/* @nodes: the memory node of each worker. @end: ns; not before the last kernel
 * ended. Clear with orr_breakdown_clear(). */
void orr_breakdown_init(struct orr_breakdown *breakdown,
                        const struct orr_observation *seen,
                        unsigned worker_count, const unsigned *nodes,
                        int64_t end);
void orr_breakdown_clear(struct orr_breakdown *breakdown);

/* "computing", "starvation", ... */
const char *orr_worker_state_name(enum orr_worker_state state);

#endif

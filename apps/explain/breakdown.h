/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BREAKDOWN_H
#define ORR_BREAKDOWN_H

#include "apps/explain/observation.h"

/*
 * Breakdown of the time of each worker, after SLOW by Brodowicz and Sterling:
 * starvation, latency, overhead, waiting (for contention). At each date, a
 * worker has the first of these states that holds:
 *
 *   computing   a kernel runs
 *   waiting     it holds a task whose data have not arrived, except for
 *   latency     the time that the last copy that it waits for takes with its
 *               links alone, with the copy of the datum to the source before it
 *               if there is one
 *   overhead    it holds a task whose data are there: the driver is at work; or
 *               some task that it could run is ready, and it has none: the
 *               policy keeps it for another worker, or the driver is at work
 *   starvation  no task that it could run is ready
 *
 * A task is ready when its dependencies are complete, until a worker takes it.
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
    int64_t (*ns)[ORR_STATES]; /* by worker: time in each state; the sum is the
                                  end of the run */
    GArray *gaps;              /* struct orr_gap, by worker, ascending */
};

/* A period in which a worker did not compute. */
struct orr_gap {
    unsigned worker;
    int64_t from, to;
    int64_t ns[ORR_STATES]; /* time in each state; the sum is the length of the
                               gap */
    uint32_t next;          /* index of the task whose kernel ended the gap;
                               ORR_SEEN_NONE: the gap reaches the end of the run */
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_REQUEST_ISSUE_H
#define ORR_REQUEST_ISSUE_H

#include "runtime/data/memory.h"

/*
 * Starting the requests that wait in one line: those between a node and one
 * of its peers, in one direction and of one level of urgency.
 *
 * A request that starts has its destination allocated if need be and its copy
 * queued, in the time of the driver. At most five fetches, two prefetches and
 * one idle copy are in flight at a time, counting all levels (StarPU,
 * data_request.c; see orr_queues_room()).
 */
struct orr_worker;

struct orr_line {
    unsigned node; /* whose driver serves */
    unsigned peer;
    enum orr_direction direction;
    enum orr_level level;
};

struct orr_issued {
    bool some;         /* requests were started, or ended at once */
    bool lacks_memory; /* a request could not be: others had better wait */
};

/*
 * Calls: starts what may start of @line, on behalf of @worker. Adds to
 * @served, which outlives the frame.
 */
void orr_request_issue(struct orr_actor *actor, struct orr_worker *worker,
                       const struct orr_line *line, struct orr_issued *served);

/*
 * Whether @line, neither empty nor full, starts with a prefetch that was
 * refused for want of memory, or because somebody is making room, and would be
 * again. (The reference tries each time.)
 */
bool orr_request_issue_is_refused(const struct orr_run *run,
                                  const struct orr_line *line);

#endif

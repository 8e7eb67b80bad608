/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_QUEUE_SCAN_H
#define ORR_QUEUE_SCAN_H

#include "runtime/worker/progress_private.h"

/*
 * In a run by rounds (turns.h): the operations that it takes to look at the
 * lists of requests of one node in one direction, most of which are empty.
 *
 * For each peer there is a list of the requests in flight, and one of those
 * that wait for each level: fetches, prefetches, idle copies. Each has a lock,
 * which is taken and given by whoever looks at it, and once more where requests
 * that are still in flight are put back. Into a node, the lists in flight with
 * all peers come first, then level after level the lists of all peers; out of
 * it, all lists of one peer, then those of the next. All who drive RAM meet at
 * its lists; at those of a GPU there is only its driver. What others post to a
 * list before its lock is asked for is seen there. (StarPU,
 * data_request.c: _starpu_handle_all_pending_node_data_requests(),
 * _starpu_handle_node_data_requests() and those for prefetches and idle ones,
 * as datawizard.c calls them.)
 */
struct orr_actor;
struct orr_run;
struct orr_worker;

/* Prepares @run, whose nodes are known; frees what that takes. */
void orr_queue_scan_init(struct orr_run *run);
void orr_queue_scan_clear(struct orr_run *run);

/* How many lists there are in one direction of a node. */
unsigned orr_queue_scan_lists(const struct orr_run *run);

/* How many come before those out of a node to @peer; to whom the last that has
 * been looked at is, of those out of one. */
unsigned orr_queue_scan_to_peer(unsigned peer);
unsigned orr_queue_scan_peer(const struct orr_queue_scan *scan);

/* How many have been looked at once those in flight with the peer of @line
 * have, or that of the requests of @line that wait. */
unsigned orr_queue_scan_to_flight(const struct orr_line *line);
unsigned orr_queue_scan_to_line(const struct orr_run *run,
                                const struct orr_line *line);

/* The rest of the lists that the group of @line looks at are not looked at: all
 * into its node, or those out of it to its peer. */
void orr_queue_scan_skip_rest(const struct orr_run *run,
                              struct orr_queue_scan *scan,
                              const struct orr_line *line);

/* Calls, if so many lists have not been looked at yet: @worker looks at them,
 * but stops behind one to which something is posted before it gets there. @scan
 * outlives the frame. Returns whether it calls. */
bool orr_queue_scan_until(struct orr_actor *actor, struct orr_worker *worker,
                          struct orr_queue_scan *scan, unsigned until);

/* @request has come into a list, whose lock is asked for then: those who have
 * not asked for it yet will see it. */
void orr_queue_scan_posted(const struct orr_request *request);

/* After that, sets @line to the last list that has been looked at, which is one
 * of requests that wait. */
void orr_queue_scan_take_up(const struct orr_run *run,
                            struct orr_queue_scan *scan, struct orr_line *line);

#endif

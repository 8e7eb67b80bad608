/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_QUEUE_SCAN_H
#define ORR_QUEUE_SCAN_H

#include "runtime/worker/progress.h"

/*
 * The elementary operations with which a driver scans the lists of requests of
 * one node in one direction. Most lists are empty.
 *
 * For each peer there is a list of requests in flight, and for each level a
 * list of waiting requests: fetches, prefetches, idle copies. A scan locks and
 * unlocks each list, and once more where it puts back requests that are still
 * in flight. The order into a node is: the lists in flight with all peers, then
 * level by level the waiting lists of all peers. The order out of a node is:
 * all lists of one peer, then all lists of the next peer. All workers scan the
 * lists of RAM; the lists of a GPU are scanned by its driver only. The scan
 * sees a request that is posted to a list before the scan asks for the lock of
 * this list. (StarPU, data_request.c:
 * _starpu_handle_all_pending_node_data_requests(),
 * _starpu_handle_node_data_requests() and the variants for prefetches and idle
 * requests, as datawizard.c calls them.)
 */

/* Allocates the lists of @run, once its nodes are known; frees them. */
void orr_queue_scan_init(struct orr_run *run);
void orr_queue_scan_clear(struct orr_run *run);

/*
 * Calls, unless @end lists have been scanned already: @worker scans them, but
 * stops behind a list to which a request is posted before the scan gets there.
 * @scan outlives the frame. Returns whether it calls.
 */
bool orr_queue_scan_until(struct orr_actor *actor, struct orr_worker *worker,
                          struct orr_queue_scan *scan, unsigned end);

/* Stops the scans that have yet to ask for the lock of the list to which
 * @request has been added. */
void orr_queue_scan_posted(const struct orr_request *request);

/* After a stop: sets @queue to the last list scanned, a waiting one. */
void orr_queue_scan_resume(const struct orr_run *run,
                           struct orr_queue_scan *scan,
                           struct orr_queue_id *queue);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LOCKSTEP_MEMBERS_H
#define ORR_LOCKSTEP_MEMBERS_H

#include "runtime/executor/network.h"
#include "runtime/worker/policy_turns.h"
#include "runtime/worker/progress.h"
#include "runtime/worker/worker_turns.h"

/*
 * Members of orr_turns_lockstep (executor/turns.h) that other files
 * than interleaving.c define, and the functions that free their state in a run.
 */

/*
 * trace_points.c: the elementary operations of the reference at each trace
 * point, that is between two simulated actions. The acting actor performs them.
 * Most lock and unlock locks that all workers share. They were counted in
 * StarPU 1.5-dev over SimGrid 3.32, in the functions that trace_points.c names.
 */
void orr_trace_points_play(struct orr_engine *engine, enum orr_point point,
                           void *object);
void orr_trace_points_clear(struct orr_run *run);

/* queue_scan.c: scan() and find_group() */
bool orr_progress_scan(struct orr_actor *actor, struct orr_turn *turn,
                       enum orr_scan_mode mode);
enum orr_next orr_progress_find_group(struct orr_actor *actor,
                                      struct orr_turn *turn);

/*
 * copy_stream.c: launch() and copy_ended(). For each ordered pair of nodes an
 * actor carries out the copies between them (StarPU, simgrid.c:
 * transfer_execute()). It starts a copy; when the copy has ended, it notifies
 * the actors that wait for it, launches the copies that depended on it, and
 * then takes its next copy.
 */
void orr_stream_post(struct orr_store *store, struct orr_copy *copy);
void orr_stream_resume(struct orr_store *store, struct orr_copy *copy);
void orr_streams_clear(struct orr_run *run);

/*
 * submission.c: await_window() and notify_window(). The application waits on a
 * condition that belongs to the lock of the count of submitted tasks.
 */
void orr_submission_await(struct orr_run *run);
bool orr_submission_notify(struct orr_run *run);

/* policy_calls.c: policy */
extern const struct orr_policy_turns orr_policy_turns_lockstep;

/* network_lazy.c: network(), and the size in bytes of its state of a copy,
 * which is stored behind the copy. */
struct orr_network *orr_network_lazy_new(struct orr_run *run,
                                         const struct orr_links *links);
enum { ORR_NETWORK_LAZY_COPY_BYTES = 32 };

#endif

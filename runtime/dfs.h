/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DFS_H
#define ORR_DFS_H

#include <stdbool.h>

#include "runtime/decision.h"

/*
 * All schedules of a small case, one after the other, depth first: each run
 * goes the way of the one before, but for the last decision that had an option
 * left, which takes that. When none has, every sequence of decisions has been
 * made, or one that comes to the same: whatever is true of all these runs is
 * true of the case.
 *
 * Schedules that are like one that has been run are left out, by sleep sets
 * (Godefroid, Partial-order methods for the verification of concurrent systems,
 * 1996). Decisions of who makes the next step (enum orr_step) are reduced if
 * nobody is woken and nobody waits for the clock to advance; others are not.
 * Two steps that may both come next are independent if one is idle and the
 * other idle or plain, and nothing was decided in them. In either order they
 * lead to the same:
 *
 * - The idle step p touches its own stack and its own event alone, which is
 *   queued again at the same date. So the other one, w, finds all that it reads
 *   as it was, unless it looks at what is queued. That is done where woken
 *   actors compete with events, and where the clock is to advance: w is not
 *   plain then. It is also done where an actor that goes to sleep may go on at
 *   once; it may not, as p or what follows p is due before. And p, which reads
 *   nothing, does the same after w, which does not wake it: it does not wait.
 * - If p is last at its date, its actor goes on at once, as it would if it were
 *   resumed then. If w ends the run, p would not have changed how.
 * - Events of one date are numbered differently. That changes but the order of
 *   options, each of which is tried.
 *
 * So, once all that follows p has been run, w need not be followed by p at
 * once, nor after other steps independent of p: p sleeps until a step that is
 * not. What p is was seen when it was run, and stays so while it sleeps, since
 * nothing that it reads changes. A run in which all that may come next sleep is
 * redundant: it goes on by default, and no other turns off from there.
 *
 * What kernels take is not among the decisions, and stays the default: there
 * is no end of durations, so that those tried would prove nothing of others.
 *
 * That needs runs that are deterministic but for what is decided: where a run
 * is asked for something else than the one before it, on the same way, nothing
 * is claimed any more.
 */
struct orr_dfs;

/* @reduces: as is said above; otherwise nothing is left out. */
struct orr_dfs *orr_dfs_new(bool reduces);

/* NULL is allowed. */
void orr_dfs_free(struct orr_dfs *dfs);

/* Who decides in the next schedule; borrowed until the next. NULL: all have
 * been run. */
struct orr_decider *orr_dfs_begin(struct orr_dfs *dfs);

/* Whether all have been run, and none was beyond reach: where there are more
 * options than are offered (ORR_MOST_OPTIONS), some are. */
bool orr_dfs_is_complete(const struct orr_dfs *dfs);

#endif

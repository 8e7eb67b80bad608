/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DFS_H
#define ORR_DFS_H

#include <stdbool.h>

#include "runtime/decision.h"

/*
 * All schedules of a small case, one after the other, depth first: each run
 * goes the way of the one before, but for the last decision that had an option
 * left, which takes that. When none has, every sequence of decisions has been
 * made: whatever is true of all these runs is true of the case.
 *
 * What kernels take is not among the decisions, and stays the default: there
 * is no end of durations, so that those tried would prove nothing of others.
 *
 * That needs runs that are deterministic but for what is decided: where a run
 * is asked for something else than the one before it, on the same way, nothing
 * is claimed any more.
 */
struct orr_dfs;

struct orr_dfs *orr_dfs_new(void);

/* NULL is allowed. */
void orr_dfs_free(struct orr_dfs *dfs);

/* Who decides in the next schedule; borrowed until the next. NULL: all have
 * been run. */
struct orr_decider *orr_dfs_begin(struct orr_dfs *dfs);

/* Whether all have been run, and none was beyond reach: where there are more
 * options than are offered (ORR_MOST_OPTIONS), some are. */
bool orr_dfs_is_complete(const struct orr_dfs *dfs);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DFS_H
#define ORR_DFS_H

#include <stdbool.h>

#include "runtime/engine/decision.h"

/*
 * All schedules of a small case, one after the other, depth first: each run
 * goes the way of the one before, but for the last decision that had an option
 * left, which takes that. When none has, every sequence of decisions has been
 * made, or one that comes to the same: whatever is true of all these runs is
 * true of the case.
 *
 * Decisions of who makes the next step (decision.h) are reduced if nobody is
 * woken and nobody waits for the clock to advance; of others, every option is
 * taken. An option of the former is taken only if there is a reason to: of two
 * steps that were in a race in some run (race.h), the later one, or one that it
 * needs, is to come first in another (source sets: Abdulla, Aronsson, Jonsson,
 * Sagonas, Optimal dynamic partial order reduction, 2014). And what has been
 * tried need not be tried again behind steps that make no difference to it
 * (sleep sets: Godefroid, Partial-order methods for the verification of
 * concurrent systems, 1996). A run in which all that may come next sleep is
 * redundant: it goes on by default, and no other turns off from there.
 *
 * Both rest on which steps commute: those of which neither writes an object
 * that the other reads or writes. In either order they lead to the same, and
 * each touches the same as it did:
 *
 * - A step ends where an actor goes to sleep, even if nothing else is due by
 *   then: what it touches does not depend on who is last at a date.
 * - Whether a node is quiet, and what others see of a worker, is compared
 *   before and after each step. So whoever changes it is known.
 * - A driver that idles reads which nodes are quiet, writes its own stack, and
 *   has its own event due later. Only who looks at what is due can see that:
 *   where somebody is woken, or waits for the clock. Such steps touch anything.
 * - A driver that asks for a task in vain touches the policy, of which nothing
 *   is known: each order of its calls counts. The policy must not have asked
 *   for what may change, nor have had anything done, and the driver then waits
 *   without having been signalled; whoever does that changes what is seen of
 *   the driver.
 * - Other steps of drivers touch data, memory and requests, all as one object;
 *   if they call the policy, or start or end a task, anything. So do events,
 *   except when a copy comes to share links, or a stream starts.
 * - The application touches the graph as long as what it submits is not ready;
 *   drivers read of it, in steps that touch less than anything, only what
 *   concerns tasks that are.
 * - A look at whether the run gets anywhere comes after so many turns of
 *   drivers (liveness.h), whoever's is the last.
 * - Events of one date are numbered differently. That changes but the order of
 *   options.
 *
 * Events stand for those who make steps. Where they may make some that are not
 * seen as such, all options are taken of what was decided at that date so far:
 * where others are woken or wait for the clock, at the date at which the run
 * ends, and where a date has more steps than are kept.
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

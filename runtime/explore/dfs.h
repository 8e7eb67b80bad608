/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DFS_H
#define ORR_DFS_H

#include <stdbool.h>

#include "runtime/engine/decision.h"

/*
 * Depth-first search over all schedules of a small case. Each run repeats the
 * decisions of the one before, except that the last decision with an untried
 * option takes this option. When there is none, every sequence of decisions, or
 * an equivalent one, has been run: what holds in all runs holds for the case.
 *
 * Decisions about which event makes the next step (decision.h) are reduced,
 * unless an actor is woken or waits for the clock to advance; for all other
 * decisions, every option is tried. A reduced decision tries an option only if
 * it has to: if two steps raced in some run (race.h), the later step, or a step
 * that it needs, has to come first in another run (source sets: Abdulla,
 * Aronsson, Jonsson, Sagonas, Optimal dynamic partial order reduction, 2014). A
 * tried event sleeps: it is not tried again until a step does not commute with
 * its own (sleep sets: Godefroid, Partial-order methods for the verification of
 * concurrent systems, 1996). A run in which all possible events sleep is
 * redundant: it continues with the defaults, and no run branches off from
 * there.
 *
 * Steps commute if neither writes an object that the other reads or writes. In
 * either order they lead to the same state and have the same footprints:
 *
 * - A step ends when an actor sleeps, even if nothing else is due before it
 *   resumes. So its footprint does not depend on which step of a date is last.
 * - The quiet nodes and the visible states of workers are compared before and
 *   after each step, so each change is known.
 * - An idle driver reads which nodes are quiet, writes its own stack, and
 *   schedules its own event. Only steps with an actor that is woken or waits
 *   for the clock depend on the events that are due; such steps touch anything.
 * - The policy sees the visible state of other workers only if it asks for it
 *   or wakes a worker, and both are recorded.
 * - A driver whose pop fails touches the policy, about which nothing is known:
 *   every order of such calls is tried. The policy must have had no effect and
 *   read nothing that may change, and the driver must then wait, unsignalled.
 * - Other steps of drivers touch data, memory and requests, as one object; or
 *   anything if they call the policy, or start or end a task. Other events
 *   touch anything, except the start of a stream or of a share of links.
 * - The application touches the graph while the tasks that it submits are not
 *   ready; drivers, unless they touch anything, read only ready tasks.
 * - The watchdog (watchdog.h) acts after a number of turns, in whichever order.
 * - The numbers of the events of one date depend on the order of steps, but
 *   only the order of options depends on these numbers.
 *
 * Some steps cannot be identified by their events: at a date at which an actor
 * is woken or waits for the clock, at which the run ends, or that has too many
 * steps. At such a date, all options of the decisions so far are tried.
 *
 * In a concurrent policy, callers are not preempted for some time
 * (ORR_DECIDE_STEP), but until another caller has operated on the object of
 * their next operation (ORR_DECIDE_ORDER). This is tried only before an
 * operation that raced with a later operation in some run (orders.h). So all
 * orders of the operations on each object are seen, each with the shortest
 * waits. A waiting operation sleeps, as above: the order in which it comes
 * before the awaited operation needs no other run. If the awaited operation
 * does not come, the run is redundant: it is equivalent to the run in which the
 * caller does not wait.
 *
 * So the order of steps need not cover the orders of these operations again:
 * two steps commute whatever the calls of a concurrent policy in them do. A
 * step in which a pop is preempted, or returns nothing, touches only its
 * worker.
 *
 * Limit: a worker looks whether it was woken, and then calls pop. It cannot be
 * preempted between the two. So the search does not see schedules in which a
 * wake-up comes between them, and leads to one more pop that returns nothing.
 *
 * Durations of kernels keep their defaults, and so does the time between place
 * and push: there are infinitely many, so trying some would prove nothing.
 *
 * Runs must be deterministic except for decisions. Where a run meets another
 * decision than the run before it on the same path, the search is incomplete.
 */
struct orr_dfs;

/* @reduces: skips equivalent schedules, as described above. */
struct orr_dfs *orr_dfs_new(bool reduces);

/* NULL is allowed. */
void orr_dfs_free(struct orr_dfs *dfs);

/*
 * The position of a search between two schedules, from which another search of
 * the same case can continue: flags, and the decisions on the way to the next
 * schedule.
 */
struct orr_dfs_flags {
    bool ended, incomplete, ordered;
};
struct orr_dfs_choice {
    unsigned count;           /* number of options, 1 to ORR_MOST_OPTIONS */
    unsigned option;          /* below count */
    uint32_t backtrack, done; /* masks of options: to be tried, and tried */
    struct orr_footprint touches[ORR_MOST_OPTIONS]; /* by option: its footprint;
                                                       set for tried options */
};

/* Ends the last schedule, if there was one, and returns the flags. */
struct orr_dfs_flags orr_dfs_pause(struct orr_dfs *dfs);

/* The number of decisions on the way, and one of them; after
 * orr_dfs_pause(). */
unsigned orr_dfs_depth(const struct orr_dfs *dfs);
struct orr_dfs_choice orr_dfs_choice(const struct orr_dfs *dfs, unsigned i);

/* Restore a position in the new search @dfs: set the flags, then add the
 * decisions one by one. */
void orr_dfs_set_flags(struct orr_dfs *dfs, struct orr_dfs_flags flags);
void orr_dfs_add_choice(struct orr_dfs *dfs,
                        const struct orr_dfs_choice *choice);

/* The decider of the next schedule; borrowed until the next call. NULL: all
 * schedules have been run. */
struct orr_decider *orr_dfs_begin(struct orr_dfs *dfs);

/* Whether all schedules have been run. Some cannot be run if a decision has
 * more than ORR_MOST_OPTIONS options. */
bool orr_dfs_is_complete(const struct orr_dfs *dfs);

/* Whether some schedule had operations of a concurrent policy. */
bool orr_dfs_orders(const struct orr_dfs *dfs);

#endif

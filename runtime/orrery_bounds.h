/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORRERY_BOUNDS_H
#define ORRERY_BOUNDS_H

#include <glib.h>
#include <orrery_data.h>
#include <orrery_report.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

/*
 * Lower bounds on the makespan and the energy, whatever the policy. Included by
 * orrery.h. Their formulas and sources are in models/bounds/bounds.h and
 * COMPARING.md.
 */

/* With more tasks, their graph would take too much memory. */
#define ORR_BOUNDS_MAX_TASKS 2000000

/*
 * From now on, the tasks of @run are kept for orr_run_bounds() instead of being
 * simulated. Waits return at once, callbacks are not called, nothing is traced
 * and no statistics are counted. To be called before the first submission;
 * otherwise orr_run_wait() fails.
 */
ORR_API void orr_run_keep_for_bounds(struct orr_run *run);

/*
 * Computes lower bounds on the makespan and the energy of all tasks that @run
 * keeps (orr_run_keep_for_bounds()), on its workers, for any policy: sets the
 * members of @bounds behind its size. Random durations count with their means,
 * tasks that would never start as if they did. Fails as orr_run_wait(); also if
 * @run does not keep its tasks, if there are more than ORR_BOUNDS_MAX_TASKS, or
 * if durations are replayed, since a record has durations of one device only;
 * or if the size of @bounds is wrong, as in orr_task_submit(). On failure
 * *@bounds is untouched. Takes time for large graphs: the mixed bound solves
 * several linear programs.
 */
ORR_API bool orr_run_bounds(struct orr_run *run,
                            struct orr_bounds_report *bounds, GError **error);

/*
 * The area bound of orr_run_bounds() for tasks that are only counted: the least
 * time, in s, in which @workers workers can run tasks[k] tasks of each kind k
 * of @kinds, whatever their order, if one takes seconds[k * workers + w] on
 * worker w; INFINITY there: the worker cannot run it. A task may be shared by
 * workers, unless @whole is set. It needs no run (StarPU's
 * starpu_bound_compute()).
 *
 * Sets counts[k * workers + w], unless @counts is NULL, to the tasks of kind k
 * on worker w in a solution. With @whole, the search for it ends after 1000
 * branches: then the result is the limit that the search has proved, which is a
 * bound, too, and the counts are the best whole ones that were found, or, if
 * there are none, the counts of shared tasks.
 *
 * Returns INFINITY if no worker can run some task, and NAN if a duration is
 * negative or NAN, or if there is no worker; the counts are 0 then.
 */
ORR_API double orr_bound_of_counts(unsigned kinds, const uint64_t *tasks,
                                   unsigned workers, const double *seconds,
                                   bool whole, double *counts);

G_END_DECLS

#endif

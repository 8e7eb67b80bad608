/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PARENTS_H
#define ORR_PARENTS_H

#include "runtime/graph/graph.h"

/*
 * The tasks that each task awaits, for a trace that wants them
 * (ORR_TRACE_PARENTS): as the order of submission, its accesses and its tags
 * imply, whether or not these tasks had ended when it was submitted. So they do
 * not depend on the schedule. The graph forgets tasks that have ended, and lets
 * readers meet in a control job: it does not know them. For a task that
 * synchronises, which no trace shows, those stand that it awaits.
 */
struct orr_parents;

struct orr_parents *orr_parents_new(void);
void orr_parents_free(struct orr_parents *parents); /* or NULL */

/* The task @job, of @spec, is submitted; @count of its accesses count. */
void orr_parents_add(struct orr_parents *parents, const struct orr_job *job,
                     unsigned count, const struct orr_task_spec *spec);

/* The task @order, which reduces or adds, accesses the datum with this number
 * after those before it, as orr_access_group() says; and awaits the task
 * @before. */
void orr_parents_access(struct orr_parents *parents, uint64_t order,
                        uint64_t datum, unsigned group);
void orr_parents_await(struct orr_parents *parents, uint64_t order,
                       uint64_t before);

/*
 * Returns the tasks that the task @order awaited, which has ended, ascending,
 * and sets *@count; borrowed until the next call, and then forgotten. @tags are
 * those of the run, or NULL.
 */
const uint64_t *orr_parents_take(struct orr_parents *parents, uint64_t order,
                                 const struct orr_tags *tags, unsigned *count);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PARENTS_H
#define ORR_PARENTS_H

#include "runtime/graph/graph.h"

/*
 * The parents of each task: the tasks on which it depends, for a trace that
 * wants them (ORR_TRACE_PARENTS). They follow from the order of submission, the
 * accesses and the tags, whether or not a parent had ended when the task was
 * submitted. So they do not depend on the schedule. The graph cannot provide
 * them: it drops tasks that have ended, and joins readers in a control job. A
 * synchronising task, which no trace shows, is replaced by its own parents.
 */
struct orr_parents;

struct orr_parents *orr_parents_new(void);
void orr_parents_free(struct orr_parents *parents); /* or NULL */

/* The task @job, made from @spec, is submitted; only its first @count accesses
 * create dependencies. */
void orr_parents_add(struct orr_parents *parents, const struct orr_job *job,
                     unsigned count, const struct orr_task_spec *spec);

/* For tasks that add to a datum by ORR_REDUX or reduce it: the task number
 * @order accesses the datum number @datum, in the mode @group
 * (orr_access_group()), after all accesses so far; the task @order awaits the
 * task @before. */
void orr_parents_access(struct orr_parents *parents, uint64_t order,
                        uint64_t datum, unsigned group);
void orr_parents_await(struct orr_parents *parents, uint64_t order,
                       uint64_t before);

/*
 * Returns the parents of the task number @order, which has ended, in ascending
 * order, and sets *@count. Borrowed until the next call. Then they are dropped.
 * @tags: the tags of the run, or NULL.
 */
const uint64_t *orr_parents_take(struct orr_parents *parents, uint64_t order,
                                 const struct orr_tags *tags, unsigned *count);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_COLLECT_H
#define ORR_STARPU_COLLECT_H

#include <starpu_sched_component.h>

/*
 * A component that collects the tasks that become ready. When the application
 * has the policy decide (starpu_do_schedule(), or a wait), and all tasks of the
 * last time are gone, it puts them in an order. Children pull them in this
 * order. No worker is woken then, as in StarPU: so programs pause the workers
 * (starpu_pause()) until all tasks are submitted and the policy has decided.
 */

/* Fills @order with the indices of @tasks, of which there are @count, the first
 * to run first. The last task that became ready is the first of @tasks. @ends
 * is the number of tasks for each part, added up; at first, @count. */
typedef void sp_collect_order(struct starpu_task **tasks, unsigned count,
                              unsigned *order, unsigned *ends);

/* Children take tasks from the same order if @parts is 1; otherwise each has a
 * part of its own, and children after the first @parts get no task. */
struct starpu_sched_component *
sp_component_collect_create(struct starpu_sched_tree *tree, const char *name,
                            sp_collect_order *order, unsigned parts);

/* A task of @component has ended. When all have that were put in an order at
 * once, children get no task until the next order. */
void sp_component_collect_ended(struct starpu_sched_component *component);

/* The sum of @weight over the pairs of buffers of @left and @right with the
 * same data. */
uint64_t sp_tasks_share(struct starpu_task *left, struct starpu_task *right,
                        uint64_t (*weight)(starpu_data_handle_t handle));

#endif

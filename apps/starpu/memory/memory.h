/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_MEMORY_H
#define ORR_STARPU_MEMORY_H

#include <starpu_sched_component.h>
#include <starpu_scheduler.h>

/* StarPU's policies for memories that are too small for all data: they order
 * tasks so that tasks with common data follow each other. By name; the last one
 * has no name. */
extern struct starpu_sched_policy sp_memory_policies[];

/* StarPU's own policies that are built from components, in the order of lists:
 * sp_modular_policies, then sp_memory_policies. NULL after the last one. */
struct starpu_sched_policy *sp_own_policy(unsigned i);

/* Components that order tasks; @params is not used. */
struct starpu_sched_component *
sp_component_mst_create(struct starpu_sched_tree *tree, void *params);
struct starpu_sched_component *
sp_component_hfp_create(struct starpu_sched_tree *tree, void *params);
struct starpu_sched_component *
sp_component_cuthillmckee_create(struct starpu_sched_tree *tree, void *params);

/* HFP: a task has ended. */
void sp_hfp_ended(struct starpu_task *task, unsigned context);

#endif

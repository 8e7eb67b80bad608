/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_COMPONENT_H
#define ORR_STARPU_COMPONENT_H

#include <stdbool.h>

#include <starpu_sched_component.h>

/*
 * Scheduling components: StarPU's policies that are built from parts. A tree
 * gets tasks at its root; its leaves are workers, and a component may have
 * several parents. Tasks are pushed from a component to its children, or pulled
 * from its parents. A component with a queue notifies its children that they
 * can pull, and its parents that they can push.
 *
 * In lock-step, each lock, wake-up, prediction and prefetch is an operation,
 * and the operations of threads take turns. So the functions here make these
 * calls as often, and in the same order, as the ones of StarPU do.
 */

/* Ends the program, naming @call, unless starpu_sched_component_create() has
 * made @component and it still exists. */
void sp_component_need(struct starpu_sched_component *component,
                       const char *call);

/* Ends the program, naming @call, if no worker below @component can run @task.
 */
void sp_component_need_able(struct starpu_sched_component *component,
                            struct starpu_task *task, const char *call);

/* Ends the program if @component is a worker: the component @parent keeps no
 * task that a worker could pull. */
void sp_component_need_queue(struct starpu_sched_component *parent,
                             struct starpu_sched_component *component);

/* Whether @worker can run @task by the implementation @nimpl. */
bool sp_component_can(int worker, struct starpu_task *task, unsigned nimpl);

/* The tree of @context: what its policy has set as data. Without one, ends the
 * program, naming @call. */
struct starpu_sched_tree *sp_tree_need(unsigned context, const char *call);

/* Ends the program, naming @call, unless there can be such a context. */
void sp_context_need(unsigned context, const char *call);

/* The workers' components of @context are destroyed. */
void sp_component_workers_destroy(unsigned context);

/* Forgets all of them, and all trees. */
void sp_component_workers_forget(void);
void sp_trees_forget(void);

/* A push_task(): the first worker with an implementation that lacks a
 * prediction gets @task. Returns 1 if there is none. */
int sp_calibration_push(struct starpu_sched_component *component,
                        struct starpu_task *task);

/* A decision of the policy modular-gemm: products of matrices go to GPUs. */
struct starpu_sched_component *
sp_component_gemm_create(struct starpu_sched_tree *tree, void *argument);

/* Forgets all components and trees, when their policy is given up in the middle
 * of a function. Their private data is not freed. */
void sp_components_forget(void);

#endif

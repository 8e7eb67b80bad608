/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COST_H
#define ORR_COST_H

#include <starpu_perfmodel.h>
#include <starpu_task.h>

#include <orrery.h>

/* Whether functions of the program give the times of tasks with @model. */
bool sp_model_has_functions(const struct starpu_perfmodel *model);

/*
 * Sets @spec->costs, borrowed until the next call, to the times that functions
 * of the model of @task give. Returns false if there are none for workers that
 * can run it.
 */
bool sp_costs_fill(struct starpu_task *task, struct orr_task_spec *spec,
                   const char *call);

/* The time of @task on architecture @arch by functions of @model, in us; NaN:
 * unknown. */
double sp_cost_us(struct starpu_task *task, struct starpu_perfmodel *model,
                  unsigned arch, unsigned worker, unsigned implementation);

void sp_costs_end(void);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/task/tasks.h"

#include <starpu_task.h>

/* The iterations of nested loops that the program is in; -1: in no loop. Only
 * the outer ones are kept. */
static long iterations[2] = {-1, -1};
static unsigned depth;

void starpu_iteration_push(unsigned long iteration)
{
    if (depth < G_N_ELEMENTS(iterations))
        iterations[depth] = (long)iteration;
    depth++;
}

void starpu_iteration_pop(void)
{
    if (!depth)
        sp_fail("starpu_iteration_pop()", "no iteration was pushed");
    depth--;
    if (depth < G_N_ELEMENTS(iterations))
        iterations[depth] = -1;
}

void sp_task_set_iterations(struct starpu_task *task)
{
    task->iterations[0] = iterations[0];
    task->iterations[1] = iterations[1];
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_READY_H
#define ORR_STARPU_READY_H

#include <starpu_task.h>

#include <stdbool.h>

/*
 * Of the tasks from @first on, linked by their members next, the one that
 * @worker can start soonest: it has the fewest bytes to read without a valid
 * copy on the memory node of @worker; then the fewest without one that is being
 * loaded; then the fewest bytes without a buffer there; then it is the first.
 * As in StarPU, the search ends at a task that lacks nothing if all before it
 * have bytes to read.
 *
 * @any_priority: a higher priority counts before the place; otherwise tasks of
 * a lower priority than @first are left out.
 */
struct starpu_task *sp_ready_best(struct starpu_task *first, unsigned worker,
                                  bool any_priority);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_SUBMITTED_H
#define ORR_STARPU_SUBMITTED_H

#include <starpu_task.h>

#include <stdbool.h>
#include <stdint.h>

/* Tasks that a policy in StarPU's interface has not got yet, by their numbers
 * in the run. */

void sp_submitted_add(uint64_t number, struct starpu_task *task);

/* The task @number, which is no longer one of them; NULL: there is none. */
struct starpu_task *sp_submitted_take(uint64_t number);

/* Forgets all; calls @forget for each. */
void sp_submitted_end(void (*forget)(void *number, void *task, void *unused));

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FIXED_MAPPING_H
#define ORR_FIXED_MAPPING_H

#include "runtime/graph/graph.h"
#include "runtime/orrery.h"

/*
 * A run under the policy "fixed": run->policy.mapping assigns each task to a
 * worker. The mapping was read from a file or given in the configuration, and
 * checked for the workers of the run. All functions are for such runs only.
 */

/* Reads the mapping from @path; the workers of @run need not exist yet. */
bool orr_fixed_mapping_read(struct orr_run *run, const char *path,
                            GError **error);

/* Gives the mapping to the policy, which has not begun. Fails if a worker is
 * unknown. */
bool orr_fixed_mapping_begin(struct orr_run *run, GError **error);

/* Whether the file has @job, a kernel that is being submitted, and its worker
 * can run it; otherwise sets run->error. */
bool orr_fixed_mapping_check(struct orr_run *run, struct orr_job *job);

/* The task @number, which is being submitted or left out, is a synchronising
 * task, so that the file need not have it. */
void orr_fixed_mapping_pass(struct orr_run *run, uint64_t number);

/* No event is left, but tasks are: sets run->error if that is because a worker
 * awaits a task of the file that was not submitted. */
void orr_fixed_mapping_blame(struct orr_run *run);

#endif

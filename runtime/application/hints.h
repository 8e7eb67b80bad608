/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HINTS_H
#define ORR_HINTS_H

#include "runtime/worker/submit.h"

/* Hints of the application about its future use of data: wont_use, prefetches,
 * evictions. */

extern const struct orr_job_ops orr_wont_use_jobs;

/* The application asks for a copy of @data on @node: its actor, which is idle,
 * acts until it sleeps or has done so. */
void orr_job_prefetch(struct orr_run *run, struct orr_data *data, unsigned node,
                      bool idle);

/* The application evicts the copy of @data from @node: its actor, which is
 * idle, acts until it sleeps or has done so. Sets *@done, which must outlive
 * that, if there is a copy that can go. */
void orr_job_evict(struct orr_run *run, struct orr_data *data, unsigned node,
                   bool *done);

#endif

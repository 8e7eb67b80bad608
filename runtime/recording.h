/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RECORDING_H
#define ORR_RECORDING_H

#include "models/bounds/bounds.h"
#include "runtime/graph/graph.h"

/*
 * Records the tasks of an application instead of simulating them: in order of
 * submission, with the inferred dependencies and the mean durations on the
 * machine of the run. The result is a workload, from which bounds are computed.
 *
 *     run = orr_run_new(&config, &error);
 *     orr_run_record(run);
 *     submit(...);
 *     workload = orr_run_workload(run);
 */
struct orr_recording;

/* From now on, records @most tasks at most instead of simulating them; the
 * window and orr_data_wont_use() are ignored. To be called before the first
 * submission. */
void orr_run_record(struct orr_run *run, uint64_t most);

/* Whether more than the @most of orr_run_record() were submitted, so that some
 * are not recorded. */
bool orr_recording_is_full(const struct orr_run *run);

/* The recorded tasks. Control jobs that collect dependencies are included, with
 * a kernel that takes no time. Free with orr_workload_free(). */
struct orr_workload *orr_run_workload(const struct orr_run *run);

/* The kernels and workers of a run, recorded or not, and counts[k] tasks of
 * kernel k of @count kernels, without dependencies and accesses: what the area
 * bound needs. Free with orr_workload_free(). */
struct orr_workload *orr_run_counted_workload(const struct orr_run *run,
                                              const uint32_t *counts,
                                              unsigned count);

/* The memories and routes of the run's machine, according to its models. Free
 * with orr_supply_free(). */
struct orr_supply *orr_run_supply(const struct orr_run *run);

/* For the runtime: records @job, which is taken. */
void orr_recording_add(struct orr_run *run, struct orr_job *job);
/* For the runtime: records @end, of kind ORR_JOB_END: a predecessor, beside its
 * task, of all jobs that await the task. */
void orr_recording_add_end(struct orr_run *run, struct orr_job *end);
void orr_recording_free(struct orr_recording *recording);

#endif

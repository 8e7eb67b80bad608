/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RECORDING_H
#define ORR_RECORDING_H

#include "models/bounds/bounds.h"
#include "runtime/graph/graph.h"

/*
 * What an application submits, without simulating it: the tasks, in the order
 * of submission, with the dependencies that the runtime infers, and what they
 * would take on the machine of the run, on average. It is what bounds are made
 * of.
 *
 *     run = orr_run_new(&config, &error);
 *     orr_run_record(run);
 *     submit(...);
 *     workload = orr_run_workload(run);
 */
struct orr_recording;

/*
 * From now on, tasks are recorded instead of simulated, whatever the window;
 * orr_data_wont_use() does nothing. Before the first submission.
 */
void orr_run_record(struct orr_run *run);

/*
 * What was recorded. Tasks by which the runtime itself collects dependencies
 * are there too, as a kernel that takes no time. Free with
 * orr_workload_free().
 */
struct orr_workload *orr_run_workload(const struct orr_run *run);

/* The memories and ways of the run's machine, as its models have them. Free
 * with orr_supply_free(). */
struct orr_supply *orr_run_supply(const struct orr_run *run);

/* For the runtime: takes @job, which is to be submitted now. */
void orr_recording_add(struct orr_run *run, struct orr_job *job);
void orr_recording_free(struct orr_recording *recording);

#endif

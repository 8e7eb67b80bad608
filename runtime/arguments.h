/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ARGUMENTS_H
#define ORR_ARGUMENTS_H

#include "runtime/graph/graph.h"
#include "runtime/orrery.h"

/*
 * Checks of the arguments that a program passes to the functions of orrery.h.
 * All errors are ORR_ERROR_VALUE and name the wrong member or argument.
 *
 * A function without a GError ** stores the error in the run, for
 * orr_run_wait(). The first error stays.
 */

/* The largest datum, bytes: more than any memory. So the sum of the data of a
 * task does not overflow. */
#define ORR_MAX_DATA_BYTES ((uint64_t)1 << 50)

/* Checks the members of @config that can be checked without the machine. */
bool orr_config_check(const struct orr_config *config, GError **error);

/* Sets the error of @run, unless it has one. Returns false. */
bool orr_run_refuse(struct orr_run *run, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/* The same with the name of @data before @why. */
bool orr_refuse_data(struct orr_run *run, const struct orr_data *data,
                     const char *why);

/* Check the arguments of a function of orrery.h. Otherwise they set the error
 * of @run and return false. */
bool orr_check_data(struct orr_run *run, const struct orr_data *data,
                    enum orr_access_mode mode);
/* The same in no mode: partitions may hide @data. */
bool orr_check_registered(struct orr_run *run, const struct orr_data *data);
bool orr_check_task(struct orr_run *run, const struct orr_task_spec *spec);

/* Whether a task has rare members: all but its kernel, accesses, name,
 * priority, coordinates and callback, and whether it is critical or unordered.
 */
static inline bool orr_spec_is_rare(const struct orr_task_spec *spec)
{
    uintptr_t pointers = (uintptr_t)spec->times | (uintptr_t)spec->costs |
                         (uintptr_t)spec->calls;
    unsigned counts = spec->wait_count | spec->worker_count |
                      spec->scratch_count | spec->implementations |
                      spec->end_count | spec->end_releases;
    unsigned flags = (unsigned)spec->pinned | spec->synchronises |
                     spec->blocks_driver | spec->regenerated;

    return (pointers | spec->tag | counts | flags) != 0;
}

/* Whether some worker can run @job, which is about to be submitted, or it needs
 * none; otherwise sets the error of @run. */
bool orr_check_job(struct orr_run *run, struct orr_job *job);

/* Sets whether only CPUs can run @job, a kernel, for want of GPU memory. */
void orr_job_fit(const struct orr_run *run, struct orr_job *job);

/* Whether @run has the memory @node; otherwise sets its error. */
bool orr_check_node(struct orr_run *run, unsigned node);

/* Refuses @spec, since no worker of @run, or no worker that it names, can run
 * it in its times. Returns false. */
bool orr_refuse_given(struct orr_run *run, const struct orr_task_spec *spec);

#endif

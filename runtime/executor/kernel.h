/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_KERNEL_H
#define ORR_KERNEL_H

#include "runtime/orrery.h"

/*
 * Kernels, inside the runtime.
 */

struct orr_platform_kernel; /* models/platform/platform.h */

/* The classes of workers as texts: "any", "cpu", "gpu". */

/* Parses @text; otherwise fails with ORR_ERROR_UNKNOWN. */
bool orr_where_parse(const char *text, enum orr_where *where, GError **error);

/*
 * Parses a restriction, "gemm=cpu": sets *@length to the length of the kernel's
 * name, which ends at the last "=". Otherwise fails with ORR_ERROR_VALUE or
 * ORR_ERROR_UNKNOWN.
 */
bool orr_restriction_parse(const char *text, size_t *length,
                           enum orr_where *where, GError **error);

/* The class of workers to which the configuration (option where) restricts
 * kernels called @name. */
enum orr_where orr_kernel_restriction(const struct orr_run *run,
                                      const char *name);

/*
 * A kernel that the platform does not know, with the names and the durations of
 * @model, which are copied; owned by the run. NULL: it has no duration at @tile
 * on the workers of the run.
 */
struct orr_kernel *orr_kernel_add(struct orr_run *run,
                                  const struct orr_platform_kernel *model,
                                  unsigned tile);

/*
 * A variant of @kernel, which the platform has calibrated: its tasks run on
 * workers of class @where, and block their GPU if @synchronous. Returns the
 * same object each time; owned by the run. Fails as orr_kernel_set_where().
 */
struct orr_kernel *orr_kernel_variant(struct orr_kernel *kernel,
                                      enum orr_where where, bool synchronous,
                                      GError **error);

/*
 * The kernel of a task that brings times or costs, names workers, needs buffers
 * of its worker, blocks its driver or accesses data by ORR_REDUX, or that
 * @reduces data: the same object for the same @spec; owned by the run. NULL: no
 * worker of the run can run it.
 */
struct orr_kernel *orr_kernel_with(const struct orr_task_spec *spec,
                                   bool reduces);

/* Frees the list that begins with @kernel; NULL is allowed. */
void orr_kernels_free(struct orr_kernel *kernel);

/* Whether the tasks of @kernel name worker number @worker, or none. */
bool orr_kernel_allows(const struct orr_kernel *kernel, unsigned worker);

/* Gives @kernel, which has no costs, the costs of @of on the workers that its
 * tasks name. Returns whether any of these workers can run it. */
bool orr_kernel_share_costs(const struct orr_run *run,
                            struct orr_kernel *kernel,
                            const struct orr_kernel *of);

/* Gives @kernel, which has no costs, the @costs of one task, which were checked
 * (orr_wrong_costs()). Returns whether any worker can run it. */
bool orr_kernel_take_costs(struct orr_run *run, struct orr_kernel *kernel,
                           GBytes *costs);

/* The error in the @count costs of a task for each worker; NULL: none. */
const char *orr_wrong_costs(const struct orr_run *run,
                            const struct orr_cost *costs, unsigned count);

/* Frees the costs that were given for @kernel, if any. */
void orr_kernel_free_costs(struct orr_kernel *kernel);

/* Fills in the durations of @kernel, which has all other members set. Returns
 * whether any worker can run it. */
bool orr_kernel_set_durations(struct orr_run *run, struct orr_kernel *kernel);

/* The factor of the durations of @kernel on @worker: see struct orr_config. */
double orr_kernel_factor(const struct orr_run *run,
                         const struct orr_kernel *kernel, unsigned worker);

/* Records for which classes of workers tasks of @kernel are made. */
void orr_kernel_set_classes(struct orr_kernel *kernel, bool on_cpus,
                            bool on_gpus);

#endif

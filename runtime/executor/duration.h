/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DURATION_H
#define ORR_DURATION_H

#include "models/platform/platform.h"

/*
 * The durations of kernels: the mean, a draw, or one from a record (model
 * durations). Policies do not see them; they plan with calibrated means.
 *
 * Draws are keyed by (seed, task, class of the worker), so that the n-th gemm
 * is equally slow under every policy: common random numbers.
 */
struct orr_job;
struct orr_kernel;
struct orr_run;

/* Sets how long @kernel takes on each device: the duration that policies
 * expect, times the device's entry of @factors. */
void orr_duration_set(struct orr_run *run, struct orr_kernel *kernel,
                      const double factors[ORR_MAX_NODES]);

/*
 * Reads the record at @path into run->kernels.record. Fails as
 * orr_record_read(), and when none of its tasks is of a kernel of the platform.
 */
bool orr_duration_read(struct orr_run *run, const char *path, GError **error);

/* Whether the record has @job, about to be submitted; @error says why not. */
bool orr_duration_check(const struct orr_run *run, const struct orr_job *job,
                        GError **error);

/* @time x @factor, at least 1 ns; exact if @factor is 1. */
orr_time orr_duration_scale(orr_time time, double factor);

/* The duration of @job on @device, which starts it now, without the factor of
 * the worker (orr_kernel.factors). A decider may choose
 * a quantile instead: of the histogram, or of an assumed law. */
orr_time orr_duration_of(struct orr_run *run, const struct orr_job *job,
                         unsigned device);

#endif

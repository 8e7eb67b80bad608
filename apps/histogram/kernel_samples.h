/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_KERNEL_SAMPLES_H
#define ORR_KERNEL_SAMPLES_H

#include "models/import/record.h"
#include "models/platform/platform.h"

/*
 * Measured durations of the kernels of a platform, from any number of records,
 * grouped by kernel, tile and device.
 */
struct orr_sample_group {
    unsigned kernel; /* index in the platform */
    unsigned tile;
    unsigned device;
    GArray *durations; /* orr_time, in the order in which they were read */
};

/* Properties of tasks that records do not contain. */
struct orr_kernel_samples_hint {
    const char *app; /* the family of the kernels; NULL: any */
    enum orr_precision
        precision; /* precision of a kernel name that is used for both */
    unsigned tile;
    unsigned gpus; /* the first workers are this many GPUs */
};

struct orr_kernel_samples {
    const struct orr_platform *platform;        /* borrowed */
    const struct orr_kernel_samples_hint *hint; /* borrowed */
    struct orr_platform
        *grows;        /* @platform if missing kernels may be added to it, with
                          hint->app as family; otherwise NULL */
    GPtrArray *groups; /* struct orr_sample_group, by kernel, tile, device */
    GString *source;   /* "dmda-1.tasks.rec, other.csv" */
    GHashTable
        *others; /* number of tasks by name, for names that are no kernel */
};

void orr_kernel_samples_init(struct orr_kernel_samples *samples,
                             const struct orr_platform *platform,
                             const struct orr_kernel_samples_hint *hint);
void orr_kernel_samples_clear(struct orr_kernel_samples *samples);

/*
 * Adds the tasks of the file @path. Fails as orr_record_read() does, and with
 * ORR_ERROR_VALUE, naming the line, if a name means several kernels or the
 * device of a task is not known.
 */
bool orr_kernel_samples_read(struct orr_kernel_samples *samples,
                             const char *path, GError **error);

/*
 * Returns the histogram of the samples of @group, with at most @bins bins (0:
 * chosen from the samples). For @share see histogram.h. Owned by the caller.
 */
struct orr_histogram *
orr_kernel_samples_build(const struct orr_kernel_samples *samples,
                         const struct orr_sample_group *group, unsigned bins,
                         double share);

/* The mean and standard deviation of the samples, in ns. */
double orr_kernel_samples_mean(const struct orr_sample_group *group);
double orr_kernel_samples_deviation(const struct orr_sample_group *group);

/* Returns "gemm of cholesky (double) at tile 960 on CUDA0". Free with
 * g_free(). */
char *orr_kernel_samples_title(const struct orr_platform *platform,
                               unsigned kernel, unsigned tile, unsigned device);

#endif

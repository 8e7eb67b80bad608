/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SAMPLES_H
#define ORR_SAMPLES_H

#include "models/import/record.h"
#include "models/platform/platform.h"

/*
 * Samples of what the kernels of a platform took, out of any number of
 * records, sorted by kernel, tile and device.
 */
struct orr_sample_group {
    unsigned kernel; /* of the platform */
    unsigned tile;
    unsigned device;
    GArray *durations; /* orr_time, in the order in which they were read */
};

/* What records do not say of their tasks. */
struct orr_samples_hint {
    const char *app;              /* the family of the kernels; NULL: any */
    enum orr_precision precision; /* where a name stands for both */
    unsigned tile;
    unsigned gpus; /* that many workers, the first, are GPUs */
};

struct orr_samples {
    const struct orr_platform *platform; /* borrowed */
    const struct orr_samples_hint *hint; /* borrowed */
    GPtrArray *groups;  /* struct orr_sample_group, by kernel, tile, device */
    GString *source;    /* "dmda-1.tasks.rec, other.csv" */
    GHashTable *others; /* names of no kernel: how many tasks of each */
};

void orr_samples_init(struct orr_samples *samples,
                      const struct orr_platform *platform,
                      const struct orr_samples_hint *hint);
void orr_samples_clear(struct orr_samples *samples);

/*
 * Adds the tasks of the file @path. Fails as orr_record_read(), and with
 * ORR_ERROR_VALUE naming the line, when a name stands for several kernels or
 * nothing says on which device a task ran.
 */
bool orr_samples_read(struct orr_samples *samples, const char *path,
                      GError **error);

/*
 * The histogram of the samples of @group; @bins at most, 0: as many as suit.
 * @share is that of histogram.h. Owned.
 */
struct orr_histogram *orr_samples_build(const struct orr_samples *samples,
                                        const struct orr_sample_group *group,
                                        unsigned bins, double share);

/* Of the samples, ns. */
double orr_samples_mean(const struct orr_sample_group *group);
double orr_samples_deviation(const struct orr_sample_group *group);

/* "gemm of cholesky (double) at tile 960 on CUDA0"; g_free() it. */
char *orr_samples_title(const struct orr_platform *platform, unsigned kernel,
                        unsigned tile, unsigned device);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APPS_HISTOGRAM_H
#define ORR_APPS_HISTOGRAM_H

#include "apps/output/output.h"
#include "apps/settings/option.h"
#include "apps/study/samples.h"

/* What the commands `orrery histogram ...` have in common. */
struct orr_histogram_request {
    const char *platform; /* NULL: not given */
    const char *app;      /* NULL: any */
    enum orr_precision precision;
    uint64_t tile;
    int gpus;      /* that are the first workers of records; -1: all */
    uint64_t bins; /* 0: as many as suit */
    const char *output;
    const char *kernel; /* NULL: any */
    const char *device; /* NULL: any */
    const char *plot;
    enum orr_format format;
};

void orr_histogram_request_init(struct orr_histogram_request *request);

/* The platform that was asked for; complains as @command, NULL, if it can't. */
struct orr_platform *
orr_histogram_platform(const struct orr_histogram_request *request,
                       const char *command, enum orr_exit *status);

/*
 * Reads @count files; complains about what is wrong, as @command, and about
 * tasks that are passed over. Clear @samples in any case.
 */
bool orr_histogram_read(struct orr_samples *samples, char **paths, int count,
                        const char *command);

/* What records do not say, as asked for. */
struct orr_samples_hint
orr_histogram_hint(const struct orr_histogram_request *request,
                   const struct orr_platform *platform);

/* Adds to @rows the members that all reports of samples begin with. Returns
 * the new row, borrowed. */
JsonObject *orr_histogram_add_row(JsonArray *rows,
                                  const struct orr_platform *platform,
                                  unsigned kernel, unsigned tile,
                                  unsigned device, uint64_t samples);

/* A histogram, and what it is shown beside. */
struct orr_histogram_view {
    const char *title; /* "gemm of cholesky (double) at tile 960 on CPU" */
    const struct orr_histogram *cut;
    const struct orr_histogram *wide; /* of the same samples: equal widths */
    const orr_time *samples;          /* ascending */
    unsigned count;
};

/* Draws it into the file @path: see plot.h. */
bool orr_histogram_plot(const struct orr_histogram_view *view, const char *path,
                        GError **error);

extern const struct orr_option_group orr_options_samples;
extern const struct orr_option_group orr_options_histogram_build;
extern const struct orr_option_group orr_options_histogram_show;

#endif

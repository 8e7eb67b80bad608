/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APPS_HISTOGRAM_H
#define ORR_APPS_HISTOGRAM_H

#include "apps/options/option.h"
#include "apps/output/output.h"
#include "apps/picture/plot.h"
#include "apps/study/samples.h"

/* The options of the commands `orrery histogram ...`. */
struct orr_histogram_request {
    const char *platform; /* NULL: not given */
    const char *app;      /* NULL: any */
    enum orr_precision precision;
    uint64_t tile;
    int gpus;      /* GPUs among the workers of records, which are the first
                      ones; -1: all of the platform */
    uint64_t bins; /* at most; 0: chosen from the samples */
    const char *output;
    bool add_kernels;   /* which the platform lacks */
    const char *kernel; /* NULL: any */
    const char *device; /* NULL: any */
    struct orr_plot_options plot;
    enum orr_format format;
};

void orr_histogram_request_init(struct orr_histogram_request *request);

/*
 * Loads the platform of @request; free with orr_platform_free(). On failure,
 * prints a message of @command, sets *@status and returns NULL.
 */
struct orr_platform *
orr_histogram_platform(const struct orr_histogram_request *request,
                       const char *command, enum orr_exit *status);

/*
 * Reads @count files into @samples. Prints messages of @command about errors
 * and about tasks that are ignored. Clear @samples in any case.
 */
bool orr_histogram_read(struct orr_samples *samples, char **paths, int count,
                        const char *command);

/* Returns the options that complete what records say. */
struct orr_samples_hint
orr_histogram_hint(const struct orr_histogram_request *request,
                   const struct orr_platform *platform);

/* Adds a row to @rows, with the members that all reports of samples begin
 * with, and returns it; borrowed. */
JsonObject *orr_histogram_add_row(JsonArray *rows,
                                  const struct orr_platform *platform,
                                  unsigned kernel, unsigned tile,
                                  unsigned device, uint64_t samples);

/* A histogram, and data to compare it with. */
struct orr_histogram_view {
    const char *title; /* "gemm of cholesky (double) at tile 960 on CPU" */
    const struct orr_histogram *cut;
    const struct orr_histogram *wide; /* equal widths, from the same samples */
    const orr_time *samples;          /* ascending */
    unsigned count;
};

/* Draws @view into the file @path. Fails as orr_plot_save() does. */
bool orr_histogram_plot(const struct orr_histogram_view *view,
                        const struct orr_plot_options *options, GError **error);

extern const struct orr_option_group orr_options_samples;
extern const struct orr_option_group orr_options_histogram_build;
extern const struct orr_option_group orr_options_histogram_show;
extern const struct orr_option_group orr_options_histogram_plot; /* show */

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APPS_HISTOGRAM_H
#define ORR_APPS_HISTOGRAM_H

#include "apps/histogram/kernel_samples.h"
#include "apps/options/option.h"
#include "apps/output/output.h"
#include "apps/picture/plot.h"

/* The options of the commands `orrery histogram ...`. */
struct orr_histogram_request {
    const char *platform; /* NULL: not given */
    const char *app;      /* NULL: any */
    enum orr_precision precision;
    uint64_t tile;
    int gpus; /* GPUs among the workers in records, which come first; -1: as in
                 the platform */
    uint64_t bins; /* at most; 0: chosen from the samples */
    const char *output;
    bool add_kernels;   /* add kernels that the platform lacks */
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
bool orr_histogram_read(struct orr_kernel_samples *samples, char **paths,
                        int count, const char *command);

/* Returns the properties of tasks that records do not contain. */
struct orr_kernel_samples_hint
orr_histogram_hint(const struct orr_histogram_request *request,
                   const struct orr_platform *platform);

/* Adds a row to @rows with the first members, common to all reports of samples;
 * returns it, borrowed. */
JsonObject *orr_histogram_add_row(JsonArray *rows,
                                  const struct orr_platform *platform,
                                  unsigned kernel, unsigned tile,
                                  unsigned device, uint64_t samples);

extern const struct orr_option_group orr_options_samples;
extern const struct orr_option_group orr_options_histogram_build;
extern const struct orr_option_group orr_options_histogram_show;
extern const struct orr_option_group orr_options_histogram_plot; /* show */
extern const struct orr_option_group orr_options_histogram_output;

#endif

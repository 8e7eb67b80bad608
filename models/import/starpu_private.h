/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_PRIVATE_H
#define ORR_STARPU_PRIVATE_H

#include <stdbool.h>

#include "models/platform/platform.h"

/*
 * Inside of platform_starpu.h: platform_starpu.c finds the files of a machine
 * and tells which kernel is measured in which, starpu_machine.c reads
 * processors, links and routes, starpu_bus.c what the runtime measured of
 * copies, starpu_codelet.c of a kernel. starpu_text.c takes text files apart.
 */

/*
 * A text file, line by line: blank lines and what follows a '#' are passed
 * over, the rest is words between blanks.
 */
struct orr_starpu_text {
    char *shown; /* its path, as messages show it */
    char *content;
    char *next;     /* what is not read yet */
    unsigned line;  /* the number of the current line */
    char **words;   /* of the current line, in @content; the last is NULL */
    unsigned count; /* of words */
    unsigned capacity;
    unsigned numas; /* how often comments say "to NUMA": columns of RAM */
};

/* Fails with ORR_ERROR_IO, or ORR_ERROR_SYNTAX if it is no text. */
bool orr_starpu_text_open(struct orr_starpu_text *text, const char *path,
                          GError **error);

void orr_starpu_text_close(struct orr_starpu_text *text);

/* Goes to the next line that has words; false at the end of the file. */
bool orr_starpu_text_next(struct orr_starpu_text *text);

/* The same, but the file must go on with @what; of @count words if not 0. */
bool orr_starpu_text_expect(struct orr_starpu_text *text, const char *what,
                            unsigned count, GError **error);

/*
 * The word @index of the current line as a whole number up to @max, or as a
 * number, perhaps NaN. False, with an error that names @what, if it is not.
 */
bool orr_starpu_text_count(const struct orr_starpu_text *text, unsigned index,
                           const char *what, uint64_t max, uint64_t *value,
                           GError **error);
bool orr_starpu_text_number(const struct orr_starpu_text *text, unsigned index,
                            const char *what, double *value, GError **error);

/* Sets @error to "file:line: " and the message; returns false. */
bool orr_starpu_text_fail(const struct orr_starpu_text *text,
                          enum orr_error code, GError **error,
                          const char *format, ...) G_GNUC_PRINTF(4, 5);

/*
 * Reads the machine that SimGrid simulates for StarPU, version 3 or 4 of its
 * platform files, into the empty @platform.
 */
bool orr_starpu_read_machine(struct orr_platform *platform, const char *path,
                             GError **error);

/*
 * Reads the matrices of bandwidths (MB/s) and latencies (us) between the
 * nodes of @platform: rows are sources; RAM comes first, then CUDA devices.
 */
bool orr_starpu_read_beliefs(struct orr_platform *platform,
                             const char *bandwidth_path,
                             const char *latency_path, GError **error);

/* What the entries of a codelet's file stand for, and what to make of them. */
struct orr_starpu_codelet {
    unsigned buffers;       /* square matrices of the same size, */
    unsigned element_bytes; /* and of these elements */
    bool halved;            /* the kernel takes half the time */
};

/*
 * Adds to @kernel, of a machine with @gpus GPUs, the durations in the file
 * @path of @codelet. Sets *@skipped to how many entries are of other shapes.
 */
bool orr_starpu_read_codelet(struct orr_platform_kernel *kernel, unsigned gpus,
                             const struct orr_starpu_codelet *codelet,
                             const char *path, unsigned *skipped,
                             GError **error);

/*
 * StarPU's hash of the shapes of a task's operands: @buffers matrices of
 * @rows x @rows elements (REFERENCE: StarPU, src/datawizard/footprint.c).
 */
uint32_t orr_starpu_footprint(unsigned rows, unsigned buffers);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_PRIVATE_H
#define ORR_STARPU_PRIVATE_H

#include <stdbool.h>

#include "models/platform/platform.h"

/*
 * The parts of platform_starpu.h. platform_starpu.c finds the files of a
 * machine and of its kernels. starpu_machine.c reads processors, links and
 * routes, starpu_bus.c the measurements of copies, starpu_codelet.c those of a
 * kernel. starpu_text.c splits text files into words.
 */

/*
 * A text file of words, read line by line. Blank lines, and comments from '#'
 * on, are skipped.
 */
struct orr_starpu_text {
    char *shown; /* the path for messages */
    char *content;
    char *next;     /* begin of the next line */
    unsigned line;  /* the number of the current line */
    char **words;   /* of the current line, NULL-terminated; in content */
    unsigned count; /* number of words */
    unsigned capacity;
    unsigned numas; /* number of "to NUMA" in comments: columns of RAM */
};

/* Reads the file. Returns false with ORR_ERROR_IO, or with ORR_ERROR_SYNTAX if
 * it is not text. */
bool orr_starpu_text_open(struct orr_starpu_text *text, const char *path,
                          GError **error);

void orr_starpu_text_close(struct orr_starpu_text *text);

/* Goes to the next line with words; returns false at the end of the file. */
bool orr_starpu_text_next(struct orr_starpu_text *text);

/* Goes to the next line, which must exist and, unless @count is 0, have @count
 * words. Messages call it @what. */
bool orr_starpu_text_expect(struct orr_starpu_text *text, const char *what,
                            unsigned count, GError **error);

/*
 * Parse word @index of the current line: as a whole number, at most @max, or as
 * any number, which may be NaN. Return false with an error that names @what.
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
 * Reads a SimGrid platform file as StarPU writes it, version 3 or 4, into the
 * empty @platform.
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

/* How to interpret the entries in the file of a codelet. */
struct orr_starpu_codelet {
    unsigned buffers;       /* number of operands: equal square matrices */
    unsigned element_bytes; /* size of their elements */
    bool halved;            /* durations are to be halved */
};

/*
 * Adds the durations in the file @path of @codelet to @kernel, for a machine
 * with
 * @gpus GPUs. Sets *@skipped to the number of entries of other shapes.
 */
bool orr_starpu_read_codelet(struct orr_platform_kernel *kernel, unsigned gpus,
                             const struct orr_starpu_codelet *codelet,
                             const char *path, unsigned *skipped,
                             GError **error);

/*
 * StarPU's hash of the shapes of a task's operands: @buffers matrices of
 * @rows x @rows elements (StarPU, src/datawizard/footprint.c).
 */
uint32_t orr_starpu_footprint(unsigned rows, unsigned buffers);

#endif

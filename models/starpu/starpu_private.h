/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_PRIVATE_H
#define ORR_STARPU_PRIVATE_H

#include <stdbool.h>

#include "models/platform/platform.h"
#include "models/platform/regression.h"

/*
 * The parts of platform_starpu.h. platform_starpu.c finds the files of a
 * machine and of its kernels. starpu_machine.c reads processors, links and
 * routes, starpu_bus.c measured copies, starpu_codelet.c the durations of a
 * codelet, and starpu_kernels.c makes kernels of them. starpu_symbols.h maps
 * symbols to kernels, starpu_shape.h finds tile sizes. starpu_text.c splits
 * text files into words.
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
 * nodes of @platform: rows are sources; RAM comes first, then CUDA devices. A
 * second NUMA node counts as the first device, as in StarPU over SimGrid.
 */
bool orr_starpu_read_beliefs(struct orr_platform *platform,
                             const char *bandwidth_path,
                             const char *latency_path, GError **error);

/* A duration of a performance model. */
struct orr_starpu_mean {
    orr_time time;  /* rounded to ns */
    double seconds; /* not rounded */
};

/* An entry of a performance model: durations on one device, for operands of
 * one shape. */
struct orr_starpu_entry {
    unsigned device; /* 0: a CPU core; g + 1: GPU g */
    unsigned line;   /* in its file */
    uint32_t hash;   /* of the shapes of the operands */
    uint64_t bytes;  /* of all operands */
    struct orr_starpu_mean mean;
    struct orr_starpu_mean half; /* half of the mean, as StarPU rounds it */
    orr_time deviation;
    unsigned samples;
    bool taken; /* used: it became a duration of some kernel */
};

/* The file of a codelet. */
struct orr_starpu_codelet {
    char *shown; /* the path for messages */
    unsigned count;
    struct orr_starpu_entry *entries; /* in the order of the file */
    GPtrArray *regressions;           /* struct orr_regression *, owned */
};

/*
 * Reads the file @path of a codelet, for a machine with @gpus GPUs: the entries
 * and the regressions of single cores and CUDA devices, for the first
 * implementation only. Returns NULL with @error; otherwise free with
 * orr_starpu_codelet_free().
 */
struct orr_starpu_codelet *
orr_starpu_codelet_read(const char *path, unsigned gpus, GError **error);
void orr_starpu_codelet_free(struct orr_starpu_codelet *codelet);

/*
 * Adds to @kernel the durations of entries with these @operands
 * (starpu_shape.h) in its precision; half of the durations if @halved. Operands
 * with an inner block size must all have the same, which becomes @kernel->inner
 * (0: none); entries with another one are skipped.
 */
bool orr_starpu_codelet_take(struct orr_starpu_codelet *codelet,
                             struct orr_platform_kernel *kernel,
                             const char *operands, bool halved, GError **error);

/* Adds @entry to @kernel, of its footprint, and returns true, unless there is a
 * duration on its device already. */
bool orr_starpu_codelet_take_entry(struct orr_starpu_entry *entry,
                                   struct orr_platform_kernel *kernel);

/*
 * Reads the kernels of @host in the folder @dir into @platform. Adds notes
 * about parts that were left out.
 */
bool orr_starpu_read_kernels(struct orr_platform *platform, const char *dir,
                             const char *host, GError **error);

/*
 * Finds @name in the first of @folders (NULL-terminated) that has it. Returns a
 * path relative to @dir, to free with g_free(), or NULL.
 */
char *orr_starpu_find_file(const char *dir, const char *const *folders,
                           const char *name);

/* A set of names, each owned. */
GHashTable *orr_starpu_names_new(void);

/* Adds to @names the names of files in @folder, without @suffix. */
void orr_starpu_list_names(GHashTable *names, const char *dir,
                           const char *folder, const char *suffix);

/* The @names, sorted, NULL-terminated; free the array with g_free(). */
const char **orr_starpu_sort_names(GHashTable *names);

/* Joins sorted names: "a, b, c"; free with g_free(). NULL if there are none. */
char *orr_starpu_join_names(GHashTable *names);

#endif

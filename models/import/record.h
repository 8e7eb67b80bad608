/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RECORD_H
#define ORR_RECORD_H

#include "models/platform/platform.h"

/*
 * The durations of the single tasks of an execution, native or simulated:
 * samples for histograms, or durations to replay. The formats are
 *
 *   tasks.rec   as StarPU's starpu_fxt_tool writes it: GNU recutils with the
 *               fields Name, Model, MemoryNode or else WorkerId, StartTime,
 *               EndTime (ms), SubmitOrder or else SubmitTime, Parameters or
 *               else Sizes; records of tasks that did not execute are skipped;
 *               an empty Model counts as none
 *   CSV         with column names in the first line, as in Orrery's traces:
 *               name, and one of duration_ns, duration_us, duration_ms,
 *               duration_s, or else kernel_start_ms and kernel_end_ms, or else
 *               start_ms and end_ms; optionally device, or worker_name, or
 *               worker; submit_order; tile. Other columns are skipped. Fields
 *               in quotation marks may hold line breaks (RFC 4180).
 *
 * The format follows from the first line. No name is empty. Files may be
 * hostile: every number is checked, and messages name the line.
 */
#define ORR_RECORD_NO_WORKER G_MAXUINT
#define ORR_RECORD_NO_NODE G_MAXUINT

/* The limits of a file. */
#define ORR_RECORD_MAX_BYTES ((uint64_t)1 << 30)

struct orr_record_task {
    const char *name; /* of the kernel in the file; owned by the record */
    const char
        *device;     /* "CUDA0", "CPU", "CPU3"; or NULL; owned by the record */
    unsigned worker; /* GPUs first, then CPUs; or ORR_RECORD_NO_WORKER */
    unsigned node;   /* memory node; or ORR_RECORD_NO_NODE */
    unsigned tile;   /* rows of its first operand; 0: not known */
    orr_time duration; /* ns, > 0 */
    unsigned line;     /* of the file */
};

struct orr_record {
    char *path; /* for messages */
    unsigned count;
    struct orr_record_task *tasks; /* in order of submission if known, else as
                                      in the file */
    GStringChunk *names;
};

/*
 * Reads the file @path, which must hold at least one task.
 *
 * Returns a record to free with orr_record_free(), or NULL with @error:
 *   ORR_ERROR_IO      @path cannot be read, or is too large (input.h)
 *   ORR_ERROR_SYNTAX  neither of the formats, or a column is missing
 *   ORR_ERROR_VALUE   e.g. a duration that is not above 0
 * The last two start with "path:line: ".
 */
struct orr_record *orr_record_read(const char *path, GError **error);

/* NULL is allowed. */
void orr_record_free(struct orr_record *record);

/*
 * Whether @task ran @kernel. Symbols of StarPU imply family and precision
 * ("dgemm", "chol_model_gemm"). Other names are "FAMILY/NAME", after which
 * "/single" or "/double" may follow, or the name of the kernel, ignoring case.
 * A kernel of the application, whose family is "", is never one of StarPU's.
 */
bool orr_record_is(const struct orr_record_task *task,
                   const struct orr_platform_kernel *kernel);

/*
 * Sets *@device to the device that @task ran on: by the name of the device, or
 * else its memory node, or else its worker; the first @gpus workers are GPUs.
 * Returns false if the device is not known, or not in @platform.
 */
bool orr_record_device(const struct orr_record_task *task,
                       const struct orr_platform *platform, unsigned gpus,
                       unsigned *device);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RECORD_H
#define ORR_RECORD_H

#include "models/platform/platform.h"

/*
 * What tasks took in an execution, native or simulated, task by task: samples
 * for histograms, and durations to replay. Read from
 *
 *   tasks.rec   as StarPU's starpu_fxt_tool writes it: GNU recutils with the
 *               fields Name, Model, WorkerId, StartTime, EndTime (ms),
 *               SubmitOrder or else SubmitTime, Parameters or else Sizes;
 *               records of tasks that did not execute are passed over
 *   CSV         with a line of column names first, as our own traces have
 *               it: name, and either start_ms and end_ms or one of
 *               duration_ns, duration_us, duration_ms, duration_s; optionally
 *               worker or device, submit_order, tile. Other columns are passed
 *               over.
 *
 * Which of the two a file is shows in its first line. It may come from
 * strangers: every figure is checked, and what is wrong is named by its line.
 */
#define ORR_RECORD_NO_WORKER G_MAXUINT

struct orr_record_task {
    const char *name;   /* of the kernel, as the file calls it; owned */
    const char *device; /* "CUDA0", "CPU", "CPU3"; or NULL; owned */
    unsigned worker;    /* GPUs first, then CPUs; or ORR_RECORD_NO_WORKER */
    unsigned tile;      /* rows of its first operand; 0: not said */
    orr_time duration;  /* ns, > 0 */
    unsigned line;      /* of the file */
};

struct orr_record {
    char *path; /* as messages show it */
    unsigned count;
    struct orr_record_task *tasks; /* in order of submission, if that is said,
                                      else in that of the file */
    GStringChunk *names;
};

/*
 * Reads the file @path, which must hold a task at least.
 *
 * Returns a record to free with orr_record_free(), or NULL with @error:
 *   ORR_ERROR_IO      @path cannot be read
 *   ORR_ERROR_SYNTAX  neither of the formats, or a column is missing
 *   ORR_ERROR_VALUE   e.g. a duration that is not above 0
 * The last two start with "path:line: ".
 */
struct orr_record *orr_record_read(const char *path, GError **error);

/* NULL is allowed. */
void orr_record_free(struct orr_record *record);

/*
 * Whether @task ran @kernel: StarPU's symbols say family and precision
 * ("dgemm", "chol_model_gemm"); other names are compared with the kernel's,
 * without regard to case.
 */
bool orr_record_is(const struct orr_record_task *task,
                   const struct orr_platform_kernel *kernel);

/*
 * The device that @task ran on, where the first @gpus workers are GPUs of
 * @platform. False if the file does not say, or one that is not there.
 */
bool orr_record_device(const struct orr_record_task *task,
                       const struct orr_platform *platform, unsigned gpus,
                       unsigned *device);

#endif

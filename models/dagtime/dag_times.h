/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_TIMES_H
#define ORR_DAG_TIMES_H

#include "models/dag/dag.h"
#include "models/dagtime/assumed_speed.h"
#include "models/platform/platform.h"

/*
 * How long each task of a graph takes on a platform. A graph does not depend on
 * the machine; durations follow from the first of these sources that is known
 * on some device in use:
 *
 *   calibration  the platform has durations of the kernel, for operands of the
 *                sizes of the task's data (starpu_operands.h)
 *   flops        the flops of the task, and the <flops> of its kernel, or else
 *                of the kernel "any" of the family "any". The duration is
 *                flops / (peak x efficiency); the efficiency is taken at the
 *                tile size at which that kernel does so many flops. All GPUs
 *                count as equal to the first. Without such a kernel, the
 *                speed assumed for the device (assumed_speed.h).
 *   recorded     its recorded duration, times the assumed speed of the
 *                recording device / the assumed speed of the device
 *                (assumed_speed.h). A recording device is a CPU unless the file
 *                names it as a GPU ("CUDA0", "GPU 1").
 *
 * A task without a kernel does no work, and needs no duration.
 */
enum orr_dag_time_source {
    ORR_DAG_TIME_NONE, /* a task that synchronises */
    ORR_DAG_TIME_CALIBRATION,
    ORR_DAG_TIME_FLOPS,
    ORR_DAG_TIME_RECORDED,
    ORR_DAG_TIME_SOURCES
};

/* "none", "calibration", "flops", "recorded". */
const char *orr_dag_time_source_name(enum orr_dag_time_source source);

struct orr_dag_time {
    orr_time cpu;    /* ns on a core; 0: it cannot run there */
    orr_time gpu;    /* ns; of the first GPU if calibrated */
    uint32_t kernel; /* if calibrated: index of dag_times.kernels */
    uint8_t source;  /* enum orr_dag_time_source */
};

/* A calibrated kernel at one size. */
struct orr_dag_time_kernel {
    const struct orr_platform_kernel *model; /* of the platform */
    unsigned tile;
};

struct orr_dag_times {
    struct orr_dag_time *tasks; /* by task */
    uint32_t counts[ORR_DAG_TIME_SOURCES];
    uint32_t kernel_count;
    struct orr_dag_time_kernel *kernels;
};

struct orr_dag_time_settings {
    const struct orr_platform *platform; /* outlives the times */
    unsigned cpus;                       /* workers in use */
    unsigned gpus;                       /* workers in use */
    struct orr_assumed_speeds speeds;
};

/*
 * Finds the times of all tasks. Uses nothing but its arguments, so threads may
 * share these.
 *
 * Returns NULL with ORR_ERROR_UNKNOWN when a task has no duration on any device
 * in use; the message, "path:line: ...", names kernel and devices, and suggests
 * how to add a duration. Free with orr_dag_times_free(), which allows NULL.
 */
struct orr_dag_times *
orr_dag_times_new(const struct orr_dag *dag,
                  const struct orr_dag_time_settings *settings, GError **error);
void orr_dag_times_free(struct orr_dag_times *times);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_TIMES_H
#define ORR_DAG_TIMES_H

#include "models/dag/dag.h"
#include "models/dagtime/assumed_speed.h"
#include "models/platform/platform.h"

/*
 * How long each task of a graph takes on a platform. A graph has what does not
 * depend on the machine; the durations follow from the first of these that is
 * known on some device in use:
 *
 *   calibration  the platform has durations of the kernel, for operands of the
 *                sizes of the task's data (starpu_operands.h)
 *   flops        the flops of the task, and a speed: that of <flops> of the
 *                kernel, or else of the kernel "any" of the family "any". The
 *                duration is flops / (peak x efficiency), of which the
 *                efficiency is that at the tile on which a kernel of these
 *                operations does so many flops. GPUs are taken to be as fast
 *                as the first one. Without such a kernel, the speed assumed
 *                for the device (assumed_speed.h).
 *   recorded     its recorded duration, times the speed of the device that
 *                recorded it in relation to that of the device
 *                (assumed_speed.h). A device that the file does not name as a
 *                GPU ("CUDA0", "GPU 1") is a CPU.
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
    orr_time cpu;    /* ns; 0: it cannot run there */
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
    unsigned gpus;                       /* at most those of the platform */
    struct orr_assumed_speeds speeds;
};

/*
 * Finds the times of all tasks. Uses nothing but its arguments, so threads may
 * share these.
 *
 * Returns NULL with ORR_ERROR_UNKNOWN when a task has no duration on any device
 * in use; "path:line: " begins the message, which names kernel and devices, and
 * what would help. Free with orr_dag_times_free(), which allows NULL.
 */
struct orr_dag_times *
orr_dag_times_new(const struct orr_dag *dag,
                  const struct orr_dag_time_settings *settings, GError **error);
void orr_dag_times_free(struct orr_dag_times *times);

#endif

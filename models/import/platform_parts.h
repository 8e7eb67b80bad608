/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_PARTS_H
#define ORR_PLATFORM_PARTS_H

#include "models/platform/devices.h"

/*
 * Machines built of parts from data sheets (devices.h), without measurements.
 * All kernels are modelled from their number of operations and the peak of a
 * device (flops.h). A kernel reaches the same share of the peak as on the
 * calibrated machine whose GPUs are nearest in generation (orr_device.curves).
 */

struct orr_parts {
    const char *name;             /* of the platform */
    const char *description;      /* or NULL */
    const struct orr_device *gpu; /* NULL: no GPU */
    unsigned gpus;
    const struct orr_device *cpu;
    unsigned sockets;
    const char *pcie;   /* as --pcie: "gen4x16" */
    const char *nvlink; /* as --nvlink: "50GBps"; or NULL */
};

/*
 * Parses "a100-40:4", a device and its number (1 if left out), at most @max.
 * @is_cpu: a CPU is expected, otherwise a GPU. Returns false with
 * ORR_ERROR_VALUE or, with the list of known parts, ORR_ERROR_UNKNOWN.
 */
bool orr_parts_parse(const char *text, bool is_cpu, unsigned max,
                     const struct orr_device **device, unsigned *count,
                     GError **error);

/*
 * The machine of @parts. Links have the rate of PCI Express and an assumed
 * latency, by which policies predict copies. Returns NULL with ORR_ERROR_VALUE,
 * or with an error of orr_platform_load() if a calibrated machine is not
 * installed.
 */
struct orr_platform *orr_platform_of_parts(const struct orr_parts *parts,
                                           GError **error);

/*
 * Models the kernels of @platform, which must have none, on the GPUs of a known
 * model and, unless @cpu is NULL, on its cores. Adds a note about each unknown
 * GPU. Returns false with the errors of orr_platform_of_parts().
 */
bool orr_platform_model_kernels(struct orr_platform *platform,
                                const struct orr_device *cpu, GError **error);

#endif

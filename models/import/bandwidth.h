/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BANDWIDTH_H
#define ORR_BANDWIDTH_H

#include "models/platform/platform.h"

/*
 * Measured rates of copies, and the wiring of GPUs, which together make the
 * links of a platform. Files may be hostile: every number is checked.
 */

/* How two GPUs are connected, as `nvidia-smi topo -m` says. */
enum orr_wiring {
    ORR_WIRING_UNKNOWN,
    ORR_WIRING_NVLINK, /* NV1, NV2... */
    ORR_WIRING_SWITCH, /* PIX, PXB: PCI Express switches, not the host */
    ORR_WIRING_HOST,   /* PHB, NODE, SYS (SOC): through the host */
};

struct orr_bandwidth {
    /* Rates of lone copies, [from][to], bytes/s; 0: not measured. */
    double lone[ORR_MAX_NODES][ORR_MAX_NODES];
    /* The rate of GPU g when all GPUs copy at once, [g + 1]; 0: not measured.
     */
    double in[ORR_MAX_NODES];  /* from RAM */
    double out[ORR_MAX_NODES]; /* to RAM */
    enum orr_wiring wiring[ORR_MAX_NODES][ORR_MAX_NODES];
};

/*
 * Reads the JSON of nvbandwidth (`nvbandwidth -j`) for @gpus GPUs into
 * @bandwidth: the test cases of copy engines between host and GPUs and between
 * GPUs, in one direction at a time. Lone copies between RAM and each GPU must
 * be there, in both directions.
 *
 * Returns false with ORR_ERROR_IO, ORR_ERROR_SYNTAX or ORR_ERROR_VALUE, as
 * "path:line: test case, row, column: message".
 */
bool orr_bandwidth_read(struct orr_bandwidth *bandwidth, const char *path,
                        unsigned gpus, GError **error);

/* Reads the text that `nvidia-smi topo -m` prints, in the same way. */
bool orr_wiring_read(struct orr_bandwidth *bandwidth, const char *path,
                     unsigned gpus, GError **error);

/*
 * Replaces the links, routes and beliefs of @platform by links and routes with
 * the rates of @bandwidth. Latencies of existing routes stay; they are assumed
 * for new routes, and if links were not calibrated. Adds notes about figures
 * that are assumed, left out or implausible. @source is the origin of the
 * rates, @wiring_source the origin of the wiring or NULL. Segments of pitch
 * without a route are dropped.
 */
void orr_bandwidth_apply(struct orr_platform *platform,
                         const struct orr_bandwidth *bandwidth,
                         const char *source, const char *wiring_source);

#endif

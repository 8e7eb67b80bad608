/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COVERAGE_H
#define ORR_COVERAGE_H

#include "apps/settings/settings.h"
#include "models/platform/platform.h"

/*
 * Which workers of a machine can run which kernels of an application. If the
 * platform has no duration of any of these kernels for a worker, the worker
 * stays idle, and simulated runs are slower than real ones.
 *
 * The workers of a device (platform.h) are alike. Sets of devices are masks,
 * with a bit for each.
 */
struct orr_coverage {
    const struct orr_platform *platform; /* borrowed */
    const char *family;                  /* of the kernels; borrowed */
    enum orr_precision precision;
    GPtrArray *names;  /* const char *, of the kernels */
    GArray *tiles;     /* unsigned; ORR_OTHER_TILES comes last */
    uint32_t *devices; /* mask of devices that can run kernel k at tile size t:
                          [k * tiles->len + t] */
};

/* Represents all tile sizes without measurements, where only kernels with a
 * model of their durations run. */
#define ORR_OTHER_TILES 0u

/* Limit on the tile sizes of one application; further sizes are left out. */
#define ORR_COVERAGE_TILES 100

/*
 * The coverage of kernels in one family and precision, at @tile, or at each
 * size in the platform (0). For a built-in application, all of its kernels
 * count; for other families, the kernels in the platform. Clear @coverage.
 */
void orr_coverage_init(struct orr_coverage *coverage,
                       const struct orr_platform *platform, const char *family,
                       enum orr_precision precision, unsigned tile);
void orr_coverage_clear(struct orr_coverage *coverage);

/* Whether @device can run kernel @k at tile size @t, both indexes. */
static inline bool orr_coverage_has(const struct orr_coverage *coverage,
                                    unsigned k, unsigned t, unsigned device)
{
    return coverage->devices[k * coverage->tiles->len + t] >> device & 1;
}

/* Whether there are kernels, and each can run on one of @devices at tile size
 * @t, an index. */
bool orr_coverage_runs(const struct orr_coverage *coverage, unsigned t,
                       uint32_t devices);

/* Returns the devices of @devices that can run no kernel at tile size @t, an
 * index, and so stay idle. Returns none if the other devices together cannot
 * run all kernels: then no run is possible. */
uint32_t orr_coverage_idle(const struct orr_coverage *coverage, unsigned t,
                           uint32_t devices);

/* Returns the class of @device, a mask: at each tile size, all devices of a
 * class can run the same kernels. */
uint32_t orr_coverage_class(const struct orr_coverage *coverage,
                            unsigned device);

/*
 * Adds to @row, an object of facts of @platform (NULL: the arrays are empty):
 *
 *   "coverage"  an array of objects: for an application, a precision, workers
 *               and tile sizes, the kernels that these workers can run, and the
 *               missing ones
 *   "warnings"  an array of texts
 */
void orr_coverage_add(JsonObject *row, const struct orr_platform *platform);

/* Prints the coverage in @row as a table, unless it is empty. */
void orr_coverage_print(JsonObject *row);

/* Prints the notes of @platform, on parts of the file that its reader left out,
 * as messages of @command. */
void orr_notes_print(const struct orr_platform *platform, const char *command);

/*
 * Prints the remarks of the application on the resolved @scenario, which has a
 * machine; the notes of the machine; and a message of @command if some workers
 * can run no kernel of the application. Its kernels are the family with its
 * name, at the values of its options tile and precision; applications without
 * these options are not checked.
 */
void orr_coverage_warn(const struct orr_scenario *scenario,
                       const char *command);

#endif

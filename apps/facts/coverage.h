/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COVERAGE_H
#define ORR_COVERAGE_H

#include "apps/settings/settings.h"
#include "models/platform/platform.h"

/*
 * Which workers of a machine can run which kernels of an application. A worker
 * for which the platform has no duration of any kernel of it stays idle in each
 * run, and the run is slower than the machine would be.
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
    uint32_t *devices; /* that can run kernel k at tile size t:
                          [k * tiles->len + t] */
};

/* Stands for all tile sizes without measurements: kernels whose durations are
 * modelled run at these, too. */
#define ORR_OTHER_TILES 0u

/* More tile sizes of one application than this are left out. */
#define ORR_COVERAGE_TILES 100

/*
 * The coverage of kernels in one family and precision, at @tile, or at each
 * size in the platform (0). All kernels of an application count; of other
 * families, those of the platform. To be cleared.
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

/* Those of @devices that can run no kernel at tile size @t, an index, though
 * they are on, if the others can run all kernels together; else none: then
 * nothing runs. */
uint32_t orr_coverage_idle(const struct orr_coverage *coverage, unsigned t,
                           uint32_t devices);

/* The class of @device: at each tile size, all devices of a class can run the
 * same kernels. */
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

/* Prints the notes of @platform as messages of @command: what its reader has
 * left out. */
void orr_notes_print(const struct orr_platform *platform, const char *command);

/*
 * Prints the remarks of the application on the resolved @settings, which have a
 * machine; the notes of the machine; and a message of @command if some workers
 * of a run can run no kernel of the application: those of the family of its
 * name, at its options tile and precision. Applications without these options
 * are not checked.
 */
void orr_coverage_warn(const struct orr_settings *settings,
                       const char *command);

#endif

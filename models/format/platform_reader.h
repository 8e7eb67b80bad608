/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_READER_H
#define ORR_PLATFORM_READER_H

#include "models/platform/platform.h"
#include "models/xml/xml.h"

/*
 * A platform file being read, for the files that know the vocabulary:
 * platform_xml.c the machine (processors, links, routes), platform_xml_pitch.c
 * pitched copies, platform_xml_costs.c what things take (calibration,
 * overheads, measured kernels), platform_xml_histogram.c the histograms of
 * measured kernels, platform_xml_flops.c kernels that are modelled.
 */
#define ORR_PLATFORM_MAX_TILE 1000000

/* A platform being read; the data of every handler. */
struct orr_platform_reader {
    struct orr_platform *platform; /* grows, and can be freed at any time */

    /* Numbers by name, for references and against duplicates. */
    GHashTable *nodes;
    GHashTable *links;
    GHashTable *overheads;
    GHashTable *kernels; /* "gemm of cholesky in single precision" */
    GHashTable *entries; /* of the kernel that is open: its durations */

    unsigned gpu_lines[ORR_MAX_NODES]; /* where each is declared */
    struct orr_platform_route *route;  /* that is open */
    orr_time latency;                  /* of that route, ns */
    unsigned curves;      /* devices whose efficiency is being read */
    char *kernels_source; /* for kernels that have none; or NULL */

    unsigned opened;        /* durations that the open element stands for */
    GArray *bins;           /* of the open histogram */
    char *histogram_source; /* of that one, or NULL */
};

/* Notes @number as that of @name; false if there is such a name already. */
bool orr_platform_reader_add(GHashTable *table, const char *name,
                             unsigned number);

/* Sets @number to that of @name; false if there is no such name. */
bool orr_platform_reader_find(GHashTable *table, const char *name,
                              unsigned *number);

/*
 * Two different nodes out of the attributes from and to of an element. False,
 * having refused the file, if they are not.
 */
bool orr_platform_reader_nodes(struct orr_xml *xml,
                               struct orr_platform_reader *reader,
                               unsigned *from, unsigned *to);

/* Sets @device to that called @name; false and refused if there is none. */
bool orr_platform_reader_device(struct orr_xml *xml,
                                struct orr_platform_reader *reader,
                                const char *name, unsigned *device);

/*
 * Room for one more in @items, of which there are @count of @size bytes each.
 * Doubles when full, which is at powers of two.
 */
void *orr_platform_reader_grow(void *items, unsigned count, size_t size);

/* The vocabulary: the outermost element, and those of its descendants that
 * have a file of their own. */
extern const struct orr_xml_element orr_platform_xml;
extern const struct orr_xml_element orr_platform_xml_pitch;
extern const struct orr_xml_element orr_platform_xml_calibration;
extern const struct orr_xml_element orr_platform_xml_overheads;
extern const struct orr_xml_element orr_platform_xml_kernels;
extern const struct orr_xml_element orr_platform_xml_flops; /* in a kernel */
extern const struct orr_xml_element orr_platform_xml_histogram;

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_READER_H
#define ORR_PLATFORM_READER_H

#include "models/platform/platform.h"
#include "models/xml/xml.h"

/*
 * A platform file being read, shared by the files that know the vocabulary:
 * platform_xml.c reads the machine (processors, links, routes),
 * platform_xml_costs.c its costs (pitched copies, calibration, overheads,
 * kernels), platform_xml_power.c the power of devices and links.
 */
#define ORR_PLATFORM_MAX_TILE 1000000

/* A platform being read; the data of every handler. */
struct orr_platform_reader {
    struct orr_platform
        *platform; /* valid for orr_platform_free() throughout */

    /* Name to number, for references and to find duplicates. */
    GHashTable *nodes;
    GHashTable *links;
    GHashTable *overheads;
    GHashTable *kernels; /* "gemm of cholesky in single precision" */
    GHashTable *entries; /* durations of the current kernel */

    unsigned gpu_lines[ORR_MAX_NODES]; /* line of each declaration */
    struct orr_platform_route *route;  /* the current one */
    orr_time latency;                  /* of the current route, ns */
    unsigned curves;      /* devices of the current efficiency curve */
    char *kernels_source; /* default source of kernels; or NULL */

    uint32_t powered;             /* devices with power so far, a bit each */
    uint32_t power_devices;       /* devices of the current <device> */
    struct orr_power_table power; /* their states */
    unsigned power_line;          /* line of the current <device> */
    char *power_state;            /* name of their present state, or NULL */
    GHashTable *powered_links;    /* links with power so far */

    unsigned opened;        /* durations of the current <duration> */
    GArray *bins;           /* of the current histogram */
    char *histogram_source; /* of the current histogram, or NULL */
};

/* Adds @name with @number; returns false if the name is there already. */
bool orr_platform_reader_add(GHashTable *table, const char *name,
                             unsigned number);

/* Sets *@number to the number of @name; returns false if there is none. */
bool orr_platform_reader_find(GHashTable *table, const char *name,
                              unsigned *number);

/* The start of a section: keeps the origin of its figures. */
void orr_platform_reader_source(struct orr_xml *xml, void *data);

/*
 * Reads two different nodes from the attributes from and to of the current
 * element. On errors, refuses the file and returns false.
 */
bool orr_platform_reader_nodes(struct orr_xml *xml,
                               struct orr_platform_reader *reader,
                               unsigned *from, unsigned *to);

/* Sets *@device to the device called @name. If there is none, refuses the file
 * and returns false. */
bool orr_platform_reader_device(struct orr_xml *xml,
                                struct orr_platform_reader *reader,
                                const char *name, unsigned *device);

/*
 * Makes room for one more in @items, an array of @count items of @size bytes.
 * Arrays grow at powers of two. Returns the array, which may have moved.
 */
void *orr_platform_reader_grow(void *items, unsigned count, size_t size);

/* The vocabulary: the outermost element, and the sections that other files
 * read. */
extern const struct orr_xml_element orr_platform_xml;
extern const struct orr_xml_element orr_platform_xml_pitch;
extern const struct orr_xml_element orr_platform_xml_calibration;
extern const struct orr_xml_element orr_platform_xml_overheads;
extern const struct orr_xml_element orr_platform_xml_kernels;
extern const struct orr_xml_element orr_platform_xml_power;

#endif

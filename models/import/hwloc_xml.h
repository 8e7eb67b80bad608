/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HWLOC_XML_H
#define ORR_HWLOC_XML_H

#include "models/base/error.h"
#include "models/base/units.h"

/*
 * Reads the XML format of hwloc: a machine as a tree of objects (`lstopo --of
 * xml`; hwloc's manual, "Importing and exporting topologies from/to XML files";
 * versions 1, 2 and 3 of the format).
 *
 * Files may be hostile, and hwloc's own reader trusts them, so it is used for
 * the present machine only. Here sizes are limited, texts are valid UTF-8, and
 * numbers are finite.
 */

enum orr_hwloc_type {
    ORR_HWLOC_OTHER, /* caches, groups, dies, the machine itself... */
    ORR_HWLOC_PACKAGE,
    ORR_HWLOC_NUMA,
    ORR_HWLOC_CORE,
    ORR_HWLOC_PU, /* a hardware thread */
    ORR_HWLOC_BRIDGE,
    ORR_HWLOC_PCI,
    ORR_HWLOC_OS, /* a device of the operating system or of a library */
};

#define ORR_HWLOC_NONE G_MAXUINT

struct orr_hwloc_object {
    enum orr_hwloc_type type;
    unsigned parent; /* an earlier object; ORR_HWLOC_NONE for the root */

    /* PCI devices and bridges only. */
    char *bus;          /* "0000:81:00.0"; NULL: a host bridge */
    char *buses;        /* behind a bridge: "0000:[81-83]" */
    unsigned class_id;  /* 0x0302: a 3D controller */
    unsigned vendor;    /* 0x10de */
    double bytes_per_s; /* of the link towards the host; 0: not known */

    char *name;            /* of an OS device: "cuda0" */
    char *model;           /* of a package, a PCI or an OS device; or NULL */
    uint64_t memory_bytes; /* of an OS device; 0: not known */
};

struct orr_hwloc {
    char *host; /* host name, or NULL */
    unsigned count;
    struct orr_hwloc_object *objects; /* parents before children */
};

/*
 * Read the file @path, or the @size bytes at @text, which messages call @path.
 *
 * Return a result to free with orr_hwloc_free(), or NULL with @error:
 * ORR_ERROR_IO, or ORR_ERROR_SYNTAX with a message that starts with
 * "path:line: ".
 */
struct orr_hwloc *orr_hwloc_read(const char *path, GError **error);
struct orr_hwloc *orr_hwloc_read_text(const char *path, const char *text,
                                      size_t size, GError **error);

/* NULL is allowed. */
void orr_hwloc_free(struct orr_hwloc *hwloc);

/*
 * The nearest object of @type among object @number and its ancestors;
 * ORR_HWLOC_NONE if there is none, or if @number is ORR_HWLOC_NONE.
 */
unsigned orr_hwloc_ancestor(const struct orr_hwloc *hwloc, unsigned number,
                            enum orr_hwloc_type type);

/* The number of objects of @type. */
unsigned orr_hwloc_count(const struct orr_hwloc *hwloc,
                         enum orr_hwloc_type type);

#endif

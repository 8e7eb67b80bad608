/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HWLOC_XML_H
#define ORR_HWLOC_XML_H

#include "models/base/error.h"
#include "models/base/units.h"

/*
 * What hwloc knows of a machine, as the tree of objects of its XML format
 * (`lstopo --of xml`; hwloc's manual, "Importing and exporting topologies
 * from/to XML files"; versions 1, 2 and 3 of the format).
 *
 * The files may come from strangers, and hwloc's own reader takes them at
 * their word: it is used only to look at the machine that this runs on. What
 * is kept here is bounded and clean: texts are valid, figures finite.
 */

enum orr_hwloc_type {
    ORR_HWLOC_OTHER, /* caches, groups, dies, the machine itself... */
    ORR_HWLOC_PACKAGE,
    ORR_HWLOC_NUMA,
    ORR_HWLOC_CORE,
    ORR_HWLOC_PU, /* a hardware thread */
    ORR_HWLOC_BRIDGE,
    ORR_HWLOC_PCI,
    ORR_HWLOC_OS, /* a device as the operating system or a library knows it */
};

#define ORR_HWLOC_NONE G_MAXUINT

struct orr_hwloc_object {
    enum orr_hwloc_type type;
    unsigned parent; /* an earlier object; ORR_HWLOC_NONE: the outermost */

    /* Of PCI devices and bridges. */
    char *bus;          /* "0000:81:00.0"; NULL: a host bridge */
    char *buses;        /* of a bridge, those behind it: "0000:[81-83]" */
    unsigned class_id;  /* 0x0302: a 3D controller */
    unsigned vendor;    /* 0x10de */
    double bytes_per_s; /* of its link upwards; 0: not known */

    char *name;            /* of an OS device: "cuda0" */
    char *model;           /* of a package, a PCI or an OS device; or NULL */
    uint64_t memory_bytes; /* of an OS device; 0: not known */
};

struct orr_hwloc {
    char *host; /* as the machine calls itself; or NULL */
    unsigned count;
    struct orr_hwloc_object *objects; /* parents before children */
};

/*
 * Reads the file @path, or @size bytes at @text that messages call @path.
 *
 * Returns what is to be freed with orr_hwloc_free(), or NULL with @error:
 * ORR_ERROR_IO, or ORR_ERROR_SYNTAX with a message that starts with
 * "path:line: ".
 */
struct orr_hwloc *orr_hwloc_read(const char *path, GError **error);
struct orr_hwloc *orr_hwloc_read_text(const char *path, const char *text,
                                      size_t size, GError **error);

/* NULL is allowed. */
void orr_hwloc_free(struct orr_hwloc *hwloc);

/*
 * The nearest of object @number's ancestors, or itself, that is of @type;
 * ORR_HWLOC_NONE if there is none. @number may be that, too.
 */
unsigned orr_hwloc_ancestor(const struct orr_hwloc *hwloc, unsigned number,
                            enum orr_hwloc_type type);

/* How many objects there are of @type. */
unsigned orr_hwloc_count(const struct orr_hwloc *hwloc,
                         enum orr_hwloc_type type);

#endif

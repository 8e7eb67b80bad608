/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_REPORT_MEMBERS_H
#define ORR_REPORT_MEMBERS_H

#include "runtime/orrery.h"

/* The table of orr_report_name(). */

/* The structure that has a member, or the array that has it as an element. */
enum orr_report_place {
    ORR_IN_REPORT,
    ORR_IN_WORKER,
    ORR_IN_ENERGY,
    ORR_IN_ENERGY_DEVICE,
    ORR_IN_ENERGY_KERNEL,
    ORR_IN_CHANGES,
    ORR_IN_UNUSED
};

enum orr_report_type {
    ORR_REPORT_BOOL,
    ORR_REPORT_UNSIGNED,
    ORR_REPORT_INT64,
    ORR_REPORT_UINT64,
    ORR_REPORT_DOUBLE,
    ORR_REPORT_STRING,
    ORR_REPORT_STRINGS /* a NULL-terminated array, of which this is the length
                        */
};

struct orr_report_member {
    const char *name; /* with "#" for the number of an element */
    const char *unit; /* "": none */
    enum orr_report_type type;
    enum orr_report_place place;
    size_t offset;
    size_t size;
};

/* The last one has no name. */
extern const struct orr_report_member orr_report_members[];

#endif

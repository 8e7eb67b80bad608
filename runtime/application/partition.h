/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PARTITION_H
#define ORR_PARTITION_H

#include "runtime/application/gather.h"
#include "runtime/orrery.h"

/*
 * Partitions: data that are split into parts, and joined again. Whether a datum
 * may be accessed follows from what was submitted before: not while it is
 * split, and, if it is a part, only while the datum of which it is one is split
 * into these parts.
 */
struct orr_partition {
    struct orr_run *run;
    struct orr_data *data;
    unsigned row_parts, column_parts;
    unsigned count; /* of parts, by columns */
    struct orr_data *parts[];
};

/* A datum with partitions, or a part. */
struct orr_parted {
    struct orr_partition *of;    /* it is a part of this one; NULL: of none */
    struct orr_partition *split; /* now; NULL: it is not split */
};

/* What @run knows of @data, or NULL; the second one makes it. */
struct orr_parted *orr_parted_find(const struct orr_run *run,
                                   const struct orr_data *data);
struct orr_parted *orr_parted_add(struct orr_run *run, struct orr_data *data);

/* Why @data may not be accessed by what is submitted next; NULL: it may. The
 * run has partitions. */
const char *orr_partitions_hide(const struct orr_run *run,
                                const struct orr_data *data);

/* Whether @data is a part of another datum. */
bool orr_data_is_part(const struct orr_run *run, const struct orr_data *data);

void orr_partitions_free(struct orr_run *run);

#endif

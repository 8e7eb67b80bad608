/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PARTITION_H
#define ORR_PARTITION_H

#include "runtime/application/gather.h"
#include "runtime/orrery.h"

/*
 * Partitions: data that are split into parts, and joined again. Partitions
 * submitted so far decide whether a datum may be accessed: not while it is
 * split into parts; and a part, only while its datum is split by the partition
 * to which the part belongs. If they are split to be read only, both may be
 * read.
 */
struct orr_partition {
    struct orr_run *run;
    struct orr_data *data;
    unsigned row_parts, column_parts;
    bool read_only; /* it splits its datum now, to be read only */
    unsigned node;  /* memory where parts and datum meet: RAM or a GPU's */
    unsigned count; /* number of parts; they are ordered by columns */
    struct orr_data *parts[];
};

/* A datum with partitions, or a part. */
struct orr_parted {
    /* the partition to which this datum belongs; NULL: none */
    struct orr_partition *of;
    /* the partition by which it is split now; NULL: not split */
    struct orr_partition *split;
    unsigned read_only; /* number of partitions that split it now to be read
                           only; there is no other one, then */
};

/* orr_parted_find(): the entry of @data, or NULL. orr_parted_add(): the entry,
 * created if need be. */
struct orr_parted *orr_parted_find(const struct orr_run *run,
                                   const struct orr_data *data);
struct orr_parted *orr_parted_add(struct orr_run *run, struct orr_data *data);

/* For a run with partitions: the reason why the next submission may not access
 * @data in this mode; NULL: it may. */
const char *orr_partitions_hide(const struct orr_run *run,
                                const struct orr_data *data,
                                enum orr_access_mode mode);

/* Whether @partition splits its datum now, in whatever way. */
bool orr_partition_is_active(const struct orr_partition *partition);

/* Whether @data are split now, in whatever way. */
bool orr_data_is_split(const struct orr_run *run, const struct orr_data *data);

/* Whether @data is a part of another datum. */
bool orr_data_is_part(const struct orr_run *run, const struct orr_data *data);

void orr_partitions_free(struct orr_run *run);

#endif

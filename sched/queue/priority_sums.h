/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PRIORITY_SUMS_H
#define ORR_PRIORITY_SUMS_H

#include "models/base/units.h"

/*
 * The total length of the tasks of a queue, by priority. A policy can ask how
 * much work precedes a task of a given priority, without visiting the tasks.
 *
 * A radix tree over priorities, with four bits per level. Each node holds
 * suffix sums over its children. The height depends on the range of the
 * priorities: a query takes three steps if all are within 2048 of 0, and nine
 * steps at most, whatever the number of tasks. There is one branch for each
 * priority that was ever used.
 */
struct orr_priority_sums_node;

/* Zero-initialised is empty. */
struct orr_priority_sums {
    struct orr_priority_sums_node
        *root; /* holds the keys that equal @key but for the last @bits */
    unsigned bits;
    uint64_t key;   /* key of some priority in the tree */
    orr_time total; /* sum over all priorities */
};

void orr_priority_sums_clear(struct orr_priority_sums *sums);

/* Adds @length, which may be negative, to the sum of @priority. */
void orr_priority_sums_add(struct orr_priority_sums *sums, int priority,
                           orr_time length);

/* The sum over @priority and all higher ones. */
orr_time orr_priority_sums_from(const struct orr_priority_sums *sums,
                                int priority);

#endif

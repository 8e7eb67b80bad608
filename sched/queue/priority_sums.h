/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PRIORITY_SUMS_H
#define ORR_PRIORITY_SUMS_H

#include "models/base/units.h"

/*
 * How long the tasks of a queue take, by priority: for a policy that wants to
 * know what comes before a task of a given priority, without looking at the
 * tasks.
 *
 * A radix tree over priorities, four bits a level, in which each node knows
 * the sums of its highest children. It is as high as the priorities seen are
 * apart: to ask takes three steps where they are within 2048 of 0, and nine at
 * most, whatever the queue holds. There is a branch for each priority that was
 * ever seen, which are few.
 */
struct orr_rung;

/* Zero-initialised is empty. */
struct orr_priority_sums {
    struct orr_rung *root; /* of priorities that differ in the last @bits */
    unsigned bits;
    uint64_t key;   /* of one of them */
    orr_time total; /* of all priorities */
};

void orr_priority_sums_clear(struct orr_priority_sums *ladder);

/* Adds @length, negative to take it away again, to those of @priority. */
void orr_priority_sums_add(struct orr_priority_sums *ladder, int priority,
                           orr_time length);

/* The sum for @priority and above. */
orr_time orr_priority_sums_from(const struct orr_priority_sums *ladder,
                                int priority);

#endif

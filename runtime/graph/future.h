/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FUTURE_H
#define ORR_FUTURE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The future of a run, as known from an earlier run with the same tasks: the
 * order in which kernels started, and the data that they accessed on each
 * memory node (struct orr_future of orrery.h). Tasks are known by their
 * numbers, in order of submission.
 */
struct orr_future;

/* Begins a run. @records: this is the run to be recorded; an earlier recording
 * is dropped. */
void orr_future_begin(struct orr_future *future, bool records);

/* Whether a run was recorded. */
bool orr_future_is_known(const struct orr_future *future);

/* The kernel of the task @number starts. */
void orr_future_start(struct orr_future *future, uint64_t number);

/* It accesses @datum on @node. */
void orr_future_use(struct orr_future *future, unsigned node, uint64_t datum);

/* orr_evict_next_use() of sched/evict.h. */
uint64_t orr_future_next_use(struct orr_future *future, unsigned node,
                             uint64_t datum);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TIMELINE_H
#define ORR_TIMELINE_H

#include <glib.h>

#include "models/base/name_index.h"
#include "runtime/orrery_trace.h"

/*
 * A trace in memory of the kernels on each worker and the copies over each
 * link, with their dates: 24 bytes for each task and each copy.
 */
struct orr_timeline_bar {
    int64_t from; /* ns since the first submission */
    int64_t to;
    uint32_t row;  /* for a task its worker, for a copy an index of links */
    uint32_t kind; /* for a task an index of kernels, for a copy 1 if it is an
                      eviction */
};

struct orr_timeline {
    struct orr_trace trace; /* first, so that one converts to the other */
    GArray *tasks;  /* struct orr_timeline_bar, in order of their ends */
    GArray *copies; /* struct orr_timeline_bar, in order of their ends */
    struct orr_name_index kernels; /* in order of their first end */
    struct orr_name_index links; /* "RAM-CUDA0", in order of their first end */
};

void orr_timeline_init(struct orr_timeline *timeline);
void orr_timeline_clear(struct orr_timeline *timeline);

#endif

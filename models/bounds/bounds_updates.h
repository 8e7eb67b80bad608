/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BOUNDS_UPDATES_H
#define ORR_BOUNDS_UPDATES_H

#include "models/bounds/workload.h"

/* What geometry says of the update tasks of a workload: see bounds.h. */
struct orr_updates {
    unsigned count;     /* N; 0: nothing is known */
    double coefficient; /* F(S) = this times S^(3/2) */
    double tile_bytes;  /* b: of the smallest tile */
    bool *is_update;    /* [task] */
};

void orr_updates_init(struct orr_updates *updates,
                      const struct orr_workload *workload);
void orr_updates_clear(struct orr_updates *updates);

#endif

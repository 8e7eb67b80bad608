/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BOUNDS_UPDATES_H
#define ORR_BOUNDS_UPDATES_H

#include "models/bounds/workload.h"

/* The update tasks of a workload, and the limit that geometry sets to them. The
 * names N, F, S and b are those of the transfer bound in bounds.h. */
struct orr_updates {
    unsigned count;     /* N; 0: there are none */
    double coefficient; /* F(S) = this times S^(3/2) */
    double tile_bytes;  /* b: of the smallest tile */
    bool *is_update;    /* [task] */
};

void orr_updates_init(struct orr_updates *updates,
                      const struct orr_workload *workload);
void orr_updates_clear(struct orr_updates *updates);

#endif

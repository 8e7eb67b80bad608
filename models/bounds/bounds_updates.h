/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BOUNDS_UPDATES_H
#define ORR_BOUNDS_UPDATES_H

#include "models/bounds/workload.h"

/* The update tasks of a workload, and their geometric limit. N, F, S and b are
 * as in the transfer bound of bounds.h. */
struct orr_updates {
    unsigned count;     /* N; may be 0 */
    double coefficient; /* c, in F(S) = c S^(3/2) */
    double tile_bytes;  /* b, the size of the smallest tile */
    bool *is_update;    /* [task] */
};

void orr_updates_init(struct orr_updates *updates,
                      const struct orr_workload *workload);
void orr_updates_clear(struct orr_updates *updates);

#endif

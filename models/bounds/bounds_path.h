/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BOUNDS_PATH_H
#define ORR_BOUNDS_PATH_H

#include "models/bounds/workload.h"

/*
 * The longest path, where task i takes seconds[of[i]]. @ends, of as many
 * elements as there are tasks, is scratch: when each could end at the
 * earliest. *@last is the task that ends the path.
 */
double orr_bound_path(const struct orr_workload *workload,
                      const double *seconds, const unsigned *of, double *ends,
                      unsigned *last);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BOUNDS_PATH_H
#define ORR_BOUNDS_PATH_H

#include "models/bounds/workload.h"

/*
 * Returns the length of the longest path, in seconds, where task i takes
 * seconds[of[i]]. Sets @ends[i] to the earliest end of task i, and *@last to
 * the last task of the path.
 */
double orr_bound_path(const struct orr_workload *workload,
                      const double *seconds, const unsigned *of, double *ends,
                      unsigned *last);

#endif

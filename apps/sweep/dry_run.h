/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DRY_RUN_H
#define ORR_DRY_RUN_H

#include "apps/sweep/sweep.h"

/*
 * Prints the number of runs of @sweep, an estimate of their time from a sample
 * of runs, the reason of the first failure in the sample, and the first points.
 * Stores nothing. Returns ORR_EXIT_OK, or ORR_EXIT_FAILURE if all runs of the
 * sample fail.
 */
enum orr_exit orr_dry_run(const struct orr_sweep *sweep);

#endif

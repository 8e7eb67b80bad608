/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DRY_RUN_H
#define ORR_DRY_RUN_H

#include "apps/sweep/sweep.h"

/*
 * Prints how many runs @sweep has, how long they will take by a sample of them,
 * why the first of the sample that fails does so, and the first points. Nothing
 * is kept. Returns ORR_EXIT_OK, or ORR_EXIT_FAILURE: all of the sample fail.
 */
enum orr_exit orr_dry_run(const struct orr_sweep *sweep);

#endif

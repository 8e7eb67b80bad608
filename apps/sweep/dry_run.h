/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DRY_RUN_H
#define ORR_DRY_RUN_H

#include "apps/sweep/sweep.h"

/* Prints how many runs @sweep has, how long they will take by a sample of them,
 * and the first points. Nothing is kept. */
void orr_dry_run(const struct orr_sweep *sweep);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_KERNEL_PLACEMENT_H
#define ORR_KERNEL_PLACEMENT_H

#include "apps/explain/explanation.h"
#include "apps/settings/settings.h"

/*
 * Adds the member kernels to @facts of @run, which has ended: for each kernel,
 * the number of tasks on CPUs and on GPUs, in the run and in an optimal
 * solution of the area bound (models/bounds/bounds.h); null if that is not
 * known.
 */
void orr_kernels_add_facts(const struct orr_explanation *explanation,
                           struct orr_run *run, JsonObject *facts);

#endif

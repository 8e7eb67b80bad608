/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_KERNEL_PLACEMENT_H
#define ORR_KERNEL_PLACEMENT_H

#include "apps/explain/explanation.h"
#include "apps/settings/settings.h"

/*
 * Adds the member kernels to @facts of the @run that ended: for
 * each kernel, how many of its tasks ran on CPUs and on GPUs, and how many do
 * in an optimum of the area bound (models/bounds/bounds.h), null if it is not
 * known.
 */
void orr_kernels_add_facts(const struct orr_explanation *explanation,
                           struct orr_run *run, JsonObject *facts);

#endif

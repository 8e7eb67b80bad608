/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_NOMINAL_POWER_H
#define ORR_NOMINAL_POWER_H

#include "models/platform/devices.h"

/*
 * Power by the figures of vendors: of a busy device, its thermal design power.
 * Idle power is not known, and counts as 0. All of it is marked as nominal.
 *
 * Tables of states are published for none of these devices. Theirs follow from
 * an assumption: a device at the share v of its speed draws the share
 *
 *     p = 0.4 + 0.6 v^3
 *
 * of its power, a static part, and a dynamic one that falls with frequency and
 * the square of the voltage. The best speed per watt is then at p = 0.6, in the
 * middle of the 55 to 70 % that were measured for GEMM on later GPUs (Improving
 * energy efficiency of HPC applications using unbalanced GPU power capping,
 * hal-04883872, 2024). The states are caps at 90, 80, 70, 60 and 50 %.
 */

/* What files say of the origin of such states. */
#define ORR_NOMINAL_STATES                                                     \
    "states are not measured: p = 0.4 + 0.6 v^3 of the power at the share v "  \
    "of the speed (docs/ENERGY.md)"

/* Makes @table, which is overwritten, that of a device with this power. */
void orr_nominal_power_table(struct orr_power_table *table, double tdp_w);

/*
 * Adds the power of all devices to @platform, which must have none, and of its
 * origin. Returns false, changing nothing, if that of some GPU, by its model,
 * or of @cpu, in each socket, is not known.
 */
bool orr_nominal_power_add(struct orr_platform *platform,
                           const struct orr_device *cpu);

#endif

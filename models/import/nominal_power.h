/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_NOMINAL_POWER_H
#define ORR_NOMINAL_POWER_H

#include "models/platform/devices.h"

/*
 * Power by the figures of vendors: a busy device draws its thermal design
 * power. Idle power is not known, and counts as 0. All figures are marked as
 * nominal.
 *
 * Vendors publish no tables of states of these devices. The tables here follow
 * from an assumption: a device at the share v of its speed draws the share
 *
 *     p = 0.4 + 0.6 v^3
 *
 * of its power, a static part, and a dynamic one that falls with frequency and
 * the square of the voltage. The best speed per watt is then at p = 0.6, in the
 * middle of the 55 to 70 % that were measured for GEMM on later GPUs (Improving
 * energy efficiency of HPC applications using unbalanced GPU power capping,
 * hal-04883872, 2024). The states are caps at 90, 80, 70, 60 and 50 %.
 */

/* The origin of such states, in files. */
#define ORR_NOMINAL_STATES                                                     \
    "states are not measured: p = 0.4 + 0.6 v^3 of the power at the share v "  \
    "of the speed (docs/ENERGY.md)"

/* Sets @table, which is overwritten, to the states of a device of @tdp_w. */
void orr_nominal_power_table(struct orr_power_table *table, double tdp_w);

/*
 * Adds the power of all devices, and its origin, to @platform, which must have
 * no power yet. Each socket holds a @cpu. Returns false, changing nothing, if
 * the power of the model of some GPU, or of @cpu, is not known.
 */
bool orr_nominal_power_add(struct orr_platform *platform,
                           const struct orr_device *cpu);

#endif

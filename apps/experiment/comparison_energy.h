/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COMPARISON_ENERGY_H
#define ORR_COMPARISON_ENERGY_H

#include "apps/experiment/comparison.h"

/*
 * Joules beside seconds in the facts of a comparison. Where the energy of the
 * runs is known, each element of policies[] gets
 *
 *   energy_j  mean, over the complete replicas
 *   edp_js    mean of energy x makespan over them, J s
 *   pareto    whether no other policy is better in time or energy, and at least
 *             as good in the other one
 */
void orr_comparison_energy_add(JsonObject *facts,
                               const struct orr_comparison *comparison);

/* Orders policies[] by @by: "makespan", "energy" or "edp". Adds it to @facts as
 * "by". NULL: does nothing. Policies without results are last. */
void orr_comparison_energy_order(JsonObject *facts, const char *by);

/* Prints a table of the policies of @facts, and the bounds on their energy, if
 * it is known. Energy from nominal power alone is printed only if an option
 * asks for energy: --by, a state of a device, or a weight. */
void orr_comparison_energy_print(JsonObject *facts);

#endif

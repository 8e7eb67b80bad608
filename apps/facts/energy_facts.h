/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ENERGY_FACTS_H
#define ORR_ENERGY_FACTS_H

#include <json-glib/json-glib.h>

#include "apps/settings/settings.h"

/* The facts of a run about energy: docs/ENERGY.md. */

/* Adds alpha, beta, gamma and idle_power_w if one was given. */
void orr_energy_facts_add_weights(JsonObject *facts,
                                  const struct orr_scenario *scenario);

/*
 * Adds energy_j, which is null if no kernel has a known energy. Otherwise also
 * adds the object energy and quantities derived from it. Call it when @facts
 * has makespan_s and gflops.
 */
void orr_energy_facts_add(JsonObject *facts, const struct orr_report *report);

/* "11.8 J: 7.77 J dynamic, 4.06 J idle; ...", to be freed with g_free(). */
char *orr_energy_facts_describe(JsonObject *facts);

#endif

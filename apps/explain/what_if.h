/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WHAT_IF_H
#define ORR_WHAT_IF_H

#include <json-glib/json-glib.h>

#include "apps/settings/settings.h"

/*
 * Adds the member what_if to @facts of a run with the resolved @scenario: an
 * array of simulations with links 10 % faster, 10 % more memory of GPUs, GPUs
 * 10 % faster, and one more GPU. Elements: change, a sentence; makespan_s;
 * gain, the share of the makespan that is saved, which may be negative. Both
 * numbers are null if the machine cannot be changed in this way, or if the run
 * hangs.
 */
void orr_what_if_add_facts(const struct orr_scenario *scenario,
                           JsonObject *facts);

#endif

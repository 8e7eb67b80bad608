/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EFFICIENCY_H
#define ORR_EFFICIENCY_H

#include "apps/explain/explanation.h"
#include "apps/settings/settings.h"

/*
 * Adds to @facts of the run with the resolved @scenario the member efficiency,
 * with the factors of struct orr_efficiency (models/fit/scaling.h). For the
 * ideal network, orr_simulate_ideal() repeats the mapping and order of the run.
 * Further members are
 *
 *   load_balance_by_work the load balance if the time of each task is the mean
 * of its kernel on the fastest class of workers serialization_free longest
 * computing time of a worker over the makespan, on the ideal network, where the
 * policy decides anew
 *
 * Members are null if their run hangs.
 */
void orr_efficiency_add_facts(const struct orr_explanation *explanation,
                              const struct orr_report *report,
                              const struct orr_scenario *scenario,
                              JsonObject *facts);

#endif

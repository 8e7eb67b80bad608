/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EFFICIENCY_H
#define ORR_EFFICIENCY_H

#include "apps/explain/explanation.h"
#include "apps/settings/settings.h"

/*
 * Adds to @facts of the run with the resolved @settings the member efficiency:
 * the factors of Rosas, Gimenez, Labarta, Scalability prediction for
 * fundamental performance factors (Supercomputing Frontiers and Innovations
 * 1(2), 2014), section 2. With t the time that each of the P workers computes,
 * T the makespan, and T' and t' those of a run on an ideal network
 * (orr_simulate_ideal()) where each worker runs the same tasks in the same
 * order:
 *
 *   load_balance          LB = sum t / (P max t)
 *   load_balance_by_work  the same, where each task counts as long as the mean
 *                         of its kernel on the class of workers that was
 *                         fastest
 *   communication         Comm = max t / T
 *   serialization         Ser = max t' / T'
 *   transfer              Trf = Comm / Ser; above 1 if the run is slower on the
 *                         ideal network, where drivers take turns otherwise
 *   parallel              LB Ser Trf = sum t / (P T)
 *   serialization_free    max t' / T' where the policy decides anew
 *
 * Members are null if their run hangs.
 */
void orr_efficiency_add_facts(const struct orr_explanation *explanation,
                              const struct orr_report *report,
                              const struct orr_settings *settings,
                              JsonObject *facts);

#endif

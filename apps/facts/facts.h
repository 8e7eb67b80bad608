/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FACTS_H
#define ORR_FACTS_H

#include <json-glib/json-glib.h>
#include <stdbool.h>

#include "apps/settings/settings.h"
#include "runtime/diagnosis/hang.h"

/*
 * The facts of a run: one JSON object with the request, followed by the
 * results. Scripts rely on the names of its members, which docs/orrery.1
 * lists. If a run is repeated, only simulation_wall_s differs.
 */

/*
 * Returns the facts of a run that is complete or hangs (@hang, or NULL). If it
 * hangs, results that have no value are null, and the last member is "hang"
 * (diagnosis.h). @wall_s is the real time of the simulation. Free with
 * json_object_unref().
 */
JsonObject *orr_facts_new(const struct orr_scenario *scenario,
                          const struct orr_report *report,
                          const struct orr_hang *hang, double wall_s);

/* Copies the members of @run that do not depend on the policy into @facts. */
void orr_facts_copy_common(JsonObject *facts, JsonObject *run);

/* Removes from the common members @facts each option of the application that
 * does not have the same value in @run, the facts of another run. */
void orr_facts_keep_common(JsonObject *facts, JsonObject *run);

/*
 * Prints the request in @facts: application with its options, machine,
 * conditions and, if @sched, the policy.
 */
void orr_facts_print_request(JsonObject *facts, bool sched);

/* Prints @facts as the text of `orrery run`. The text is the same each time,
 * except for the real time of the simulation, which is printed if @timing. */
void orr_facts_print_run(JsonObject *facts, bool timing);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FACTS_H
#define ORR_FACTS_H

#include <json-glib/json-glib.h>
#include <stdbool.h>

#include "apps/settings/settings.h"
#include "runtime/diagnosis/hang.h"

/*
 * What there is to say of a run: one JSON object, what was asked first, then
 * what came of it. Scripts rely on its names; docs/orrery.1 lists them. The
 * only member that differs from one run to the next is simulation_wall_s.
 */

/*
 * Of a run that is complete, or of one that hangs: then what there is no
 * saying is null, and the last member is hang (diagnosis.h). @wall_s: real
 * time that it took.
 */
JsonObject *orr_facts_new(const struct orr_settings *settings,
                          const struct orr_report *report,
                          const struct orr_hang *hang, double wall_s);

/* Copies into @facts what @run has in common with those of other policies. */
void orr_facts_copy_common(JsonObject *facts, JsonObject *run);

/*
 * Prints what was asked for: application, machine, conditions; @sched: with
 * the policy. Without a member "size" in @facts, that of the matrix is left
 * out.
 */
void orr_facts_print_request(JsonObject *facts, bool sched);

/* The text of `orrery run`. */
void orr_facts_print_run(JsonObject *facts);

#endif

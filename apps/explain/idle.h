/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_IDLE_H
#define ORR_IDLE_H

#include "apps/explain/explanation.h"

/* Adds a member for each state of enum orr_worker_state: "computing_s", ... */
void orr_explanation_add_states(JsonObject *object, const int64_t *ns);

/*
 * Adds to @facts the member idle, with the three longest times in which a
 * worker did not compute, each with its reason in a sentence.
 */
void orr_idle_add_facts(const struct orr_explanation *explanation,
                        const struct orr_report *report, JsonObject *facts);

#endif

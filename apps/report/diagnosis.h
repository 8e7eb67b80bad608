/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DIAGNOSIS_H
#define ORR_DIAGNOSIS_H

#include <json-glib/json-glib.h>
#include <stdbool.h>

#include "runtime/diagnosis/hang.h"

/*
 * Why a run hangs, told: as JSON, from which everything else is made, as text
 * for people, and as a graph.
 */

/*
 * The members are
 *
 *   kind         see hang.h: "memory", "tasks-held", ...
 *   livelock     whether something always happens
 *   date_s       when it was found, since the run began
 *   tasks, tasks_left
 *   chain[]      who waits for whom, in words
 *   workers[]    name, doing
 *   queues[]     name, count, entries[] (the first of them)
 *   memories[]   name, capacity_bytes, used_bytes, pinned, buffers[] {data,
 *                bytes, state, pinned (by whom, or null)}
 *   decisions[]  date_s, what
 *   waits[]      from, to (null: nobody), why, in_chain
 */
JsonObject *orr_diagnosis_new(const struct orr_hang *hang);

/* In one line: "the run has stalled with 4 of 5 tasks left (memory)". To be
 * freed with g_free(). */
char *orr_diagnosis_title(JsonObject *hang);

/* Says, as @command, the line on the standard error, after @who ("dmda at size
 * 28800: ", or ""), and the chain under it; and all the rest, shortened. */
void orr_diagnosis_complain(JsonObject *hang, const char *command,
                            const char *who);
void orr_diagnosis_detail(JsonObject *hang);

/* Leaves of the hang of @facts (facts.h), if it has one, what fits into
 * columns: all but its lists of objects. */
void orr_diagnosis_shorten(JsonObject *facts);

/* What dot is given to draw who waits for whom. To be freed with g_free(). */
char *orr_diagnosis_script(JsonObject *hang);

#endif

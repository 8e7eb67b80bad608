/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DIAGNOSIS_H
#define ORR_DIAGNOSIS_H

#include <json-glib/json-glib.h>
#include <stdbool.h>

#include "runtime/diagnosis/hang.h"

/*
 * The diagnosis of a run that hangs as JSON, from which text and a graph are
 * made.
 */

/*
 * Returns the diagnosis of @hang; free with json_object_unref(). Its members:
 *
 *   kind         see hang.h: "memory", "tasks-held", ...
 *   livelock     events still happen, but there is no progress
 *   date_s       date of the detection, since the run began
 *   tasks, tasks_left
 *   chain[]      sentences: the chain of waits
 *   workers[]    name, doing
 *   queues[]     name, count, entries[] (the first ones)
 *   memories[]   name, capacity_bytes, used_bytes, pinned, buffers[] {data,
 *                bytes, state, pinned (the holder, or null)}
 *   decisions[]  date_s, what
 *   waits[]      from, to (or null), why, in_chain
 */
JsonObject *orr_diagnosis_new(const struct orr_hang *hang);

/*
 * Returns a summary in one line: "the run has stalled with 4 of 5 tasks left
 * (memory)". Free with g_free().
 */
char *orr_diagnosis_title(JsonObject *hang);

/*
 * Prints a message of @command: @run ("dmda at size 28800: ", or ""), the
 * title, and the chain of waits below.
 */
void orr_diagnosis_complain(JsonObject *hang, const char *command,
                            const char *run);

/* Prints the rest of the diagnosis, with shortened lists, to stderr. */
void orr_diagnosis_detail(JsonObject *hang);

/*
 * Removes arrays of objects, which do not fit into columns of CSV, from the
 * member "hang" of @facts (facts.h), if there is one.
 */
void orr_diagnosis_shorten(JsonObject *facts);

/* Returns the graph of the waits as a script of dot. Free with g_free(). */
char *orr_diagnosis_script(JsonObject *hang);

#endif

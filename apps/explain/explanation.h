/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXPLANATION_H
#define ORR_EXPLANATION_H

#include <json-glib/json-glib.h>

#include "apps/explain/breakdown.h"
#include "apps/explain/traffic.h"
#include "runtime/orrery.h"

/*
 * Explains the makespan of a run from observations, as members of its facts
 * (apps/facts/facts.h). docs/EXPLAIN.md describes the members.
 */
struct orr_explanation {
    struct orr_observation seen; /* filled by the run through its trace */
    struct orr_breakdown breakdown;
    struct orr_traffic traffic;
    GArray *path; /* struct orr_step; NULL: brief */
    int64_t end;  /* ns: the makespan */
};

/* With more tasks, an explanation takes too much memory to be made unless the
 * user asks for it. */
#define ORR_EXPLAIN_MAX_TASKS 2000000

/* Call it before the run, and pass explanation->seen.trace to the run. @brief:
 * records only what orr_explanation_summary() (summary.h) needs, in less time.
 */
void orr_explanation_begin(struct orr_explanation *explanation, bool brief);

/* Call it after the run on @platform has finished. */
void orr_explanation_end(struct orr_explanation *explanation,
                         const struct orr_report *report,
                         const struct orr_platform *platform);

/* Allowed without orr_explanation_end(). */
void orr_explanation_clear(struct orr_explanation *explanation);

#define ORR_EXPLANATION_PATH "critical_path"

/* Returns the array of the steps of the path, as JSON text for a member of the
 * outermost object (apps/output/json.h): there may be as many steps as tasks.
 * Text output does not show them. Free with g_free(). */
char *orr_explanation_path_json(const struct orr_explanation *explanation,
                                const struct orr_report *report);

/* Adds all other members to @facts of the run: to each of workers[], and
 * path_parts, links, memories, idle, and summary. */
void orr_explanation_add_facts(const struct orr_explanation *explanation,
                               const struct orr_report *report,
                               JsonObject *facts);

/* Prints facts with these members, and the members of efficiency.h and
 * what_if.h, as text. */
void orr_explanation_print(JsonObject *facts);

#endif

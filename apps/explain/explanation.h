/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXPLANATION_H
#define ORR_EXPLANATION_H

#include <json-glib/json-glib.h>

#include "apps/explain/breakdown.h"
#include "apps/explain/traffic.h"
#include "runtime/orrery.h"

/*
 * Why a run took its time: what was observed, as members of its facts
 * (apps/facts/facts.h). docs/EXPLAIN.md says what each means.
 */
struct orr_explanation {
    struct orr_observation seen; /* to be filled by the run: its trace */
    struct orr_breakdown breakdown;
    struct orr_traffic traffic;
    GArray *path; /* struct orr_step; NULL: brief */
    int64_t end;  /* ns: the makespan */
};

/* With more tasks, an explanation takes too much memory to be made without
 * being asked for. */
#define ORR_EXPLAIN_MAX_TASKS 2000000

/* Before the run, which gets the trace explanation->seen.trace. @brief: only
 * for orr_explanation_summary() (summary.h), which takes less time. */
void orr_explanation_begin(struct orr_explanation *explanation, bool brief);

/* After the run on @platform, which finished: explains it. */
void orr_explanation_end(struct orr_explanation *explanation,
                         const struct orr_report *report,
                         const struct orr_platform *platform);

/* Also after orr_explanation_begin() alone. */
void orr_explanation_clear(struct orr_explanation *explanation);

#define ORR_EXPLANATION_PATH "critical_path"

/* This member of the facts: each step of the path, as JSON for a member of the
 * outermost object (apps/output/json.h). These may be as many as tasks, and
 * text has no use for them. Free with g_free(). */
char *orr_explanation_path_json(const struct orr_explanation *explanation,
                                const struct orr_report *report);

/* Adds all other members to @facts of the run: to each of workers[], and
 * path_parts, links, memories, idle, and summary. */
void orr_explanation_add_facts(const struct orr_explanation *explanation,
                               const struct orr_report *report,
                               JsonObject *facts);

/* Prints facts with these members, and those of efficiency.h and what_if.h, as
 * text for people. */
void orr_explanation_print(JsonObject *facts);

#endif

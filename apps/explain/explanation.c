/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/explain/explanation.h"

#include "apps/explain/path.h"

void orr_explanation_begin(struct orr_explanation *explanation, bool brief)
{
    *explanation = (struct orr_explanation){0};
    orr_observation_init(&explanation->seen, brief);
}

void orr_explanation_end(struct orr_explanation *explanation,
                         const struct orr_report *report,
                         const struct orr_platform *platform)
{
    unsigned *nodes = g_new(unsigned, report->worker_count);

    for (unsigned i = 0; i < report->worker_count; i++)
        nodes[i] = report->workers[i].memory_node;
    explanation->end = report->makespan_ns;
    orr_breakdown_init(&explanation->breakdown, &explanation->seen,
                       report->worker_count, nodes, explanation->end);
    orr_traffic_init(&explanation->traffic, &explanation->seen, platform,
                     explanation->end);
    if (!explanation->seen.brief)
        explanation->path = orr_path_find(&explanation->seen, explanation->end);
    g_free(nodes);
}

void orr_explanation_clear(struct orr_explanation *explanation)
{
    g_clear_pointer(&explanation->path, g_array_unref);
    orr_traffic_clear(&explanation->traffic);
    orr_breakdown_clear(&explanation->breakdown);
    orr_observation_clear(&explanation->seen);
}

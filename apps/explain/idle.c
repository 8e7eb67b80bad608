/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Why workers do not compute, in sentences. */
#include "apps/explain/idle.h"

#include "apps/explain/summary.h"
#include "apps/output/output.h"
#include "models/base/units.h"

enum { WORST = 3 };

/* Returns why a worker does not compute at the end of a run. */
static char *explain_end(const struct orr_gap *gap)
{
    if (gap->ns[ORR_OVERHEAD] < (gap->to - gap->from) / 100)
        return g_strdup("no task was left for it");
    return g_strdup_printf(
        "it was given %s, though for %.0f %% of this time some task that it "
        "could run was ready",
        gap->from == 0 ? "no task" : "no further task",
        100 * (double)gap->ns[ORR_OVERHEAD] / (double)(gap->to - gap->from));
}

/* Returns why no task was ready for the worker before @next. */
static char *explain_starvation(const struct orr_explanation *explanation,
                                const struct orr_report *report,
                                const struct orr_seen_task *next)
{
    const struct orr_observation *seen = &explanation->seen;
    const struct orr_seen_task *parent;

    if (next->parent == ORR_SEEN_NONE)
        return g_strdup_printf("no task that it could run was ready; %s had "
                               "not been submitted",
                               orr_seen_name(seen, next));
    parent = orr_seen_task(seen, next->parent);
    return g_strdup_printf("no task that it could run was ready; %s awaited "
                           "%s on %s",
                           orr_seen_name(seen, next),
                           orr_seen_name(seen, parent),
                           report->workers[parent->worker].name);
}

/* Returns the copy that @next waited for, and the reason of its duration. */
static char *explain_copy(const struct orr_explanation *explanation,
                          const struct orr_seen_task *next,
                          enum orr_worker_state state)
{
    const struct orr_observation *seen = &explanation->seen;
    const struct orr_seen_copy *copy;
    g_autofree char *bytes = NULL;

    if (next->copy == ORR_SEEN_NONE)
        return g_strdup_printf("%s waited for memory",
                               orr_seen_name(seen, next));
    copy = orr_seen_copy(seen, next->copy);
    bytes = orr_format_bytes(copy->bytes);
    return g_strdup_printf(
        "%s waited for a copy of %s over %s%s", orr_seen_name(seen, next),
        bytes,
        g_array_index(seen->routes, struct orr_seen_route, copy->route).name,
        state == ORR_LATENCY ? ""
        : copy->again        ? ", of a datum that had been evicted, behind or "
                               "beside other copies"
                             : ", behind or beside other copies");
}

static char *explain_gap(const struct orr_explanation *explanation,
                         const struct orr_report *report,
                         const struct orr_gap *gap)
{
    enum orr_worker_state state = orr_main_loss(gap->ns);
    const struct orr_seen_task *next;

    if (gap->next == ORR_SEEN_NONE)
        return explain_end(gap);
    next = orr_seen_task(&explanation->seen, gap->next);
    if (state == ORR_STARVATION)
        return explain_starvation(explanation, report, next);
    if (state == ORR_OVERHEAD)
        return g_strdup("tasks were ready, which the policy kept for other "
                        "workers, or the driver was at work");
    return explain_copy(explanation, next, state);
}

/* Whether @gap is longer than @other, or as long and earlier. */
static bool is_worse(const struct orr_gap *gap, const struct orr_gap *other)
{
    return !other || gap->to - gap->from > other->to - other->from;
}

/* Sets @worst to the longest gaps, longest first, or NULL. */
static void find_worst(const GArray *gaps, const struct orr_gap **worst)
{
    for (unsigned i = 0; i < WORST; i++)
        worst[i] = NULL;
    for (guint g = 0; g < gaps->len; g++) {
        const struct orr_gap *gap = &g_array_index(gaps, struct orr_gap, g);

        for (unsigned i = 0; i < WORST; i++)
            if (is_worse(gap, worst[i])) {
                for (unsigned j = WORST - 1; j > i; j--)
                    worst[j] = worst[j - 1];
                worst[i] = gap;
                break;
            }
    }
}

void orr_idle_add_facts(const struct orr_explanation *explanation,
                        const struct orr_report *report, JsonObject *facts)
{
    const struct orr_gap *worst[WORST];
    JsonArray *idle = orr_output_add_array(facts, "idle");

    find_worst(explanation->breakdown.gaps, worst);
    for (unsigned i = 0; i < WORST && worst[i]; i++) {
        JsonObject *object = orr_output_add_object(idle);
        g_autofree char *why = explain_gap(explanation, report, worst[i]);

        orr_output_set_text(object, "worker",
                            report->workers[worst[i]->worker].name);
        json_object_set_double_member(object, "from_s",
                                      (double)worst[i]->from / 1e9);
        json_object_set_double_member(object, "to_s",
                                      (double)worst[i]->to / 1e9);
        orr_explanation_add_states(object, worst[i]->ns);
        orr_output_set_text(object, "why", why);
    }
}

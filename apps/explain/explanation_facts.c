/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/explain/explanation.h"
#include "apps/explain/idle.h"
#include "apps/explain/path.h"
#include "apps/explain/summary.h"
#include "apps/output/exact.h"
#include "apps/output/json.h"
#include "apps/output/members.h"
#include "apps/output/output.h"

static void set_seconds(JsonObject *object, const char *name, int64_t ns)
{
    json_object_set_double_member(object, name, (double)ns / 1e9);
}

static void set_int(JsonObject *object, const char *name, uint64_t value)
{
    json_object_set_int_member(object, name, (gint64)value);
}

void orr_explanation_add_states(JsonObject *object, const int64_t *ns)
{
    for (unsigned state = 0; state < ORR_STATES; state++) {
        g_autofree char *name = g_strconcat(
            orr_worker_state_name((enum orr_worker_state)state), "_s", NULL);

        set_seconds(object, name, ns[state]);
    }
}

static void add_workers(const struct orr_explanation *explanation,
                        JsonObject *facts)
{
    JsonArray *workers = orr_array_of(facts, "workers");

    for (guint i = 0; i < json_array_get_length(workers); i++)
        orr_explanation_add_states(orr_object_at(workers, i),
                                   explanation->breakdown.ns[i]);
}

/* @before, and a text, or null. */
static void append_text(GString *json, const char *before, const char *text)
{
    g_string_append(json, before);
    orr_json_append(json, text);
}

static void append_seconds(GString *json, const char *before, int64_t ns)
{
    g_string_append(json, before);
    orr_exact_append(json, (double)ns / 1e9);
}

static void append_step(GString *json, const struct orr_observation *seen,
                        const struct orr_report *report,
                        const struct orr_step *step)
{
    const char *name = NULL, *kernel = NULL, *where = NULL;

    if (step->kind == ORR_STEP_TASK) {
        const struct orr_seen_task *task = orr_seen_task(seen, step->index);

        name = orr_seen_name(seen, task);
        kernel = orr_name_index_at(&seen->kernels, task->kernel);
        where = report->workers[task->worker].name;
    } else if (step->kind != ORR_STEP_DRIVER) {
        const struct orr_seen_copy *copy = orr_seen_copy(seen, step->index);

        where = g_array_index(seen->routes, struct orr_seen_route, copy->route)
                    .name;
    }
    append_text(json, "\n    {\n      \"kind\": ", orr_step_name(step->kind));
    append_text(json, ",\n      \"name\": ", name);
    append_text(json, ",\n      \"kernel\": ", kernel);
    append_text(json, ",\n      \"where\": ", where);
    append_seconds(json, ",\n      \"from_s\": ", step->from);
    append_seconds(json, ",\n      \"to_s\": ", step->to);
    g_string_append(json, "\n    }");
}

char *orr_explanation_path_json(const struct orr_explanation *explanation,
                                const struct orr_report *report)
{
    GString *json = g_string_new("[");

    for (guint i = 0; i < explanation->path->len; i++) {
        if (i > 0)
            g_string_append_c(json, ',');
        append_step(json, &explanation->seen, report,
                    &g_array_index(explanation->path, struct orr_step, i));
    }
    g_string_append(json, explanation->path->len > 0 ? "\n  ]" : "]");
    return g_string_free(json, FALSE);
}

static void add_part(const struct orr_observation *seen,
                     const struct orr_path_part *part, JsonObject *object)
{
    const char *kernel = NULL, *where = NULL;

    if (part->kind == ORR_STEP_TASK)
        kernel = orr_name_index_at(&seen->kernels, part->index);
    else if (part->kind != ORR_STEP_DRIVER)
        where = g_array_index(seen->routes, struct orr_seen_route, part->index)
                    .name;
    orr_output_set_text(object, "kind", orr_step_name(part->kind));
    orr_output_set_text(object, "kernel", kernel);
    orr_output_set_text(object, "where", where);
    set_int(object, "steps", part->steps);
    set_seconds(object, "time_s", part->ns);
}

static void add_parts(const struct orr_explanation *explanation,
                      JsonObject *facts)
{
    g_autoptr(GArray) parts =
        orr_path_sum(&explanation->seen, explanation->path);
    JsonArray *list = orr_output_add_array(facts, "path_parts");

    for (guint i = 0; i < parts->len; i++)
        add_part(&explanation->seen,
                 &g_array_index(parts, struct orr_path_part, i),
                 orr_output_add_object(list));
}

static void add_links(const struct orr_explanation *explanation,
                      JsonObject *facts)
{
    const struct orr_traffic *traffic = &explanation->traffic;
    JsonArray *links = orr_output_add_array(facts, "links");

    for (unsigned i = 0; i < traffic->link_count; i++) {
        const struct orr_link_traffic *link = &traffic->links[i];
        JsonObject *object = orr_output_add_object(links);
        JsonArray *sharers;

        orr_output_set_text(object, "name", link->name);
        set_int(object, "bytes", link->bytes);
        set_int(object, "copies", link->copies);
        set_seconds(object, "busy_s", link->busy);
        json_object_set_double_member(
            object, "busy_share",
            explanation->end > 0 ? (double)link->busy / (double)explanation->end
                                 : 0);
        json_object_set_double_member(object, "load", link->load);
        sharers = orr_output_add_array(object, "shared_by");
        for (guint s = 0; s < link->sharers->len; s++)
            json_array_add_string_element(
                sharers,
                g_array_index(link->sharers, struct orr_sharer, s).route);
    }
}

static void add_memories(const struct orr_explanation *explanation,
                         const struct orr_report *report, JsonObject *facts)
{
    JsonArray *memories = orr_output_add_array(facts, "memories");

    for (unsigned i = 0; i < report->worker_count; i++) {
        const struct orr_worker_report *worker = &report->workers[i];
        unsigned node = worker->memory_node;
        JsonObject *object;

        if (node == 0)
            continue;
        object = orr_output_add_object(memories);
        orr_output_set_text(object, "name", worker->name);
        set_int(object, "peak_bytes", worker->peak_memory_bytes);
        set_int(object, "evictions", explanation->seen.evictions[node]);
        set_int(object, "reloads", explanation->traffic.reloads[node]);
        set_int(object, "reloaded_bytes",
                explanation->traffic.reloaded_bytes[node]);
    }
}

void orr_explanation_add_facts(const struct orr_explanation *explanation,
                               const struct orr_report *report,
                               JsonObject *facts)
{
    g_autofree char *summary = orr_explanation_summary(explanation);

    add_workers(explanation, facts);
    add_parts(explanation, facts);
    add_links(explanation, facts);
    add_memories(explanation, report, facts);
    orr_idle_add_facts(explanation, report, facts);
    orr_output_set_text(facts, "summary", summary);
}

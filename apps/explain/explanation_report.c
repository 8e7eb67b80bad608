/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The members of an explanation, and their text for the terminal. Text is made
 * from the JSON facts alone. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/explain/explanation.h"
#include "apps/explain/idle.h"
#include "apps/explain/path.h"
#include "apps/explain/summary.h"
#include "apps/facts/facts.h"
#include "apps/output/exact.h"
#include "apps/output/json.h"
#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/output/table.h"
#include "models/base/units.h"

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

/* Appends @before and @text as a JSON string, or null. */
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

/* ---- an explanation as text ---- */

/* Maximum numbers of rows in text; other formats have all of them. */
enum { MOST_PARTS = 8, MOST_LINKS = 6, MOST_ROUTES = 3 };

static void add_titles(struct orr_table *table, const char *const *titles,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        orr_table_add(table, titles[i]);
}

static void end_table(struct orr_table *table)
{
    orr_table_print(table);
    orr_table_free(table);
    puts("");
}

static void take_share(struct orr_table *table, double part, double whole)
{
    orr_table_take(
        table, g_strdup_printf("%.1f %%", whole > 0 ? 100 * part / whole : 0));
}

static void take_count(struct orr_table *table, JsonObject *object,
                       const char *name)
{
    orr_table_take(
        table, g_strdup_printf("%" G_GINT64_FORMAT, orr_int_of(object, name)));
}

static void take_bytes(struct orr_table *table, JsonObject *object,
                       const char *name)
{
    orr_table_take(table, orr_format_bytes((uint64_t)orr_int_of(object, name)));
}

static void print_workers(JsonObject *facts, double makespan)
{
    static const char *const titles[] = {"worker",  "computing", "starvation",
                                         "latency", "overhead",  "waiting"};
    struct orr_table *table = orr_table_new("lrrrrr");
    JsonArray *workers = orr_array_of(facts, "workers");

    add_titles(table, titles, G_N_ELEMENTS(titles));
    for (guint i = 0; i < json_array_get_length(workers); i++) {
        JsonObject *worker = orr_object_at(workers, i);

        orr_table_add(table, orr_text_of(worker, "name"));
        for (unsigned state = 0; state < ORR_STATES; state++) {
            g_autofree char *name =
                g_strconcat(orr_worker_state_name((enum orr_worker_state)state),
                            "_s", NULL);

            take_share(table, orr_double_of(worker, name), makespan);
        }
    }
    end_table(table);
}

static void print_efficiency(JsonObject *facts)
{
    JsonObject *efficiency = json_object_get_object_member(facts, "efficiency");
    g_autoptr(GList) names = json_object_get_members(efficiency);
    struct orr_table *table = orr_table_new("lr");

    orr_table_add(table, "efficiency");
    orr_table_add(table, "");
    for (GList *item = names; item; item = item->next) {
        const char *name = item->data;

        if (json_object_get_null_member(efficiency, name))
            continue;
        orr_table_take(table, orr_output_title(name));
        orr_table_take(
            table, g_strdup_printf("%.4f", orr_double_of(efficiency, name)));
    }
    end_table(table);
}

/* "kernel gemm", "copy RAM-CUDA0", "driver" */
static char *describe_part(JsonObject *part)
{
    const char *kind = orr_text_of(part, "kind");

    if (!json_object_get_null_member(part, "kernel"))
        return g_strdup_printf("kernel %s", orr_text_of(part, "kernel"));
    return json_object_get_null_member(part, "where")
               ? g_strdup(kind)
               : g_strdup_printf("%s %s", kind, orr_text_of(part, "where"));
}

static void add_part_row(struct orr_table *table, const char *what,
                         unsigned steps, double seconds, double makespan)
{
    orr_table_add(table, what);
    orr_table_take(table, g_strdup_printf("%u", steps));
    orr_table_take(table, g_strdup_printf("%.6f s", seconds));
    take_share(table, seconds, makespan);
}

static void print_path(JsonObject *facts, double makespan)
{
    static const char *const titles[] = {"path taken", "steps", "time",
                                         "share"};
    JsonArray *parts = orr_array_of(facts, "path_parts");
    struct orr_table *table = orr_table_new("lrrr");
    double seconds = 0;
    unsigned steps = 0;

    add_titles(table, titles, G_N_ELEMENTS(titles));
    for (guint i = 0; i < json_array_get_length(parts); i++) {
        JsonObject *part = orr_object_at(parts, i);
        g_autofree char *what = describe_part(part);

        if (i < MOST_PARTS) {
            add_part_row(table, what, (unsigned)orr_int_of(part, "steps"),
                         orr_double_of(part, "time_s"), makespan);
        } else {
            seconds += orr_double_of(part, "time_s");
            steps += (unsigned)orr_int_of(part, "steps");
        }
    }
    if (steps > 0)
        add_part_row(table, "others", steps, seconds, makespan);
    end_table(table);
}

static void take_optimum(struct orr_table *table, JsonObject *kernel,
                         const char *name)
{
    orr_table_take(table,
                   json_object_get_null_member(kernel, name)
                       ? g_strdup("-")
                       : g_strdup_printf("%.1f", orr_double_of(kernel, name)));
}

static void print_kernels(JsonObject *facts)
{
    static const char *const titles[] = {"kernel", "on CPUs", "on GPUs",
                                         "best on CPUs", "best on GPUs"};
    struct orr_table *table = orr_table_new("lrrrr");
    JsonArray *kernels = orr_array_of(facts, "kernels");

    add_titles(table, titles, G_N_ELEMENTS(titles));
    for (guint i = 0; i < json_array_get_length(kernels); i++) {
        JsonObject *kernel = orr_object_at(kernels, i);

        orr_table_add(table, orr_text_of(kernel, "name"));
        take_count(table, kernel, "cpu_tasks");
        take_count(table, kernel, "gpu_tasks");
        take_optimum(table, kernel, "optimum_cpu_tasks");
        take_optimum(table, kernel, "optimum_gpu_tasks");
    }
    end_table(table);
}

/* "RAM-CUDA0, RAM-CUDA1 and 3 more" */
static char *describe_routes(JsonArray *routes)
{
    guint count = json_array_get_length(routes);
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < MIN(count, MOST_ROUTES); i++)
        g_string_append_printf(text, "%s%s", i == 0 ? "" : ", ",
                               json_array_get_string_element(routes, i));
    if (count > MOST_ROUTES)
        g_string_append_printf(text, " and %u more", count - MOST_ROUTES);
    return g_string_free(text, FALSE);
}

static void print_links(JsonObject *facts)
{
    static const char *const titles[] = {"link", "load", "busy", "bytes",
                                         "shared by"};
    struct orr_table *table = orr_table_new("lrrrl");
    JsonArray *links = orr_array_of(facts, "links");
    guint count = json_array_get_length(links);

    add_titles(table, titles, G_N_ELEMENTS(titles));
    for (guint i = 0; i < MIN(count, MOST_LINKS); i++) {
        JsonObject *link = orr_object_at(links, i);

        orr_table_add(table, orr_text_of(link, "name"));
        take_share(table, orr_double_of(link, "load"), 1);
        take_share(table, orr_double_of(link, "busy_share"), 1);
        take_bytes(table, link, "bytes");
        orr_table_take(table, describe_routes(orr_array_of(link, "shared_by")));
    }
    if (count == 0) {
        orr_table_free(table);
        return;
    }
    end_table(table);
}

static void print_memories(JsonObject *facts)
{
    static const char *const titles[] = {"memory", "peak", "evictions",
                                         "reloads", "reloaded"};
    struct orr_table *table = orr_table_new("lrrrr");
    JsonArray *memories = orr_array_of(facts, "memories");

    if (json_array_get_length(memories) == 0) {
        orr_table_free(table);
        return;
    }
    add_titles(table, titles, G_N_ELEMENTS(titles));
    for (guint i = 0; i < json_array_get_length(memories); i++) {
        JsonObject *memory = orr_object_at(memories, i);

        orr_table_add(table, orr_text_of(memory, "name"));
        take_bytes(table, memory, "peak_bytes");
        take_count(table, memory, "evictions");
        take_count(table, memory, "reloads");
        take_bytes(table, memory, "reloaded_bytes");
    }
    end_table(table);
}

static void print_idle(JsonObject *facts)
{
    JsonArray *idle = orr_array_of(facts, "idle");

    for (guint i = 0; i < json_array_get_length(idle); i++) {
        JsonObject *gap = orr_object_at(idle, i);

        printf("%s is idle from %.6f to %.6f s: %s.\n",
               orr_text_of(gap, "worker"), orr_double_of(gap, "from_s"),
               orr_double_of(gap, "to_s"), orr_text_of(gap, "why"));
    }
    if (json_array_get_length(idle) > 0)
        puts("");
}

/* Returns the change of the makespan: "-5.3 %". */
static char *describe_gain(double gain)
{
    return fabs(gain) < 0.0005 ? g_strdup("0.0 %")
                               : g_strdup_printf("%+.1f %%", -100 * gain);
}

static void print_what_if(JsonObject *facts)
{
    static const char *const titles[] = {"what if", "makespan", "change"};
    struct orr_table *table;
    JsonArray *rows;

    table = orr_table_new("lrr");
    rows = orr_array_of(facts, "what_if");
    add_titles(table, titles, G_N_ELEMENTS(titles));
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = orr_object_at(rows, i);

        orr_table_add(table, orr_text_of(row, "change"));
        if (json_object_get_null_member(row, "makespan_s")) {
            orr_table_add(table, "-");
            orr_table_add(table, "-");
            continue;
        }
        orr_table_take(
            table, g_strdup_printf("%.6f s", orr_double_of(row, "makespan_s")));
        orr_table_take(table, describe_gain(orr_double_of(row, "gain")));
    }
    end_table(table);
}

void orr_explanation_print(JsonObject *facts)
{
    double makespan = orr_double_of(facts, "makespan_s");

    orr_facts_print_request(facts, true);
    printf("\nmakespan %.6f s\n\n", makespan);
    print_workers(facts, makespan);
    print_efficiency(facts);
    print_kernels(facts);
    print_path(facts, makespan);
    print_links(facts);
    print_memories(facts);
    print_what_if(facts);
    print_idle(facts);
    printf("In short: %s.\n", orr_text_of(facts, "summary"));
}

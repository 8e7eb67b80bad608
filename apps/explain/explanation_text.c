/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An explanation as text for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/explain/explanation.h"
#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/output/table.h"
#include "apps/report/facts.h"
#include "models/base/units.h"

/* Rows of a table; what is left out is in the other formats. */
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

static void add_part(struct orr_table *table, const char *what, unsigned steps,
                     double seconds, double makespan)
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
            add_part(table, what, (unsigned)orr_int_of(part, "steps"),
                     orr_double_of(part, "time_s"), makespan);
        } else {
            seconds += orr_double_of(part, "time_s");
            steps += (unsigned)orr_int_of(part, "steps");
        }
    }
    if (steps > 0)
        add_part(table, "others", steps, seconds, makespan);
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

/* By how much the makespan changes: "-5.3 %". */
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

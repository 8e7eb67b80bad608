/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The facts of a run as text. */
#include "apps/report/facts.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "apps/output/exact.h"
#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/output/table.h"
#include "apps/report/bounds_facts.h"
#include "apps/report/energy_facts.h"
#include "models/base/units.h"

static char *bytes_of(JsonObject *facts, const char *name)
{
    return orr_format_bytes((uint64_t)orr_int_of(facts, name));
}

/* Adds a row to a table of two columns; takes @value. */
static void add_line(struct orr_table *table, const char *label, char *value)
{
    orr_table_add(table, label);
    orr_table_take(table, value);
}

static void add_count(struct orr_table *table, JsonObject *facts,
                      const char *name)
{
    add_line(table, name,
             g_strdup_printf("%" G_GINT64_FORMAT, orr_int_of(facts, name)));
}

/* "cholesky, tiles=20, precision=single"; options without a value are left out.
 */
static char *describe_problem(JsonObject *facts)
{
    JsonArray *options = orr_array_of(facts, "options");
    g_autoptr(GString) text = g_string_new(NULL);
    const char *file =
        json_object_get_string_member_with_default(facts, "app_file", NULL);

    if (g_strcmp0(file, orr_text_of(facts, "app")) == 0)
        file = NULL; /* a graph, whose name is the file */
    for (guint i = 0; i < json_array_get_length(options); i++) {
        const char *item = json_array_get_string_element(options, i);

        if (!g_str_has_suffix(item, "="))
            g_string_append_printf(text, ", %s", item);
    }
    return g_strconcat(orr_text_of(facts, "app"), file ? " (" : "",
                       file ? file : "", file ? ")" : "", text->str, NULL);
}

static char *describe_machine(JsonObject *facts)
{
    gint64 cpus = orr_int_of(facts, "cpus");
    gint64 gpus = orr_int_of(facts, "gpus");
    g_autofree char *bytes = bytes_of(facts, "gpu_memory_bytes");
    g_autofree char *memory = gpus > 0
                                  ? g_strdup_printf(" with %s usable%s", bytes,
                                                    gpus == 1 ? "" : " each")
                                  : g_strdup("");

    return g_strdup_printf(
        "%s: %" G_GINT64_FORMAT " CPU%s, %" G_GINT64_FORMAT " GPU%s%s",
        orr_text_of(facts, "platform"), cpus, cpus == 1 ? "" : "s", gpus,
        gpus == 1 ? "" : "s", memory);
}

/* Adds nothing in the usual case: measured kernels. */
static void add_kernel_times(struct orr_table *table, JsonObject *facts)
{
    if (strcmp(orr_text_of(facts, "kernel_times"), "modelled") == 0)
        add_line(table, "kernels",
                 g_strdup("MODELLED from peak and efficiency, not measured"));
}

/* Adds a row for an array of text, unless it is empty. */
static void add_list(struct orr_table *table, JsonObject *facts,
                     const char *name)
{
    JsonNode *list = json_object_get_member(facts, name);

    if (json_array_get_length(json_node_get_array(list)) > 0)
        add_line(table, name, orr_exact_format(list, ", "));
}

static void add_kernel_spread(struct orr_table *table, JsonObject *facts)
{
    JsonNode *spread = json_object_get_member(facts, "kernel_spread");

    if (!JSON_NODE_HOLDS_NULL(spread) &&
        strcmp(json_node_get_string(spread), "assumed") == 0)
        add_line(table, "spread",
                 g_strdup("ASSUMED lognormal, with the calibrated mean and "
                          "deviation, where not measured"));
}

static char *describe_models(JsonObject *facts)
{
    g_auto(GStrv) items = g_strsplit(orr_text_of(facts, "models"), ",", -1);

    return g_strjoinv(", ", items);
}

static char *describe_window(JsonObject *facts)
{
    gint64 window = orr_int_of(facts, "window");

    if (json_object_has_member(facts, "window_min"))
        return g_strdup_printf("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT
                               " tasks",
                               orr_int_of(facts, "window_min"), window);
    return window > 0 ? g_strdup_printf("%" G_GINT64_FORMAT " task%s", window,
                                        window == 1 ? "" : "s")
                      : g_strdup("none");
}

static char *describe_perturbation(JsonObject *facts)
{
    double share = orr_double_of(facts, "perturb");

    return share > 0 ? g_strdup_printf("%g by %s", share,
                                       orr_text_of(facts, "perturb_by"))
                     : g_strdup("0");
}

static char *describe_moves(JsonObject *facts)
{
    g_autofree char *up = bytes_of(facts, "bytes_host_to_device");
    g_autofree char *down = bytes_of(facts, "bytes_device_to_host");
    g_autofree char *across = bytes_of(facts, "bytes_device_to_device");

    return g_strdup_printf(
        "%s host to device, %s device to host, %s device to device", up, down,
        across);
}

static char *describe_copies(JsonObject *facts)
{
    gint64 copies = orr_int_of(facts, "copies");
    gint64 by_segment = orr_int_of(facts, "copies_by_segment");

    return by_segment == 0
               ? g_strdup_printf("%" G_GINT64_FORMAT, copies)
               : g_strdup_printf("%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                                 " of them by a pitch segment of the platform",
                                 copies, by_segment);
}

/* Returns the name of the policy and, of a plug-in, its file. */
static char *describe_policy(JsonObject *facts)
{
    const char *name = orr_text_of(facts, "sched");
    const char *file =
        json_object_get_string_member_with_default(facts, "sched_file", NULL);

    return file && !strchr(name, ' ') ? g_strdup_printf("%s (%s)", name, file)
                                      : g_strdup(name);
}

/* Adds the plug-in files of the policies of a comparison. */
static void add_files(struct orr_table *table, JsonObject *facts)
{
    JsonArray *policies = json_object_has_member(facts, "policies")
                              ? orr_array_of(facts, "policies")
                              : NULL;

    for (guint i = 0; policies && i < json_array_get_length(policies); i++) {
        JsonObject *policy = orr_object_at(policies, i);

        if (!json_object_get_null_member(policy, "sched_file"))
            add_line(table, "policy", describe_policy(policy));
    }
}

void orr_facts_print_request(JsonObject *facts, bool sched)
{
    struct orr_table *table = orr_table_new("ll");

    add_line(table, "application", describe_problem(facts));
    add_line(table, "machine", describe_machine(facts));
    add_list(table, facts, "changes");
    add_list(table, facts, "where");
    add_kernel_times(table, facts);
    add_kernel_spread(table, facts);
    if (sched)
        add_line(table, "policy", describe_policy(facts));
    else
        add_files(table, facts);
    if (json_object_has_member(facts, "evict"))
        add_line(table, "eviction", g_strdup(orr_text_of(facts, "evict")));
    add_line(table, "window", describe_window(facts));
    add_line(table, "models", describe_models(facts));
    add_line(table, "perturb", describe_perturbation(facts));
    add_count(table, facts, "seed");
    orr_table_print(table);
    orr_table_free(table);
}

/* A member that counts tasks, and its text. */
struct kind {
    const char *name;
    const char *text;
};

/* Returns "3 from histograms, 4 from ...", of the object @name of @facts; NULL
 * if all tasks are of the kind @usual. */
static char *describe_kinds(JsonObject *facts, const char *name,
                            const struct kind *kinds, size_t kind_count,
                            const char *usual)
{
    JsonObject *counts = json_object_get_object_member(facts, name);
    GString *text = g_string_new(NULL);
    gint64 others = 0;

    for (size_t i = 0; i < kind_count; i++) {
        gint64 count = orr_int_of(counts, kinds[i].name);

        if (count > 0)
            g_string_append_printf(text, "%s%" G_GINT64_FORMAT " %s",
                                   text->len > 0 ? ", " : "", count,
                                   kinds[i].text);
        if (strcmp(kinds[i].name, usual) != 0)
            others += count;
    }
    return g_string_free(text, others == 0);
}

static char *describe_times(JsonObject *facts)
{
    static const struct kind kinds[] = {
        {"kernel", "of calibrated kernels"},
        {"flops", "from flops"},
        {"recorded", "from recorded durations"},
        {"given", "given by the application"},
        {"none", "without work"},
    };

    return describe_kinds(facts, "times_from", kinds, G_N_ELEMENTS(kinds),
                          "kernel");
}

static char *describe_sources(JsonObject *facts)
{
    static const struct kind kinds[] = {
        {"histogram", "drawn from histograms"},
        {"lognormal", "drawn from an ASSUMED lognormal law"},
        {"record", "as recorded"},
        {"elsewhere", "recorded on another device: means of the record"},
        {"mean", "means"},
    };

    return describe_kinds(facts, "durations_from", kinds, G_N_ELEMENTS(kinds),
                          "mean");
}

static void add_bounds(struct orr_table *table, JsonObject *facts)
{
    JsonObject *bounds = json_object_get_object_member(facts, "bounds");
    char *time = orr_bounds_facts_describe_time(bounds);
    char *energy = orr_bounds_facts_describe_energy(bounds);

    add_line(table, "least time", time ? time : g_strdup("not known"));
    if (energy)
        add_line(table, "least energy", energy);
}

static void print_results(JsonObject *facts)
{
    struct orr_table *table = orr_table_new("ll");
    char *times = describe_times(facts);
    char *sources = describe_sources(facts);

    add_line(table, "makespan",
             g_strdup_printf("%.6f s", orr_double_of(facts, "makespan_s")));
    add_line(
        table, "speed",
        json_object_get_null_member(facts, "gflops")
            ? g_strdup("not known")
            : g_strdup_printf("%.1f GFlop/s", orr_double_of(facts, "gflops")));
    add_count(table, facts, "tasks");
    if (times)
        add_line(table, "times", times);
    if (sources)
        add_line(table, "durations", sources);
    add_line(table, "copies", describe_copies(facts));
    add_line(table, "moved", describe_moves(facts));
    add_count(table, facts, "evictions");
    add_line(table, "energy", orr_energy_facts_describe(facts));
    if (json_object_has_member(facts, "bounds"))
        add_bounds(table, facts);
    orr_table_print(table);
    orr_table_free(table);
}

static char *bar(double share)
{
    enum { WIDTH = 30 };
    char text[WIDTH + 1];
    int full = (int)(share * WIDTH + 0.5);

    for (int i = 0; i < WIDTH; i++)
        text[i] = i < full ? '#' : '.';
    text[WIDTH] = '\0';
    return g_strdup(text);
}

static void print_workers(JsonObject *facts)
{
    static const char *const titles[] = {"worker", "tasks", "computing",
                                         "share of the makespan", ""};
    JsonArray *workers = json_object_get_array_member(facts, "workers");
    struct orr_table *table = orr_table_new("lrrrl");

    for (size_t i = 0; i < G_N_ELEMENTS(titles); i++)
        orr_table_add(table, titles[i]);
    for (guint i = 0; i < json_array_get_length(workers); i++) {
        JsonObject *worker = json_array_get_object_element(workers, i);
        double share = orr_double_of(worker, "busy_share");

        orr_table_add(table, orr_text_of(worker, "name"));
        orr_table_take(table, g_strdup_printf("%" G_GINT64_FORMAT,
                                              orr_int_of(worker, "tasks")));
        orr_table_take(
            table, g_strdup_printf("%.6f s", orr_double_of(worker, "busy_s")));
        orr_table_take(table, g_strdup_printf("%.1f %%", 100 * share));
        orr_table_take(table, bar(share));
    }
    orr_table_fold(table);
    orr_table_print(table);
    orr_table_free(table);
}

static void print_timing(JsonObject *facts)
{
    double wall_s = orr_double_of(facts, "simulation_wall_s");
    double tasks = (double)orr_int_of(facts, "tasks");

    printf(" in %.3f s: %.0f tasks/s", wall_s, wall_s > 0 ? tasks / wall_s : 0);
}

void orr_facts_print_run(JsonObject *facts, bool timing)
{
    orr_facts_print_request(facts, true);
    puts("");
    print_results(facts);
    puts("");
    print_workers(facts);
    printf("\norrery %s simulated this with %" G_GINT64_FORMAT " events",
           orr_text_of(facts, "version"), orr_int_of(facts, "events"));
    if (timing)
        print_timing(facts);
    puts("");
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The facts of a run: first built as one JSON object, in an order that scripts
 * and documents rely on, then printed as text from that object alone, so that
 * no format knows more than another.
 */
#include "apps/facts/facts.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "apps/facts/bounds_facts.h"
#include "apps/facts/diagnosis.h"
#include "apps/facts/energy_facts.h"
#include "apps/output/exact.h"
#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/output/table.h"
#include "config.h"
#include "models/base/units.h"
#include "runtime/executor/kernel.h"

/* The members that do not depend on the policy, beside the options of the
 * application. */
static const char *const common[] = {
    "app",          "platform", "cpus",          "gpus",    "gpu_memory_bytes",
    "kernel_times", "window",   "models",        "perturb", "seed",
    "where",        "changes",  "kernel_spread", "options", "version",
};

static void set_int(JsonObject *facts, const char *name, uint64_t value)
{
    json_object_set_int_member(facts, name, (gint64)value);
}

static void set_double(JsonObject *facts, const char *name, double value)
{
    json_object_set_double_member(facts, name, value);
}

/* Sets the value of @option as a member of its name. */
static void set_option(JsonObject *facts, const struct orr_app_option *option,
                       const struct orr_app_values *values)
{
    g_autofree char *text = orr_app_values_format(values, option);

    if (option->kind == ORR_APP_COUNT)
        set_int(facts, option->name, orr_app_count(values, option->name));
    else if (option->kind == ORR_APP_NUMBER)
        set_double(facts, option->name, orr_app_number(values, option->name));
    else if (option->kind == ORR_APP_FLAG)
        json_object_set_boolean_member(facts, option->name,
                                       orr_app_flag(values, option->name));
    else
        orr_output_set_text(facts, option->name, text);
}

static void add_problem(JsonObject *facts, const struct orr_scenario *scenario)
{
    const struct orr_app_option *options = scenario->problem.app->options;

    orr_output_set_text(facts, "app", scenario->problem.app->name);
    if (orr_app_file(scenario->problem.app))
        orr_output_set_text(facts, "app_file",
                            orr_app_file(scenario->problem.app));
    for (size_t i = 0; options && options[i].name; i++)
        set_option(facts, &options[i], scenario->problem.values);
}

/* Lists the options of the application: "tiles=20". */
static void add_options(JsonObject *facts, const struct orr_scenario *scenario)
{
    const struct orr_app_option *options = scenario->problem.app->options;
    JsonArray *list = orr_output_add_array(facts, "options");

    for (size_t i = 0; options && options[i].name; i++) {
        g_autofree char *text =
            orr_app_values_format(scenario->problem.values, &options[i]);
        g_autofree char *item =
            g_strdup_printf("%s=%s", options[i].name, text ? text : "");

        json_array_add_string_element(list, item);
    }
}

static void add_changes(JsonObject *facts, const struct orr_report *report)
{
    JsonArray *changes = orr_output_add_array(facts, "changes");

    for (unsigned i = 0; i < report->change_count; i++)
        json_array_add_string_element(changes, report->changes[i]);
}

/* Adds the settings that had no influence on the run. */
static void add_unused(JsonObject *facts, const struct orr_report *report)
{
    JsonArray *unused = orr_output_add_array(facts, "unused");

    for (unsigned i = 0; report->unused[i]; i++)
        json_array_add_string_element(unused, report->unused[i]);
}

static void add_where(JsonObject *facts, const struct orr_scenario *scenario)
{
    const char *const *kernels = scenario->problem.app->kernels;
    JsonArray *list = orr_output_add_array(facts, "where");

    for (unsigned i = 0; kernels && kernels[i]; i++) {
        enum orr_where where = orr_settings_where(scenario, kernels[i]);

        if (where != ORR_WHERE_ANY) {
            g_autofree char *text =
                g_strdup_printf("%s=%s", kernels[i], orr_where_name(where));

            json_array_add_string_element(list, text);
        }
    }
}

/* Returns the distribution of durations; NULL if they are not random. */
static const char *spread_of(const struct orr_report *report)
{
    if (report->assumed)
        return "assumed";
    return strstr(report->models, "durations=sampled") ? "measured" : NULL;
}

static void add_conditions(JsonObject *facts,
                           const struct orr_scenario *scenario,
                           const struct orr_report *report)
{
    orr_output_set_text(facts, "platform", report->platform);
    set_int(facts, "cpus", report->cpus);
    set_int(facts, "gpus", report->gpus);
    set_int(facts, "gpu_memory_bytes", report->gpu_memory_bytes);
    orr_output_set_text(facts, "sched", report->sched);
    if (report->sched_file)
        orr_output_set_text(facts, "sched_file", report->sched_file);
    if (scenario->config.buckets)
        orr_output_set_text(facts, "buckets", scenario->config.buckets);
    if (report->evict)
        orr_output_set_text(facts, "evict", report->evict);
    set_int(facts, "window", scenario->config.window.most);
    if (scenario->config.window.least >= 0)
        set_int(facts, "window_min", (uint64_t)scenario->config.window.least);
    if (scenario->config.pipeline != ORR_DEFAULT_PIPELINE)
        set_int(facts, "pipeline", (uint64_t)scenario->config.pipeline);
    orr_output_set_text(facts, "models", report->models);
    set_double(facts, "perturb", scenario->config.perturb.share);
    if (scenario->config.perturb.share > 0)
        orr_output_set_text(facts, "perturb_by",
                            scenario->config.perturb.by_device ? "device"
                                                               : "worker");
    set_int(facts, "seed", report->seed);
    orr_energy_facts_add_weights(facts, scenario);
    orr_output_set_text(facts, "kernel_times",
                        report->modelled ? "modelled" : "measured");
    orr_output_set_text(facts, "kernel_spread", spread_of(report));
    add_where(facts, scenario);
    add_changes(facts, report);
    add_options(facts, scenario);
    orr_output_set_text(facts, "version", ORR_VERSION);
}

static double share(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* Adds the number of tasks by the source of their duration. */
static void add_sources(JsonObject *facts, const struct orr_sources *sources)
{
    JsonObject *object = json_object_new();

    set_int(object, "mean", sources->mean);
    set_int(object, "histogram", sources->histogram);
    set_int(object, "lognormal", sources->lognormal);
    set_int(object, "record", sources->record);
    set_int(object, "elsewhere", sources->elsewhere);
    json_object_set_object_member(facts, "durations_from", object);
}

/* Adds the number of tasks by source of their times. */
static void add_times(JsonObject *facts, const struct orr_report *report)
{
    JsonObject *object = json_object_new();

    set_int(object, "kernel", report->times_of_kernels);
    for (unsigned i = 0; i < ORR_TIMES_SOURCES; i++)
        set_int(object, orr_times_source_name(i), report->times_from[i]);
    json_object_set_object_member(facts, "times_from", object);
}

/* Adds the speed; null if the number of operations is not known. */
static void add_speed(JsonObject *facts, const struct orr_report *report,
                      const struct orr_scenario *scenario)
{
    double makespan = (double)report->makespan_ns;
    double flops = orr_app_flops(scenario->problem.values);

    set_double(facts, "makespan_s", makespan / 1e9);
    if (isnan(flops))
        json_object_set_null_member(facts, "gflops");
    else
        set_double(facts, "gflops", makespan > 0 ? flops / makespan : 0);
}

static void add_results(JsonObject *facts, const struct orr_report *report)
{
    set_int(facts, "tasks", report->tasks);
    set_int(facts, "copies", report->copies);
    set_int(facts, "bytes_host_to_device", report->bytes_host_to_device);
    set_int(facts, "bytes_device_to_host", report->bytes_device_to_host);
    set_int(facts, "bytes_device_to_device", report->bytes_device_to_device);
    set_int(facts, "evictions", report->evictions);
    set_int(facts, "copies_by_segment", report->copies_by_segment);
    add_times(facts, report);
    add_sources(facts, &report->sources);
    orr_energy_facts_add(facts, report);
    set_int(facts, "events", report->events);
}

static void add_workers(JsonObject *facts, const struct orr_report *report,
                        bool hangs)
{
    JsonArray *workers = orr_output_add_array(facts, "workers");

    for (unsigned i = 0; i < report->worker_count; i++) {
        const struct orr_worker_report *worker = &report->workers[i];
        JsonObject *object = orr_output_add_object(workers);

        orr_output_set_text(object, "name", worker->name);
        set_int(object, "tasks", worker->tasks);
        set_double(object, "busy_s", (double)worker->busy_ns / 1e9);
        if (hangs)
            json_object_set_null_member(object, "busy_share");
        else
            set_double(object, "busy_share",
                       share(worker->busy_ns, report->makespan_ns));
    }
}

JsonObject *orr_facts_new(const struct orr_scenario *scenario,
                          const struct orr_report *report,
                          const struct orr_hang *hang, double wall_s)
{
    JsonObject *facts = json_object_new();

    add_problem(facts, scenario);
    add_conditions(facts, scenario, report);
    if (hang) {
        json_object_set_null_member(facts, "makespan_s");
        json_object_set_null_member(facts, "gflops");
    } else {
        add_speed(facts, report, scenario);
    }
    add_results(facts, report);
    set_double(facts, "simulation_wall_s", wall_s);
    add_unused(facts, report);
    add_workers(facts, report, hang != NULL);
    if (hang)
        json_object_set_object_member(facts, "hang", orr_diagnosis_new(hang));
    return facts;
}

static void copy(JsonObject *facts, JsonObject *run, const char *name)
{
    json_object_set_member(facts, name, json_object_dup_member(run, name));
}

void orr_facts_copy_common(JsonObject *facts, JsonObject *run)
{
    JsonArray *options = json_object_get_array_member(run, "options");

    copy(facts, run, "app");
    if (json_object_has_member(run, "app_file"))
        copy(facts, run, "app_file");
    for (guint i = 0; i < json_array_get_length(options); i++) {
        const char *item = json_array_get_string_element(options, i);
        g_autofree char *name = g_strndup(item, strcspn(item, "="));

        copy(facts, run, name);
    }
    for (size_t i = 1; i < G_N_ELEMENTS(common); i++)
        copy(facts, run, common[i]);
    if (json_object_has_member(run, "evict"))
        copy(facts, run, "evict");
    if (json_object_has_member(run, "buckets"))
        copy(facts, run, "buckets");
    if (json_object_has_member(run, "window_min"))
        copy(facts, run, "window_min");
    if (json_object_has_member(run, "pipeline"))
        copy(facts, run, "pipeline");
    if (json_object_has_member(run, "perturb_by"))
        copy(facts, run, "perturb_by");
}

static bool has_element(JsonArray *array, const char *text)
{
    for (guint i = 0; i < json_array_get_length(array); i++) {
        if (strcmp(json_array_get_string_element(array, i), text) == 0)
            return true;
    }
    return false;
}

void orr_facts_keep_common(JsonObject *facts, JsonObject *run)
{
    JsonArray *mine = json_object_get_array_member(facts, "options");
    JsonArray *others = json_object_get_array_member(run, "options");
    JsonArray *kept = json_array_new();

    for (guint i = 0; i < json_array_get_length(mine); i++) {
        const char *item = json_array_get_string_element(mine, i);
        g_autofree char *name = g_strndup(item, strcspn(item, "="));

        if (has_element(others, item))
            json_array_add_string_element(kept, item);
        else
            json_object_remove_member(facts, name);
    }
    json_object_set_array_member(facts, "options", kept);
}

/* ---- the facts of a run as text ---- */

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

/* "cholesky, tiles=20, precision=single"; options without a value, and flags
 * that are not given, are left out. */
static char *describe_problem(JsonObject *facts)
{
    JsonArray *options = orr_array_of(facts, "options");
    g_autoptr(GString) text = g_string_new(NULL);
    const char *file =
        json_object_get_string_member_with_default(facts, "app_file", NULL);

    if (g_strcmp0(file, orr_text_of(facts, "app")) == 0)
        file = NULL; /* for a graph, the name is the file: do not repeat it */
    for (guint i = 0; i < json_array_get_length(options); i++) {
        const char *item = json_array_get_string_element(options, i);

        if (!g_str_has_suffix(item, "=") && !g_str_has_suffix(item, "=no"))
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

/* Adds a row unless all kernels were measured, the usual case. */
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

static char *describe_pipeline(JsonObject *facts)
{
    gint64 depth = orr_int_of(facts, "pipeline");

    return g_strdup_printf("%" G_GINT64_FORMAT " task%s per GPU worker%s",
                           MAX(depth, 1), depth > 1 ? "s" : "",
                           depth == 0 ? ", which waits for its kernel" : "");
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
    if (json_object_has_member(facts, "buckets"))
        add_line(table, "buckets", g_strdup(orr_text_of(facts, "buckets")));
    if (json_object_has_member(facts, "evict"))
        add_line(table, "eviction", g_strdup(orr_text_of(facts, "evict")));
    add_line(table, "window", describe_window(facts));
    if (json_object_has_member(facts, "pipeline"))
        add_line(table, "pipeline", describe_pipeline(facts));
    add_line(table, "models", describe_models(facts));
    add_line(table, "perturb", describe_perturbation(facts));
    add_count(table, facts, "seed");
    orr_table_print(table);
    orr_table_free(table);
}

/* A member that counts tasks, its text in the table, and the options of the
 * application, the first that is given, that say what is counted. */
struct kind {
    const char *name;
    const char *text;
    const char *options[2];
};

/* Adds " (--times FILE)", if @facts have an option of @kind. */
static void append_option(GString *text, JsonObject *facts,
                          const struct kind *kind)
{
    for (size_t i = 0; i < G_N_ELEMENTS(kind->options); i++) {
        const char *name = kind->options[i];

        JsonNode *given = name ? json_object_get_member(facts, name) : NULL;

        if (!given || json_node_get_value_type(given) != G_TYPE_STRING)
            continue;
        g_string_append_printf(text, " (--%s %s)", name,
                               json_node_get_string(given));
        return;
    }
}

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

        if (count > 0) {
            g_string_append_printf(text, "%s%" G_GINT64_FORMAT " %s",
                                   text->len > 0 ? ", " : "", count,
                                   kinds[i].text);
            append_option(text, facts, &kinds[i]);
        }
        if (strcmp(kinds[i].name, usual) != 0)
            others += count;
    }
    return g_string_free(text, others == 0);
}

static char *describe_times(JsonObject *facts)
{
    static const struct kind kinds[] = {
        {"kernel", "of calibrated kernels", {NULL}},
        {"flops", "from flops", {"assume-flops", "assume-speed"}},
        {"recorded", "from recorded durations", {"times", "assume-speed"}},
        {"given", "given by the application", {NULL}},
        {"none", "without work", {NULL}},
    };

    return describe_kinds(facts, "times_from", kinds, G_N_ELEMENTS(kinds),
                          "kernel");
}

static char *describe_sources(JsonObject *facts)
{
    static const struct kind kinds[] = {
        {"histogram", "drawn from histograms", {NULL}},
        {"lognormal", "drawn from an ASSUMED lognormal law", {NULL}},
        {"record", "as recorded", {NULL}},
        {"elsewhere",
         "recorded on another device: means of the record",
         {NULL}},
        {"mean", "means", {NULL}},
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

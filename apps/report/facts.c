/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/report/facts.h"

#include <math.h>
#include <string.h>

#include "apps/output/output.h"
#include "apps/report/diagnosis.h"
#include "apps/report/energy_facts.h"
#include "config.h"
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

static void add_problem(JsonObject *facts, const struct orr_settings *settings)
{
    const struct orr_app_option *options = settings->app->options;

    orr_output_set_text(facts, "app", settings->app->name);
    if (orr_program_file(settings->program))
        orr_output_set_text(facts, "app_file",
                            orr_program_file(settings->program));
    for (size_t i = 0; options && options[i].name; i++)
        set_option(facts, &options[i], settings->values);
}

/* Lists the options of the application: "tiles=20". */
static void add_options(JsonObject *facts, const struct orr_settings *settings)
{
    const struct orr_app_option *options = settings->app->options;
    JsonArray *list = orr_output_add_array(facts, "options");

    for (size_t i = 0; options && options[i].name; i++) {
        g_autofree char *text =
            orr_app_values_format(settings->values, &options[i]);
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

/* Adds the settings that had no influence. */
static void add_unused(JsonObject *facts, const struct orr_report *report)
{
    JsonArray *unused = orr_output_add_array(facts, "unused");

    for (unsigned i = 0; report->unused[i]; i++)
        json_array_add_string_element(unused, report->unused[i]);
}

static void add_where(JsonObject *facts, const struct orr_settings *settings)
{
    const char *const *kernels = settings->app->kernels;
    JsonArray *list = orr_output_add_array(facts, "where");

    for (unsigned i = 0; kernels && kernels[i]; i++) {
        enum orr_where where = orr_settings_where(settings, kernels[i]);

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
                           const struct orr_settings *settings,
                           const struct orr_report *report)
{
    orr_output_set_text(facts, "platform", report->platform);
    set_int(facts, "cpus", report->cpus);
    set_int(facts, "gpus", report->gpus);
    set_int(facts, "gpu_memory_bytes", report->gpu_memory_bytes);
    orr_output_set_text(facts, "sched", report->sched);
    if (report->sched_file)
        orr_output_set_text(facts, "sched_file", report->sched_file);
    if (report->evict)
        orr_output_set_text(facts, "evict", report->evict);
    set_int(facts, "window", settings->window.most);
    if (settings->window.least >= 0)
        set_int(facts, "window_min", (uint64_t)settings->window.least);
    orr_output_set_text(facts, "models", report->models);
    set_double(facts, "perturb", settings->perturb.share);
    if (settings->perturb.share > 0)
        orr_output_set_text(facts, "perturb_by",
                            settings->perturb.by_device ? "device" : "worker");
    set_int(facts, "seed", report->seed);
    orr_energy_facts_add_weights(facts, settings);
    orr_output_set_text(facts, "kernel_times",
                        report->modelled ? "modelled" : "measured");
    orr_output_set_text(facts, "kernel_spread", spread_of(report));
    add_where(facts, settings);
    add_changes(facts, report);
    add_options(facts, settings);
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

/* Adds the number of tasks by where their times come from. */
static void add_times(JsonObject *facts, const struct orr_report *report)
{
    static const char *const names[ORR_TIMES_SOURCES] = {"given", "flops",
                                                         "recorded", "none"};
    JsonObject *object = json_object_new();

    set_int(object, "kernel", report->times_of_kernels);
    for (unsigned i = 0; i < ORR_TIMES_SOURCES; i++)
        set_int(object, names[i], report->times_from[i]);
    json_object_set_object_member(facts, "times_from", object);
}

/* Adds null where the application does not say how many operations it has. */
static void add_speed(JsonObject *facts, const struct orr_report *report,
                      const struct orr_settings *settings)
{
    double makespan = (double)report->makespan_ns;
    double flops = orr_app_flops(settings->values);

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

JsonObject *orr_facts_new(const struct orr_settings *settings,
                          const struct orr_report *report,
                          const struct orr_hang *hang, double wall_s)
{
    JsonObject *facts = json_object_new();

    add_problem(facts, settings);
    add_conditions(facts, settings, report);
    if (hang) {
        json_object_set_null_member(facts, "makespan_s");
        json_object_set_null_member(facts, "gflops");
    } else {
        add_speed(facts, report, settings);
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
    if (json_object_has_member(run, "window_min"))
        copy(facts, run, "window_min");
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * orrery ablate: the settings make a plan of runs, for each size and replica
 * one with each variant of the models: as given, each model degraded in turn,
 * and all degraded. The runs go in parallel, and the differences of their
 * speeds are reported.
 */
#include <string.h>

#include "apps/cli/cmd.h"
#include "apps/experiment/ablation.h"
#include "apps/facts/coverage.h"
#include "apps/output/csv.h"
#include "apps/output/output.h"
#include "apps/output/parallel.h"
#include "apps/picture/plot.h"
#include "apps/settings/command.h"
#include "apps/settings/policies.h"
#include "apps/simulation/simulate.h"
#include "models/base/error.h"

static const struct orr_syntax syntax = {
    "ablate",
    "APP",
    1,
    1,
    "Simulates the application APP with all models, then with each model "
    "degraded in\nturn, then with all degraded together, and reports how much "
    "each of them changes\nthe prediction.",
    {&orr_options_application, &orr_options_kernels, &orr_options_machine,
     &orr_options_policy, &orr_options_runtime, &orr_options_ablate,
     &orr_options_plot, &orr_options_plugin, &orr_options_output, NULL},
};

/* All runs: of each size, of each replica, of each variant. */
struct plan {
    const struct orr_settings *settings;
    GArray *sizes;   /* uint64_t: of settings->scenario.problem.several */
    char **shapes;   /* shapes as texts, NULL-terminated */
    char **variants; /* the degraded model: "", "memory=off", "all" */
    char **models;   /* settings.models of each variant; "": as given */
    unsigned variant_count;
    unsigned replicas;

    /* One element for each run. */
    unsigned count;
    JsonObject **facts;
    GError **errors;
    enum orr_exit *statuses;
};

static bool simulate(unsigned i, void *data)
{
    struct plan *plan = data;
    struct orr_settings settings = *plan->settings;
    unsigned variant = i % plan->variant_count;
    unsigned replica = i / plan->variant_count % plan->replicas;
    unsigned size = i / plan->variant_count / plan->replicas;

    settings.scenario.problem.values =
        settings.scenario.problem.several->pdata[size];
    settings.scenario.config.seed += replica;
    if (variant > 0)
        settings.scenario.config.models = plan->models[variant];
    plan->statuses[i] =
        orr_simulate(&settings.scenario, settings.scenario.config.sched, NULL,
                     &plan->facts[i], &plan->errors[i]);
    return plan->statuses[i] == ORR_EXIT_OK;
}

static void add_variant(struct plan *plan, const char *name, const char *items)
{
    const char *given = plan->settings->scenario.config.models;

    plan->variants[plan->variant_count] = g_strdup(name);
    plan->models[plan->variant_count++] =
        given ? g_strconcat(given, ",", items, NULL) : g_strdup(items);
}

static void plan_init(struct plan *plan, const struct orr_settings *settings,
                      char **items)
{
    unsigned degradations = g_strv_length(items);
    g_autofree char *all = g_strjoinv(",", items);

    *plan = (struct plan){
        .settings = settings,
        .sizes = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
    };
    plan->shapes = g_new0(char *, settings->scenario.problem.several->len + 1);
    for (unsigned i = 0; i < settings->scenario.problem.several->len; i++) {
        const struct orr_app_values *values =
            settings->scenario.problem.several->pdata[i];
        uint64_t size = orr_app_size(values, settings->scenario.problem.axis);

        g_array_append_val(plan->sizes, size);
        plan->shapes[i] =
            orr_app_size_text(values, settings->scenario.problem.axis);
    }
    plan->variants = g_new0(char *, degradations + 3);
    plan->models = g_new0(char *, degradations + 3);
    add_variant(plan, "", "");
    for (unsigned i = 0; i < degradations; i++)
        add_variant(plan, items[i], items[i]);
    if (degradations > 1)
        add_variant(plan, "all", all);
    plan->replicas = (unsigned)settings->scenario.run.replicas;
    plan->count = plan->sizes->len * plan->replicas * plan->variant_count;
    plan->facts = g_new0(JsonObject *, plan->count);
    plan->errors = g_new0(GError *, plan->count);
    plan->statuses = g_new0(enum orr_exit, plan->count);
}

static void plan_clear(struct plan *plan)
{
    for (unsigned i = 0; i < plan->count; i++) {
        g_clear_error(&plan->errors[i]);
        g_clear_pointer(&plan->facts[i], json_object_unref);
    }
    g_free(plan->facts);
    g_free(plan->errors);
    g_free(plan->statuses);
    g_strfreev(plan->variants);
    g_strfreev(plan->models);
    g_strfreev(plan->shapes);
    g_array_unref(plan->sizes);
}

/* Prints why run @i failed and, if the reason does not show it, which it is. */
static void complain(const struct plan *plan, unsigned i)
{
    const char *variant = plan->variants[i % plan->variant_count];
    unsigned size = i / plan->variant_count / plan->replicas;

    if (plan->statuses[i] < ORR_EXIT_STALLED) {
        orr_message_print(syntax.command, "%s", plan->errors[i]->message);
        return;
    }
    orr_message_print(syntax.command, "size %s, %s%s: %s", plan->shapes[size],
                      *variant ? "degraded: " : "nothing degraded", variant,
                      plan->errors[i]->message);
}

/* A run takes a time that grows with its tasks. */
static double weight(unsigned i, void *data)
{
    const struct plan *plan = data;
    unsigned size = i / plan->variant_count / plan->replicas;

    return orr_app_tasks(plan->settings->scenario.problem.several->pdata[size]);
}

static enum orr_exit simulate_all(struct plan *plan)
{
    const struct orr_parallel parallel = {
        .command = syntax.command,
        .noun = "runs simulated",
        .weight = weight,
        .count = plan->count,
        .perform = simulate,
        .data = plan,
    };
    int signal = orr_parallel_run(&parallel, NULL);

    for (unsigned i = 0; i < plan->count; i++) {
        if (plan->errors[i]) {
            complain(plan, i);
            return plan->statuses[i];
        }
    }
    return signal ? orr_parallel_status(signal) : ORR_EXIT_OK;
}

/* Prints messages about settings that had no effect. */
static void warn(const struct plan *plan, JsonObject *facts)
{
    uint64_t by_segment = 0;

    for (unsigned i = 0; i < plan->count; i++) {
        if (plan->facts[i])
            by_segment += (uint64_t)json_object_get_int_member(
                plan->facts[i], "copies_by_segment");
    }
    orr_settings_warn_no_effect(
        plan->settings, syntax.command,
        (unsigned)json_object_get_int_member(facts, "gpus"));
    orr_settings_warn_unused(syntax.command, plan->facts, plan->count);
    orr_settings_warn_layout(plan->settings, syntax.command, by_segment);
}

static void print(JsonObject *facts, const struct orr_settings *settings)
{
    enum orr_format format = settings->format;

    if (format == ORR_FORMAT_TEXT)
        orr_ablation_print(facts, settings->scenario.problem.axis
                                      ? settings->scenario.problem.axis
                                      : "size");
    else if (format == ORR_FORMAT_JSON)
        orr_output_object(facts);
    else
        orr_csv_print_rows(json_object_get_array_member(facts, "runs"));
}

/* Returns the options for the plot of changes. */
static struct orr_plot_options changes_of(const struct orr_settings *settings)
{
    struct orr_plot_options options = settings->outputs.plot;

    options.path = settings->outputs.plot_changes;
    return options;
}

static bool plot(const struct orr_settings *settings, JsonObject *facts,
                 GError **error)
{
    struct orr_plot_options changes = changes_of(settings);
    const char *title = orr_app_axis_title(settings->scenario.problem.app,
                                           settings->scenario.problem.axis);

    return orr_ablation_plot(facts, ORR_ABLATION_SPEED, title,
                             &settings->outputs.plot, error) &&
           orr_ablation_plot(facts, ORR_ABLATION_CHANGE, title, &changes,
                             error);
}

/* Returns whether the plots can be written. */
static bool check_plots(const struct orr_settings *settings, GError **error)
{
    struct orr_plot_options changes = changes_of(settings);

    return orr_plot_check(&settings->outputs.plot, error) &&
           orr_plot_check(&changes, error);
}

/* Whether the axis is an option of kind shape. */
static bool has_shapes(const struct plan *plan)
{
    const char *axis = plan->settings->scenario.problem.axis;
    const struct orr_app_option *option =
        axis ? orr_app_option(plan->settings->scenario.problem.app, axis,
                              strlen(axis))
             : NULL;

    return option && option->kind == ORR_APP_SHAPE;
}

/* Reports the complete runs; after a signal, these are not all. */
static bool report(const struct plan *plan, GError **error)
{
    const struct orr_ablation ablation = {
        .size_count = plan->sizes->len,
        .sizes = (const uint64_t *)(const void *)plan->sizes->data,
        .shapes = has_shapes(plan) ? (const char *const *)plan->shapes : NULL,
        .variant_count = plan->variant_count,
        .variants = plan->variants,
        .replicas = plan->replicas,
        .runs = plan->facts,
    };
    JsonObject *facts;
    bool plotted;

    if (!plan->facts[0])
        return true;
    facts = orr_ablation_facts(&ablation);
    warn(plan, facts);
    print(facts, plan->settings);
    plotted = plot(plan->settings, facts, error);
    json_object_unref(facts);
    return plotted;
}

/* Prints how far the runs got when a signal stopped them. They begin in the
 * order of their numbers. */
static void print_stopped(const struct plan *plan)
{
    unsigned complete = 0, first = 0;

    for (unsigned i = 0; i < plan->count; i++)
        complete += plan->facts[i] != NULL;
    while (first < plan->count && plan->facts[first])
        first++;
    if (complete < plan->count)
        orr_message_print(
            syntax.command, "stopped at size %s, with %u of %u runs complete",
            plan->shapes[first / plan->variant_count / plan->replicas],
            complete, plan->count);
}

static enum orr_exit carry_out(struct plan *plan, GError **error)
{
    enum orr_exit status = simulate_all(plan);
    bool reported;

    if (status != ORR_EXIT_OK && status <= ORR_EXIT_SIGNAL)
        return status;
    reported = report(plan, error);
    if (status > ORR_EXIT_SIGNAL)
        print_stopped(plan);
    return reported ? status : ORR_EXIT_FAILURE;
}

static enum orr_exit ablate(const char *app, struct orr_settings *settings,
                            GError **error)
{
    g_auto(GStrv) items = NULL;
    struct plan plan;
    enum orr_exit status;

    if (!orr_settings_choose_tile(settings, app, error) ||
        !orr_settings_resolve_several(settings, app, error))
        return ORR_EXIT_USAGE;
    if (!settings->scenario.config.sched)
        settings->scenario.config.sched = ORR_DEFAULT_SCHED;
    if (!orr_policies_check(settings->scenario.config.sched, error) ||
        !orr_policies_check_eviction(settings->scenario.config.evict, error))
        return orr_exit_of_name(*error);
    items = orr_degradations_find(settings, error);
    if (!items)
        return orr_exit_of_name(*error);
    orr_settings_limit_replicas(settings, syntax.command);
    if (!check_plots(settings, error))
        return orr_exit_of(*error);
    status = orr_simulate_share(settings, error);
    if (status != ORR_EXIT_OK)
        return status;
    orr_coverage_warn(&settings->scenario, syntax.command);
    plan_init(&plan, settings, items);
    status = carry_out(&plan, error);
    plan_clear(&plan);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, ablate);
}

const struct orr_cmd orr_cmd_ablate = {.name = "ablate",
                                       .summary =
                                           "measure the effect of each model",
                                       .syntax = &syntax,
                                       .main = command};

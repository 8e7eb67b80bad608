/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Settings are filled in two steps. While options are read, the application is
 * opened as soon as its name is known, as it has options of its own. Then they
 * are resolved: the values of the application are completed and checked against
 * each other, for one problem or for each of a list.
 */
#include "apps/settings/settings.h"

#include <string.h>

#include "apps/options/strategies.h"
#include "apps/settings/lists.h"
#include "apps/settings/policies.h"
#include "apps/settings/protection.h"
#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/units.h"
#include "models/import/platform_find.h"
#include "models/platform/switches.h"
#include "runtime/executor/kernel.h"

enum { DEFAULT_BUDGET = 10000, DEFAULT_SHARDS = 8 };

void orr_settings_init(struct orr_settings *settings)
{
    *settings = (struct orr_settings){
        .scenario.run.replicas = 1,
        .format = ORR_FORMAT_TEXT,
        .exploration.strategy = ORR_STRATEGY_PORTFOLIO,
        .exploration.budget = DEFAULT_BUDGET,
        .exploration.seeds = 1,
        .outputs.plugin_timeout_s = ORR_PLUGIN_TIMEOUT_S,
        .campaign.shards = DEFAULT_SHARDS,
    };
    orr_config_init(&settings->scenario.config);
    settings->scenario.config.platform = "attila";
}

void orr_settings_clear(struct orr_settings *settings)
{
    orr_config_clear(&settings->scenario.config);
    g_clear_pointer(&settings->scenario.run.machine, orr_machine_free);
    g_clear_pointer(&settings->scenario.problem.values, orr_app_values_free);
    g_clear_pointer(&settings->scenario.problem.several, g_ptr_array_unref);
    g_clear_pointer(&settings->scenario.problem.app, orr_app_free);
    g_clear_pointer(&settings->scenario.problem.name, g_free);
    g_clear_pointer(&settings->outputs.traces, g_ptr_array_unref);
    g_clear_pointer(&settings->scenario.given, g_ptr_array_unref);
    g_clear_pointer(&settings->scenario.replaced, g_ptr_array_unref);
    g_clear_pointer(&settings->campaign.vary, g_ptr_array_unref);
    g_clear_pointer(&settings->campaign.over, g_ptr_array_unref);
}

/* --app, and the options that decide what a run does. */
static const struct orr_option_group *const with_app[] = {
    &orr_options_application,
    &orr_options_kernels,
    &orr_options_machine,
    &orr_options_policy,
    &orr_options_runtime,
    &orr_options_checks,
    NULL};
static const struct orr_option_group *const *const of_run = &with_app[1];

/* Whether @option decides what a run does. The application itself is kept
 * apart: in a token, it comes before the options. */
static bool is_of_run(const struct orr_settings *settings,
                      const struct orr_option *option)
{
    if (option && settings->scenario.problem.app &&
        orr_app_option(settings->scenario.problem.app, option->name,
                       strlen(option->name)))
        return true;
    return option && orr_option_find(of_run, option->name, strlen(option->name),
                                     NULL) == option;
}

const struct orr_option *orr_settings_option(size_t i)
{
    for (unsigned g = 0; with_app[g]; g++) {
        if (i < with_app[g]->count)
            return &with_app[g]->options[i];
        i -= with_app[g]->count;
    }
    return NULL;
}

void orr_settings_list(const struct orr_settings *settings,
                       void (*each)(const char *name, bool is_flag, void *data),
                       void *data)
{
    const struct orr_app_option *options =
        settings->scenario.problem.app ? settings->scenario.problem.app->options
                                       : NULL;

    for (; options && options->name; options++)
        each(options->name, options->kind == ORR_APP_FLAG, data);
    for (unsigned g = 0; with_app[g]; g++) {
        for (size_t i = 0; i < with_app[g]->count; i++) {
            const struct orr_option *option = &with_app[g]->options[i];

            if (is_of_run(settings, option))
                each(option->name, !option->value, data);
        }
    }
}

static const char *keep_given(struct orr_settings *settings, char *text)
{
    if (!settings->scenario.given)
        settings->scenario.given = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(settings->scenario.given, text);
    return text;
}

void orr_settings_keep(struct orr_settings *settings,
                       const struct orr_option *option, const char *text)
{
    if (is_of_run(settings, option))
        keep_given(settings, option->value
                                 ? g_strconcat(option->name, "=", text, NULL)
                                 : g_strdup(option->name));
}

/* Sets an option of the application from @text, "name=value" or "name"; that
 * many bytes are the name. Returns false without @error if there is none. */
static bool give_app(struct orr_settings *settings, const char *text,
                     size_t length, GError **error)
{
    const struct orr_app_option *option =
        settings->scenario.problem.app
            ? orr_app_option(settings->scenario.problem.app, text, length)
            : NULL;

    if (!option || (option->kind == ORR_APP_FLAG) != !text[length])
        return false;
    text = keep_given(settings, g_strdup(text)) + length;
    return orr_app_values_set(settings->scenario.problem.values, option->name,
                              *text ? text + 1 : NULL, error);
}

bool orr_settings_give(struct orr_settings *settings, const char *text,
                       GError **error)
{
    size_t length = strcspn(text, "=");
    size_t member = 0;
    const struct orr_option *option =
        orr_option_find(of_run, text, length, &member);
    g_autofree char *name = g_strndup(text, length);
    g_autofree char *quoted = orr_quote(name);
    GError *reason = NULL;

    if (give_app(settings, text, length, &reason))
        return true;
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    if (!is_of_run(settings, option) || !option->value != !text[length]) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "there is no option %s %s a value", quoted,
                    text[length] ? "with" : "without");
        return false;
    }
    text = keep_given(settings, g_strdup(text)) + length;
    if (option->parse(option, *text ? text + 1 : text,
                      (char *)settings + member, error))
        return true;
    g_prefix_error(error, "--%s: ", option->name);
    return false;
}

static bool check_kernel(const struct orr_settings *settings,
                         const char *restriction, GError **error)
{
    g_autofree char *name = g_strndup(
        restriction, (gsize)(strrchr(restriction, '=') - restriction));
    g_autofree char *what =
        g_strdup_printf("kernel of %s", settings->scenario.problem.app->name);
    size_t kernel;

    if (!settings->scenario.problem.app->kernels) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--where: %s does not list its kernels, so none can be "
                    "restricted",
                    settings->scenario.problem.app->name);
        return false;
    }
    if (orr_names_find(what, settings->scenario.problem.app->kernels, name,
                       &kernel, error))
        return true;
    g_prefix_error(error, "--where: ");
    return false;
}

static bool check_kernels(const struct orr_settings *settings, GError **error)
{
    const char *const *restrictions = settings->scenario.config.where;

    for (unsigned i = 0; restrictions && restrictions[i]; i++) {
        if (!check_kernel(settings, restrictions[i], error))
            return false;
    }
    return true;
}

enum orr_where orr_settings_where(const struct orr_scenario *scenario,
                                  const char *name)
{
    const char *const *restrictions = scenario->config.where;
    enum orr_where where = ORR_WHERE_ANY;

    for (unsigned i = 0; restrictions && restrictions[i]; i++) {
        const char *text = restrictions[i];
        const char *sign = strrchr(text, '=');
        g_autofree char *kernel = g_strndup(text, (gsize)(sign - text));

        if (orr_name_matches(name, kernel))
            orr_where_parse(sign + 1, &where, NULL);
    }
    return where;
}

/* Whether a command that takes an APP has option --@name for every application.
 */
static bool is_taken(const char *name)
{
    static const struct orr_option_group *const groups[] = {
        &orr_options_application,
        &orr_options_kernels,
        &orr_options_machine,
        &orr_options_policy,
        &orr_options_runtime,
        &orr_options_checks,
        &orr_options_plugin,
        &orr_options_run,
        &orr_options_compare,
        &orr_options_ablate,
        &orr_options_explore,
        &orr_options_plot,
        &orr_options_gantt,
        &orr_options_output,
        &orr_options_traces,
        &orr_options_scale,
        &orr_options_report,
        &orr_options_sweep,
        NULL};

    return strcmp(name, "help") == 0 ||
           orr_option_find(groups, name, strlen(name), NULL);
}

/* Whether no option of @app has the name of one that every application has. */
static bool check_options(const struct orr_app *app, GError **error)
{
    const struct orr_app_option *options = app->options;

    for (size_t i = 0; options && options[i].name; i++) {
        if (!is_taken(options[i].name))
            continue;
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s: option --%s has the name of an option that every "
                    "application has",
                    orr_app_file(app), options[i].name);
        return false;
    }
    return true;
}

bool orr_settings_take_config(struct orr_settings *settings, GError **error)
{
    const struct orr_app *app = settings->scenario.problem.app;
    const char *const *config = orr_app_config(app);
    guint given = settings->scenario.given ? settings->scenario.given->len : 0;
    bool first = given == settings->scenario.asked;

    for (; config && *config; config++) {
        if (!orr_settings_give(settings, *config, error)) {
            g_prefix_error(error, "program %s: ", app->name);
            return false;
        }
        if (first)
            settings->scenario.asked++;
    }
    return true;
}

bool orr_settings_open(struct orr_settings *settings, const char *name,
                       GError **error)
{
    const struct orr_app *app;

    if (g_strcmp0(settings->scenario.problem.name, name) == 0)
        return true;
    app = orr_protection_open_app(name, settings->time_limit, error);
    if (!app || !check_options(app, error)) {
        orr_app_free(app);
        return false;
    }
    g_clear_pointer(&settings->scenario.problem.values, orr_app_values_free);
    orr_app_free(settings->scenario.problem.app);
    g_free(settings->scenario.problem.name);
    settings->scenario.problem.name = g_strdup(name);
    settings->scenario.problem.app = app;
    settings->scenario.problem.values = orr_app_values_new(app);
    return orr_settings_take_config(settings, error);
}

/* Whether an element of @options from @first on, "name=value" or "name", has
 * the name of @text. */
static bool has_name(char *const *options, guint count, guint first,
                     const char *text)
{
    size_t length = strcspn(text, "=");

    for (guint i = first; i < count; i++)
        if (strncmp(options[i], text, length) == 0 &&
            strcspn(options[i], "=") == length)
            return true;
    return false;
}

/* Whether all that the application asked for before, and that was not given
 * since, is in @config. */
static bool asks_for_all(const struct orr_settings *settings,
                         const char *const *config, GError **error)
{
    const GPtrArray *given = settings->scenario.given;
    char *const *options = (char *const *)given->pdata;
    guint count = g_strv_length((char **)config);

    for (guint i = 0; i < settings->scenario.asked; i++) {
        g_autofree char *name = NULL;

        if (has_name((char *const *)config, count, 0, options[i]) ||
            has_name(options, given->len, settings->scenario.asked, options[i]))
            continue;
        name = g_strndup(options[i], strcspn(options[i], "="));
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "program %s: with these arguments it asks for no %s: give "
                    "--%s",
                    settings->scenario.problem.app->name, name, name);
        return false;
    }
    return true;
}

/* Whether a list of policies, which is no option of a run, has replaced the one
 * that the application asked for. */
static bool has_policies(const struct orr_settings *settings, const char *asked)
{
    static const char sched[] = "sched=";

    return g_str_has_prefix(asked, sched) &&
           settings->scenario.config.sched != asked + strlen(sched);
}

const char *orr_settings_policies(const struct orr_settings *settings)
{
    const struct orr_scenario *scenario = &settings->scenario;

    for (guint i = 0; i < scenario->asked; i++) {
        const char *asked = scenario->given->pdata[i];

        if (g_str_has_prefix(asked, "sched=") && !has_policies(settings, asked))
            return NULL;
    }
    return scenario->config.sched;
}

/* Gives @config, the options that the application asks for now, and forgets the
 * former ones. Options given since stay. */
static bool replace_asked(struct orr_settings *settings,
                          const char *const *config, GError **error)
{
    struct orr_scenario *scenario = &settings->scenario;
    GPtrArray *before = g_steal_pointer(&scenario->given);
    guint first = scenario->asked;
    bool policies = false, good = true;

    for (guint i = 0; i < first; i++)
        policies |= has_policies(settings, before->pdata[i]);
    if (!scenario->replaced)
        scenario->replaced = g_ptr_array_new_with_free_func(g_free);
    for (scenario->asked = 0; good && config[scenario->asked];
         scenario->asked++) {
        const char *text = config[scenario->asked];

        if (has_name((char *const *)before->pdata, before->len, first, text) ||
            (policies && g_str_has_prefix(text, "sched=")))
            keep_given(settings, g_strdup(text));
        else
            good = orr_settings_give(settings, text, error);
    }
    for (guint i = 0; i < before->len; i++) {
        char *text = before->pdata[i];

        if (i < first)
            g_ptr_array_add(scenario->replaced, text);
        else
            keep_given(settings, text);
    }
    g_ptr_array_set_free_func(before, NULL);
    g_ptr_array_unref(before);
    return good;
}

/* A program gets no more GPUs than the machine has, as under StarPU, unless
 * they are given. */
static void limit_asked_gpus(struct orr_settings *settings)
{
    static const char gpus[] = "gpus";
    struct orr_scenario *scenario = &settings->scenario;
    GPtrArray *given = scenario->given;
    struct orr_platform *platform;
    guint i = 0;

    while (i < scenario->asked && !g_str_has_prefix(given->pdata[i], "gpus="))
        i++;
    if (i >= scenario->asked || has_name((char *const *)given->pdata,
                                         given->len, scenario->asked, gpus))
        return;
    platform = orr_platform_load(scenario->config.platform, NULL, NULL);
    if (platform && scenario->config.gpus > (int)platform->gpu_count) {
        scenario->config.gpus = (int)platform->gpu_count;
        g_free(given->pdata[i]);
        given->pdata[i] = g_strdup_printf("gpus=%u", platform->gpu_count);
    }
    orr_platform_free(platform);
}

/* With other arguments a program may ask for other options. */
static bool ask_again(struct orr_settings *settings, GError **error)
{
    GError *why = NULL;
    const char *const *config =
        orr_app_config_with(settings->scenario.problem.values, &why);

    if (why) {
        g_propagate_error(error, why);
        return false;
    }
    if (config && settings->scenario.asked > 0 &&
        config != orr_app_config(settings->scenario.problem.app) &&
        !(asks_for_all(settings, config, error) &&
          replace_asked(settings, config, error)))
        return false;
    limit_asked_gpus(settings);
    return true;
}

bool orr_settings_resolve(struct orr_settings *settings, const char *app,
                          GError **error)
{
    g_autofree char *quoted = NULL;

    if (!orr_settings_open(settings, app, error))
        return false;
    if (!settings->scenario.problem.list)
        return orr_app_values_complete(settings->scenario.problem.values,
                                       error) &&
               ask_again(settings, error) && check_kernels(settings, error);
    quoted = orr_quote(settings->scenario.problem.list);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "--%s: %s: expected one number; only compare and ablate "
                "take a list",
                settings->scenario.problem.list_option->name, quoted);
    return false;
}

static void free_values(gpointer values)
{
    orr_app_values_free(values);
}

static int by_axis(const void *a, const void *b, void *axis)
{
    uint64_t x = orr_app_size(*(struct orr_app_values *const *)a, axis);
    uint64_t y = orr_app_size(*(struct orr_app_values *const *)b, axis);

    return (x > y) - (x < y);
}

static const char *choose_axis(const struct orr_settings *settings)
{
    const char *axis = settings->scenario.problem.app->axis;
    void *const *several = settings->scenario.problem.several->pdata;

    for (guint i = 1; axis && i < settings->scenario.problem.several->len;
         i++) {
        if (orr_app_size(several[i], axis) != orr_app_size(several[0], axis))
            return axis;
    }
    return settings->scenario.problem.several->len > 1 || !axis
               ? settings->scenario.problem.list_option->name
               : axis;
}

/* Returns the values of a list of @option, each as text; NULL with @error. */
static GStrv list_texts(const struct orr_app_option *option, const char *list,
                        GError **error)
{
    bool plain = option->kind == ORR_APP_SHAPE && !strchr(list, ':');

    return plain ? orr_items_parse(list, error)
                 : orr_sizes_texts(list, (uint64_t)option->min,
                                   (uint64_t)option->max, error);
}

/* Adds a problem for each value of the list. */
static bool list_problems(struct orr_settings *settings, GError **error)
{
    const struct orr_app_option *option =
        settings->scenario.problem.list_option;
    const char *name =
        settings->scenario.problem.sizes ? "sizes" : option->name;
    g_auto(GStrv) texts =
        list_texts(option, settings->scenario.problem.list, error);

    if (!texts) {
        g_prefix_error(error, "--%s: ", name);
        return false;
    }
    for (unsigned i = 0; texts[i]; i++) {
        struct orr_app_values *values =
            orr_app_values_copy(settings->scenario.problem.values);

        g_ptr_array_add(settings->scenario.problem.several, values);
        if (!orr_app_values_give(values, option->name, texts[i], error)) {
            g_prefix_error(error, "--%s: ", name);
            return false;
        }
        if (!orr_app_values_complete(values, error))
            return false;
    }
    settings->scenario.problem.axis = choose_axis(settings);
    g_ptr_array_sort_with_data(settings->scenario.problem.several, by_axis,
                               (void *)settings->scenario.problem.axis);
    return true;
}

/* Returns the option that excludes --sizes, if one is given, or NULL. */
static const char *find_other(const struct orr_settings *settings)
{
    const struct orr_app *app = settings->scenario.problem.app;

    if (settings->scenario.problem.list)
        return settings->scenario.problem.list_option->name;
    if (app->scale &&
        orr_app_is_given(settings->scenario.problem.values, app->scale))
        return app->scale;
    return orr_app_is_given(settings->scenario.problem.values, app->axis)
               ? app->axis
               : NULL;
}

/* Makes --sizes the list of the axis. */
static bool take_sizes(struct orr_settings *settings, GError **error)
{
    const struct orr_app *app = settings->scenario.problem.app;
    const char *other = app->axis ? find_other(settings) : NULL;

    if (!app->axis)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--sizes: application %s has no size", app->name);
    else if (other)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--sizes cannot be combined with --%s", other);
    if (!app->axis || other)
        return false;
    settings->scenario.problem.list = settings->scenario.problem.sizes;
    settings->scenario.problem.list_option =
        orr_app_option(app, app->axis, strlen(app->axis));
    return true;
}

bool orr_settings_resolve_several(struct orr_settings *settings,
                                  const char *app, GError **error)
{
    if (!orr_settings_open(settings, app, error) ||
        (settings->scenario.problem.sizes && !take_sizes(settings, error)))
        return false;
    g_clear_pointer(&settings->scenario.problem.several, g_ptr_array_unref);
    settings->scenario.problem.several =
        g_ptr_array_new_with_free_func(free_values);
    if (settings->scenario.problem.list)
        return list_problems(settings, error) && check_kernels(settings, error);
    if (!orr_app_values_complete(settings->scenario.problem.values, error) ||
        !ask_again(settings, error))
        return false;
    g_ptr_array_add(settings->scenario.problem.several,
                    orr_app_values_copy(settings->scenario.problem.values));
    settings->scenario.problem.axis = settings->scenario.problem.app->axis;
    return check_kernels(settings, error);
}

static void get_switches(const struct orr_settings *settings,
                         struct orr_switches *switches)
{
    orr_switches_init(switches);
    if (settings->scenario.config.models)
        orr_switches_parse(switches, settings->scenario.config.models, NULL);
}

/* Returns whether the results depend on the seed. */
static bool is_random(const struct orr_settings *settings)
{
    struct orr_switches switches;

    get_switches(settings, &switches);
    return settings->scenario.config.perturb.share > 0 ||
           orr_policies_are_random(settings->scenario.config.sched) ||
           switches.durations == ORR_DURATIONS_SAMPLED;
}

void orr_settings_limit_replicas(struct orr_settings *settings,
                                 const char *command)
{
    if (settings->scenario.run.replicas == 1 || is_random(settings))
        return;
    orr_message_print(command, "--replicas has no effect without --perturb or "
                               "--durations sampled");
    settings->scenario.run.replicas = 1;
}

void orr_settings_remark(const struct orr_scenario *scenario,
                         const char *command)
{
    g_autoptr(GHashTable) said = g_hash_table_new(g_str_hash, g_str_equal);
    void *const *values = scenario->problem.several
                              ? scenario->problem.several->pdata
                              : (void *const *)&scenario->problem.values;
    guint count =
        scenario->problem.several ? scenario->problem.several->len : 1;

    for (guint i = 0; i < count; i++) {
        const char *remark = orr_app_values_remark(values[i]);

        if (remark && g_hash_table_add(said, (gpointer)remark))
            orr_message_print(command, "%s", remark);
    }
    orr_policies_remark(scenario->config.sched, command);
}

void orr_settings_warn_no_effect(const struct orr_settings *settings,
                                 const char *command, unsigned gpus)
{
    struct orr_switches switches;

    get_switches(settings, &switches);
    if (settings->scenario.config.gpu_memory_bytes != 0 && gpus == 0)
        orr_message_print(command, "--gpu-memory has no effect without GPUs");
    else if (settings->scenario.config.gpu_memory_bytes != 0 &&
             !switches.memory)
        orr_message_print(command,
                          "--gpu-memory has no effect with memory=off");
    if (settings->scenario.config.pipeline != ORR_DEFAULT_PIPELINE && gpus == 0)
        orr_message_print(command, "--pipeline has no effect without GPUs");
    if (settings->scenario.config.seed != 0 && !is_random(settings))
        orr_message_print(command, "--seed has no effect without --perturb or "
                                   "--durations sampled");
    if (settings->scenario.config.record &&
        switches.durations != ORR_DURATIONS_REPLAYED)
        orr_message_print(
            command, "--record has no effect without --durations replayed");
}

void orr_settings_warn_layout(const struct orr_settings *settings,
                              const char *command, uint64_t copies)
{
    const struct orr_app_option *layout = orr_app_option(
        settings->scenario.problem.app, "layout", strlen("layout"));
    g_autofree char *chosen = NULL;

    if (copies > 0 || !layout ||
        !orr_app_is_given(settings->scenario.problem.values, "layout"))
        return;
    chosen = orr_app_values_format(settings->scenario.problem.values, layout);
    if (strcmp(chosen, "matrix") == 0)
        orr_message_print(command,
                          "--layout matrix changes the time of no copy: none "
                          "matched a pitch segment of the platform");
}

/*
 * Returns whether the facts of @run list the unused setting of @sentence, such
 * as "link.Host.latency was never used: no copy took that link". The reason
 * after the colon may differ.
 */
static bool mentions(JsonObject *run, const char *sentence)
{
    JsonArray *unused = json_object_get_array_member(run, "unused");
    const char *why = strstr(sentence, ": ");
    size_t length = why ? (size_t)(why - sentence) : strlen(sentence);

    for (guint i = 0; i < json_array_get_length(unused); i++) {
        if (strncmp(json_array_get_string_element(unused, i), sentence,
                    length) == 0)
            return true;
    }
    return false;
}

/* Prints the unused settings of the first run that no other run used. */
static void warn_common(const char *command, JsonObject *const *runs,
                        unsigned count)
{
    JsonArray *unused = json_object_get_array_member(runs[0], "unused");

    for (guint i = 0; i < json_array_get_length(unused); i++) {
        const char *sentence = json_array_get_string_element(unused, i);
        bool common = true;

        for (unsigned r = 1; r < count; r++)
            common &= !runs[r] || mentions(runs[r], sentence);
        if (common)
            orr_message_print(command, "%s", sentence);
    }
}

void orr_settings_warn_unused(const char *command, JsonObject *const *runs,
                              unsigned count)
{
    while (count > 0 && !runs[0]) {
        runs++;
        count--;
    }
    if (count > 0)
        warn_common(command, runs, count);
}

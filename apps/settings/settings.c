/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/settings.h"

#include <string.h>

#include "apps/settings/policies.h"
#include "apps/settings/protection.h"
#include "apps/settings/sizes.h"
#include "apps/settings/strategies.h"
#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/units.h"
#include "models/platform/switches.h"

enum {
    DEFAULT_TILES = 20,
    DEFAULT_TILE = 960,
    DEFAULT_BUDGET = 10000,
    DEFAULT_POLICY_TIMEOUT_S = 10
};

void orr_settings_init(struct orr_settings *settings)
{
    *settings = (struct orr_settings){
        .tile = DEFAULT_TILE,
        .precision = ORR_SINGLE_PRECISION,
        .platform = "attila",
        .cpus = -1,
        .gpus = -1,
        .replicas = 1,
        .spread = -1,
        .format = ORR_FORMAT_TEXT,
        .strategy = ORR_STRATEGY_PORTFOLIO,
        .budget = DEFAULT_BUDGET,
        .policy_timeout_s = DEFAULT_POLICY_TIMEOUT_S,
    };
}

void orr_settings_clear(struct orr_settings *settings)
{
    g_free(settings->models);
    settings->models = NULL;
    g_clear_pointer(&settings->changes, g_ptr_array_unref);
    g_clear_pointer(&settings->machine, orr_machine_free);
    g_clear_pointer(&settings->restrictions, g_ptr_array_unref);
    g_clear_pointer(&settings->given, g_ptr_array_unref);
}

/* The options of `orrery run`, but for the format. */
static const struct orr_option_group *const of_run[] = {
    &orr_options_application, &orr_options_machine, &orr_options_runtime,
    &orr_options_run, NULL};

static bool is_of_run(const struct orr_option *option)
{
    return option && option->member < offsetof(struct orr_settings, trace) &&
           orr_option_find(of_run, option->name, strlen(option->name), NULL) ==
               option;
}

static const char *keep_given(struct orr_settings *settings, char *text)
{
    if (!settings->given)
        settings->given = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(settings->given, text);
    return text;
}

/* See struct orr_values. */
static void add_given(const struct orr_option *option, const char *text,
                      void *values)
{
    if (is_of_run(option))
        keep_given(values, option->value
                               ? g_strconcat(option->name, "=", text, NULL)
                               : g_strdup(option->name));
}

bool orr_settings_give(struct orr_settings *settings, const char *text,
                       GError **error)
{
    size_t length = strcspn(text, "=");
    size_t member;
    const struct orr_option *option =
        orr_option_find(of_run, text, length, &member);
    g_autofree char *name = g_strndup(text, length);
    g_autofree char *quoted = orr_quote(name);

    if (!is_of_run(option) || !option->value != !text[length]) {
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

static bool restrict_kernel(struct orr_settings *settings,
                            const char *restriction, GError **error)
{
    const char *names[ORR_APP_KERNELS + 1] = {NULL};
    size_t length = strcspn(restriction, "=");
    g_autofree char *name = g_strndup(restriction, length);
    g_autofree char *what =
        g_strdup_printf("kernel of %s", settings->app->name);
    size_t kernel;

    for (unsigned i = 0; i < ORR_APP_KERNELS; i++)
        names[i] = settings->app->kernels[i].name;
    if (orr_names_find(what, names, name, &kernel, error))
        return orr_where_parse(restriction + length + 1,
                               &settings->where[kernel], error);
    g_prefix_error(error, "--where: ");
    return false;
}

static bool restrict_kernels(struct orr_settings *settings, GError **error)
{
    const GPtrArray *restrictions = settings->restrictions;

    memset(settings->where, 0, sizeof(settings->where));
    for (unsigned i = 0; restrictions && i < restrictions->len; i++) {
        if (!restrict_kernel(settings, restrictions->pdata[i], error))
            return false;
    }
    return true;
}

/* Resolves all but a list of sizes. */
static bool resolve(struct orr_settings *settings, const char *app,
                    GError **error)
{
    settings->app = orr_app_find(app, error);
    if (!settings->app)
        return false;
    if ((settings->tiles != 0 || settings->tiles_list) && settings->size != 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--tiles and --size cannot be combined");
        return false;
    }
    if (settings->size != 0 &&
        !orr_size_check(settings->size, settings->tile, error)) {
        g_prefix_error(error, "--size: ");
        return false;
    }
    if (settings->size != 0)
        settings->tiles = settings->size / settings->tile;
    else if (settings->tiles == 0)
        settings->tiles = DEFAULT_TILES;
    settings->size = settings->tiles * settings->tile;
    return restrict_kernels(settings, error);
}

bool orr_settings_resolve(struct orr_settings *settings, const char *app,
                          GError **error)
{
    g_autofree char *quoted = NULL;

    if (!settings->tiles_list)
        return resolve(settings, app, error);
    quoted = orr_quote(settings->tiles_list);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "--tiles: %s: expected one number; only compare and ablate "
                "take a list",
                quoted);
    return false;
}

/* Returns the sizes for the list of --tiles. */
static GArray *multiply_tiles(const struct orr_settings *settings,
                              GError **error)
{
    GArray *sizes =
        orr_sizes_parse(settings->tiles_list, 1, ORR_MAX_TILES, error);

    for (unsigned i = 0; sizes && i < sizes->len; i++)
        g_array_index(sizes, uint64_t, i) *= settings->tile;
    return sizes;
}

GArray *orr_settings_resolve_sizes(struct orr_settings *settings,
                                   const char *app, GError **error)
{
    bool others =
        settings->tiles != 0 || settings->tiles_list || settings->size != 0;
    GArray *sizes;

    if (!resolve(settings, app, error))
        return NULL;
    if (!orr_settings_list_sizes(settings)) {
        sizes = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        return g_array_append_val(sizes, settings->size);
    }
    if (settings->sizes && others) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--sizes cannot be combined with --tiles or --size");
        return NULL;
    }
    sizes = settings->sizes ? orr_sizes_parse(settings->sizes, settings->tile,
                                              ORR_MAX_SIZE, error)
                            : multiply_tiles(settings, error);
    if (!sizes)
        g_prefix_error(error, settings->sizes ? "--sizes: " : "--tiles: ");
    return sizes;
}

static void get_switches(const struct orr_settings *settings,
                         struct orr_switches *switches)
{
    orr_switches_init(switches);
    if (settings->models)
        orr_switches_parse(switches, settings->models, NULL);
}

/* Returns whether the results depend on the seed. */
static bool is_random(const struct orr_settings *settings)
{
    struct orr_switches switches;

    get_switches(settings, &switches);
    return settings->perturb > 0 || orr_policies_are_random(settings->sched) ||
           switches.durations == ORR_DURATIONS_SAMPLED;
}

void orr_settings_limit_replicas(struct orr_settings *settings,
                                 const char *command)
{
    if (settings->replicas == 1 || is_random(settings))
        return;
    orr_message_print(command, "--replicas has no effect without --perturb or "
                               "--durations sampled");
    settings->replicas = 1;
}

void orr_settings_warn_no_effect(const struct orr_settings *settings,
                                 const char *command, unsigned gpus)
{
    struct orr_switches switches;

    get_switches(settings, &switches);
    if (settings->gpu_memory_bytes != 0 && gpus == 0)
        orr_message_print(command, "--gpu-memory has no effect without GPUs");
    else if (settings->gpu_memory_bytes != 0 && !switches.memory)
        orr_message_print(command,
                          "--gpu-memory has no effect with memory=off");
    if (settings->seed != 0 && !is_random(settings))
        orr_message_print(command, "--seed has no effect without --perturb or "
                                   "--durations sampled");
    if (settings->record && switches.durations != ORR_DURATIONS_REPLAYED)
        orr_message_print(
            command, "--record has no effect without --durations replayed");
}

void orr_settings_warn_layout(const struct orr_settings *settings,
                              const char *command, uint64_t copies)
{
    if (settings->layout == ORR_LAYOUT_MATRIX && copies == 0)
        orr_message_print(command, "--layout matrix has no effect: no copy "
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

enum orr_exit orr_settings_command(
    const struct orr_syntax *syntax, int argc, char **argv,
    enum orr_exit (*perform)(const char *operand, struct orr_settings *settings,
                             GError **error))
{
    struct orr_settings settings;
    const struct orr_values into = {&settings, add_given};
    GError *error = NULL;
    enum orr_exit status;
    int operands;

    orr_settings_init(&settings);
    if (orr_syntax_read_into(syntax, argc, argv, &into, &operands, &status)) {
        orr_protection_begin(syntax->command, settings.policy_timeout_s);
        status = perform(operands > 0 ? argv[0] : NULL, &settings, &error);
        if (error)
            orr_message_print(syntax->command, "%s", error->message);
        g_clear_error(&error);
    }
    orr_settings_clear(&settings);
    return status;
}

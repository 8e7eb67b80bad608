/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/command.h"

#include <string.h>

#include "apps/settings/completion.h"
#include "apps/settings/protection.h"
#include "models/base/error.h"

/* The syntax of a command, and the options of applications. */
struct app_options {
    struct orr_syntax syntax;
    GPtrArray *groups; /* struct orr_option_group *, owned */
};

/* Gives an option of the application its value, or keeps a list of values. */
static bool parse(const struct orr_option *option, const char *text,
                  void *member, GError **error)
{
    struct orr_settings *settings = member;
    const struct orr_app_option *meant =
        settings->app
            ? orr_app_option(settings->app, option->name, strlen(option->name))
            : NULL;

    if (!meant)
        return true; /* there is no application: an error of its own */
    if (settings->list_option == meant)
        settings->list_option = NULL;
    if (!settings->list_option)
        settings->list = NULL;
    if (meant->kind != ORR_APP_COUNT || !strpbrk(text, ",:"))
        return orr_app_values_give(settings->values, meant->name, text, error);
    if (settings->list_option) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "--%s is a list already",
                    settings->list_option->name);
        return false;
    }
    settings->list_option = meant;
    settings->list = text;
    return true;
}

static char *describe(const struct orr_app_option *option)
{
    return option->preset ? g_strdup_printf("%s (default %s)", option->help,
                                            option->preset)
                          : g_strdup(option->help);
}

static void free_group(gpointer data)
{
    struct orr_option_group *group = data;
    struct orr_option *options = (struct orr_option *)group->options;

    for (size_t i = 0; i < group->count; i++)
        g_free((char *)options[i].help);
    g_free(options);
    g_free((void *)group->choices);
    g_free((char *)group->title);
    g_free(group);
}

/* Returns a group of the options of @app. */
static struct orr_option_group *new_group(const struct orr_app *app)
{
    struct orr_option_group *group = g_new0(struct orr_option_group, 1);
    const char *const **choices;
    struct orr_option *options;

    while (app->options && app->options[group->count].name)
        group->count++;
    options = g_new0(struct orr_option, group->count + 1);
    choices = g_new0(const char *const *, group->count + 1);
    for (size_t i = 0; i < group->count; i++) {
        const struct orr_app_option *option = &app->options[i];

        choices[i] = option->choices;
        options[i] = (struct orr_option){
            .name = option->name,
            .value = option->value,
            .help = describe(option),
            .parse = parse,
        };
    }
    group->title = g_strdup(app->name);
    group->options = options;
    group->choices = choices;
    return group;
}

static void add_to_title(struct orr_option_group *group, const char *name)
{
    char *title = g_strconcat(group->title, ", ", name, NULL);

    g_free((char *)group->title);
    group->title = title;
}

/* Adds the options of all applications; those that have the same ones share a
 * group. */
static void add_all(struct app_options *options)
{
    g_autoptr(GPtrArray) tables = g_ptr_array_new(); /* by group */
    const struct orr_app *app;

    for (size_t i = 0; (app = orr_app_at(i)); i++) {
        guint group;

        if (g_ptr_array_find(tables, app->options, &group)) {
            add_to_title(options->groups->pdata[group], app->name);
            continue;
        }
        g_ptr_array_add(tables, (gpointer)app->options);
        g_ptr_array_add(options->groups, new_group(app));
    }
}

/* Lists the groups behind those of the application in general. */
static void list_groups(struct app_options *options,
                        const struct orr_syntax *syntax)
{
    unsigned count = 0;

    for (unsigned i = 0; syntax->groups[i]; i++) {
        options->syntax.groups[count++] = syntax->groups[i];
        for (unsigned g = 0; syntax->groups[i] == &orr_options_application &&
                             g < options->groups->len;
             g++)
            options->syntax.groups[count++] = options->groups->pdata[g];
    }
    options->syntax.groups[count] = NULL;
}

/* Returns the first operand in @argv; NULL if there is none, or if an option
 * before it is not known. */
static const char *find_operand(const struct orr_syntax *syntax, int argc,
                                char *const *argv)
{
    for (int i = 0; i < argc; i++) {
        size_t length = strcspn(argv[i], "=");
        const struct orr_option *option;

        if (strcmp(argv[i], "--") == 0)
            return i + 1 < argc ? argv[i + 1] : NULL;
        if (argv[i][0] != '-' || argv[i][1] == '\0')
            return argv[i];
        if (strcmp(argv[i], "--help") == 0)
            continue;
        if (length < 2 || argv[i][1] != '-')
            return NULL;
        option = orr_option_find(syntax->groups, argv[i] + 2, length - 2, NULL);
        if (!option)
            return NULL;
        i += option->value && !argv[i][length];
    }
    return NULL;
}

/*
 * Adds the options of applications to those of @syntax, if its operand is an
 * APP; else there are none. Looks for the operand in @argv, and opens it in
 * @settings if there is such an application.
 */
static void init_options(struct app_options *options,
                         const struct orr_syntax *syntax, int argc,
                         char *const *argv, struct orr_settings *settings)
{
    bool completes = argc > 1 && strcmp(argv[1], ORR_COMPLETE) == 0;
    int first = completes ? 2 : 1;
    int end = completes ? argc - 1 : argc; /* the last word is not complete */
    const char *operand;

    options->syntax = *syntax;
    options->groups = g_ptr_array_new_with_free_func(free_group);
    if (g_strcmp0(syntax->operands, "APP") != 0)
        return;
    add_all(options);
    list_groups(options, syntax);
    operand = first < end
                  ? find_operand(&options->syntax, end - first, argv + first)
                  : NULL;
    if (!operand || !orr_settings_open(settings, operand, NULL))
        return;
    g_ptr_array_set_size(options->groups, 0);
    g_ptr_array_add(options->groups, new_group(settings->app));
    list_groups(options, syntax);
}

/* See struct orr_values. */
static void keep(const struct orr_option *option, const char *text,
                 void *values)
{
    orr_settings_keep(values, option, text);
}

/* Performs the command with the settings read; prints its error. */
static enum orr_exit perform_read(
    const struct orr_syntax *syntax, const char *operand,
    struct orr_settings *settings,
    enum orr_exit (*perform)(const char *operand, struct orr_settings *settings,
                             GError **error))
{
    GError *error = NULL;
    enum orr_exit status;

    orr_protection_begin(syntax->command, settings->policy_timeout_s);
    status = perform(operand, settings, &error);
    if (error)
        orr_message_print(syntax->command, "%s", error->message);
    g_clear_error(&error);
    return status;
}

enum orr_exit orr_settings_command(
    const struct orr_syntax *syntax, int argc, char **argv,
    enum orr_exit (*perform)(const char *operand, struct orr_settings *settings,
                             GError **error))
{
    struct orr_settings settings;
    struct app_options options;
    const struct orr_values into = {&settings, keep};
    enum orr_exit status;
    int operands;

    orr_settings_init(&settings);
    init_options(&options, syntax, argc, argv, &settings);
    if (orr_syntax_read_into(&options.syntax, argc, argv, &into, &operands,
                             &status))
        status = perform_read(syntax, operands > 0 ? argv[0] : NULL, &settings,
                              perform);
    g_ptr_array_unref(options.groups);
    orr_settings_clear(&settings);
    return status;
}

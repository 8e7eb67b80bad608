/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The options of a command that takes an APP depend on the application, so its
 * name has to be found before the options are read. find_app() looks for it
 * among the arguments as far as options that every application has allow it;
 * the groups of the application are then inserted into a copy of the syntax.
 */
#include "apps/settings/command.h"

#include <string.h>

#include "apps/options/completion.h"
#include "apps/settings/protection.h"
#include "models/base/error.h"
#include "runtime/programs/process_app.h"
#include "runtime/programs/process_options.h"

/* The syntax of a command, and the options of applications. */
struct app_options {
    struct orr_syntax syntax;
    GPtrArray *groups; /* struct orr_option_group *, owned */
    bool takes_app;    /* the operand is an APP */
    const char *hint;  /* see struct orr_values */
};

/* Gives an option of the application its value, or keeps a list of values. */
static bool parse(const struct orr_option *option, const char *text,
                  void *member, GError **error)
{
    struct orr_settings *settings = member;
    const struct orr_app_option *meant =
        settings->scenario.problem.app
            ? orr_app_option(settings->scenario.problem.app, option->name,
                             strlen(option->name))
            : NULL;

    if (!meant)
        return true; /* there is no application: an error of its own */
    if (settings->scenario.problem.list_option == meant)
        settings->scenario.problem.list_option = NULL;
    if (!settings->scenario.problem.list_option)
        settings->scenario.problem.list = NULL;
    if ((meant->kind != ORR_APP_COUNT && meant->kind != ORR_APP_SHAPE) ||
        !strpbrk(text, ",:"))
        return orr_app_values_give(settings->scenario.problem.values,
                                   meant->name, text, error);
    if (settings->scenario.problem.list_option) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "--%s is a list already",
                    settings->scenario.problem.list_option->name);
        return false;
    }
    settings->scenario.problem.list_option = meant;
    settings->scenario.problem.list = text;
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
    g_free((char *)group->title);
    g_free(group);
}

/* Returns a group of the options of @app. */
static struct orr_option_group *new_group(const struct orr_app *app)
{
    struct orr_option_group *group = g_new0(struct orr_option_group, 1);
    struct orr_option *options;

    while (app->options && app->options[group->count].name)
        group->count++;
    options = g_new0(struct orr_option, group->count + 1);
    for (size_t i = 0; i < group->count; i++) {
        const struct orr_app_option *option = &app->options[i];

        options[i] = (struct orr_option){
            .name = option->name,
            .value = option->value,
            .help = describe(option),
            .parse = parse,
            .choices = option->choices,
        };
    }
    group->title = g_strdup(app->name);
    group->options = options;
    return group;
}

static void add_to_title(struct orr_option_group *group, const char *name)
{
    char *title = g_strconcat(group->title, ", ", name, NULL);

    g_free((char *)group->title);
    group->title = title;
}

/* Returns a group of the options of programs of the user. */
static struct orr_option_group *new_program_group(void)
{
    struct orr_app_option options[ORR_PROCESS_OPTIONS];
    const struct orr_app program = {.name = "-- PROGRAM (StarPU's interface)",
                                    .options = options};

    orr_process_options_init(options, NULL);
    return new_group(&program);
}

GPtrArray *orr_settings_app_groups(void)
{
    GPtrArray *groups = g_ptr_array_new_with_free_func(free_group);
    g_autoptr(GPtrArray) tables = g_ptr_array_new(); /* by group */
    const struct orr_app *app;

    /* Those that have the same options share a group. */
    for (size_t i = 0; (app = orr_app_at(i)); i++) {
        guint group;

        if (g_ptr_array_find(tables, app->options, &group)) {
            add_to_title(groups->pdata[group], app->name);
            continue;
        }
        g_ptr_array_add(tables, (gpointer)app->options);
        g_ptr_array_add(groups, new_group(app));
    }
    g_ptr_array_add(groups, new_program_group());
    return groups;
}

/* Whether @group has --app and the other options of every application. */
static bool is_of_apps(const struct orr_option_group *group)
{
    return group == &orr_options_application;
}

/* Copies the groups of @syntax, and inserts the groups of applications behind
 * the group of all applications. */
static void list_groups(struct app_options *options,
                        const struct orr_syntax *syntax)
{
    unsigned count = 0;

    for (unsigned i = 0; syntax->groups[i]; i++) {
        options->syntax.groups[count++] = syntax->groups[i];
        for (unsigned g = 0;
             is_of_apps(syntax->groups[i]) && g < options->groups->len; g++)
            options->syntax.groups[count++] = options->groups->pdata[g];
    }
    g_assert(count < G_N_ELEMENTS(options->syntax.groups));
    options->syntax.groups[count] = NULL;
}

/*
 * Returns the application that @argv names: the value of --app, else the first
 * operand. NULL if there is none, or if an option before it is not known: then
 * *@is_late is whether a file of an application may follow.
 */
static const char *find_app(const struct orr_syntax *syntax, int argc,
                            char *const *argv, bool *is_late)
{
    for (int i = 0; i < argc; i++) {
        const char *text = orr_option_long(argv[i]);
        size_t length = strcspn(text, "=");
        const struct orr_option *option;

        if (strcmp(argv[i], "--") == 0)
            return i + 1 < argc && orr_process_is_command(argv[i + 1])
                       ? argv[i + 1]
                       : NULL;
        if (argv[i][0] != '-' || argv[i][1] == '\0')
            return argv[i];
        if (strcmp(text, "--help") == 0)
            continue;
        option = length > 2 ? orr_option_find(syntax->groups, text + 2,
                                              length - 2, NULL)
                            : NULL;
        if (!option) {
            *is_late = true;
            return NULL;
        }
        if (strcmp(option->name, "app") == 0)
            return text[length] ? text + length + 1
                                : argv[MIN(i + 1, argc - 1)];
        i += option->value && !text[length];
    }
    return NULL;
}

/* The value of option --time-limit, which a program needs when it is opened:
 * then its options are not read yet. NULL: it is not given. */
static const char *find_time_limit(int argc, char *const *argv)
{
    static const char name[] = "--time-limit";
    const char *limit = NULL;

    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (g_str_has_prefix(argv[i], "--time-limit="))
            limit = argv[i] + sizeof(name);
        else if (strcmp(argv[i], name) == 0 && i + 1 < argc)
            limit = argv[i + 1];
    }
    return limit;
}

/* Whether one of @argv may be the file of an application. */
static bool has_file(int argc, char *const *argv)
{
    for (int i = 0; i < argc; i++) {
        const char *word =
            g_str_has_prefix(argv[i], "--app=") ? argv[i] + 6 : argv[i];

        if (*word != '-' && orr_app_name_is_plugin(word))
            return true;
    }
    return false;
}

/* Whether the arguments are a line that the shell wants to complete. */
static bool completes_line(int argc, char *const *argv)
{
    return argc > 1 && strcmp(argv[1], ORR_COMPLETE) == 0;
}

/*
 * Adds the options of applications to those of @syntax, if its operand is an
 * APP; else there are none. Looks for the application in @argv, and opens it in
 * @settings. Fails if it is a file that cannot be opened; another error comes
 * later.
 */
static bool init_options(struct app_options *options,
                         const struct orr_syntax *syntax, int argc,
                         char *const *argv, struct orr_settings *settings,
                         GError **error)
{
    bool completes = completes_line(argc, argv);
    int first = MIN(completes ? 2 : 1, argc);
    int end = completes ? argc - 1 : argc; /* the last word is not complete */
    bool is_late = false;
    const char *app;

    options->syntax = *syntax;
    options->groups = NULL;
    options->takes_app = g_strcmp0(syntax->operands, "APP") == 0;
    if (!options->takes_app)
        return true;
    options->syntax.min_operands = 0; /* --app is as good */
    options->groups = orr_settings_app_groups();
    list_groups(options, syntax);
    app = find_app(&options->syntax, end - first, argv + first, &is_late);
    if (is_late && has_file(end - first, argv + first))
        options->hint = "; options of an application in a file follow the file";
    if (!app)
        return true;
    settings->time_limit = find_time_limit(end - first, argv + first);
    if (!orr_settings_open(settings, app,
                           orr_app_name_is_file(app) ? error : NULL))
        return completes || !orr_app_name_is_file(app);
    g_ptr_array_set_size(options->groups, 0);
    g_ptr_array_add(options->groups, new_group(settings->scenario.problem.app));
    list_groups(options, syntax);
    return true;
}

/* See struct orr_values. */
static void keep(const struct orr_option *option, const char *text,
                 void *values)
{
    orr_settings_keep(values, option, text);
}

typedef enum orr_exit perform_fn(const char *operand,
                                 struct orr_settings *settings, GError **error);

/* Returns the operand; for an application, that may be the value of --app. NULL
 * with @error if there is none, or both. */
static const char *choose_operand(const struct app_options *options, int count,
                                  char *const *argv,
                                  const struct orr_settings *settings,
                                  GError **error)
{
    const char *app = options->takes_app ? settings->outputs.app_name : NULL;

    if (app && count > 0)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    settings->campaign.vary
                        ? "APP cannot be combined with --app or --vary app"
                        : "APP and --app cannot be combined");
    else if (options->takes_app && !app && count == 0)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "APP is missing; see 'orrery %s --help'",
                    options->syntax.command);
    else
        return app ? app : count > 0 ? argv[0] : NULL;
    return NULL;
}

/* Performs the command with the settings read. */
static enum orr_exit perform_read(const struct app_options *options, int count,
                                  char *const *argv,
                                  struct orr_settings *settings,
                                  perform_fn *perform, GError **error)
{
    const char *operand = choose_operand(options, count, argv, settings, error);
    enum orr_exit status;

    if (*error)
        return ORR_EXIT_USAGE;
    orr_protection_limit(settings->outputs.plugin_timeout_s);
    status = perform(operand, settings, error);
    if (!*error && settings->scenario.problem.app &&
        !orr_app_check_calls(settings->scenario.problem.app, error))
        return ORR_EXIT_FAILURE;
    return status;
}

/*
 * Makes one argument of a program and its arguments, which follow "--": "run --
 * ./chol -nblocks 10" becomes "run '--app=-- ./chol -nblocks 10'". It comes
 * first, as it has options of its own. A command without --app gets it as its
 * operand, "-- '-- ./chol -nblocks 10'". Returns that argument, to be freed
 * with g_free(), or NULL: there is no program.
 */
static char *join_program(const struct orr_syntax *syntax, int *argc,
                          char **argv)
{
    bool is_option = orr_syntax_takes_program(syntax);
    g_autoptr(GString) text = g_string_new(is_option ? "--app=--" : "--");
    int i = 1;

    while (i < *argc && strcmp(argv[i], "--") != 0)
        i++;
    if (i + 1 >= *argc)
        return NULL;
    for (int word = i + 1; word < *argc; word++) {
        g_autofree char *quoted = orr_app_quote(argv[word]);

        g_string_append_printf(text, " %s", quoted);
    }
    if (!is_option) {
        *argc = i + 2;
        return argv[i + 1] = g_strdup(text->str);
    }
    *argc = i + 1;
    memmove(argv + 2, argv + 1, (size_t)(i - 1) * sizeof(*argv));
    return argv[1] = g_strdup(text->str);
}

/* Opens the application, reads the arguments and performs the command. */
static enum orr_exit perform_command(const struct orr_syntax *syntax, int argc,
                                     char **argv, struct orr_settings *settings,
                                     perform_fn *perform, GError **error)
{
    struct orr_values into = {.values = settings, .given = keep};
    struct app_options options = {.groups = NULL};
    enum orr_exit status = ORR_EXIT_FAILURE;
    bool takes_app = g_strcmp0(syntax->operands, "APP") == 0;
    /* keeps an argument */
    g_autofree char *program G_GNUC_UNUSED =
        takes_app && !completes_line(argc, argv)
            ? join_program(syntax, &argc, argv)
            : NULL;
    int operands;

    if (init_options(&options, syntax, argc, argv, settings, error)) {
        into.hint = options.hint;
        into.app = settings->scenario.problem.values;
        if (orr_syntax_read_into(&options.syntax, argc, argv, &into, &operands,
                                 &status))
            status = perform_read(&options, operands, argv, settings, perform,
                                  error);
    }
    if (options.groups)
        g_ptr_array_unref(options.groups);
    return status;
}

enum orr_exit orr_settings_command(
    const struct orr_syntax *syntax, int argc, char **argv,
    enum orr_exit (*perform)(const char *operand, struct orr_settings *settings,
                             GError **error))
{
    struct orr_settings settings;
    enum orr_exit status;
    GError *error = NULL;

    orr_protection_begin(syntax->command);
    orr_protection_limit(ORR_PLUGIN_TIMEOUT_S);
    orr_settings_init(&settings);
    status = perform_command(syntax, argc, argv, &settings, perform, &error);
    if (error)
        orr_message_print(syntax->command, "%s", error->message);
    if (g_error_matches(error, ORR_ERROR, ORR_ERROR_APP))
        status = ORR_EXIT_FAILURE;
    g_clear_error(&error);
    orr_settings_clear(&settings);
    return status;
}

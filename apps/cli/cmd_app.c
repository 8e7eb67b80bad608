/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/cli/skeleton.h"
#include "apps/facts/app_facts.h"
#include "apps/options/option.h"
#include "apps/output/csv.h"
#include "apps/output/output.h"
#include "apps/settings/command.h"
#include "runtime/programs/programs.h"

static const struct orr_syntax list_syntax = {
    "app list",
    NULL,
    0,
    0,
    "Lists the applications and the kernels that their tasks run.",
    {&orr_options_output, NULL},
};

static void add_row(JsonArray *rows, const struct orr_app *app)
{
    JsonObject *row = orr_output_add_object(rows);
    JsonArray *kernels;

    orr_output_set_text(row, "name", app->name);
    kernels = orr_output_add_array(row, "kernels");
    for (size_t i = 0; app->kernels && app->kernels[i]; i++)
        json_array_add_string_element(kernels, app->kernels[i]);
    orr_output_set_text(row, "summary", app->summary);
}

static enum orr_exit print_list(const char *operand,
                                struct orr_settings *settings, GError **error)
{
    g_autoptr(JsonArray) rows = json_array_new();
    const struct orr_app *app;

    (void)operand;
    (void)error;
    for (size_t i = 0; (app = orr_app_at(i)); i++)
        add_row(rows, app);
    orr_output_rows(rows, settings->format);
    return ORR_EXIT_OK;
}

static enum orr_exit list(int argc, char **argv)
{
    return orr_settings_command(&list_syntax, argc, argv, print_list);
}

const struct orr_cmd orr_cmd_app_list = {.name = "list",
                                         .summary = "list the applications",
                                         .syntax = &list_syntax,
                                         .main = list};

static const struct orr_syntax show_syntax = {
    "app show",
    "APP",
    1,
    1,
    "Shows an application: its kernels, and its options with their limits and\n"
    "defaults.",
    {&orr_options_output, NULL},
};

static enum orr_exit show(const char *operand, struct orr_settings *settings,
                          GError **error)
{
    JsonObject *facts;

    if (!settings->scenario.problem.app &&
        !orr_settings_open(settings, operand, error))
        return ORR_EXIT_USAGE;
    facts = orr_app_facts_new(settings->scenario.problem.app,
                              orr_app_file(settings->scenario.problem.app));
    if (settings->format == ORR_FORMAT_TEXT)
        orr_app_facts_print(facts);
    else if (settings->format == ORR_FORMAT_CSV)
        orr_csv_print_pairs(facts);
    else
        orr_output_object(facts);
    json_object_unref(facts);
    return ORR_EXIT_OK;
}

static enum orr_exit show_command(int argc, char **argv)
{
    return orr_settings_command(&show_syntax, argc, argv, show);
}

const struct orr_cmd orr_cmd_app_show = {
    .name = "show",
    .summary = "show the kernels and options of an application",
    .syntax = &show_syntax,
    .main = show_command};

static const struct orr_syntax new_syntax = {
    "app new",
    "NAME",
    1,
    1,
    "Writes the template of an application into the folder NAME: NAME.c, a "
    "Makefile\nthat builds NAME.so, which stands for APP as ./NAME.so, and a "
    "test.",
    {NULL},
};

static bool is_built_in(const char *name)
{
    return orr_app_builtin(name, NULL) != NULL;
}

static enum orr_exit new_command(int argc, char **argv)
{
    static const struct orr_skeleton app = {
        .kind = "an application",
        .interface = &orr_skeleton_orrery,
        .source = orr_skeleton_app,
        .test = orr_skeleton_app_test,
        .use = "orrery run ./skeleton.so",
        .is_built_in = is_built_in,
    };
    enum orr_exit status;
    int operands;

    if (!orr_syntax_read(&new_syntax, argc, argv, NULL, &operands, &status))
        return status;
    return orr_skeleton_write(&app, argv[0], new_syntax.command);
}

const struct orr_cmd orr_cmd_app_new = {
    .name = "new",
    .summary = "write a template of an application",
    .syntax = &new_syntax,
    .main = new_command};

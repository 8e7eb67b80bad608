/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/output/output.h"
#include "apps/settings/command.h"

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

enum orr_exit orr_cmd_app(int argc, char **argv)
{
    static const struct orr_cmd commands[] = {
        {"list", "list the applications", list},
        {"show", "show the kernels and options of an application",
         orr_cmd_app_show},
        {"new", "write a template of an application", orr_cmd_app_new},
        {NULL, NULL, NULL},
    };

    return orr_cmd_dispatch("orrery app", commands, argc, argv);
}

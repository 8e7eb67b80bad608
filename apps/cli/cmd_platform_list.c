/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/output/output.h"
#include "apps/settings/command.h"
#include "models/import/platform_find.h"

static const struct orr_syntax syntax = {
    "platform list",
    NULL,
    0,
    0,
    "Lists the machines that --platform knows by name, and where their figures "
    "come\nfrom. calibrated: all are measured; modelled: some kernel durations "
    "are computed\nfrom published figures; uncalibrated: figures that a run "
    "needs are missing.",
    {&orr_options_output, NULL},
};

static bool add_row(JsonArray *rows, const char *name)
{
    GError *error = NULL;
    struct orr_platform *platform = orr_platform_load(name, NULL, &error);
    JsonObject *row;

    if (!platform) {
        orr_message_print(syntax.command, "%s", error->message);
        g_error_free(error);
        return false;
    }
    row = orr_output_add_object(rows);
    orr_output_set_text(row, "name", name);
    json_object_set_int_member(row, "cores", platform->cores);
    json_object_set_int_member(row, "gpus", platform->gpu_count);
    orr_output_set_text(row, "figures", orr_platform_state(platform));
    orr_output_set_text(row, "description", platform->description);
    orr_platform_free(platform);
    return true;
}

static enum orr_exit print_list(const char *operand,
                                struct orr_settings *settings, GError **error)
{
    g_auto(GStrv) names = orr_platform_names(NULL);
    g_autoptr(JsonArray) rows = json_array_new();
    enum orr_exit status = ORR_EXIT_OK;

    (void)operand;
    (void)error;
    for (char **name = names; *name; name++) {
        if (!add_row(rows, *name))
            status = ORR_EXIT_FAILURE;
    }
    orr_output_rows(rows, settings->format);
    return status;
}

enum orr_exit orr_cmd_platform_list(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, print_list);
}

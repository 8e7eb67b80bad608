/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/chart/platform_drawing.h"
#include "apps/cli/cmd.h"
#include "apps/facts/coverage.h"
#include "apps/facts/platform_facts.h"
#include "apps/output/csv.h"
#include "apps/output/output.h"
#include "apps/settings/changed_platform.h"
#include "apps/settings/command.h"
#include "models/platform/plausibility.h"

static const struct orr_syntax syntax = {
    "platform show",
    "[NAME|FILE]",
    0,
    1,
    "Shows a machine, with the changes that the options ask for: its "
    "processors,\nmemories, links and routes, the transfer figures that "
    "policies use, its kernels,\nand a drawing of its links.",
    {&orr_options_machine, &orr_options_drawing, &orr_options_output, NULL},
};

static JsonObject *describe(const struct orr_changed_platform *changed)
{
    JsonObject *machine = orr_platform_facts_new(changed->platform);
    JsonArray *changes = orr_output_add_array(machine, "changes");

    for (guint i = 0; i < changed->changes->len; i++)
        json_array_add_string_element(changes,
                                      g_ptr_array_index(changed->changes, i));
    return machine;
}

static void print(const struct orr_changed_platform *changed,
                  enum orr_format format)
{
    JsonObject *machine = describe(changed);

    if (format == ORR_FORMAT_TEXT) {
        orr_platform_facts_print(machine);
        orr_platform_drawing_print(changed->platform);
    } else if (format == ORR_FORMAT_CSV) {
        orr_csv_print_pairs(machine);
    } else {
        orr_output_object(machine);
    }
    json_object_unref(machine);
}

static enum orr_exit show(const char *platform, struct orr_settings *settings,
                          GError **error)
{
    struct orr_changed_platform changed;
    enum orr_exit status;

    if (settings->outputs.output &&
        !orr_platform_drawing_check(settings->outputs.output, error))
        return orr_exit_of(*error);
    if (platform)
        settings->scenario.config.platform = platform;
    status = orr_changed_platform_load(&changed, &settings->scenario,
                                       syntax.command);
    if (status != ORR_EXIT_OK)
        return status;
    orr_platform_check_plausibility(changed.platform);
    orr_notes_print(changed.platform, syntax.command);
    if (settings->outputs.output &&
        !orr_platform_drawing_save(changed.platform, settings->outputs.output,
                                   error))
        status = ORR_EXIT_FAILURE;
    else
        print(&changed, settings->format);
    orr_changed_platform_clear(&changed);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, show);
}

const struct orr_cmd orr_cmd_platform_show = {.name = "show",
                                              .summary = "show a machine",
                                              .syntax = &syntax,
                                              .main = command};

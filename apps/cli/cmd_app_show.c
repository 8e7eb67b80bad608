/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/facts/app_facts.h"
#include "apps/output/csv.h"
#include "apps/settings/command.h"

static const struct orr_syntax syntax = {
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

    if (!settings->app && !orr_settings_open(settings, operand, error))
        return ORR_EXIT_USAGE;
    facts =
        orr_app_facts_new(settings->app, orr_program_file(settings->program));
    if (settings->format == ORR_FORMAT_TEXT)
        orr_app_facts_print(facts);
    else if (settings->format == ORR_FORMAT_CSV)
        orr_csv_print_pairs(facts);
    else
        orr_output_object(facts);
    json_object_unref(facts);
    return ORR_EXIT_OK;
}

enum orr_exit orr_cmd_app_show(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, show);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/settings/command.h"
#include "apps/sweep/results.h"

static const struct orr_syntax syntax = {
    "results",
    "FILE.db",
    1,
    1,
    "Prints the results of a campaign, which 'orrery sweep' wrote: with "
    "--format csv or\njson a row for each run, by the number of its point; as "
    "text, what the campaign is\nand how many runs have ended.",
    {&orr_options_results, &orr_options_output, NULL},
};

static enum orr_exit print(const char *path, struct orr_settings *settings,
                           GError **error)
{
    struct orr_reader *reader = orr_reader_open(path, error);
    bool printed = reader && orr_results_print(reader, settings->format,
                                               settings->outputs.timing, error);

    orr_reader_close(reader);
    return printed ? ORR_EXIT_OK : ORR_EXIT_FAILURE;
}

static enum orr_exit command(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, print);
}

const struct orr_cmd orr_cmd_results = {.name = "results",
                                        .summary =
                                            "print the results of a campaign",
                                        .syntax = &syntax,
                                        .main = command};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/csv.h"
#include "apps/machine.h"
#include "apps/output.h"
#include "apps/settings.h"
#include "models/platform_xml.h"

static const struct orr_syntax syntax = {
    "platform show",
    "NAME|FILE",
    1,
    1,
    "Shows a machine: its processors, memories, links and routes, what its "
    "policies\nbelieve of copies, and the kernels that were measured on it.",
    {&orr_options_output, NULL},
};

static enum orr_exit show(const char *name, enum orr_format format)
{
    GError *error = NULL;
    struct orr_platform *platform =
        orr_platform_load(name, orr_platform_folders(), &error);
    JsonObject *machine;
    enum orr_exit status;

    if (!platform) {
        status = g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN)
                     ? ORR_EXIT_USAGE
                     : ORR_EXIT_FAILURE;
        orr_cmd_complain(syntax.command, "%s", error->message);
        g_error_free(error);
        return status;
    }
    machine = orr_machine_new(platform);
    if (format == ORR_FORMAT_TEXT)
        orr_machine_print(machine);
    else if (format == ORR_FORMAT_CSV)
        orr_csv_print_pairs(machine);
    else
        orr_output_object(machine);
    json_object_unref(machine);
    orr_platform_free(platform);
    return ORR_EXIT_OK;
}

enum orr_exit orr_cmd_platform_show(int argc, char **argv)
{
    struct orr_settings settings;
    enum orr_exit status;
    int operands;

    orr_settings_init(&settings);
    if (orr_syntax_read(&syntax, argc, argv, &settings, &operands, &status))
        status = show(argv[0], settings.format);
    return status;
}

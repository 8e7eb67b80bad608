/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>
#include <stdio.h>

#include "apps/cli/cmd.h"
#include "apps/facts/coverage.h"
#include "apps/output/output.h"
#include "apps/settings/settings.h"
#include "models/import/platform_find.h"
#include "models/platform/plausibility.h"

static const struct orr_syntax syntax = {
    "platform check",
    "NAME|FILE...",
    1,
    INT_MAX,
    "Checks platforms. For each one, prints its first error, or whether its\n"
    "figures are calibrated (measured), modelled or uncalibrated, and which "
    "are\nmissing; then which workers can run which application, at which "
    "precision and\ntile size. Messages are about workers that can run none, "
    "and about figures that\ncannot all be right. Fails if any file has an "
    "error.",
    {&orr_options_output, NULL},
};

static void print_warnings(JsonObject *row)
{
    JsonArray *warnings = json_object_get_array_member(row, "warnings");

    for (guint i = 0; i < json_array_get_length(warnings); i++)
        orr_message_print(syntax.command, "%s: %s",
                          json_object_get_string_member(row, "file"),
                          json_array_get_string_element(warnings, i));
}

/* Adds warnings about figures that cannot all be right. */
static void add_doubts(JsonObject *row, struct orr_platform *platform)
{
    JsonArray *warnings = json_object_get_array_member(row, "warnings");

    orr_platform_check_plausibility(platform);
    for (guint i = 0; i < platform->notes->len; i++)
        json_array_add_string_element(warnings, platform->notes->pdata[i]);
}

static bool check(JsonArray *rows, const char *name)
{
    GError *error = NULL;
    struct orr_platform *platform = orr_platform_load(name, NULL, &error);
    g_autofree char *figures =
        platform ? orr_platform_parameters(platform) : NULL;
    JsonObject *row = orr_output_add_object(rows);

    orr_output_set_text(row, "file", name);
    json_object_set_boolean_member(row, "valid", platform != NULL);
    orr_output_set_text(row, "error", error ? error->message : NULL);
    orr_output_set_text(row, "figures", figures);
    orr_coverage_add(row, platform);
    if (platform)
        add_doubts(row, platform);
    if (error)
        orr_message_print(syntax.command, "%s", error->message);
    print_warnings(row);
    g_clear_error(&error);
    orr_platform_free(platform);
    return json_object_get_boolean_member(row, "valid");
}

/* Prints the valid files; messages were printed for the others. */
static void print_text(JsonArray *rows)
{
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);

        if (!json_object_get_boolean_member(row, "valid"))
            continue;
        printf("%s: OK, %s\n", json_object_get_string_member(row, "file"),
               json_object_get_string_member(row, "figures"));
        orr_coverage_print(row);
    }
}

/* A line for each file has no place for its coverage. */
static void print_csv(JsonArray *rows)
{
    for (guint i = 0; i < json_array_get_length(rows); i++)
        json_object_remove_member(json_array_get_object_element(rows, i),
                                  "coverage");
    orr_output_rows(rows, ORR_FORMAT_CSV);
}

static enum orr_exit command(int argc, char **argv)
{
    struct orr_settings settings;
    enum orr_exit status;
    JsonArray *rows;
    int operands;

    orr_settings_init(&settings);
    if (!orr_syntax_read(&syntax, argc, argv, &settings, &operands, &status))
        return status;
    status = ORR_EXIT_OK;
    rows = json_array_new();
    for (int i = 0; i < operands; i++) {
        if (!check(rows, argv[i]))
            status = ORR_EXIT_FAILURE;
    }
    if (settings.format == ORR_FORMAT_TEXT)
        print_text(rows);
    else if (settings.format == ORR_FORMAT_CSV)
        print_csv(rows);
    else
        orr_output_rows(rows, settings.format);
    json_array_unref(rows);
    return status;
}

const struct orr_cmd orr_cmd_platform_check = {.name = "check",
                                               .summary =
                                                   "check platform files",
                                               .syntax = &syntax,
                                               .main = command};

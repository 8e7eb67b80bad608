/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "apps/cli/cmd.h"
#include "apps/settings/changed_platform.h"
#include "apps/settings/command.h"
#include "models/format/platform_save.h"
#include "models/xml/xml.h"

static const struct orr_syntax syntax = {
    "platform save",
    "[NAME|FILE]",
    0,
    1,
    "Writes a machine, with the changes that the options ask for, to a "
    "platform file.\nA run with that file gives the same result as a run with "
    "the options.",
    {&orr_options_machine, &orr_options_file, NULL},
};

/* Renames the machine after the file, "mine" for "mine.xml", if it can. */
static void rename_platform(struct orr_platform *platform, const char *path)
{
    char *name = g_path_get_basename(path);

    if (g_str_has_suffix(name, ".xml"))
        name[strlen(name) - strlen(".xml")] = '\0';
    if (!orr_xml_is_name(name)) {
        g_free(name);
        return;
    }
    g_free(platform->name);
    platform->name = name;
}

/* Returns a comment for the file that says how it was made. */
static char *comment_of(const struct orr_changed_platform *changed)
{
    g_autoptr(GString) changes = g_string_new(NULL);

    for (guint i = 0; i < changed->changes->len; i++)
        g_string_append_printf(
            changes, "\n       %s",
            (const char *)g_ptr_array_index(changed->changes, i));
    return g_strdup_printf(
        "The format is described in docs/PLATFORMS.md. Made by orrery platform "
        "save\n     from %s%s%s",
        changed->platform->path,
        changed->changes->len > 0 ? ", of which it changed:" : ".",
        changes->str);
}

static bool save(struct orr_changed_platform *changed, const char *path,
                 GError **error)
{
    g_autofree char *comment = comment_of(changed);
    g_autofree char *made =
        g_strdup_printf("%s%s", changed->platform->path,
                        changed->changes->len > 0 ? ", and changes to it" : "");
    const struct orr_platform_sources sources = {
        .comment = comment,
        .processors = made,
        .links = made,
        .routes = made,
        .pitch = made,
        .calibration = made,
        .overheads = made,
    };

    rename_platform(changed->platform, path);
    return orr_platform_save(changed->platform, &sources, path, error);
}

static enum orr_exit run(const char *platform, struct orr_settings *settings,
                         GError **error)
{
    struct orr_changed_platform changed;
    enum orr_exit status;

    if (!settings->outputs.output) {
        orr_message_print(syntax.command, "--output FILE.xml is missing");
        return ORR_EXIT_USAGE;
    }
    if (platform)
        settings->scenario.config.platform = platform;
    status = orr_changed_platform_load(&changed, &settings->scenario,
                                       syntax.command);
    if (status != ORR_EXIT_OK)
        return status;
    if (!save(&changed, settings->outputs.output, error))
        status = ORR_EXIT_FAILURE;
    orr_changed_platform_clear(&changed);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, run);
}

const struct orr_cmd orr_cmd_platform_save = {
    .name = "save",
    .summary = "write a machine, changed by options, to a file",
    .syntax = &syntax,
    .main = command};

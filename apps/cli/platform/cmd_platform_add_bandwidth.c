/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>

#include "apps/cli/cmd.h"
#include "apps/facts/coverage.h"
#include "apps/options/option.h"
#include "apps/options/values.h"
#include "models/base/input.h"
#include "models/format/platform_save.h"
#include "models/import/bandwidth.h"
#include "models/import/platform_find.h"
#include "models/platform/plausibility.h"

/* The options. */
struct values {
    const char *topo;   /* NULL: not given */
    const char *source; /* NULL: the name of the file */
    const char *output; /* NULL: the standard output */
};

#define MEMBER(name) offsetof(struct values, name)

static const struct orr_option options[] = {
    {"topo", "FILE", "the wiring of the GPUs: text of nvidia-smi topo -m",
     .parse = orr_value_text, .member = MEMBER(topo),
     .manual = "The wiring of the GPUs, as `nvidia-smi topo -m` prints it."},
    {"source", "TEXT", "origin of the rates (default: the name of the file)",
     .parse = orr_value_line, .member = MEMBER(source),
     .manual = "The origin of the rates; by default the name of the file."},
    {"output", "FILE", "the file to write (default: standard output)",
     .parse = orr_value_text, .member = MEMBER(output),
     .manual = "The platform file to write, which is replaced completely or "
               "not at all; standard output by default."},
};

static const struct orr_option_group group = ORR_OPTION_GROUP("File", options);

static const struct orr_syntax syntax = {
    "platform add-bandwidth",
    "NAME|FILE NVBANDWIDTH.json",
    2,
    2,
    "Writes a copy of a platform file with measured links, as nvbandwidth -j "
    "writes\nthem: lone copies from and to each GPU (required), between GPUs, "
    "and from and to\nall at once. They replace all links. Latencies are not "
    "in it: they\nstay, or are assumed.",
    {&group, NULL},
};

static bool write_file(const struct orr_platform *platform, const char *output,
                       GError **error)
{
    const struct orr_platform_sources sources = {
        .comment = "Made by orrery platform add-bandwidth. The format is "
                   "described in docs/PLATFORMS.md.",
    };

    return orr_platform_save(platform, &sources, output, error);
}

static char *show_name(const char *path)
{
    g_autofree char *shown = orr_input_show_path(path);

    return g_path_get_basename(shown);
}

/* Reads both files, and changes the links of @platform. */
static bool change(struct orr_platform *platform, const char *path,
                   const struct values *values, GError **error)
{
    struct orr_bandwidth bandwidth = {.in = {0}};
    g_autofree char *name = show_name(path);
    g_autofree char *topo = values->topo ? show_name(values->topo) : NULL;

    if (platform->gpu_count == 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s has no GPU",
                    platform->name);
        return false;
    }
    if (!orr_bandwidth_read(&bandwidth, path, platform->gpu_count, error) ||
        (values->topo && !orr_wiring_read(&bandwidth, values->topo,
                                          platform->gpu_count, error)))
        return false;
    orr_bandwidth_apply(platform, &bandwidth,
                        values->source ? values->source : name, topo);
    return true;
}

static enum orr_exit add(const char *name, const char *path,
                         const struct values *values)
{
    g_autoptr(GError) error = NULL;
    struct orr_platform *platform = orr_platform_load(name, NULL, &error);
    enum orr_exit status = ORR_EXIT_OK;

    if (platform && change(platform, path, values, &error)) {
        orr_platform_check_plausibility(platform);
        orr_notes_print(platform, syntax.command);
        write_file(platform, values->output, &error);
    }
    if (error) {
        orr_message_print(syntax.command, "%s", error->message);
        status = orr_exit_of_name(error);
    }
    orr_platform_free(platform);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    struct values values = {.topo = NULL};
    enum orr_exit status;
    int operands;

    if (orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        status = add(argv[0], argv[1], &values);
    return status;
}

const struct orr_cmd orr_cmd_platform_add_bandwidth = {
    .name = "add-bandwidth",
    .summary = "add measured rates of links to a platform file",
    .syntax = &syntax,
    .main = command};

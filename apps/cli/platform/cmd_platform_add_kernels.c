/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>

#include "apps/cli/cmd.h"
#include "apps/facts/coverage.h"
#include "apps/options/option.h"
#include "apps/options/values.h"
#include "models/format/platform_save.h"
#include "models/import/kernel_times.h"
#include "models/import/platform_find.h"
#include "models/platform/plausibility.h"

/* The options. */
struct values {
    const char *family;
    const char *source;
    const char *output; /* NULL: the standard output */
};

#define MEMBER(name) offsetof(struct values, name)

static const struct orr_option options[] = {
    {"family", "NAME", "the application of the kernels (default cholesky)",
     .parse = orr_value_line, .member = MEMBER(family),
     .manual = "The application of the kernels, where the file does not say "
               "it; `cholesky` by default."},
    {"source", "TEXT", "origin of the times (default: the name of the file)",
     .parse = orr_value_line, .member = MEMBER(source),
     .manual = "The origin of the times; by default the name of the file."},
    {"output", "FILE", "the file to write (default: standard output)",
     .parse = orr_value_text, .member = MEMBER(output),
     .manual = "The platform file to write, which is replaced completely or "
               "not at all; standard output by default."},
};

static const struct orr_option_group group = ORR_OPTION_GROUP("File", options);

static const struct orr_syntax syntax = {
    "platform add-kernels",
    "NAME|FILE TIMES.csv",
    2,
    2,
    "Writes a copy of a platform file with measured durations of kernels, say "
    "of a\nbenchmark of a library. TIMES.csv has the columns kernel, device, "
    "tile, precision\nand seconds, and may have family, deviation and count: a "
    "row is a sample, or a\nmean. The device is CPU, GPU (all of them) or the "
    "name of a GPU.",
    {&group, NULL},
};

static bool write_file(const struct orr_platform *platform, const char *output,
                       GError **error)
{
    const struct orr_platform_sources sources = {
        .comment = "Made by orrery platform add-kernels. The format is "
                   "described in docs/PLATFORMS.md.",
    };

    return orr_platform_save(platform, &sources, output, error);
}

static enum orr_exit add(const char *name, const char *times,
                         const struct values *values)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *base = g_path_get_basename(times);
    g_autofree char *shown = g_utf8_make_valid(base, -1);
    struct orr_platform *platform = orr_platform_load(name, NULL, &error);
    enum orr_exit status = ORR_EXIT_OK;

    if (platform &&
        orr_kernel_times_add(platform, times,
                             values->family ? values->family : "cholesky",
                             values->source ? values->source : shown, &error)) {
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
    struct values values = {.family = NULL};
    enum orr_exit status;
    int operands;

    if (orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        status = add(argv[0], argv[1], &values);
    return status;
}

const struct orr_cmd orr_cmd_platform_add_kernels = {
    .name = "add-kernels",
    .summary = "add measured durations of kernels to a platform file",
    .syntax = &syntax,
    .main = command};

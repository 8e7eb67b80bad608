/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "apps/cli/cmd.h"
#include "apps/facts/coverage.h"
#include "apps/options/option.h"
#include "apps/options/values.h"
#include "models/format/platform_save.h"
#include "models/starpu/platform_starpu.h"

/* The options. */
struct values {
    const char *output; /* NULL: the standard output */
    const char *description;
    const char *source;
};

static bool parse_text(const struct orr_option *option, const char *text,
                       void *member, GError **error)
{
    const char *bad;

    (void)option;
    if (*text && g_utf8_validate(text, -1, &bad)) {
        *(const char **)member = text;
        return true;
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                *text ? "the value is not text in UTF-8"
                      : "the value is empty");
    return false;
}

#define MEMBER(name) offsetof(struct values, name)

static const struct orr_option options[] = {
    {"output", "FILE", "the file to write (default: standard output)",
     .parse = orr_value_text, .member = MEMBER(output),
     .manual = "The platform file to write, which is replaced completely or "
               "not at all; standard output by default."},
    {"description", "TEXT", "description of the machine, written into the file",
     .parse = parse_text, .member = MEMBER(description),
     .manual = "Description of the machine for the file, one line."},
    {"source", "TEXT", "origin of DIR, written into the file",
     .parse = parse_text, .member = MEMBER(source),
     .manual = "Origin of *DIR* for the file."},
};

static const struct orr_option_group group = ORR_OPTION_GROUP("File", options);

static const struct orr_syntax syntax = {
    "platform import",
    "DIR HOST",
    2,
    2,
    "Converts the calibration of the machine HOST in DIR, a folder like "
    "StarPU's\n~/.starpu/sampling, to a platform file. Parts that are left out "
    "are reported on\nstandard error. '--platform starpu:DIR:HOST' uses it "
    "without conversion.",
    {&group, NULL},
};

/* Returns @text as one line that may stand in XML. */
static char *clean(const char *text)
{
    char *copy = g_strdup(text);

    for (char *c = copy; *c; c++) {
        if (g_ascii_iscntrl(*c))
            *c = ' ';
    }
    return copy;
}

static char *comment_of(const char *source)
{
    g_autofree char *text = source ? clean(source) : NULL;

    return g_strdup_printf("The format is described in docs/PLATFORMS.md. Made "
                           "by orrery platform import\n"
                           "     from a StarPU calibration, in which the files "
                           "named here are%s%s",
                           text ? ":\n     " : ".", text ? text : "");
}

static bool write_file(const struct orr_platform *platform, const char *dir,
                       const struct values *values, GError **error)
{
    g_autofree char *comment = comment_of(values->source);
    g_autofree char *file = orr_platform_starpu_file(dir, platform->name);
    g_autofree char *machine = g_strconcat("StarPU, ", file, NULL);
    g_autofree char *start =
        g_strndup(file, strlen(file) - strlen(g_strrstr(file, ".platform")));
    g_autofree char *beliefs =
        g_strdup_printf("StarPU, %s.bandwidth and %s.latency", start, start);
    const struct orr_platform_sources sources = {
        .comment = comment,
        .processors = machine,
        .links = machine,
        .routes = machine,
        .calibration = beliefs,
        .overheads = "StarPU, the constants of its simulation mode",
    };

    return orr_platform_save(platform, &sources, values->output, error);
}

static enum orr_exit import(const char *dir, const char *host,
                            const struct values *values)
{
    g_autoptr(GError) error = NULL;
    struct orr_platform *platform = orr_platform_starpu_read(dir, host, &error);
    enum orr_exit status = ORR_EXIT_OK;

    if (platform && values->description)
        platform->description = clean(values->description);
    if (platform)
        orr_notes_print(platform, syntax.command);
    if (!platform || !write_file(platform, dir, values, &error)) {
        orr_message_print(syntax.command, "%s", error->message);
        status = orr_exit_of_name(error);
    }
    orr_platform_free(platform);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    struct values values = {.output = NULL};
    enum orr_exit status;
    int operands;

    if (orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        status = import(argv[0], argv[1], &values);
    return status;
}

const struct orr_cmd orr_cmd_platform_import = {
    .name = "import",
    .summary = "convert a StarPU calibration to a platform file",
    .syntax = &syntax,
    .main = command};

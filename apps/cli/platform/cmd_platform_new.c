/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>

#include "apps/cli/cmd.h"
#include "apps/facts/coverage.h"
#include "apps/options/option.h"
#include "apps/options/values.h"
#include "models/format/platform_save.h"
#include "models/import/platform_parts.h"
#include "models/xml/xml.h"

/* The options. */
struct values {
    const char *gpu;
    const char *cpu;
    const char *pcie;
    const char *nvlink;
    const char *name;
    const char *description;
    const char *output; /* NULL: the standard output */
};

#define MEMBER(name) offsetof(struct values, name)

static const struct orr_option part_options[] = {
    {"gpu", "PART:N", "N GPUs of a kind, such as a100-40:4 (default: none)",
     .parse = orr_value_text, .member = MEMBER(gpu),
     .manual = "*N* GPUs of a kind, such as `a100-40:4`; none by default."},
    {"cpu", "PART:N", "N sockets of a kind (default epyc-7742:2)",
     .parse = orr_value_text, .member = MEMBER(cpu),
     .manual = "*N* sockets of a kind; `epyc-7742:2` by default."},
    {"pcie", "GENxWIDTH", "slot of each GPU (default gen4x16)",
     .parse = orr_value_text, .member = MEMBER(pcie),
     .choices = ORR_CHOICES("gen3x16", "gen4x16", "gen5x16", "gen6x16"),
     .manual = "The slot of each GPU; `gen4x16` by default."},
    {"nvlink", "RATE", "direct links between all GPUs, such as 50GBps",
     .parse = orr_value_text, .member = MEMBER(nvlink),
     .manual = "Direct links between all GPUs, such as `50GBps`."},
};

static const struct orr_option file_options[] = {
    {"name", "NAME", "name of the machine (default: the parts)",
     .parse = orr_value_line, .member = MEMBER(name),
     .manual = "The name of the machine; by default that of its GPUs."},
    {"description", "TEXT", "description of the machine",
     .parse = orr_value_line, .member = MEMBER(description),
     .manual = "The description of the machine."},
    {"output", "FILE", "the file to write (default: standard output)",
     .parse = orr_value_text, .member = MEMBER(output),
     .manual = "The platform file to write, which is replaced completely or "
               "not at all; standard output by default."},
};

static const struct orr_option_group part_group =
    ORR_OPTION_GROUP("Parts", part_options);
static const struct orr_option_group file_group =
    ORR_OPTION_GROUP("File", file_options);

static const struct orr_syntax syntax = {
    "platform new",
    NULL,
    0,
    0,
    "Writes a platform file of a machine made of known parts. Nothing of it "
    "is\nmeasured: memory, peaks and rates are published figures, and kernels "
    "are\nmodelled by the share of the peak that they reach on a calibrated "
    "machine of the\nnearest generation. For an unknown part, the message "
    "lists "
    "the known ones.",
    {&part_group, &file_group, NULL},
};

static char *make_comment(const struct orr_parts *parts)
{
    GString *text =
        g_string_new("Made by orrery platform new. The format is described in "
                     "docs/PLATFORMS.md.\n     MODELLED, NOT MEASURED, from:");

    if (parts->gpu)
        g_string_append_printf(text, "\n     %s: %s", parts->gpu->model,
                               parts->gpu->source);
    g_string_append_printf(text, "\n     %s: %s", parts->cpu->model,
                           parts->cpu->source);
    g_string_append_printf(
        text, "\n     PCI Express: %s, PCI-SIG; latency: assumed, 10 us",
        parts->pcie);
    if (parts->nvlink)
        g_string_append_printf(text, "\n     links between GPUs: %s, as asked",
                               parts->nvlink);
    g_string_append(text, "\n     gemm on a core: 86 % of its peak (HPL, "
                          "MareNostrum 5 GPP), other kernels in\n     "
                          "proportion");
    return g_string_free(text, FALSE);
}

static bool write_file(const struct orr_platform *platform,
                       const struct orr_parts *made_of, const char *output,
                       GError **error)
{
    g_autofree char *comment = make_comment(made_of);
    const struct orr_platform_sources sources = {
        .comment = comment,
        .processors = "published by the vendors",
        .links = "MODELLED: nominal rates; the latency is assumed",
        .routes = "assumed: a slot for each GPU, no switches",
        .calibration = "the links above",
        .overheads = "StarPU, the constants of its simulation mode",
    };

    return orr_platform_save(platform, &sources, output, error);
}

static bool check(const struct orr_parts *made_of, GError **error)
{
    unsigned cores = made_of->cpu->cores * made_of->sockets;
    g_autofree char *quoted = orr_quote(made_of->name);

    if (made_of->gpus > cores)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%u GPUs need as many cores, and there are %u",
                    made_of->gpus, cores);
    else if (!orr_xml_is_name(made_of->name))
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--name: %s: a name has letters, digits and . _ + - only",
                    quoted);
    else
        return true;
    return false;
}

/* Reads the options into @made_of; its texts are borrowed or in @texts. */
static bool read_parts(const struct values *values, struct orr_parts *made_of,
                       GPtrArray *texts, GError **error)
{
    char *name;
    char *description;

    *made_of = (struct orr_parts){
        .pcie = values->pcie ? values->pcie : "gen4x16",
        .nvlink = values->nvlink,
    };
    if ((values->gpu &&
         !orr_parts_parse(values->gpu, false, ORR_MAX_NODES - 1, &made_of->gpu,
                          &made_of->gpus, error)) ||
        !orr_parts_parse(values->cpu ? values->cpu : "epyc-7742:2", true, 16,
                         &made_of->cpu, &made_of->sockets, error))
        return false;
    name = made_of->gpu
               ? g_strdup_printf("%s-x%u", made_of->gpu->part, made_of->gpus)
               : g_strdup(made_of->cpu->part);
    description =
        g_strdup_printf("%u CPU cores and %u %s (modelled, not measured)",
                        made_of->cpu->cores * made_of->sockets, made_of->gpus,
                        made_of->gpu ? made_of->gpu->model : "GPUs");
    g_ptr_array_add(texts, name);
    g_ptr_array_add(texts, description);
    made_of->name = values->name ? values->name : name;
    made_of->description =
        values->description ? values->description : description;
    return check(made_of, error);
}

static enum orr_exit make(const struct values *values)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    struct orr_platform *platform = NULL;
    struct orr_parts made_of;

    if (!read_parts(values, &made_of, texts, &error)) {
        orr_message_print(syntax.command, "%s", error->message);
        return ORR_EXIT_USAGE;
    }
    platform = orr_platform_of_parts(&made_of, &error);
    if (platform)
        orr_notes_print(platform, syntax.command);
    if (platform && write_file(platform, &made_of, values->output, &error)) {
        orr_platform_free(platform);
        return ORR_EXIT_OK;
    }
    orr_message_print(syntax.command, "%s", error->message);
    orr_platform_free(platform);
    return g_error_matches(error, ORR_ERROR, ORR_ERROR_IO) ? ORR_EXIT_FAILURE
                                                           : ORR_EXIT_USAGE;
}

static enum orr_exit command(int argc, char **argv)
{
    struct values values = {.gpu = NULL};
    enum orr_exit status;
    int operands;

    if (orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        status = make(&values);
    return status;
}

const struct orr_cmd orr_cmd_platform_new = {
    .name = "new",
    .summary = "write a platform file of a machine made of known parts",
    .syntax = &syntax,
    .main = command};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>

#include "apps/cli/cmd.h"
#include "apps/facts/coverage.h"
#include "apps/options/option.h"
#include "apps/options/values.h"
#include "models/format/platform_save.h"
#include "models/import/nominal_power.h"
#include "models/import/platform_hwloc.h"
#include "models/import/platform_parts.h"

struct values {
    const char *hwloc;  /* NULL: this machine */
    const char *output; /* NULL: the standard output */
    bool model;         /* the kernels */
};

#define MEMBER(name) offsetof(struct values, name)

static const struct orr_option options[] = {
    {"hwloc", "FILE.xml", "read the machine from this file (lstopo --of xml)",
     .parse = orr_value_text, .member = MEMBER(hwloc),
     .manual = "Describes the machine of this file of hwloc (`lstopo --of "
               "xml`) instead of this machine."},
    {"model-kernels", NULL, "model the kernels of known CPUs and GPUs",
     .parse = orr_value_true, .member = MEMBER(model),
     .manual = "Model the kernels of CPUs and GPUs that are known, as "
               "`platform new` does. Links remain to be measured."},
    {"output", "FILE", "the file to write (default: standard output)",
     .parse = orr_value_text, .member = MEMBER(output),
     .manual = "The platform file to write, which is replaced completely or "
               "not at all; standard output by default."},
};

static const struct orr_option_group group = ORR_OPTION_GROUP("File", options);

static const struct orr_syntax syntax = {
    "platform detect",
    NULL,
    0,
    0,
    "Writes a platform file of this machine, or of a machine that hwloc "
    "described in\nXML: cores, sockets, GPUs, PCI links. Nothing is measured: "
    "the file lists the\nfigures to measure and fill in before a run can use "
    "it. Parts that are left out\nand figures that are guessed are reported on "
    "standard error.",
    {&group, NULL},
};

/* Returns a comment for the file that says what to complete. */
static char *make_comment(unsigned uncalibrated)
{
    GString *text = g_string_new(
        "Made by orrery platform detect. The format is described in "
        "docs/PLATFORMS.md.\n"
        "     NOT CALIBRATED: no run can use this before these are filled in "
        "and their\n     names are taken out of uncalibrated, below:");

    if (uncalibrated & ORR_PLATFORM_MEMORY)
        g_string_append(text,
                        "\n     memory   of each GPU (nvidia-smi); 1 GiB is a "
                        "placeholder");
    if (uncalibrated & ORR_PLATFORM_LINKS)
        g_string_append(
            text, "\n     links    measure them, each alone and all at once; "
                  "say peer=\"yes\" of GPUs\n              that copy directly "
                  "from each other, else the routes between\n              "
                  "them are not used");
    if (uncalibrated & ORR_PLATFORM_KERNELS)
        g_string_append(text, "\n     kernels  add a section of durations "
                              "(measured) or of flops (modelled)");
    return g_string_free(text, FALSE);
}

static bool write_file(const struct orr_platform *platform, const char *output,
                       GError **error)
{
    g_autofree char *comment = make_comment(platform->uncalibrated);
    const struct orr_platform_sources sources = {
        .comment = comment,
        .processors = "hwloc",
        .links =
            "uncalibrated: nominal speed of the PCI links, latency a guess",
        .routes = "hwloc",
        .overheads = "StarPU, the constants of its simulation mode",
    };

    return orr_platform_save(platform, &sources, output, error);
}

static void complain(gpointer line, gpointer data)
{
    (void)data;
    orr_message_print(syntax.command, "%s", (const char *)line);
}

/* Models the kernels, unless no device is known. */
static bool model_kernels(struct orr_platform *platform, GError **error)
{
    const struct orr_device *cpu = orr_device_of_model(platform->cpu_model);

    if (!cpu)
        orr_message_print(syntax.command,
                          "CPU: no kernels, because the model %s is not known",
                          platform->cpu_model ? platform->cpu_model : "?");
    orr_nominal_power_add(platform, cpu);
    if (!orr_platform_model_kernels(platform, cpu, error))
        return false;
    if (platform->kernel_count > 0)
        platform->uncalibrated &= ~(unsigned)ORR_PLATFORM_KERNELS;
    orr_notes_print(platform, syntax.command);
    return true;
}

static enum orr_exit detect(const struct values *values)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    struct orr_platform *platform =
        orr_platform_hwloc_read(values->hwloc, notes, &error);
    enum orr_exit status = ORR_EXIT_OK;

    g_ptr_array_foreach(notes, complain, NULL);
    if (!platform || (values->model && !model_kernels(platform, &error)) ||
        !write_file(platform, values->output, &error)) {
        orr_message_print(syntax.command, "%s", error->message);
        status = ORR_EXIT_FAILURE;
    }
    orr_platform_free(platform);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    struct values values = {.hwloc = NULL};
    enum orr_exit status;
    int operands;

    if (orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        status = detect(&values);
    return status;
}

const struct orr_cmd orr_cmd_platform_detect = {
    .name = "detect",
    .summary = "write a platform file of this machine",
    .syntax = &syntax,
    .main = command};

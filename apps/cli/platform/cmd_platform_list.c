/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/output/output.h"
#include "apps/settings/command.h"
#include "models/import/platform_find.h"
#include "models/platform/devices.h"

static const struct orr_syntax syntax = {
    "platform list",
    NULL,
    0,
    0,
    "Lists the machines that --platform knows by name, with the year in which "
    "their\nGPUs came out, and the tile sizes and precisions of their kernels. "
    "figures:\ncalibrated, all are measured; modelled, some kernel durations "
    "are computed from\npublished figures; uncalibrated, figures that a run "
    "needs are missing.",
    {&orr_options_output, NULL},
};

/* "4 x Tesla K40m", for all GPUs of each model; owned. NULL: none. */
static char *describe_gpus(const struct orr_platform *platform)
{
    GString *text = g_string_new(NULL);
    unsigned next;

    for (unsigned g = 0; g < platform->gpu_count; g = next) {
        const char *model = platform->gpus[g].model;

        next = g;
        while (next < platform->gpu_count &&
               g_strcmp0(platform->gpus[next].model, model) == 0)
            next++;
        g_string_append_printf(text, "%s%u x %s", g > 0 ? ", " : "", next - g,
                               model ? model : "?");
    }
    return g_string_free(text, text->len == 0);
}

/* When the newest of its known GPUs came out; 0: not known. */
static unsigned find_year(const struct orr_platform *platform)
{
    unsigned year = 0;

    for (unsigned g = 0; g < platform->gpu_count; g++) {
        const struct orr_device *device =
            orr_device_of_model(platform->gpus[g].model);

        year = MAX(year, device ? device->year : 0);
    }
    return year;
}

/* Whether some kernel of @platform has a duration or model in @precision. */
static bool has_precision(const struct orr_platform *platform,
                          enum orr_precision precision)
{
    for (unsigned k = 0; k < platform->kernel_count; k++) {
        if (platform->kernels[k].precision == precision)
            return true;
    }
    return false;
}

static int compare_tiles(const void *a, const void *b)
{
    unsigned left = *(const unsigned *)a;
    unsigned right = *(const unsigned *)b;

    return (left > right) - (left < right);
}

/* "320, 960"; "any" if some kernel is modelled; owned. NULL: none. */
static char *describe_tiles(const struct orr_platform *platform)
{
    g_autoptr(GArray) tiles = g_array_new(FALSE, FALSE, sizeof(unsigned));
    GString *text = g_string_new(NULL);
    bool any = false;

    for (unsigned k = 0; k < platform->kernel_count; k++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[k];

        any |= kernel->flops_count > 0;
        for (unsigned i = 0; i < kernel->count; i++)
            g_array_append_val(tiles, kernel->durations[i].tile);
    }
    g_array_sort(tiles, compare_tiles);
    for (guint i = 0; i < tiles->len; i++) {
        unsigned tile = g_array_index(tiles, unsigned, i);

        if (i == 0 || g_array_index(tiles, unsigned, i - 1) != tile)
            g_string_append_printf(text, "%s%u", text->len > 0 ? ", " : "",
                                   tile);
    }
    if (any)
        g_string_append(text, text->len > 0 ? ", any" : "any");
    return g_string_free(text, text->len == 0);
}

static void add_kernels(JsonObject *row, const struct orr_platform *platform)
{
    bool one = has_precision(platform, ORR_SINGLE);
    bool two = has_precision(platform, ORR_DOUBLE);
    g_autofree char *tiles = describe_tiles(platform);

    orr_output_set_text(row, "tiles", tiles);
    orr_output_set_text(row, "precisions",
                        one && two ? "single, double"
                        : one      ? "single"
                        : two      ? "double"
                                   : NULL);
}

static bool add_row(JsonArray *rows, const char *name)
{
    GError *error = NULL;
    struct orr_platform *platform = orr_platform_load(name, NULL, &error);
    g_autofree char *models = NULL;
    unsigned year;
    JsonObject *row;

    if (!platform) {
        orr_message_print(syntax.command, "%s", error->message);
        g_error_free(error);
        return false;
    }
    row = orr_output_add_object(rows);
    models = describe_gpus(platform);
    year = find_year(platform);
    orr_output_set_text(row, "name", name);
    if (year > 0)
        json_object_set_int_member(row, "year", year);
    else
        json_object_set_null_member(row, "year");
    json_object_set_int_member(row, "cores", platform->cores);
    json_object_set_int_member(row, "gpus", platform->gpu_count);
    orr_output_set_text(row, "gpu", models);
    orr_output_set_text(row, "figures", orr_platform_state(platform));
    add_kernels(row, platform);
    orr_output_set_text(row, "description", platform->description);
    orr_platform_free(platform);
    return true;
}

static enum orr_exit print_list(const char *operand,
                                struct orr_settings *settings, GError **error)
{
    g_auto(GStrv) names = orr_platform_names(NULL);
    g_autoptr(JsonArray) rows = json_array_new();
    enum orr_exit status = ORR_EXIT_OK;

    (void)operand;
    (void)error;
    for (char **name = names; *name; name++) {
        if (!add_row(rows, *name))
            status = ORR_EXIT_FAILURE;
    }
    orr_output_rows(rows, settings->format);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, print_list);
}

const struct orr_cmd orr_cmd_platform_list = {
    .name = "list",
    .summary = "list the machines that come with orrery",
    .syntax = &syntax,
    .main = command};

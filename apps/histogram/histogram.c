/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/histogram/histogram.h"

#include "apps/options/plot_options.h"
#include "apps/options/values.h"
#include "models/base/names.h"
#include "models/import/platform_find.h"

#define MAX_TILE 1000000
#define MAX_BINS 10000

void orr_histogram_request_init(struct orr_histogram_request *request)
{
    *request = (struct orr_histogram_request){
        .precision = ORR_SINGLE,
        .tile = 960,
        .gpus = -1,
        .format = ORR_FORMAT_TEXT,
    };
}

struct orr_platform *
orr_histogram_platform(const struct orr_histogram_request *request,
                       const char *command, enum orr_exit *status)
{
    g_autoptr(GError) error = NULL;
    struct orr_platform *platform;

    *status = ORR_EXIT_USAGE;
    if (!request->platform) {
        orr_message_print(command, "--platform is missing");
        return NULL;
    }
    platform = orr_platform_load(request->platform, NULL, &error);
    if (platform) {
        *status = ORR_EXIT_OK;
        return platform;
    }
    orr_message_print(command, "%s", error->message);
    if (!g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN))
        *status = ORR_EXIT_FAILURE;
    return NULL;
}

static void note_others(struct orr_kernel_samples *samples, const char *command)
{
    g_autoptr(GList) names = g_hash_table_get_keys(samples->others);

    names = g_list_sort(names, (GCompareFunc)strcmp);
    for (GList *i = names; i; i = i->next) {
        gpointer count = g_hash_table_lookup(samples->others, i->data);
        g_autofree char *quoted = orr_quote(i->data);

        orr_message_print(
            command, "%u task%s %s skipped: platform %s has no such kernel",
            GPOINTER_TO_UINT(count), GPOINTER_TO_UINT(count) == 1 ? "" : "s",
            quoted, samples->platform->name);
    }
}

bool orr_histogram_read(struct orr_kernel_samples *samples, char **paths,
                        int count, const char *command)
{
    g_autoptr(GError) error = NULL;

    for (int i = 0; i < count; i++) {
        if (!orr_kernel_samples_read(samples, paths[i], &error)) {
            orr_message_print(command, "%s", error->message);
            return false;
        }
    }
    note_others(samples, command);
    if (samples->groups->len > 0)
        return true;
    orr_message_print(command, "no task runs a kernel of platform %s",
                      samples->platform->name);
    return false;
}

struct orr_kernel_samples_hint
orr_histogram_hint(const struct orr_histogram_request *request,
                   const struct orr_platform *platform)
{
    return (struct orr_kernel_samples_hint){
        .app = request->app,
        .precision = request->precision,
        .tile = (unsigned)request->tile,
        .gpus =
            request->gpus < 0 ? platform->gpu_count : (unsigned)request->gpus,
    };
}

JsonObject *orr_histogram_add_row(JsonArray *rows,
                                  const struct orr_platform *platform,
                                  unsigned kernel, unsigned tile,
                                  unsigned device, uint64_t samples)
{
    const struct orr_platform_kernel *described = &platform->kernels[kernel];
    JsonObject *row = orr_output_add_object(rows);

    orr_output_set_text(row, "family", described->family);
    orr_output_set_text(row, "kernel", described->name);
    orr_output_set_text(row, "precision",
                        orr_precision_name(described->precision));
    json_object_set_int_member(row, "tile", tile);
    orr_output_set_text(row, "device",
                        orr_platform_device_name(platform, device));
    json_object_set_int_member(row, "samples", (gint64)samples);
    return row;
}

static bool parse_precision(const struct orr_option *option, const char *text,
                            void *member, GError **error)
{
    const char *names[] = {orr_precision_name(ORR_SINGLE),
                           orr_precision_name(ORR_DOUBLE), NULL};
    size_t found;

    (void)option;
    if (!orr_names_find("precision", names, text, &found, error))
        return false;
    *(enum orr_precision *)member = found == 0 ? ORR_SINGLE : ORR_DOUBLE;
    return true;
}

#define MEMBER(name) offsetof(struct orr_histogram_request, name)

static const struct orr_option samples[] = {
    {"platform", "NAME|FILE", "the machine; required", orr_value_text,
     MEMBER(platform), 0, 0},
    {"app", "APP", "the application, if kernel names do not tell",
     orr_value_text, MEMBER(app), 0, 0},
    {"precision", "P", "precision, if samples do not tell (default single)",
     parse_precision, MEMBER(precision), 0, 0},
    {"tile", "NB", "rows of a tile, if samples do not tell (default 960)",
     orr_value_count, MEMBER(tile), 1, MAX_TILE},
    {"gpus", "N", "the first N workers were GPUs (default: all GPUs)",
     orr_value_int, MEMBER(gpus), 0, ORR_MAX_NODES - 1},
    {"bins", "N", "maximum number of bins (default: 2 cbrt(samples))",
     orr_value_count, MEMBER(bins), 1, MAX_BINS},
    {"format", "FORMAT", "text, json or csv (default text)", orr_value_format,
     MEMBER(format), 0, 0},
};

static const struct orr_option build[] = {
    {"output", "FILE", "the platform file to write; required", orr_value_text,
     MEMBER(output), 0, 0},
    {"add-kernels", NULL, "add kernels that the platform lacks to --app",
     orr_value_true, MEMBER(add_kernels), 0, 0},
};

static const struct orr_option show[] = {
    {"kernel", "NAME", "the kernel, if there are several", orr_value_text,
     MEMBER(kernel), 0, 0},
    {"device", "NAME", "CPU or the name of a GPU, if there are several",
     orr_value_text, MEMBER(device), 0, 0},
};

const struct orr_option_group orr_options_samples =
    ORR_OPTION_GROUP("Samples", samples);
const struct orr_option_group orr_options_histogram_build =
    ORR_OPTION_GROUP("Result", build);
const struct orr_option_group orr_options_histogram_show =
    ORR_OPTION_GROUP("Histogram", show);
const struct orr_option_group orr_options_histogram_plot = {
    "Plot", orr_plot_option_table, G_N_ELEMENTS(orr_plot_option_table),
    MEMBER(plot), NULL};

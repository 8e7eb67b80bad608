/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/histogram/histogram.h"

#include "apps/options/completion.h"
#include "apps/options/tables.h"
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
    {"platform", "NAME|FILE", "the machine; required", .parse = orr_value_text,
     .member = MEMBER(platform), .offer = orr_offer_platforms,
     .manual = "The machine on which the samples were measured. Required."},
    {"app", "APP", "the application, if kernel names do not tell",
     .parse = orr_value_text, .member = MEMBER(app), .offer = orr_offer_apps,
     .manual = "The application of the samples, if names of kernels are "
               "ambiguous: gemm of cholesky is not gemm of lu. StarPU's "
               "symbols are not ambiguous."},
    {"precision", "P", "precision, if samples do not tell (default single)",
     .parse = parse_precision, .member = MEMBER(precision),
     .choices = ORR_CHOICES("single", "double"),
     .manual = "The precision, if the samples do not give it: `single` (the "
               "default) or `double`."},
    {"tile", "NB", "rows of a tile, if samples do not tell (default 960)",
     .parse = orr_value_count, .member = MEMBER(tile), .min = 1,
     .max = MAX_TILE,
     .manual =
         "Rows of a tile, if the samples do not give them; 960 by default."},
    {"gpus", "N", "the first N workers were GPUs (default: all GPUs)",
     .parse = orr_value_int, .member = MEMBER(gpus), .max = ORR_MAX_NODES - 1,
     .manual = "The first *N* workers of the files were GPUs; by default, the "
               "number of GPUs of the machine."},
    {"bins", "N", "maximum number of bins (default: 2 cbrt(samples))",
     .parse = orr_value_count, .member = MEMBER(bins), .min = 1,
     .max = MAX_BINS,
     .manual = "Maximum number of bins; by default, twice the cube root of the "
               "number of samples."},
};

static const struct orr_option build[] = {
    {"output", "FILE", "the platform file to write; required",
     .parse = orr_value_text, .member = MEMBER(output),
     .manual = "The platform file to write, which is replaced completely or "
               "not at all. Required."},
    {"add-kernels", NULL, "add kernels that the platform lacks to --app",
     .parse = orr_value_true, .member = MEMBER(add_kernels),
     .manual = "Adds kernels that the platform lacks to the application of "
               "`--app`, in the precision of `--precision`."},
};

static const struct orr_option show[] = {
    {"kernel", "NAME", "the kernel, if there are several",
     .parse = orr_value_text, .member = MEMBER(kernel),
     .manual = "The kernel, if there are several."},
    {"device", "NAME", "CPU or the name of a GPU, if there are several",
     .parse = orr_value_text, .member = MEMBER(device),
     .manual = "`CPU` or the name of a GPU, if there are several."},
};

const struct orr_option_group orr_options_samples =
    ORR_OPTION_GROUP("Samples", samples);
const struct orr_option_group orr_options_histogram_build =
    ORR_OPTION_GROUP("Result", build);
const struct orr_option_group orr_options_histogram_show =
    ORR_OPTION_GROUP("Histogram", show);
const struct orr_option_group orr_options_histogram_plot = {
    .title = "Plot",
    .options = orr_plot_option_table,
    .count = G_N_ELEMENTS(orr_plot_option_table),
    .member = MEMBER(plot)};
const struct orr_option_group orr_options_histogram_output = {
    .title = "Output",
    .options = orr_format_option_table,
    .count = G_N_ELEMENTS(orr_format_option_table),
    .member = MEMBER(format)};

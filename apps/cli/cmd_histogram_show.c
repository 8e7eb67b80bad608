/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * orrery histogram show: finds the histograms of the platform, or those made of
 * samples, that match the options. A single one is drawn, several are listed.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/chart/histogram_plot.h"
#include "apps/cli/cmd.h"
#include "apps/histogram/histogram.h"
#include "apps/output/table.h"
#include "apps/picture/plot.h"
#include "models/base/names.h"

static const struct orr_syntax syntax = {
    "histogram show",
    "[SAMPLES...]",
    0,
    INT_MAX,
    "Draws a histogram of the platform, or of the SAMPLES, and compares it "
    "with the\nsamples and with as many bins of equal width. If several "
    "histograms match the\noptions, lists them.",
    {&orr_options_samples, &orr_options_histogram_show,
     &orr_options_histogram_plot, &orr_options_histogram_output, NULL},
};

/* A histogram that matches the request. */
struct choice {
    unsigned kernel;
    unsigned tile;
    unsigned device;
    const struct orr_histogram *histogram; /* in the platform, or NULL */
    const struct orr_sample_group *group;  /* its samples, or NULL */
};

/* Whether the user asked for @name: by @text, or by nothing. */
static bool is_meant(const char *text, const char *name)
{
    return !text || orr_name_matches(name, text);
}

static bool is_wanted(const struct orr_histogram_request *request,
                      const struct orr_platform *platform, unsigned kernel,
                      unsigned device)
{
    const struct orr_platform_kernel *model = &platform->kernels[kernel];

    return is_meant(request->kernel, model->name) &&
           is_meant(request->app, model->family) &&
           is_meant(request->device,
                    orr_platform_device_name(platform, device));
}

static void find_stored(const struct orr_histogram_request *request,
                        const struct orr_platform *platform, GArray *choices)
{
    for (unsigned k = 0; k < platform->kernel_count; k++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[k];

        for (unsigned i = 0; i < kernel->count; i++) {
            const struct orr_platform_duration *known = &kernel->durations[i];
            struct choice choice = {.kernel = k,
                                    .tile = known->tile,
                                    .device = known->device,
                                    .histogram = known->histogram};

            if (known->histogram &&
                is_wanted(request, platform, k, known->device))
                g_array_append_val(choices, choice);
        }
    }
}

static void find_sampled(const struct orr_histogram_request *request,
                         const struct orr_kernel_samples *samples,
                         GArray *choices)
{
    for (guint i = 0; i < samples->groups->len; i++) {
        const struct orr_sample_group *group = samples->groups->pdata[i];
        struct choice choice = {.kernel = group->kernel,
                                .tile = group->tile,
                                .device = group->device,
                                .group = group};

        if (is_wanted(request, samples->platform, group->kernel, group->device))
            g_array_append_val(choices, choice);
    }
}

static void list(const struct orr_platform *platform, const GArray *choices,
                 enum orr_format format)
{
    g_autoptr(JsonArray) rows = json_array_new();

    for (guint i = 0; i < choices->len; i++) {
        const struct choice *choice = &g_array_index(choices, struct choice, i);

        orr_histogram_add_row(
            rows, platform, choice->kernel, choice->tile, choice->device,
            choice->group ? choice->group->durations->len
                          : orr_histogram_samples(choice->histogram));
    }
    orr_output_rows(rows, format);
}

static int compare_times(const void *a, const void *b)
{
    orr_time left = *(const orr_time *)a;
    orr_time right = *(const orr_time *)b;

    return (left > right) - (left < right);
}

/* Returns the samples or, without samples, evenly spaced quantiles. */
static orr_time *take_samples(const struct choice *choice, unsigned *count)
{
    orr_time *samples;

    *count = choice->group ? choice->group->durations->len
                           : orr_histogram_samples(choice->histogram);
    samples = g_new(orr_time, *count);
    for (unsigned i = 0; i < *count; i++)
        samples[i] =
            choice->group
                ? g_array_index(choice->group->durations, orr_time, i)
                : orr_histogram_quantile(choice->histogram, (i + 0.5) / *count);
    qsort(samples, *count, sizeof(*samples), compare_times);
    return samples;
}

static void add_row(JsonArray *rows, const struct orr_histogram_view *view,
                    orr_time from, orr_time to, unsigned samples)
{
    JsonObject *row = orr_output_add_object(rows);

    json_object_set_double_member(row, "from_s", orr_time_to_seconds(from));
    json_object_set_double_member(row, "to_s", orr_time_to_seconds(to));
    json_object_set_int_member(row, "samples", samples);
    /* A sample at the upper end belongs to the bin, not to the gap after it. */
    json_object_set_double_member(
        row, "equal_width",
        orr_histogram_between(view->wide, from, to + (samples > 0)));
}

/* Returns a row for each bin, and for each gap in which bins of equal width
 * have half a sample or more. */
static JsonArray *make_rows(const struct orr_histogram_view *view)
{
    const struct orr_histogram *cut = view->cut;
    JsonArray *rows = json_array_new();

    for (unsigned i = 0; i < cut->count; i++) {
        orr_time before = i > 0 ? cut->bins[i - 1].to : 0;

        if (i > 0 &&
            orr_histogram_between(view->wide, before, cut->bins[i].from) >= 0.5)
            add_row(rows, view, before, cut->bins[i].from, 0);
        add_row(rows, view, cut->bins[i].from, cut->bins[i].to,
                cut->bins[i].samples);
    }
    return rows;
}

static char *bar(double share)
{
    enum { WIDTH = 20 };

    return g_strnfill((gsize)(CLAMP(share, 0, 1) * WIDTH + 0.5), '#');
}

static double most_of(JsonArray *rows)
{
    double most = 1;

    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);

        most = MAX(most, json_object_get_double_member(row, "equal_width"));
        most = MAX(most, (double)json_object_get_int_member(row, "samples"));
    }
    return most;
}

static void print_rows(JsonArray *rows)
{
    static const char *const titles[] = {"from", "to",          "samples",
                                         "",     "equal width", ""};
    struct orr_table *table = orr_table_new("rrrlrl");
    double most = most_of(rows);

    for (size_t i = 0; i < G_N_ELEMENTS(titles); i++)
        orr_table_add(table, titles[i]);
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        double samples = (double)json_object_get_int_member(row, "samples");
        double wide = json_object_get_double_member(row, "equal_width");

        for (unsigned end = 0; end < 2; end++)
            orr_table_take(
                table, g_strdup_printf(
                           "%.6f ms", 1e3 * json_object_get_double_member(
                                                row, end ? "to_s" : "from_s")));
        orr_table_take(table, g_strdup_printf("%.0f", samples));
        orr_table_take(table, bar(samples / most));
        orr_table_take(table, g_strdup_printf("%.1f", wide));
        orr_table_take(table, bar(wide / most));
    }
    orr_table_print(table);
    orr_table_free(table);
}

static void print(const struct orr_histogram_view *view, bool sampled,
                  enum orr_format format)
{
    g_autoptr(JsonArray) rows = make_rows(view);
    g_autofree char *mean = orr_format_time(orr_histogram_mean(view->cut));
    g_autofree char *deviation =
        orr_format_time(orr_histogram_deviation(view->cut));

    if (format != ORR_FORMAT_TEXT) {
        orr_output_rows(rows, format);
        return;
    }
    printf("%s\n%u samples%s%s: mean %s, deviation %s\n\n", view->title,
           view->count, view->cut->source ? " of " : "",
           view->cut->source ? view->cut->source : "", mean, deviation);
    print_rows(rows);
    if (!sampled)
        puts("\nThe platform file does not hold the samples: the bins of equal "
             "width are\ncomputed from quantiles of the histogram.");
}

static bool show(const struct orr_histogram_request *request,
                 const struct orr_kernel_samples *samples,
                 const struct choice *choice, GError **error)
{
    g_autofree char *title = orr_kernel_samples_title(
        samples->platform, choice->kernel, choice->tile, choice->device);
    struct orr_histogram_view view = {.title = title};
    orr_time *durations = take_samples(choice, &view.count);
    struct orr_histogram *built = NULL;
    struct orr_histogram *wide;
    bool good;

    view.samples = durations;
    view.cut = choice->histogram;
    if (choice->group)
        view.cut = built = orr_kernel_samples_build(samples, choice->group,
                                                    (unsigned)request->bins,
                                                    ORR_HISTOGRAM_DIAGONAL);
    view.wide = wide = orr_histogram_build(
        durations, view.count, view.cut->count, ORR_HISTOGRAM_EQUAL_WIDTH);
    good = orr_histogram_plot(&view, &request->plot, error);
    if (good)
        print(&view, choice->group, request->format);
    orr_histogram_free(wide);
    orr_histogram_free(built);
    g_free(durations);
    return good;
}

static void add_once(GPtrArray *names, const char *name)
{
    if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
        g_ptr_array_add(names, (gpointer)name);
}

/* Takes @names. Returns whether @text, if given, is one of them. */
static bool is_known(const char *what, GPtrArray *names, const char *text,
                     GError **error)
{
    size_t found;
    bool known;

    g_ptr_array_add(names, NULL);
    known = !text || orr_names_find(what, (const char *const *)names->pdata,
                                    text, &found, error);
    g_ptr_array_unref(names);
    return known;
}

/* Fails if @platform does not know a name in @request. */
static bool check_names(const struct orr_histogram_request *request,
                        const struct orr_platform *platform, GError **error)
{
    GPtrArray *kernels = g_ptr_array_new();
    GPtrArray *apps = g_ptr_array_new();
    GPtrArray *devices = g_ptr_array_new();
    bool known;

    for (unsigned k = 0; k < platform->kernel_count; k++) {
        add_once(kernels, platform->kernels[k].name);
        add_once(apps, platform->kernels[k].family);
    }
    for (unsigned d = 0; d < platform->node_count; d++)
        g_ptr_array_add(devices,
                        (gpointer)orr_platform_device_name(platform, d));
    known = is_known("kernel", kernels, request->kernel, error);
    known &= is_known("application", apps, request->app, known ? error : NULL);
    return is_known("device", devices, request->device, known ? error : NULL) &&
           known;
}

static enum orr_exit choose(const struct orr_histogram_request *request,
                            const struct orr_kernel_samples *samples,
                            const GArray *choices)
{
    g_autoptr(GError) error = NULL;

    if (!check_names(request, samples->platform, &error)) {
        orr_message_print(syntax.command, "%s", error->message);
        return ORR_EXIT_FAILURE;
    }
    if (choices->len == 0) {
        orr_message_print(syntax.command,
                          "platform %s has no such histogram; see orrery "
                          "histogram build",
                          samples->platform->name);
        return ORR_EXIT_FAILURE;
    }
    if (choices->len > 1 && (request->plot.path || request->plot.data)) {
        orr_message_print(syntax.command,
                          "several histograms match; choose one with --kernel "
                          "and --device, and --app if needed");
        return ORR_EXIT_USAGE;
    }
    if (choices->len > 1) {
        list(samples->platform, choices, request->format);
        return ORR_EXIT_OK;
    }
    if (show(request, samples, &g_array_index(choices, struct choice, 0),
             &error))
        return ORR_EXIT_OK;
    orr_message_print(syntax.command, "%s", error->message);
    return ORR_EXIT_FAILURE;
}

static enum orr_exit run(const struct orr_histogram_request *request,
                         const struct orr_platform *platform, char **paths,
                         int count)
{
    struct orr_kernel_samples_hint hint = orr_histogram_hint(request, platform);
    g_autoptr(GArray) choices =
        g_array_new(FALSE, FALSE, sizeof(struct choice));
    struct orr_kernel_samples samples;
    enum orr_exit status = ORR_EXIT_FAILURE;

    orr_kernel_samples_init(&samples, platform, &hint);
    if (count == 0) {
        find_stored(request, platform, choices);
        status = choose(request, &samples, choices);
    } else if (orr_histogram_read(&samples, paths, count, syntax.command)) {
        find_sampled(request, &samples, choices);
        status = choose(request, &samples, choices);
    }
    orr_kernel_samples_clear(&samples);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    struct orr_histogram_request request;
    g_autoptr(GError) error = NULL;
    struct orr_platform *platform;
    enum orr_exit status;
    int operands;

    orr_histogram_request_init(&request);
    if (!orr_syntax_read(&syntax, argc, argv, &request, &operands, &status))
        return status;
    if (!orr_plot_check(&request.plot, &error)) {
        orr_message_print(syntax.command, "%s", error->message);
        return orr_exit_of(error);
    }
    platform = orr_histogram_platform(&request, syntax.command, &status);
    if (platform)
        status = run(&request, platform, argv, operands);
    orr_platform_free(platform);
    return status;
}

const struct orr_cmd orr_cmd_histogram_show = {
    .name = "show",
    .summary = "draw a histogram, or list those of a machine",
    .syntax = &syntax,
    .main = command};

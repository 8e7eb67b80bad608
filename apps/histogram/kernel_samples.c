/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sorts the tasks of records into groups by kernel, tile and device. A name of
 * a task may match several kernels of the platform: the application and the
 * precision then decide, or reading fails.
 */
#include "apps/histogram/kernel_samples.h"

#include <math.h>
#include <string.h>

#include "models/base/names.h"
#include "models/xml/xml.h"

static void free_group(gpointer data)
{
    struct orr_sample_group *group = data;

    g_array_unref(group->durations);
    g_free(group);
}

void orr_kernel_samples_init(struct orr_kernel_samples *samples,
                             const struct orr_platform *platform,
                             const struct orr_kernel_samples_hint *hint)
{
    *samples = (struct orr_kernel_samples){
        .platform = platform,
        .hint = hint,
        .groups = g_ptr_array_new_with_free_func(free_group),
        .source = g_string_new(NULL),
        .others = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
    };
}

void orr_kernel_samples_clear(struct orr_kernel_samples *samples)
{
    g_ptr_array_unref(samples->groups);
    g_string_free(samples->source, TRUE);
    g_hash_table_unref(samples->others);
}

char *orr_kernel_samples_title(const struct orr_platform *platform,
                               unsigned kernel, unsigned tile, unsigned device)
{
    const struct orr_platform_kernel *model = &platform->kernels[kernel];

    return g_strdup_printf("%s of %s (%s) at tile %u on %s", model->name,
                           model->family, orr_precision_name(model->precision),
                           tile, orr_platform_device_name(platform, device));
}

/* Returns the numbers of the kernels that @task may have run. */
static GArray *find_candidates(const struct orr_kernel_samples *samples,
                               const struct orr_record_task *task)
{
    const struct orr_platform *platform = samples->platform;
    GArray *found = g_array_new(FALSE, FALSE, sizeof(unsigned));

    for (unsigned k = 0; k < platform->kernel_count; k++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[k];

        if (orr_record_is(task, kernel) &&
            (!samples->hint->app ||
             orr_name_matches(kernel->family, samples->hint->app)))
            g_array_append_val(found, k);
    }
    return found;
}

/* If several kernels were found, keeps the ones with the requested precision.
 */
static void narrow(const struct orr_kernel_samples *samples, GArray *found)
{
    guint i = 0;

    while (found->len > 1 && i < found->len) {
        unsigned k = g_array_index(found, unsigned, i);

        if (samples->platform->kernels[k].precision == samples->hint->precision)
            i++;
        else
            g_array_remove_index(found, i);
    }
}

static void fail_ambiguous(const struct orr_record *record,
                           const struct orr_record_task *task, GError **error)
{
    g_autofree char *quoted = orr_quote(task->name);

    g_set_error(
        error, ORR_ERROR, ORR_ERROR_VALUE,
        "%s:%u: several applications have a kernel %s; choose one with --app",
        record->path, task->line, quoted);
}

static struct orr_sample_group *find_group(struct orr_kernel_samples *samples,
                                           unsigned kernel, unsigned tile,
                                           unsigned device)
{
    struct orr_sample_group *group;

    for (guint i = 0; i < samples->groups->len; i++) {
        group = samples->groups->pdata[i];
        if (group->kernel == kernel && group->tile == tile &&
            group->device == device)
            return group;
    }
    group = g_new(struct orr_sample_group, 1);
    *group = (struct orr_sample_group){
        .kernel = kernel,
        .tile = tile,
        .device = device,
        .durations = g_array_new(FALSE, FALSE, sizeof(orr_time)),
    };
    g_ptr_array_add(samples->groups, group);
    return group;
}

static void count_other(struct orr_kernel_samples *samples, const char *name)
{
    gpointer count = g_hash_table_lookup(samples->others, name);

    g_hash_table_replace(samples->others, g_strdup(name),
                         GUINT_TO_POINTER(GPOINTER_TO_UINT(count) + 1));
}

/* Adds the kernel of @task to the platform, and its number to @kernels, if the
 * application is known and the name of the task is valid for a kernel. */
static bool add_kernel(struct orr_kernel_samples *samples,
                       const struct orr_record_task *task, GArray *kernels)
{
    const char *app = samples->hint->app;
    struct orr_platform_kernel *kernel;
    unsigned number;

    if (!samples->grows || !app || !orr_xml_is_name(app) ||
        !orr_xml_is_name(task->name))
        return false;
    kernel = orr_platform_get_kernel(samples->grows, app, task->name,
                                     samples->hint->precision);
    if (!kernel)
        return false;
    number = (unsigned)(kernel - samples->grows->kernels);
    g_array_append_val(kernels, number);
    return true;
}

static bool add_task(struct orr_kernel_samples *samples,
                     const struct orr_record *record,
                     const struct orr_record_task *task, GError **error)
{
    g_autoptr(GArray) kernels = find_candidates(samples, task);
    unsigned tile = task->tile ? task->tile : samples->hint->tile;
    struct orr_sample_group *group;
    unsigned device;

    if (kernels->len == 0 && !add_kernel(samples, task, kernels)) {
        count_other(samples, task->name);
        return true;
    }
    narrow(samples, kernels);
    if (kernels->len != 1) {
        fail_ambiguous(record, task, error);
        return false;
    }
    if (!orr_record_device(task, samples->platform, samples->hint->gpus,
                           &device)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s:%u: the device of the task is missing, or platform %s "
                    "has no such device",
                    record->path, task->line, samples->platform->name);
        return false;
    }
    group =
        find_group(samples, g_array_index(kernels, unsigned, 0), tile, device);
    g_array_append_val(group->durations, task->duration);
    return true;
}

static gint compare_groups(gconstpointer a, gconstpointer b)
{
    const struct orr_sample_group *left =
        *(const struct orr_sample_group *const *)a;
    const struct orr_sample_group *right =
        *(const struct orr_sample_group *const *)b;

    if (left->kernel != right->kernel)
        return left->kernel < right->kernel ? -1 : 1;
    if (left->tile != right->tile)
        return left->tile < right->tile ? -1 : 1;
    return (left->device > right->device) - (left->device < right->device);
}

bool orr_kernel_samples_read(struct orr_kernel_samples *samples,
                             const char *path, GError **error)
{
    struct orr_record *record = orr_record_read(path, error);
    g_autofree char *name = NULL;
    bool good = record;

    for (unsigned i = 0; good && i < record->count; i++)
        good = add_task(samples, record, &record->tasks[i], error);
    if (good) {
        name = g_path_get_basename(record->path);
        g_string_append_printf(samples->source, "%s%s",
                               samples->source->len > 0 ? ", " : "", name);
        g_ptr_array_sort(samples->groups, compare_groups);
    }
    orr_record_free(record);
    return good;
}

struct orr_histogram *
orr_kernel_samples_build(const struct orr_kernel_samples *samples,
                         const struct orr_sample_group *group, unsigned bins,
                         double share)
{
    unsigned count = group->durations->len;
    orr_time *copy = g_new(orr_time, count);
    struct orr_histogram *histogram;

    memcpy(copy, group->durations->data, count * sizeof(*copy));
    histogram = orr_histogram_build(
        copy, count, bins > 0 ? bins : orr_histogram_bins(count), share);
    histogram->source = g_strdup(samples->source->str);
    g_free(copy);
    return histogram;
}

double orr_kernel_samples_mean(const struct orr_sample_group *group)
{
    const GArray *durations = group->durations;
    double sum = 0;

    for (guint i = 0; i < durations->len; i++)
        sum += (double)g_array_index(durations, orr_time, i);
    return sum / durations->len;
}

double orr_kernel_samples_deviation(const struct orr_sample_group *group)
{
    const GArray *durations = group->durations;
    double mean = orr_kernel_samples_mean(group);
    double sum = 0;

    for (guint i = 0; i < durations->len; i++) {
        double off = (double)g_array_index(durations, orr_time, i) - mean;

        sum += off * off;
    }
    return sqrt(sum / durations->len);
}

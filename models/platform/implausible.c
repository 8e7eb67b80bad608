/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Measured durations that cannot be right: faster than the card. */
#include "models/platform/devices.h"

enum { SHOWN = 4 }; /* a message lists at most so many entries */

/* Adds the entry to @list if it is faster than the peak of its GPU. */
static void add_entry(GPtrArray *list, const struct orr_platform *platform,
                      const struct orr_platform_kernel *kernel,
                      const struct orr_platform_duration *duration)
{
    const struct orr_device *device =
        duration->device == 0
            ? NULL
            : orr_device_of_model(platform->gpus[duration->device - 1].model);
    double tile = duration->tile;
    double operations = orr_flops_operations(kernel->name) * tile * tile * tile;
    double speed = operations / orr_time_to_seconds(duration->mean);
    g_autofree char *is = NULL;
    g_autofree char *peak = NULL;

    if (!device || speed <= device->peak[kernel->precision])
        return;
    is = orr_format_flops(speed);
    peak = orr_format_flops(device->peak[kernel->precision]);
    g_ptr_array_add(
        list,
        g_strdup_printf("%s of %s (%s precision, tile %u, %s) %s of %s",
                        kernel->name, kernel->family,
                        orr_precision_name(kernel->precision), duration->tile,
                        orr_platform_device_name(platform, duration->device),
                        is, peak));
}

char *orr_platform_implausible(const struct orr_platform *platform)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text = NULL;
    guint count;

    for (unsigned k = 0; k < platform->kernel_count; k++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[k];

        for (unsigned i = 0; i < kernel->count; i++)
            add_entry(list, platform, kernel, &kernel->durations[i]);
    }
    count = list->len;
    if (count == 0)
        return NULL;
    if (count > SHOWN)
        g_ptr_array_set_size(list, SHOWN);
    g_ptr_array_add(list, NULL);
    text = g_strjoinv(", ", (char **)list->pdata);
    return g_strdup_printf(
        "entries above the peak of the card, %u in all: %s%s", count, text,
        count > SHOWN ? ", ..." : "");
}

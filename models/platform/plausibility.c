/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/plausibility.h"

#include <math.h>

#include "models/platform/bus.h"
#include "models/platform/devices.h"

enum { SHOWN = 4 }; /* at most so many entries in a message */

static void add_pair(GString *list, const struct orr_platform *platform,
                     unsigned from, unsigned to)
{
    double believed = orr_platform_belief(platform, from, to)->bytes_per_s;
    double real = 1 / orr_bus_pace(platform, from, to).s_per_byte;
    g_autofree char *predicted = orr_format_rate(believed);
    g_autofree char *copied = orr_format_rate(real);

    if (!(believed > 0) || !(real > 0) ||
        fabs(believed - real) <= ORR_CONTRADICTION_SHARE * fmax(believed, real))
        return;
    g_string_append_printf(list, "%s%s-%s %s, %s", list->len > 0 ? "; " : "",
                           orr_platform_node_name(platform, from),
                           orr_platform_node_name(platform, to), predicted,
                           copied);
}

/* One line about rates that contradict each other, or NULL. */
static char *contradicting_rates(const struct orr_platform *platform)
{
    GString *list = g_string_new(NULL);

    for (unsigned gpu = 1;
         platform->routes && platform->beliefs && gpu < platform->node_count;
         gpu++) {
        add_pair(list, platform, ORR_RAM, gpu);
        add_pair(list, platform, gpu, ORR_RAM);
    }
    if (list->len > 0)
        g_string_prepend(list, "rates that policies predict and rates of lone "
                               "copies contradict each other: ");
    return g_string_free(list, list->len == 0);
}

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

/* One line about durations below the possible minimum, or NULL. */
static char *implausible_durations(const struct orr_platform *platform)
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

/* Adds @line to the notes, which own it; NULL: does nothing. */
static void add_note(struct orr_platform *platform, char *line)
{
    if (!line || g_ptr_array_find_with_equal_func(platform->notes, line,
                                                  g_str_equal, NULL))
        g_free(line);
    else
        g_ptr_array_add(platform->notes, line);
}

void orr_platform_check_plausibility(struct orr_platform *platform)
{
    add_note(platform, contradicting_rates(platform));
    add_note(platform, implausible_durations(platform));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/contradiction.h"

#include <math.h>

#include "models/platform/bus.h"

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

char *orr_platform_contradictions(const struct orr_platform *platform)
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

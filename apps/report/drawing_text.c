/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A drawing of the links of a machine as text. */
#include <stdio.h>

#include "apps/output/table.h"
#include "apps/report/drawing.h"
#include "models/platform/bus.h"
#include "models/platform/topology.h"

/* Returns "CUDA0, CUDA1 and CUDA2" or "all GPUs". Free with g_free(). */
static char *describe_gpus(const struct orr_platform *platform, uint32_t gpus)
{
    GString *text = g_string_new(NULL);
    bool all = platform->gpu_count > 1;

    for (unsigned node = 1; node < platform->node_count; node++) {
        if (!(gpus & 1u << node)) {
            all = false;
            continue;
        }
        g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
                               orr_platform_node_name(platform, node));
    }
    if (all)
        g_string_assign(text, "all GPUs");
    return g_string_free(text, FALSE);
}

static char *describe_rate(double bytes_per_s)
{
    return bytes_per_s > 0 ? orr_format_rate(bytes_per_s) : g_strdup("");
}

static bool is_last_child(const struct orr_topology *topology, unsigned number)
{
    const struct orr_hop *hop = &topology->hops[number];

    for (unsigned i = number + 1; i < topology->count; i++) {
        const struct orr_hop *other = &topology->hops[i];

        if (other->depth == hop->depth &&
            (hop->depth == 0 || other->parent == hop->parent))
            return false;
    }
    return true;
}

/* Returns the branch that leads to a hop: "|   `-- ". Free with g_free(). */
static char *draw_branch(const struct orr_topology *topology, unsigned number)
{
    GString *text =
        g_string_new(is_last_child(topology, number) ? "`-- " : "|-- ");

    while (topology->hops[number].depth > 0) {
        number = topology->hops[number].parent;
        g_string_prepend(text,
                         is_last_child(topology, number) ? "    " : "|   ");
    }
    return g_string_free(text, FALSE);
}

static void print_tree(const struct orr_platform *platform)
{
    struct orr_topology *topology = orr_topology_new(platform);
    static const char *const titles[] = {"RAM", "to", "from", "together",
                                         "links"};
    struct orr_table *table = orr_table_new("lrrrl");

    for (size_t i = 0; i < G_N_ELEMENTS(titles); i++)
        orr_table_add(table, titles[i]);
    for (unsigned i = 0; i < topology->count; i++) {
        const struct orr_hop *hop = &topology->hops[i];
        g_autofree char *branch = draw_branch(topology, i);
        g_autofree char *gpus = describe_gpus(platform, hop->gpus);

        orr_table_take(table, g_strconcat(branch, gpus, NULL));
        orr_table_take(table, describe_rate(hop->to_bytes_per_s));
        orr_table_take(table, describe_rate(hop->from_bytes_per_s));
        orr_table_take(table, describe_rate(hop->both_bytes_per_s));
        orr_table_add(table, hop->links);
    }
    orr_table_print(table);
    orr_table_free(table);
    orr_topology_free(topology);
}

/* Without a route, copies go through RAM: the text is in parentheses. */
static char *describe_copy(const struct orr_platform *platform, unsigned from,
                           unsigned to)
{
    g_autofree char *rate = NULL;

    if (from == to)
        return g_strdup("-");
    rate = orr_format_rate(1 / orr_bus_pace(platform, from, to).s_per_byte);
    return orr_platform_route(platform, from, to)->count > 0
               ? g_steal_pointer(&rate)
               : g_strdup_printf("(%s)", rate);
}

static void print_copies(const struct orr_platform *platform)
{
    g_autofree char *alignment = g_strnfill(platform->node_count + 1, 'r');
    struct orr_table *table;

    alignment[0] = 'l';
    table = orr_table_new(alignment);
    orr_table_add(table, "from \\ to");
    for (unsigned to = 0; to < platform->node_count; to++)
        orr_table_add(table, orr_platform_node_name(platform, to));
    for (unsigned from = 0; from < platform->node_count; from++) {
        orr_table_add(table, orr_platform_node_name(platform, from));
        for (unsigned to = 0; to < platform->node_count; to++)
            orr_table_take(table, describe_copy(platform, from, to));
    }
    orr_table_print(table);
    orr_table_free(table);
}

void orr_drawing_print(const struct orr_platform *platform)
{
    if (platform->gpu_count == 0)
        return;
    puts(
        "\nBetween RAM and GPUs: bandwidth of the narrowest link of each "
        "segment, to the\nGPUs, from the GPUs, and shared by both directions:");
    print_tree(platform);
    puts("\nBandwidth of a copy without contention (in parentheses: through "
         "RAM):");
    print_copies(platform);
}

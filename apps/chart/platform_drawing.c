/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The links of a machine, as a script of dot and as a tree in text. Both show
 * hops of the topology (models/platform/topology.h): sockets, switches and
 * GPUs. Direct links between two GPUs are edges; links that a GPU shares among
 * all others go through a hub.
 */
#include "apps/chart/platform_drawing.h"

#include <stdio.h>
#include <string.h>

#include "apps/output/table.h"
#include "apps/picture/graphviz.h"
#include "models/platform/bus.h"
#include "models/platform/interconnect.h"
#include "models/platform/topology.h"

/* ---- by Graphviz ---- */

/* Colour-blind readers can distinguish these colours. */
#define GPU_COLOUR "#cfe8dc"
#define HOST_COLOUR "#d9e6f2"
#define DIRECT_COLOUR "#d55e00"

bool orr_platform_drawing_check(const char *path, GError **error)
{
    return orr_graphviz_check(path, false, error);
}

/* Appends the parts of @text, "a; b", as lines. */
static void append_lines(GString *script, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "; ", -1);

    for (char **line = lines; *line; line++) {
        g_string_append(script, line > lines ? "\\n" : "");
        orr_graphviz_append(script, *line);
    }
}

/* Appends the beginning of a node: its name and the first line of its label. */
static void open_node(GString *script, const char *prefix, unsigned number,
                      const char *title)
{
    g_string_append_printf(script, "  %s%u [label=\"", prefix, number);
    append_lines(script, title);
}

static void append_sockets(GString *script, const struct orr_platform *platform)
{
    unsigned sockets = MAX(platform->sockets, 1);

    g_string_append(script,
                    "  subgraph cluster_host {\n  style=rounded; "
                    "color=\"#909090\"; label=\"host\"; ram "
                    "[label=\"RAM\", fillcolor=\"" HOST_COLOUR "\"];\n");
    for (unsigned s = 0; s < sockets; s++) {
        g_autofree char *title =
            sockets > 1 ? g_strdup_printf("socket %u", s) : g_strdup("CPU");

        open_node(script, "socket", s, title);
        g_string_append_printf(script, "\\n%u cores",
                               platform->cores / sockets);
        if (platform->cpu_model) {
            g_string_append(script, "\\n");
            orr_graphviz_append(script, platform->cpu_model);
        }
        g_string_append_printf(script,
                               "\", fillcolor=\"" HOST_COLOUR "\"];\n"
                               "  socket%u -> ram [dir=none];\n",
                               s);
    }
    g_string_append(script, "  }\n");
}

static void append_gpu(GString *script, const struct orr_platform *platform,
                       unsigned node)
{
    const struct orr_platform_gpu *gpu = &platform->gpus[node - 1];
    g_autofree char *memory = orr_format_bytes(gpu->memory_bytes);

    open_node(script, "gpu", node, gpu->name);
    if (gpu->model) {
        g_string_append(script, "\\n");
        orr_graphviz_append(script, gpu->model);
    }
    g_string_append_printf(script, "\\n%s", memory);
    if (platform->sockets > 1)
        g_string_append_printf(script, "\\ndriven from socket %u", gpu->socket);
    g_string_append(script, "\", fillcolor=\"" GPU_COLOUR "\"];\n");
}

static void append_rate(GString *script, const char *arrow, double bytes_per_s)
{
    g_autofree char *rate = orr_format_rate(bytes_per_s);

    if (bytes_per_s > 0)
        g_string_append_printf(script, " %s %s\\l", arrow, rate);
}

/* Appends the name of hop @number: "hop3", or "gpu1" for the hop of a GPU. */
static void append_end(GString *script, const struct orr_topology *topology,
                       unsigned number)
{
    unsigned gpu = orr_hop_gpu(&topology->hops[number]);

    g_string_append_printf(script, gpu ? "gpu%u" : "hop%u", gpu ? gpu : number);
}

static void append_hop(GString *script, const struct orr_topology *topology,
                       unsigned number)
{
    const struct orr_hop *hop = &topology->hops[number];

    if (orr_hop_gpu(hop) == 0) {
        open_node(script, "hop", number, hop->links);
        g_string_append(script, "\", shape=ellipse];\n");
    }
    g_string_append(script, "  ");
    if (hop->parent == number)
        g_string_append(script, "ram");
    else
        append_end(script, topology, hop->parent);
    g_string_append(script, " -> ");
    append_end(script, topology, number);
    g_string_append(script, " [dir=none, label=\"");
    append_rate(script, "\u2193", hop->to_bytes_per_s);
    append_rate(script, "\u2191", hop->from_bytes_per_s);
    append_rate(script, "\u2195", hop->both_bytes_per_s);
    g_string_append(script, "\"];\n");
}

/* Returns whether a route between other nodes than @a and @b uses @link. */
static bool is_shared(const struct orr_platform *platform, unsigned link,
                      unsigned a, unsigned b)
{
    unsigned nodes = platform->node_count;

    for (unsigned p = 0; p < nodes * nodes; p++) {
        unsigned from = p / nodes;
        unsigned to = p % nodes;

        if ((from == a && to == b) || (from == b && to == a))
            continue;
        for (unsigned i = 0; i < platform->routes[p].count; i++) {
            if (platform->routes[p].links[i] == link)
                return true;
        }
    }
    return false;
}

/*
 * Returns whether the route consists of direct links that no other pair of
 * nodes uses. It is drawn as an edge between the two nodes.
 */
static bool is_pair(const struct orr_platform *platform,
                    const enum orr_link_kind *kinds, unsigned from, unsigned to)
{
    const struct orr_platform_route *route =
        orr_platform_route(platform, from, to);

    for (unsigned i = 0; i < route->count; i++) {
        if (kinds[route->links[i]] != ORR_LINK_DIRECT ||
            is_shared(platform, route->links[i], from, to))
            return false;
    }
    return route->count > 0;
}

static double narrowest(const struct orr_platform *platform, unsigned from,
                        unsigned to)
{
    const struct orr_platform_route *route =
        orr_platform_route(platform, from, to);
    double rate = 0;

    for (unsigned i = 0; i < route->count; i++) {
        double other = platform->links[route->links[i]].bytes_per_s;

        rate = i == 0 ? other : MIN(rate, other);
    }
    return rate;
}

static void append_pairs(GString *script, const struct orr_platform *platform,
                         const enum orr_link_kind *kinds)
{
    for (unsigned a = 1; a < platform->node_count; a++) {
        for (unsigned b = a + 1; b < platform->node_count; b++) {
            g_autofree char *there = NULL;
            g_autofree char *back = NULL;

            if (!is_pair(platform, kinds, a, b) ||
                !is_pair(platform, kinds, b, a))
                continue;
            there = orr_format_rate(narrowest(platform, a, b));
            back = orr_format_rate(narrowest(platform, b, a));
            g_string_append_printf(
                script,
                "  gpu%u -> gpu%u [dir=both, color=\"" DIRECT_COLOUR "\", "
                "fontcolor=\"" DIRECT_COLOUR "\", constraint=false, "
                "label=\"%s%s%s\"];\n",
                a, b, there, strcmp(there, back) == 0 ? "" : " \u21c4 ",
                strcmp(there, back) == 0 ? "" : back);
        }
    }
}

/* Appends direct links that a GPU shares among all others, as edges to a hub.
 */
static void append_hub(GString *script, const struct orr_platform *platform,
                       const enum orr_link_kind *kinds)
{
    bool any = false;

    for (unsigned node = 1; node < platform->node_count; node++) {
        unsigned peer = node == 1 ? 2 : 1;
        g_autofree char *rate = NULL;

        if (platform->gpu_count < 2 ||
            orr_platform_route(platform, node, peer)->count == 0 ||
            kinds[orr_platform_route(platform, node, peer)->links[0]] !=
                ORR_LINK_DIRECT ||
            is_pair(platform, kinds, node, peer))
            continue;
        if (!any)
            g_string_append(script,
                            "  hub [label=\"direct links\", "
                            "shape=ellipse, color=\"" DIRECT_COLOUR "\"];\n");
        any = true;
        rate = orr_format_rate(narrowest(platform, node, peer));
        g_string_append_printf(
            script,
            "  gpu%u -> hub [dir=both, color=\"" DIRECT_COLOUR "\", "
            "fontcolor=\"" DIRECT_COLOUR "\", label=\"%s\"];\n",
            node, rate);
    }
}

char *orr_platform_drawing_script(const struct orr_platform *platform)
{
    GString *script = g_string_new("digraph machine {\n  label=\"");
    struct orr_topology *topology = orr_topology_new(platform);
    g_autofree enum orr_link_kind *kinds = orr_link_kinds(platform);

    orr_graphviz_append(script, platform->name);
    g_string_append(script,
                    "\"; labelloc=t; fontsize=18; nodesep=0.4; ranksep=0.7;\n"
                    "  fontname=\"Helvetica,Arial,sans-serif\";\n"
                    "  node [shape=box, style=\"rounded,filled\", "
                    "fillcolor=white, fontsize=12, "
                    "fontname=\"Helvetica,Arial,sans-serif\"];\n"
                    "  edge [fontsize=11, "
                    "fontname=\"Helvetica,Arial,sans-serif\"];\n");
    append_sockets(script, platform);
    for (unsigned node = 1; node < platform->node_count; node++)
        append_gpu(script, platform, node);
    for (unsigned i = 0; i < topology->count; i++)
        append_hop(script, topology, i);
    append_pairs(script, platform, kinds);
    append_hub(script, platform, kinds);
    g_string_append(script, "}\n");
    orr_topology_free(topology);
    return g_string_free(script, FALSE);
}

bool orr_platform_drawing_save(const struct orr_platform *platform,
                               const char *path, GError **error)
{
    g_autofree char *script = orr_platform_drawing_script(platform);

    return orr_graphviz_check(path, false, error) &&
           orr_graphviz_save(script, path, error);
}

/* ---- as text ---- */

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

/* Returns the bandwidth from node to node; in parentheses if there is no direct
 * route, so that copies go through RAM. */
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

void orr_platform_drawing_print(const struct orr_platform *platform)
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

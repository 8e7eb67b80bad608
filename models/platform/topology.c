/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tree of links between RAM and the GPUs (topology.h). Links used by the
 * same set of GPUs, on their routes from and to RAM, are one hop. The parent
 * of a hop is the hop with the smallest larger mask.
 */
#include "models/platform/topology.h"

#include <string.h>

/* A hop shows at most so many names of links. */
enum { SHOWN = 3 };

struct builder {
    const struct orr_platform *platform;
    GArray *hops; /* struct orr_hop */
    uint32_t *to; /* by link: mask of GPUs that use it on the route from RAM */
    uint32_t *from; /* by link: mask of GPUs that use it on the route to RAM */
};

static void mark(uint32_t *links, const struct orr_platform_route *route,
                 unsigned node)
{
    for (unsigned i = 0; i < route->count; i++)
        links[route->links[i]] |= 1u << node;
}

static struct orr_hop *hop_of(struct builder *builder, uint32_t gpus)
{
    struct orr_hop hop = {.gpus = gpus};

    for (unsigned i = 0; i < builder->hops->len; i++) {
        struct orr_hop *known =
            &g_array_index(builder->hops, struct orr_hop, i);

        if (known->gpus == gpus)
            return known;
    }
    hop.links = g_strdup("");
    g_array_append_val(builder->hops, hop);
    return &g_array_index(builder->hops, struct orr_hop,
                          builder->hops->len - 1);
}

static void narrow(double *rate, double bytes_per_s)
{
    if (!(*rate > 0) || bytes_per_s < *rate)
        *rate = bytes_per_s;
}

/* The name without a direction at its end: "PCI:[00-07]" for "PCI:[00-07] up".
 */
static char *short_name(const char *name)
{
    static const char *const words[] = {" up", " down", " through", " in",
                                        " out"};
    size_t length = strlen(name);

    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (g_str_has_suffix(name, words[i]) && length > strlen(words[i]))
            return g_strndup(name, length - strlen(words[i]));
    }
    return g_strdup(name);
}

static void add_name(struct orr_hop *hop, const char *name)
{
    g_autofree char *brief = short_name(name);
    g_auto(GStrv) names = g_strsplit(hop->links, "; ", -1);
    char *longer;

    if (g_strv_contains((const char *const *)names, brief) ||
        g_str_has_suffix(hop->links, "..."))
        return;
    if (g_strv_length(names) >= SHOWN)
        longer = g_strconcat(hop->links, "; ...", NULL);
    else
        longer = g_strconcat(hop->links, *hop->links ? "; " : "", brief, NULL);
    g_free(hop->links);
    hop->links = longer;
}

static void add_link(struct builder *builder, unsigned link)
{
    const struct orr_platform_link *model = &builder->platform->links[link];
    uint32_t to = builder->to[link];
    uint32_t from = builder->from[link];
    struct orr_hop *hop;

    if ((to | from) == 0)
        return; /* only between GPUs, or on no route */
    hop = hop_of(builder, to | from);
    if (to && from)
        narrow(&hop->both_bytes_per_s, model->bytes_per_s);
    else
        narrow(to ? &hop->to_bytes_per_s : &hop->from_bytes_per_s,
               model->bytes_per_s);
    add_name(hop, model->name);
}

static unsigned count_bits(uint32_t bits)
{
    unsigned count = 0;

    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* The hop with the smallest set of GPUs that contains the set of @hop and is
 * larger; NULL if there is none. */
static const struct orr_hop *find_parent(const GArray *hops,
                                         const struct orr_hop *hop)
{
    const struct orr_hop *best = NULL;

    for (unsigned i = 0; i < hops->len; i++) {
        const struct orr_hop *other = &g_array_index(hops, struct orr_hop, i);

        if (other->gpus == hop->gpus || (hop->gpus & ~other->gpus))
            continue;
        if (!best || count_bits(other->gpus) < count_bits(best->gpus))
            best = other;
    }
    return best;
}

static unsigned first_gpu(uint32_t gpus)
{
    unsigned node = 0;

    while (!(gpus & 1u << node))
        node++;
    return node;
}

/* Orders hops by their first GPU, then by descending number of GPUs. */
static int compare_hops(const void *a, const void *b)
{
    uint32_t left = ((const struct orr_hop *)a)->gpus;
    uint32_t right = ((const struct orr_hop *)b)->gpus;

    if (first_gpu(left) != first_gpu(right))
        return first_gpu(left) < first_gpu(right) ? -1 : 1;
    if (count_bits(left) != count_bits(right))
        return count_bits(left) > count_bits(right) ? -1 : 1;
    return (left > right) - (left < right);
}

/* Appends the hops below @parent (NULL: RAM) to @sorted, parents first. */
static void append_below(const GArray *hops, const struct orr_hop *parent,
                         unsigned number, GArray *sorted)
{
    for (unsigned i = 0; i < hops->len; i++) {
        struct orr_hop hop = g_array_index(hops, struct orr_hop, i);

        if (find_parent(hops, &hop) != parent)
            continue;
        hop.parent = parent ? number : sorted->len;
        hop.depth =
            parent ? g_array_index(sorted, struct orr_hop, number).depth + 1
                   : 0;
        g_array_append_val(sorted, hop);
        append_below(hops, &g_array_index(hops, struct orr_hop, i),
                     sorted->len - 1, sorted);
    }
}

static void collect(struct builder *builder)
{
    const struct orr_platform *platform = builder->platform;

    for (unsigned node = 1; node < platform->node_count; node++) {
        mark(builder->to, orr_platform_route(platform, ORR_RAM, node), node);
        mark(builder->from, orr_platform_route(platform, node, ORR_RAM), node);
    }
    for (unsigned l = 0; l < platform->link_count; l++)
        add_link(builder, l);
    for (unsigned node = 1; node < platform->node_count; node++)
        hop_of(builder, 1u << node);
    g_array_sort(builder->hops, compare_hops);
}

struct orr_topology *orr_topology_new(const struct orr_platform *platform)
{
    struct orr_topology *topology = g_new0(struct orr_topology, 1);
    struct builder builder = {
        .platform = platform,
        .hops = g_array_new(FALSE, FALSE, sizeof(struct orr_hop)),
        .to = g_new0(uint32_t, platform->link_count),
        .from = g_new0(uint32_t, platform->link_count),
    };
    GArray *sorted = g_array_new(FALSE, FALSE, sizeof(struct orr_hop));

    collect(&builder);
    append_below(builder.hops, NULL, 0, sorted);
    g_assert(sorted->len == builder.hops->len);
    topology->count = sorted->len;
    topology->hops = (struct orr_hop *)(void *)g_array_free(sorted, FALSE);
    g_array_free(builder.hops, TRUE);
    g_free(builder.to);
    g_free(builder.from);
    return topology;
}

void orr_topology_free(struct orr_topology *topology)
{
    if (!topology)
        return;
    for (unsigned i = 0; i < topology->count; i++)
        g_free(topology->hops[i].links);
    g_free(topology->hops);
    g_free(topology);
}

unsigned orr_hop_gpu(const struct orr_hop *hop)
{
    return count_bits(hop->gpus) == 1 ? first_gpu(hop->gpus) : 0;
}

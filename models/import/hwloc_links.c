/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes links and routes from PCI devices and bridges. */
#include "models/import/hwloc_links.h"

#include "models/format/platform_reader.h"

/* PCIe 3.0 x16: 16 lanes of 8 GT/s, 130 bits for 128 bits of data. */
#define UNKNOWN_SPEED (16 * 8e9 / 8 * 128 / 130)
#define LATENCY (10 * ORR_US)
#define NO_LINK G_MAXUINT

enum { IN, OUT }; /* the link towards GPUs, the link towards the host */

/*
 * Links come in pairs: pair p has the numbers 2 p + IN and 2 p + OUT. GPU g has
 * pair g; the pairs of switches follow.
 */
struct wiring {
    const struct orr_hwloc *hwloc;
    const unsigned *gpus;
    struct orr_platform *platform;
    unsigned *behind; /* [object]: number of GPUs behind it */
    unsigned *pairs; /* [object]: pair if several GPUs share it; else NO_LINK */
    unsigned guesses;
};

/* The pairs from a GPU to the host. */
struct path {
    unsigned count;
    unsigned pairs[ORR_MAX_NODES];
};

static void add_link(struct orr_platform *platform, char *name,
                     double bytes_per_s)
{
    struct orr_platform_link link = {.name = name,
                                     .bytes_per_s = bytes_per_s,
                                     .latency = LATENCY,
                                     .kind = ORR_LINK_PCIE};

    platform->links = orr_platform_reader_grow(
        platform->links, platform->link_count, sizeof(link));
    platform->links[platform->link_count++] = link;
}

static void add_pair(struct orr_platform *platform, const char *name,
                     double bytes_per_s)
{
    add_link(platform, g_strconcat(name, " in", NULL), bytes_per_s);
    add_link(platform, g_strconcat(name, " out", NULL), bytes_per_s);
}

/* The PCI bridge above object @number, or ORR_HWLOC_NONE. */
static unsigned bridge_above(const struct wiring *wiring, unsigned number)
{
    unsigned above = wiring->hwloc->objects[number].parent;

    above = orr_hwloc_ancestor(wiring->hwloc, above, ORR_HWLOC_BRIDGE);
    if (above != ORR_HWLOC_NONE && !wiring->hwloc->objects[above].bus)
        return ORR_HWLOC_NONE; /* a host bridge has no link of its own */
    return above;
}

static void count_behind(struct wiring *wiring)
{
    for (unsigned g = 0; g < wiring->platform->gpu_count; g++) {
        unsigned bridge = bridge_above(wiring, wiring->gpus[g]);

        for (; bridge != ORR_HWLOC_NONE; bridge = bridge_above(wiring, bridge))
            wiring->behind[bridge]++;
    }
}

static void slow_down(struct orr_platform *platform, unsigned pair,
                      double bytes_per_s)
{
    for (unsigned i = 2 * pair; i <= 2 * pair + 1; i++) {
        struct orr_platform_link *link = &platform->links[i];

        if (bytes_per_s > 0 &&
            !(link->bytes_per_s > 0 && link->bytes_per_s <= bytes_per_s))
            link->bytes_per_s = bytes_per_s;
    }
}

/*
 * Gives pairs of links to bridges above @gpu that other GPUs share. Two
 * bridges, one above the other, with the same GPUs behind them count as the
 * ends of one link.
 */
static void add_switches(struct wiring *wiring, unsigned gpu)
{
    unsigned below = gpu;
    unsigned bridge = bridge_above(wiring, gpu);

    for (; bridge != ORR_HWLOC_NONE;
         below = bridge, bridge = bridge_above(wiring, bridge)) {
        const struct orr_hwloc_object *object = &wiring->hwloc->objects[bridge];
        unsigned next = wiring->platform->link_count / 2;
        g_autofree char *name = NULL;

        if (wiring->behind[bridge] < 2 || wiring->pairs[bridge] != NO_LINK)
            continue;
        if (wiring->behind[below] == wiring->behind[bridge]) {
            wiring->pairs[bridge] = wiring->pairs[below];
            slow_down(wiring->platform, wiring->pairs[bridge],
                      object->bytes_per_s);
            continue;
        }
        name =
            g_strdup_printf("switch%u %s", next - wiring->platform->gpu_count,
                            object->buses ? object->buses : object->bus);
        wiring->pairs[bridge] = next;
        add_pair(wiring->platform, name, object->bytes_per_s);
    }
}

static void add_links(struct wiring *wiring)
{
    struct orr_platform *platform = wiring->platform;

    for (unsigned g = 0; g < platform->gpu_count; g++)
        add_pair(platform, platform->gpus[g].name,
                 wiring->hwloc->objects[wiring->gpus[g]].bytes_per_s);
    for (unsigned g = 0; g < platform->gpu_count; g++)
        add_switches(wiring, wiring->gpus[g]);
    for (unsigned i = 0; i < platform->link_count; i++) {
        if (platform->links[i].bytes_per_s > 0)
            continue;
        platform->links[i].bytes_per_s = UNKNOWN_SPEED;
        wiring->guesses++;
    }
}

static void find_path(const struct wiring *wiring, unsigned gpu,
                      struct path *path)
{
    unsigned bridge = bridge_above(wiring, wiring->gpus[gpu]);

    path->count = 1;
    path->pairs[0] = gpu;
    for (; bridge != ORR_HWLOC_NONE; bridge = bridge_above(wiring, bridge)) {
        unsigned pair = wiring->pairs[bridge];

        if (pair != NO_LINK && pair != path->pairs[path->count - 1])
            path->pairs[path->count++] = pair;
    }
}

static bool is_on(const struct path *path, unsigned pair)
{
    for (unsigned i = 0; path && i < path->count; i++) {
        if (path->pairs[i] == pair)
            return true;
    }
    return false;
}

static void append(struct orr_platform_route *route, unsigned link)
{
    route->links =
        orr_platform_reader_grow(route->links, route->count, sizeof(link));
    route->links[route->count++] = link;
}

/* Makes the route up @from and down @to, without the links that both share.
 * NULL stands for the host. */
static void add_route(struct orr_platform_route *route, const struct path *from,
                      const struct path *to)
{
    for (unsigned i = 0; from && i < from->count; i++) {
        if (!is_on(to, from->pairs[i]))
            append(route, 2 * from->pairs[i] + OUT);
    }
    for (unsigned i = to ? to->count : 0; i-- > 0;) {
        if (!is_on(from, to->pairs[i]))
            append(route, 2 * to->pairs[i] + IN);
    }
}

static void add_routes(const struct wiring *wiring)
{
    struct orr_platform *platform = wiring->platform;
    unsigned nodes = platform->node_count;
    struct path paths[ORR_MAX_NODES] = {{.count = 0}};

    for (unsigned g = 0; g < platform->gpu_count; g++)
        find_path(wiring, g, &paths[g + 1]);
    for (unsigned from = 0; from < nodes; from++) {
        for (unsigned to = 0; to < nodes; to++) {
            if (from != to)
                add_route(&platform->routes[from * nodes + to],
                          from == ORR_RAM ? NULL : &paths[from],
                          to == ORR_RAM ? NULL : &paths[to]);
        }
    }
}

unsigned orr_hwloc_links(const struct orr_hwloc *hwloc, const unsigned *gpus,
                         struct orr_platform *platform)
{
    size_t nodes = platform->node_count;
    struct wiring wiring = {
        .hwloc = hwloc,
        .gpus = gpus,
        .platform = platform,
        .behind = g_new0(unsigned, hwloc->count),
        .pairs = g_new(unsigned, hwloc->count),
    };

    for (unsigned i = 0; i < hwloc->count; i++)
        wiring.pairs[i] = NO_LINK;
    platform->routes = g_new0(struct orr_platform_route, nodes * nodes);
    platform->beliefs = g_new0(struct orr_platform_belief, nodes * nodes);
    count_behind(&wiring);
    add_links(&wiring);
    add_routes(&wiring);
    g_free(wiring.behind);
    g_free(wiring.pairs);
    return wiring.guesses;
}

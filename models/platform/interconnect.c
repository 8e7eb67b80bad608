/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/interconnect.h"

#include <math.h>
#include <string.h>

#include "models/platform/bus.h"

#define MAX_LINKS 4096 /* the limit of platform files */

/*
 * PCI-SIG, PCI Express Base Specification, revisions 1.0 to 6.0: bits per
 * second and lane, and m of n bits that carry packets: 8b/10b, 128b/130b, and
 * 236 bytes of a flit of 256 bytes (Das Sharma, IEEE Micro 42(3), 2022).
 */
static const struct {
    double transfers_per_s;
    double packet_bits, bits;
} generations[] = {
    {2.5e9, 8, 10},   {5e9, 8, 10},     {8e9, 128, 130},
    {16e9, 128, 130}, {32e9, 128, 130}, {64e9, 236, 256},
};

/* Bytes of a packet: usually 256 of data, and up to 28 around them (Intel, AN
 * 708, Understanding PCI Express Throughput). */
static const double packet_data = 256, packet_bytes = 284;

enum { BITS_PER_BYTE = 8 };

/* The rate at which data pass through a slot, bytes/s. */
static double generation_rate(unsigned generation, unsigned lanes)
{
    return generations[generation - 1].transfers_per_s *
           generations[generation - 1].packet_bits /
           generations[generation - 1].bits * lanes / BITS_PER_BYTE *
           packet_data / packet_bytes;
}

/* "gen4x16" */
static bool parse_generation(const char *text, double *bytes_per_s)
{
    static const char *const widths[] = {"1", "2", "4", "8", "16"};
    unsigned generation;

    if (!g_str_has_prefix(text, "gen") || text[3] < '1' ||
        text[3] > '0' + (int)G_N_ELEMENTS(generations) || text[4] != 'x')
        return false;
    generation = (unsigned)(text[3] - '0');
    for (unsigned i = 0; i < G_N_ELEMENTS(widths); i++) {
        if (strcmp(text + 5, widths[i]) == 0) {
            *bytes_per_s = generation_rate(generation, 1u << i);
            return true;
        }
    }
    return false;
}

bool orr_pcie_parse(const char *text, struct orr_pcie *pcie, GError **error)
{
    struct orr_parameter_value value = {.is_factor = false};
    g_autofree char *quoted = NULL;

    if (parse_generation(text, &pcie->number)) {
        pcie->change = ORR_PCIE_SLOTS;
        return true;
    }
    if (orr_parameter_parse(ORR_PARAMETER_BANDWIDTH, text, &value, NULL)) {
        pcie->change = value.is_factor ? ORR_PCIE_FACTOR : ORR_PCIE_LIMIT;
        pcie->number = value.number;
        return true;
    }
    quoted = orr_quote(text);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s: expected a factor such as 0.5x, a rate such as 16GBps, or "
                "a generation and width from gen1x1 to gen6x16",
                quoted);
    return false;
}

/* Whether @route has a link that is on a route from or to RAM. */
static bool is_by_the_host(const struct orr_platform_route *route,
                           const enum orr_link_kind *kinds)
{
    for (unsigned i = 0; i < route->count; i++) {
        if (kinds[route->links[i]] == ORR_LINK_PCIE ||
            kinds[route->links[i]] == ORR_LINK_MEMORY)
            return true;
    }
    return false;
}

/* Sets the kind of the links of @route that have none yet. */
static void mark(const struct orr_platform_route *route,
                 enum orr_link_kind *kinds, enum orr_link_kind kind)
{
    for (unsigned i = 0; i < route->count; i++) {
        if (kinds[route->links[i]] == ORR_LINK_UNSTATED)
            kinds[route->links[i]] = kind;
    }
}

static bool is_between_gpus(const struct orr_platform *platform, unsigned pair)
{
    return pair / platform->node_count != ORR_RAM &&
           pair % platform->node_count != ORR_RAM;
}

/* Sets the kinds of links on routes between GPUs. With @known: PCI Express, for
 * routes that share a link with the routes of RAM. With NULL: direct, for the
 * rest. */
static void mark_between_gpus(const struct orr_platform *platform,
                              enum orr_link_kind *kinds,
                              const enum orr_link_kind *known)
{
    unsigned pairs = platform->node_count * platform->node_count;

    for (unsigned p = 0; p < pairs; p++) {
        const struct orr_platform_route *route = &platform->routes[p];

        if (!is_between_gpus(platform, p))
            continue;
        if (!known)
            mark(route, kinds, ORR_LINK_DIRECT);
        else if (is_by_the_host(route, known))
            mark(route, kinds, ORR_LINK_PCIE);
    }
}

enum orr_link_kind *orr_link_kinds(const struct orr_platform *platform)
{
    unsigned count = platform->link_count;
    enum orr_link_kind *kinds = g_new0(enum orr_link_kind, count);
    enum orr_link_kind *known = g_new0(enum orr_link_kind, count);
    unsigned pairs = platform->node_count * platform->node_count;

    for (unsigned l = 0; l < count; l++)
        kinds[l] = platform->links[l].kind;
    for (unsigned p = 0; p < pairs; p++) {
        if (!is_between_gpus(platform, p))
            mark(&platform->routes[p], kinds, ORR_LINK_PCIE);
    }
    if (count > 0)
        memcpy(known, kinds, count * sizeof(*kinds));
    mark_between_gpus(platform, kinds, known);
    mark_between_gpus(platform, kinds, NULL);
    g_free(known);
    return kinds;
}

static void set_rate(struct orr_platform *platform, unsigned link,
                     double bytes_per_s, GArray *parameters)
{
    struct orr_parameter parameter = {
        .kind = ORR_PARAMETER_BANDWIDTH,
        .index = link,
        .before = platform->links[link].bytes_per_s,
        .after = bytes_per_s,
    };

    if (fabs(parameter.after - parameter.before) <= 1e-12 * parameter.before)
        return; /* the same, but for rounding */
    platform->links[link].bytes_per_s = bytes_per_s;
    g_array_append_val(parameters, parameter);
}

/* The rate of a lone copy over the PCI Express links of @route or, if @kinds is
 * NULL, over all its links; bytes/s. 0: there are none. */
static double lone_rate(const struct orr_platform *platform,
                        const struct orr_platform_route *route,
                        const enum orr_link_kind *kinds)
{
    double slowest = 0;

    for (unsigned i = 0; i < route->count; i++) {
        if (!kinds || kinds[route->links[i]] == ORR_LINK_PCIE)
            slowest = MAX(slowest, orr_bus_occupation(platform, route, i));
    }
    return slowest > 0 ? 1 / slowest : 0;
}

/*
 * The rate of a lone copy through the slots between two nodes, bytes/s: the
 * rate from or to RAM. A copy between GPUs passes through the slots of both,
 * and may be slower because of the links in between.
 */
static double slot_rate(const struct orr_platform *platform,
                        const enum orr_link_kind *kinds, unsigned from,
                        unsigned to)
{
    double up, down;

    if (from == ORR_RAM || to == ORR_RAM)
        return lone_rate(platform, orr_platform_route(platform, from, to),
                         kinds);
    up = slot_rate(platform, kinds, from, ORR_RAM);
    down = slot_rate(platform, kinds, ORR_RAM, to);
    return MIN(up, down);
}

/* Returns, by link, the rate of the fastest copy that crosses it, bytes/s. With
 * @kinds, only the slots limit the rate of a copy. */
static double *fastest_copies(const struct orr_platform *platform,
                              const enum orr_link_kind *kinds)
{
    double *fastest = g_new0(double, platform->link_count);
    unsigned nodes = platform->node_count;

    for (unsigned p = 0; p < nodes * nodes; p++) {
        const struct orr_platform_route *route = &platform->routes[p];
        double rate = 0;

        if (route->count > 0)
            rate = kinds ? slot_rate(platform, kinds, p / nodes, p % nodes)
                         : lone_rate(platform, route, NULL);
        for (unsigned i = 0; i < route->count; i++)
            fastest[route->links[i]] = MAX(fastest[route->links[i]], rate);
    }
    return fastest;
}

void orr_pcie_change(struct orr_platform *platform, const struct orr_pcie *pcie,
                     GArray *parameters)
{
    enum orr_link_kind *kinds = orr_link_kinds(platform);
    double *fastest =
        fastest_copies(platform, pcie->change == ORR_PCIE_SLOTS ? kinds : NULL);

    for (unsigned l = 0; l < platform->link_count; l++) {
        double rate = platform->links[l].bytes_per_s;

        if (kinds[l] != ORR_LINK_PCIE)
            continue;
        if (pcie->change == ORR_PCIE_FACTOR)
            set_rate(platform, l, rate * pcie->number, parameters);
        else if (fastest[l] >
                 (pcie->change == ORR_PCIE_LIMIT ? pcie->number : 0))
            set_rate(platform, l, rate * (pcie->number / fastest[l]),
                     parameters);
    }
    g_free(kinds);
    g_free(fastest);
}

/* The present latency of a copy, ns; through RAM, of its slower half. */
static orr_time copy_latency(const struct orr_platform *platform, unsigned from,
                             unsigned to)
{
    if (orr_platform_route(platform, from, to)->count > 0)
        return orr_bus_latency(platform, from, to);
    return MAX(orr_bus_latency(platform, from, ORR_RAM),
               orr_bus_latency(platform, ORR_RAM, to));
}

/* Removes the pitch segments of a pair of GPUs whose copies get a new route. */
static void drop_segments(struct orr_platform *platform, unsigned from,
                          unsigned to)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < platform->segment_count; i++) {
        const struct orr_pitch_segment *segment = &platform->segments[i];

        if (segment->from != from || segment->to != to)
            platform->segments[kept++] = *segment;
    }
    platform->segment_count = kept;
}

/* Adds a link from one GPU to another, and makes it their route. */
static void add_direct(struct orr_platform *platform, unsigned from,
                       unsigned to, double bytes_per_s, GArray *parameters)
{
    struct orr_platform_route *route =
        &platform->routes[from * platform->node_count + to];
    unsigned number = platform->link_count;
    struct orr_platform_link link = {
        .latency = copy_latency(platform, from, to),
        .kind = ORR_LINK_DIRECT,
        .name = orr_platform_link_name(platform, "NVLink %s-%s",
                                       orr_platform_node_name(platform, from),
                                       orr_platform_node_name(platform, to)),
    };

    platform->links =
        g_renew(struct orr_platform_link, platform->links, number + 1);
    platform->links[number] = link;
    platform->link_count++;
    set_rate(platform, number, bytes_per_s, parameters);
    route->links = g_renew(unsigned, route->links, 1);
    route->links[0] = number;
    route->count = 1;
    drop_segments(platform, from, to);
}

static bool add_all(struct orr_platform *platform,
                    const enum orr_link_kind *kinds, double bytes_per_s,
                    GArray *parameters, GError **error)
{
    unsigned nodes = platform->node_count;

    if (platform->link_count + platform->gpu_count * platform->gpu_count >
        MAX_LINKS) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "that would make more than %d links", MAX_LINKS);
        return false;
    }
    for (unsigned p = 0; p < nodes * nodes; p++) {
        const struct orr_platform_route *route = &platform->routes[p];

        if (is_between_gpus(platform, p) && p / nodes != p % nodes &&
            (route->count == 0 || is_by_the_host(route, kinds)))
            add_direct(platform, p / nodes, p % nodes, bytes_per_s, parameters);
    }
    for (unsigned i = 0; i < platform->gpu_count; i++)
        platform->gpus[i].peer = true;
    return true;
}

bool orr_direct_change(struct orr_platform *platform,
                       const struct orr_parameter_value *value,
                       GArray *parameters, GError **error)
{
    enum orr_link_kind *kinds = orr_link_kinds(platform);
    unsigned links = platform->link_count;
    bool done = false;

    for (unsigned l = 0; l < links; l++) {
        double rate = platform->links[l].bytes_per_s;

        if (kinds[l] != ORR_LINK_DIRECT)
            continue;
        done = true;
        set_rate(platform, l,
                 value->is_factor ? rate * value->number : value->number,
                 parameters);
    }
    if (!value->is_factor)
        done = add_all(platform, kinds, value->number, parameters, error);
    else if (!done)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "no GPUs of platform %s have direct links to multiply: "
                    "give them a rate",
                    platform->name);
    g_free(kinds);
    return done;
}

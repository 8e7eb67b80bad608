/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes links and routes from measured rates and the wiring (bandwidth.h).
 *
 * Each copy crosses a link of its own, with the measured rate of a lone copy.
 * Beside it there are shared links, which only limit concurrent copies: a slot
 * for each GPU and direction, a switch above each group of GPUs, and a link of
 * the host if all GPUs together get less than their slots and switches allow.
 * GPUs with NVLink copy to each other over their own link alone.
 */
#include <string.h>

#include "models/import/bandwidth.h"
#include "models/platform/bus.h"
#include "models/platform/devices.h"

/* The latency of a copy: 8 to 12 us on the calibrated machines. */
#define LATENCY (10 * ORR_US)

/* Relative differences of rates: above the first, more than noise; above the
 * second, another kind of wire. */
#define NOISE 0.05
#define OTHER_WIRE 1.25

/* In the text about the origin of links, begins the origin of latencies. */
#define LATENCIES "; latencies: "

enum { SHOWN = 4 }; /* a note lists at most so many copies */

enum way { IN, OUT, WAYS }; /* to a GPU, from a GPU */

static const char *const way_names[WAYS] = {"in", "out"};

/* A platform being changed. Numbers of links are G_MAXUINT where there is no
 * such link. */
struct builder {
    struct orr_platform *platform;
    const struct orr_bandwidth *bandwidth;
    orr_time latencies[ORR_MAX_NODES][ORR_MAX_NODES];
    bool assumed;                        /* some latency is assumed */
    unsigned group[ORR_MAX_NODES];       /* the first GPU behind the switch */
    unsigned slots[ORR_MAX_NODES][WAYS]; /* links */
    unsigned switches[ORR_MAX_NODES][WAYS]; /* links, by group */
    unsigned host[WAYS];                    /* links */
    bool guessed;                           /* the rate of some switch is */
};

static double lone(const struct builder *builder, unsigned gpu, enum way way)
{
    return way == IN ? builder->bandwidth->lone[ORR_RAM][gpu]
                     : builder->bandwidth->lone[gpu][ORR_RAM];
}

static double together(const struct builder *builder, unsigned gpu,
                       enum way way)
{
    return way == IN ? builder->bandwidth->in[gpu]
                     : builder->bandwidth->out[gpu];
}

/* Whether copies between two GPUs have a wire of their own. */
static bool is_direct(const struct builder *builder, unsigned from, unsigned to)
{
    double rate = builder->bandwidth->lone[from][to];
    double host = MAX(lone(builder, from, OUT), lone(builder, to, IN));
    enum orr_wiring wiring = builder->bandwidth->wiring[from][to];

    return wiring == ORR_WIRING_NVLINK ||
           (wiring == ORR_WIRING_UNKNOWN && rate > OTHER_WIRE * host);
}

/* ---- the old links ---- */

static void keep_latencies(struct builder *builder)
{
    struct orr_platform *platform = builder->platform;
    bool known = !(platform->uncalibrated & ORR_PLATFORM_LINKS);

    for (unsigned from = 0; from < platform->node_count; from++) {
        for (unsigned to = 0; to < platform->node_count; to++) {
            bool kept = known && platform->routes &&
                        orr_platform_route(platform, from, to)->count > 0;

            builder->latencies[from][to] =
                kept ? orr_bus_latency(platform, from, to) : LATENCY;
            builder->assumed |= !kept && builder->bandwidth->lone[from][to] > 0;
        }
    }
}

/* The origin of the latencies. Free with g_free(). */
static char *latency_source(const struct builder *builder)
{
    const char *old = builder->platform->sources[ORR_SECTION_LINKS];
    const char *before = old ? strstr(old, LATENCIES) : NULL;

    if (before)
        old = before + strlen(LATENCIES);
    return builder->assumed ? g_strdup("ASSUMED, 10 us, where there were none")
                            : g_strdup(old ? old : "as before");
}

static void drop_links(struct orr_platform *platform)
{
    size_t pairs = (size_t)platform->node_count * platform->node_count;

    for (unsigned i = 0; i < platform->link_count; i++)
        g_free(platform->links[i].name);
    for (size_t i = 0; platform->routes && i < pairs; i++)
        g_free(platform->routes[i].links);
    g_free(platform->links);
    g_free(platform->routes);
    g_free(platform->beliefs);
    platform->link_count = 0;
    platform->links = NULL;
    platform->routes = g_new0(struct orr_platform_route, pairs);
    platform->beliefs = g_new0(struct orr_platform_belief, pairs);
}

/* ---- links ---- */

/* Adds a link called @name, which it owns then. Returns its number. */
static unsigned add_link(struct builder *builder, char *name, double rate,
                         orr_time latency, enum orr_link_kind kind)
{
    struct orr_platform *platform = builder->platform;

    platform->links = g_renew(struct orr_platform_link, platform->links,
                              platform->link_count + 1);
    platform->links[platform->link_count] = (struct orr_platform_link){
        .name = name,
        .bytes_per_s = rate,
        .latency = latency,
        .kind = kind,
    };
    return platform->link_count++;
}

/* The fastest lone copy through the slot of @gpu. */
static double slot_rate(const struct builder *builder, unsigned gpu,
                        enum way way)
{
    double rate = lone(builder, gpu, way);

    for (unsigned other = 1; other < builder->platform->node_count; other++) {
        unsigned from = way == IN ? other : gpu;
        unsigned to = way == IN ? gpu : other;

        if (!is_direct(builder, from, to))
            rate = MAX(rate, builder->bandwidth->lone[from][to]);
    }
    return rate;
}

static void find_groups(struct builder *builder)
{
    for (unsigned gpu = 1; gpu < builder->platform->node_count; gpu++) {
        builder->group[gpu] = gpu;
        for (unsigned other = gpu - 1; other > 0; other--) {
            if (builder->bandwidth->wiring[gpu][other] == ORR_WIRING_SWITCH)
                builder->group[gpu] = builder->group[other];
        }
    }
}

/*
 * Adds the link of the switch above @first. Its rate is the measured rate of
 * its GPUs together, if known, and at least the rate of the fastest lone copy.
 * Adds the rate of its GPUs to *@sum, and sets *@measured to false if it was
 * not measured.
 */
static unsigned add_switch(struct builder *builder, unsigned first,
                           enum way way, double *sum, bool *measured)
{
    double fastest = 0;
    double all = 0;
    unsigned members = 0;
    bool known = true;

    for (unsigned gpu = first; gpu < builder->platform->node_count; gpu++) {
        if (builder->group[gpu] != first)
            continue;
        members++;
        fastest = MAX(fastest, slot_rate(builder, gpu, way));
        all += together(builder, gpu, way);
        known &= together(builder, gpu, way) > 0;
    }
    *measured &= known;
    *sum += members == 1 || !known ? fastest : all;
    if (members == 1)
        return G_MAXUINT;
    builder->guessed |= !known;
    return add_link(builder,
                    g_strdup_printf("switch of %s %s",
                                    builder->platform->gpus[first - 1].name,
                                    way_names[way]),
                    known ? MAX(all, fastest) : fastest, 0, ORR_LINK_PCIE);
}

/* Adds the links that copies share: slots, switches, and a link of the host if
 * all GPUs together get less than slots and switches allow. */
static void add_shared(struct builder *builder, enum way way)
{
    unsigned count = builder->platform->node_count;
    double allowed = 0;
    double got = 0;
    double fastest = 0;
    bool measured = true;

    for (unsigned gpu = 1; gpu < count; gpu++) {
        builder->slots[gpu][way] =
            add_link(builder,
                     g_strdup_printf("slot of %s %s",
                                     builder->platform->gpus[gpu - 1].name,
                                     way_names[way]),
                     slot_rate(builder, gpu, way), 0, ORR_LINK_PCIE);
        if (builder->group[gpu] == gpu)
            builder->switches[gpu][way] =
                add_switch(builder, gpu, way, &allowed, &measured);
        got += together(builder, gpu, way);
        fastest = MAX(fastest, lone(builder, gpu, way));
    }
    builder->host[way] = G_MAXUINT;
    if (measured && got < (1 - NOISE) * allowed)
        builder->host[way] =
            add_link(builder, g_strdup_printf("host %s", way_names[way]),
                     MAX(got, fastest), 0, ORR_LINK_PCIE);
}

/* ---- routes ---- */

static void add_via(struct orr_platform_route *route, unsigned link)
{
    if (link == G_MAXUINT)
        return;
    route->links = g_renew(unsigned, route->links, route->count + 1);
    route->links[route->count++] = link;
}

/* Makes the route of a copy: a link of its own, with the measured rate of a
 * lone copy, and the shared links. */
static void add_route(struct builder *builder, unsigned from, unsigned to)
{
    struct orr_platform *platform = builder->platform;
    struct orr_platform_route *route =
        &platform->routes[from * platform->node_count + to];
    bool direct =
        from != ORR_RAM && to != ORR_RAM && is_direct(builder, from, to);
    bool above = builder->group[from] != builder->group[to];

    add_via(route, add_link(builder,
                            g_strdup_printf(
                                "%s-%s", orr_platform_node_name(platform, from),
                                orr_platform_node_name(platform, to)),
                            builder->bandwidth->lone[from][to],
                            builder->latencies[from][to],
                            direct ? ORR_LINK_DIRECT : ORR_LINK_PCIE));
    if (direct)
        return;
    if (from != ORR_RAM) {
        add_via(route, builder->slots[from][OUT]);
        if (above)
            add_via(route, builder->switches[builder->group[from]][OUT]);
    }
    if (from == ORR_RAM || to == ORR_RAM)
        add_via(route, builder->host[from == ORR_RAM ? IN : OUT]);
    if (to != ORR_RAM) {
        if (above)
            add_via(route, builder->switches[builder->group[to]][IN]);
        add_via(route, builder->slots[to][IN]);
    }
}

static void set_belief(struct builder *builder, unsigned from, unsigned to)
{
    struct orr_platform *platform = builder->platform;
    struct orr_platform_belief *belief =
        &platform->beliefs[from * platform->node_count + to];
    struct orr_bus_pace pace = orr_bus_pace(platform, from, to);
    double rate = builder->bandwidth->lone[from][to];

    belief->bytes_per_s = rate > 0 ? rate : 1 / pace.s_per_byte;
    belief->latency_s = pace.latency_s;
}

static void add_routes(struct builder *builder)
{
    struct orr_platform *platform = builder->platform;
    unsigned count = platform->node_count;

    for (unsigned pair = 0; pair < count * count; pair++) {
        unsigned from = pair / count;
        unsigned to = pair % count;

        if (from == to || !(builder->bandwidth->lone[from][to] > 0))
            continue;
        add_route(builder, from, to);
        if (from != ORR_RAM && to != ORR_RAM)
            platform->gpus[to - 1].peer = true;
    }
    for (unsigned pair = 0; pair < count * count; pair++) {
        if (pair / count != pair % count)
            set_belief(builder, pair / count, pair % count);
    }
}

static void drop_segments(struct orr_platform *platform)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < platform->segment_count; i++) {
        const struct orr_pitch_segment *segment = &platform->segments[i];

        if (orr_platform_route(platform, segment->from, segment->to)->count > 0)
            platform->segments[kept++] = *segment;
    }
    platform->segment_count = kept;
}

/* ---- notes ---- */

/* Whether a note applies to the copies from GPU @from to GPU @to. */
typedef bool concern(const struct builder *builder, unsigned from, unsigned to);

static bool is_missing(const struct builder *builder, unsigned from,
                       unsigned to)
{
    return !(builder->bandwidth->lone[from][to] > 0);
}

/* Whether the wiring and the measured rate contradict each other. */
static bool is_odd(const struct builder *builder, unsigned from, unsigned to)
{
    double rate = builder->bandwidth->lone[from][to];
    double host = MAX(lone(builder, from, OUT), lone(builder, to, IN));
    enum orr_wiring wiring = builder->bandwidth->wiring[from][to];

    if (!(rate > 0) || wiring == ORR_WIRING_UNKNOWN)
        return false;
    return wiring == ORR_WIRING_NVLINK ? rate * OTHER_WIRE < host
                                       : rate > OTHER_WIRE * host;
}

static bool exceeds(const struct builder *builder, unsigned gpu, double rate)
{
    const struct orr_device *device =
        gpu == ORR_RAM
            ? NULL
            : orr_device_of_model(builder->platform->gpus[gpu - 1].model);

    return device && rate > device->bandwidth;
}

static bool is_implausible(const struct builder *builder, unsigned from,
                           unsigned to)
{
    double rate = builder->bandwidth->lone[from][to];

    return exceeds(builder, from, rate) || exceeds(builder, to, rate);
}

static void note(struct builder *builder, unsigned first, concern *concerns,
                 const char *what)
{
    const struct orr_platform *platform = builder->platform;
    GString *list = g_string_new(what);
    unsigned found = 0;

    for (unsigned from = first; from < platform->node_count; from++) {
        for (unsigned to = first; to < platform->node_count; to++) {
            g_autofree char *rate =
                orr_format_rate(builder->bandwidth->lone[from][to]);

            if (from == to || !concerns(builder, from, to) || found++ >= SHOWN)
                continue;
            g_string_append_printf(list, "%s%s-%s", found > 1 ? ", " : ": ",
                                   orr_platform_node_name(platform, from),
                                   orr_platform_node_name(platform, to));
            if (builder->bandwidth->lone[from][to] > 0)
                g_string_append_printf(list, " %s", rate);
        }
    }
    if (found > SHOWN)
        g_string_append(list, ", ...");
    if (found > 0)
        g_ptr_array_add(builder->platform->notes, g_string_free(list, FALSE));
    else
        g_string_free(list, TRUE);
}

static void add_notes(struct builder *builder, const char *latencies)
{
    g_ptr_array_add(
        builder->platform->notes,
        g_strdup_printf(
            "latencies are not in the measurements; their source: %s",
            latencies));
    if (builder->guessed)
        g_ptr_array_add(
            builder->platform->notes,
            g_strdup("switches are assumed to be as fast as the fastest "
                     "lone copy; host_to_all_memcpy_ce and "
                     "all_to_host_memcpy_ce would measure them"));
    note(builder, 1, is_missing, "not measured, so that copies go through RAM");
    note(builder, 1, is_odd, "rates that contradict the wiring");
    note(builder, 0, is_implausible,
         "rates above the memory bandwidth of the GPU");
}

/* Sets the origin of links and routes to @text, which it frees. */
static void set_source(struct orr_platform *platform,
                       enum orr_platform_section section, char *text)
{
    g_free(platform->sources[section]);
    platform->sources[section] = NULL;
    orr_source_add(&platform->sources[section], text);
    g_free(text);
}

void orr_bandwidth_apply(struct orr_platform *platform,
                         const struct orr_bandwidth *bandwidth,
                         const char *source, const char *wiring_source)
{
    struct builder builder = {.platform = platform, .bandwidth = bandwidth};
    g_autofree char *latencies = NULL;

    keep_latencies(&builder);
    latencies = latency_source(&builder);
    drop_links(platform);
    for (unsigned g = 0; g < platform->gpu_count; g++)
        platform->gpus[g].peer = false;
    find_groups(&builder);
    add_shared(&builder, IN);
    add_shared(&builder, OUT);
    add_routes(&builder);
    drop_segments(platform);
    platform->uncalibrated &= ~(unsigned)ORR_PLATFORM_LINKS;
    set_source(platform, ORR_SECTION_LINKS,
               g_strdup_printf("%s%s%s%s", source,
                               builder.guessed ? "; switches ASSUMED" : "",
                               LATENCIES, latencies));
    set_source(platform, ORR_SECTION_ROUTES,
               g_strdup(wiring_source
                            ? wiring_source
                            : "ASSUMED: a slot for each GPU, no switches"));
    set_source(platform, ORR_SECTION_CALIBRATION,
               g_strdup_printf("the links: %s", source));
    add_notes(&builder, latencies);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/gpu_clone.h"

#include <string.h>

/* Not a link. */
#define NONE G_MAXUINT

/* @text with @new in place of the name @old; NULL if that is not in it. */
static char *replace_name(const char *text, const char *old, const char *new)
{
    const char *at = text;

    while ((at = strstr(at, old))) {
        bool starts = at == text || !g_ascii_isalnum(at[-1]);

        if (starts && !g_ascii_isalnum(at[strlen(old)]))
            return g_strdup_printf("%.*s%s%s", (int)(at - text), text, new,
                                   at + strlen(old));
        at++;
    }
    return NULL;
}

/* A GPU being repeated. */
struct twin {
    struct orr_platform *platform;
    unsigned old;       /* its node */
    unsigned new;       /* the last node */
    unsigned neighbour; /* of old, or ORR_NO_NODE */

    /* By link of the old one: only on routes from or to it; only on those
       between it and its neighbour; the new one's copy, or NONE. */
    bool *own;
    bool *own_pair;
    unsigned *copies;
};

static struct orr_platform_route *route_of(const struct orr_platform *platform,
                                           unsigned from, unsigned to)
{
    return &platform->routes[from * platform->node_count + to];
}

/* Notes of each link whether all routes over it have @a as one end, @b as the
 * other, if that is given. */
static bool *links_between(const struct orr_platform *platform, unsigned a,
                           unsigned b)
{
    bool *own = g_new0(bool, MAX(platform->link_count, 1));
    bool *others = g_new0(bool, MAX(platform->link_count, 1));
    unsigned nodes = platform->node_count;

    for (unsigned p = 0; p < nodes * nodes; p++) {
        unsigned from = p / nodes;
        unsigned to = p % nodes;
        bool ends = (from == a && (b == ORR_NO_NODE || to == b)) ||
                    (to == a && (b == ORR_NO_NODE || from == b));

        for (unsigned i = 0; i < platform->routes[p].count; i++)
            (ends ? own : others)[platform->routes[p].links[i]] = true;
    }
    for (unsigned l = 0; l < platform->link_count; l++)
        own[l] = own[l] && !others[l];
    g_free(others);
    return own;
}

static bool lists(const struct orr_platform_route *route, unsigned link)
{
    for (unsigned i = 0; i < route->count; i++) {
        if (route->links[i] == link)
            return true;
    }
    return false;
}

/* Links that the ways of @a and @b from and to RAM have in common. */
static unsigned count_shared(const struct orr_platform *platform, unsigned a,
                             unsigned b)
{
    unsigned shared = 0;

    for (unsigned l = 0; l < platform->link_count; l++) {
        shared += lists(route_of(platform, ORR_RAM, a), l) &&
                  lists(route_of(platform, ORR_RAM, b), l);
        shared += lists(route_of(platform, a, ORR_RAM), l) &&
                  lists(route_of(platform, b, ORR_RAM), l);
    }
    return shared;
}

unsigned orr_gpu_clone_neighbour(const struct orr_platform *platform,
                                 unsigned node)
{
    unsigned best = ORR_NO_NODE;
    unsigned most = 0;

    for (unsigned other = 1; other < node; other++) {
        unsigned shared = count_shared(platform, node, other);

        if (best == ORR_NO_NODE || shared >= most) {
            best = other;
            most = shared;
        }
    }
    return best;
}

/* Appends a link like @link, called as that is but for the new GPU's name. */
static unsigned repeat_link(struct orr_platform *platform, unsigned link,
                            const char *old, const char *new)
{
    struct orr_platform_link copy = platform->links[link];
    g_autofree char *name = replace_name(copy.name, old, new);

    copy.name =
        name ? orr_platform_link_name(platform, "%s", name)
             : orr_platform_link_name(platform, "%s (%s)", copy.name, new);
    platform->links = g_renew(struct orr_platform_link, platform->links,
                              platform->link_count + 1);
    platform->links[platform->link_count] = copy;
    return platform->link_count++;
}

static void repeat_links(struct twin *twin)
{
    struct orr_platform *platform = twin->platform;
    const char *old = orr_platform_node_name(platform, twin->old);
    const char *new = orr_platform_node_name(platform, twin->new);
    unsigned count = platform->link_count;

    twin->copies = g_new(unsigned, MAX(count, 1));
    for (unsigned l = 0; l < count; l++)
        twin->copies[l] =
            twin->own[l] ? repeat_link(platform, l, old, new) : NONE;
}

static void append_link(struct orr_platform_route *route, unsigned link)
{
    route->links = g_renew(unsigned, route->links, route->count + 1);
    route->links[route->count++] = link;
}

/* A route like @model, over the new GPU's links. */
static void repeat_route(const struct twin *twin,
                         struct orr_platform_route *route,
                         const struct orr_platform_route *model)
{
    for (unsigned i = 0; i < model->count; i++) {
        unsigned link = model->links[i];

        append_link(route, twin->own[link] ? twin->copies[link] : link);
    }
}

/* The link between @from and @to that is like @link, which is between two
 * others; made by the first of its kind. */
static unsigned pair_link(const struct twin *twin, unsigned link, unsigned from,
                          unsigned to)
{
    struct orr_platform *platform = twin->platform;
    struct orr_platform_link copy = platform->links[link];

    copy.name = orr_platform_link_name(platform, "%s-%s",
                                       orr_platform_node_name(platform, from),
                                       orr_platform_node_name(platform, to));
    platform->links = g_renew(struct orr_platform_link, platform->links,
                              platform->link_count + 1);
    platform->links[platform->link_count] = copy;
    return platform->link_count++;
}

static bool is_on_way_to_ram(const struct twin *twin, unsigned link)
{
    return lists(route_of(twin->platform, ORR_RAM, twin->old), link) ||
           lists(route_of(twin->platform, twin->old, ORR_RAM), link);
}

/*
 * The route between the twins, from @from to @to. It is built from those of
 * the neighbour: the way into the target as from the neighbour, the way out
 * of the source as to the neighbour, and what they meet in.
 */
static void connect_clones(struct twin *twin, unsigned from, unsigned to)
{
    struct orr_platform *platform = twin->platform;
    const struct orr_platform_route *in =
        route_of(platform, twin->neighbour, twin->old);
    const struct orr_platform_route *out =
        route_of(platform, twin->old, twin->neighbour);
    struct orr_platform_route *route = route_of(platform, from, to);

    if (in->count == 0 || out->count == 0)
        return;
    for (unsigned i = 0; i < in->count; i++) {
        unsigned link = in->links[i];

        if (twin->own_pair[link])
            append_link(route, pair_link(twin, link, from, to));
        else if (twin->own[link])
            append_link(route, to == twin->old ? link : twin->copies[link]);
        else if (is_on_way_to_ram(twin, link))
            append_link(route, link);
    }
    for (unsigned i = 0; i < out->count; i++) {
        unsigned link = out->links[i];

        if (twin->own[link] && !twin->own_pair[link])
            append_link(route, from == twin->old ? link : twin->copies[link]);
    }
}

static void connect_others(struct twin *twin)
{
    struct orr_platform *platform = twin->platform;

    for (unsigned node = 0; node < twin->new; node++) {
        if (node == twin->old)
            continue;
        repeat_route(twin, route_of(platform, node, twin->new),
                     route_of(platform, node, twin->old));
        repeat_route(twin, route_of(platform, twin->new, node),
                     route_of(platform, twin->old, node));
    }
}

void orr_gpu_clone_connect(struct orr_platform *platform)
{
    unsigned old = platform->node_count - 2;
    struct twin twin = {
        .platform = platform,
        .old = old,
        .new = old + 1,
        .neighbour = orr_gpu_clone_neighbour(platform, old),
        .own = links_between(platform, old, ORR_NO_NODE),
    };

    twin.own_pair = twin.neighbour == ORR_NO_NODE
                        ? g_new0(bool, platform->link_count)
                        : links_between(platform, old, twin.neighbour);
    repeat_links(&twin);
    connect_others(&twin);
    if (twin.neighbour != ORR_NO_NODE) {
        connect_clones(&twin, twin.old, twin.new);
        connect_clones(&twin, twin.new, twin.old);
    }
    g_free(twin.own);
    g_free(twin.own_pair);
    g_free(twin.copies);
}

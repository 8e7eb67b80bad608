/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives a cloned GPU links and routes (gpu_clone.h).
 *
 * Links that are only on routes of the old GPU are copied for the clone; all
 * others are shared. A route of the clone is the route of the old GPU, with
 * copied links in place of the old ones. The route between the GPU and its
 * clone is put together from the routes between the GPU and its neighbour.
 */
#include "models/platform/gpu_clone.h"

#include <string.h>

/* Not a link. */
#define NONE G_MAXUINT

/* Returns @text with the name @old replaced by @new; NULL if it is not there.
 */
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

/* A GPU that is being cloned. */
struct clone {
    struct orr_platform *platform;
    unsigned old;       /* node of the GPU */
    unsigned new;       /* node of its clone */
    unsigned neighbour; /* of the old node, or ORR_NO_NODE */

    /* By link. */
    bool *own;        /* only on routes from or to the old node */
    bool *own_pair;   /* only on routes between old node and neighbour */
    unsigned *copies; /* the clone's copy of the link, or NONE */
};

static struct orr_platform_route *route_of(const struct orr_platform *platform,
                                           unsigned from, unsigned to)
{
    return &platform->routes[from * platform->node_count + to];
}

/* Returns, by link, whether it is on a route from or to @a, and on no other
 * routes. With @b (not ORR_NO_NODE), only routes between both count. */
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

/* The number of links that @a and @b share on their routes from and to RAM. */
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

/* Appends a copy of @link. In its name, the name of the new GPU replaces the
 * name of the old one. */
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

static void repeat_links(struct clone *clone)
{
    struct orr_platform *platform = clone->platform;
    const char *old = orr_platform_node_name(platform, clone->old);
    const char *new = orr_platform_node_name(platform, clone->new);
    unsigned count = platform->link_count;

    clone->copies = g_new(unsigned, MAX(count, 1));
    for (unsigned l = 0; l < count; l++)
        clone->copies[l] =
            clone->own[l] ? repeat_link(platform, l, old, new) : NONE;
}

static void append_link(struct orr_platform_route *route, unsigned link)
{
    route->links = g_renew(unsigned, route->links, route->count + 1);
    route->links[route->count++] = link;
}

/* Makes @route a copy of @model, over the links of the clone. */
static void repeat_route(const struct clone *clone,
                         struct orr_platform_route *route,
                         const struct orr_platform_route *model)
{
    for (unsigned i = 0; i < model->count; i++) {
        unsigned link = model->links[i];

        append_link(route, clone->own[link] ? clone->copies[link] : link);
    }
}

/* Returns the copy of @link, a link between old node and neighbour, for the
 * route from @from to @to. Creates it if it does not exist yet. */
static unsigned pair_link(const struct clone *clone, unsigned link,
                          unsigned from, unsigned to)
{
    struct orr_platform *platform = clone->platform;
    struct orr_platform_link copy = platform->links[link];

    copy.name = orr_platform_link_name(platform, "%s-%s",
                                       orr_platform_node_name(platform, from),
                                       orr_platform_node_name(platform, to));
    platform->links = g_renew(struct orr_platform_link, platform->links,
                              platform->link_count + 1);
    platform->links[platform->link_count] = copy;
    return platform->link_count++;
}

static bool is_on_way_to_ram(const struct clone *clone, unsigned link)
{
    return lists(route_of(clone->platform, ORR_RAM, clone->old), link) ||
           lists(route_of(clone->platform, clone->old, ORR_RAM), link);
}

/*
 * Makes the route between the GPU and its clone, from @from to @to. It enters
 * the target as the route from the neighbour does, and leaves the source as the
 * route to the neighbour does.
 */
static void connect_clones(struct clone *clone, unsigned from, unsigned to)
{
    struct orr_platform *platform = clone->platform;
    const struct orr_platform_route *in =
        route_of(platform, clone->neighbour, clone->old);
    const struct orr_platform_route *out =
        route_of(platform, clone->old, clone->neighbour);
    struct orr_platform_route *route = route_of(platform, from, to);

    if (in->count == 0 || out->count == 0)
        return;
    for (unsigned i = 0; i < in->count; i++) {
        unsigned link = in->links[i];

        if (clone->own_pair[link])
            append_link(route, pair_link(clone, link, from, to));
        else if (clone->own[link])
            append_link(route, to == clone->old ? link : clone->copies[link]);
        else if (is_on_way_to_ram(clone, link))
            append_link(route, link);
    }
    for (unsigned i = 0; i < out->count; i++) {
        unsigned link = out->links[i];

        if (clone->own[link] && !clone->own_pair[link])
            append_link(route, from == clone->old ? link : clone->copies[link]);
    }
}

static void connect_others(struct clone *clone)
{
    struct orr_platform *platform = clone->platform;

    for (unsigned node = 0; node < clone->new; node++) {
        if (node == clone->old)
            continue;
        repeat_route(clone, route_of(platform, node, clone->new),
                     route_of(platform, node, clone->old));
        repeat_route(clone, route_of(platform, clone->new, node),
                     route_of(platform, clone->old, node));
    }
}

void orr_gpu_clone_connect(struct orr_platform *platform)
{
    unsigned old = platform->node_count - 2;
    struct clone clone = {
        .platform = platform,
        .old = old,
        .new = old + 1,
        .neighbour = orr_gpu_clone_neighbour(platform, old),
        .own = links_between(platform, old, ORR_NO_NODE),
    };

    clone.own_pair = clone.neighbour == ORR_NO_NODE
                         ? g_new0(bool, platform->link_count)
                         : links_between(platform, old, clone.neighbour);
    repeat_links(&clone);
    connect_others(&clone);
    if (clone.neighbour != ORR_NO_NODE) {
        connect_clones(&clone, clone.old, clone.new);
        connect_clones(&clone, clone.new, clone.old);
    }
    g_free(clone.own);
    g_free(clone.own_pair);
    g_free(clone.copies);
}

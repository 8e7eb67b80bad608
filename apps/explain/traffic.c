/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/explain/traffic.h"

#include <string.h>

#include "apps/explain/spans.h"

/* Bytes and copies over a route. */
struct load {
    uint64_t bytes, copies;
};

static const struct orr_seen_route *route_at(const struct orr_observation *seen,
                                             uint32_t route)
{
    return &g_array_index(seen->routes, struct orr_seen_route, route);
}

static void add_sharer(struct orr_link_traffic *link, const char *route,
                       uint64_t bytes)
{
    const struct orr_sharer one = {route, bytes};

    for (guint i = 0; i < link->sharers->len; i++) {
        struct orr_sharer *sharer =
            &g_array_index(link->sharers, struct orr_sharer, i);

        if (strcmp(sharer->route, route) == 0) {
            sharer->bytes += bytes;
            return;
        }
    }
    g_array_append_val(link->sharers, one);
}

static void add_route(struct orr_traffic *traffic,
                      const struct orr_seen_route *route,
                      const struct load *load)
{
    for (guint i = 0; i < route->links->len; i++) {
        uint32_t number = g_array_index(route->links, uint32_t, i);
        struct orr_link_traffic *link = &traffic->links[number];

        link->bytes += load->bytes;
        link->copies += load->copies;
        add_sharer(link, route->name, load->bytes);
    }
}

static void add_copy(struct orr_traffic *traffic, GArray *const *spans,
                     const struct orr_seen_route *route,
                     const struct orr_seen_copy *copy)
{
    struct orr_time_span span = {copy->started, copy->ended};

    for (guint i = 0; i < route->links->len; i++) {
        uint32_t number = g_array_index(route->links, uint32_t, i);

        orr_spans_add(spans[number],
                      span); /* copies come in the order of their ends */
    }
    if (copy->again) {
        traffic->reloaded_bytes[copy->to] += copy->bytes;
        traffic->reloads[copy->to]++;
    }
}

static void add_copies(struct orr_traffic *traffic, GArray *const *spans,
                       const struct orr_observation *seen)
{
    struct load *loads = g_new0(struct load, seen->routes->len + 1);

    for (guint i = 0; i < seen->copies->len; i++) {
        const struct orr_seen_copy *copy = orr_seen_copy(seen, i);

        loads[copy->route].bytes += copy->bytes;
        loads[copy->route].copies++;
        add_copy(traffic, spans, route_at(seen, copy->route), copy);
    }
    for (guint r = 0; r < seen->routes->len; r++)
        add_route(traffic, route_at(seen, r), &loads[r]);
    g_free(loads);
}

static int by_bytes(gconstpointer a, gconstpointer b)
{
    const struct orr_sharer *left = a, *right = b;

    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    return strcmp(left->route, right->route);
}

static int by_load(const void *a, const void *b)
{
    const struct orr_link_traffic *left = a, *right = b;

    if (left->load != right->load)
        return left->load > right->load ? -1 : 1;
    return strcmp(left->name, right->name);
}

static int64_t length_of(const GArray *spans)
{
    int64_t length = 0;

    for (guint i = 0; i < spans->len; i++) {
        const struct orr_time_span *span =
            &g_array_index(spans, struct orr_time_span, i);

        length += span->to - span->from;
    }
    return length;
}

/* Returns the bytes that the link @name can carry in @ns. */
static double capacity(const struct orr_platform *platform, const char *name,
                       int64_t ns)
{
    for (unsigned i = 0; i < platform->link_count; i++)
        if (strcmp(platform->links[i].name, name) == 0)
            return platform->links[i].bytes_per_s * (double)ns / 1e9;
    return 0;
}

void orr_traffic_init(struct orr_traffic *traffic,
                      const struct orr_observation *seen,
                      const struct orr_platform *platform, int64_t end)
{
    unsigned count = orr_name_index_count(&seen->links);
    GArray **spans = g_new(GArray *, count + 1);

    *traffic = (struct orr_traffic){
        .link_count = count,
        .links = g_new0(struct orr_link_traffic, count + 1),
    };
    for (unsigned i = 0; i < count; i++) {
        traffic->links[i].name = orr_name_index_at(&seen->links, i);
        traffic->links[i].sharers =
            g_array_new(FALSE, FALSE, sizeof(struct orr_sharer));
        spans[i] = g_array_new(FALSE, FALSE, sizeof(struct orr_time_span));
    }
    add_copies(traffic, spans, seen);
    for (unsigned i = 0; i < count; i++) {
        struct orr_link_traffic *link = &traffic->links[i];
        double most = capacity(platform, link->name, end);

        link->busy = length_of(spans[i]);
        link->load = most > 0 ? (double)link->bytes / most : 0;
        g_array_sort(link->sharers, by_bytes);
        g_array_unref(spans[i]);
    }
    g_free(spans);
    qsort(traffic->links, count, sizeof(*traffic->links), by_load);
}

void orr_traffic_clear(struct orr_traffic *traffic)
{
    for (unsigned i = 0; i < traffic->link_count; i++)
        g_array_unref(traffic->links[i].sharers);
    g_free(traffic->links);
}

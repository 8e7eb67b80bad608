/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/cost/share.h"

#include <glib.h>
#include <stdbool.h>

struct link {
    double capacity; /* bytes/s */
    double left;     /* capacity minus the rates that are fixed already */
    double pressure; /* sum of the weights of the flows without a rate */
    size_t visited;  /* number of the solve that last used this link */
};

struct orr_share {
    size_t solves;
    unsigned *used; /* the links that flows of this solve cross */
    size_t used_count;
    struct link links[];
};

/* The rate of a flow whose bottleneck is not found yet. */
#define UNKNOWN (-1.0)

struct orr_share *orr_share_new(size_t link_count, const double *bytes_per_s)
{
    struct orr_share *share =
        g_malloc0(sizeof(struct orr_share) + link_count * sizeof(struct link));

    share->used = g_new(unsigned, link_count);
    for (size_t l = 0; l < link_count; l++) {
        g_assert(bytes_per_s[l] > 0);
        share->links[l].capacity = bytes_per_s[l];
    }
    return share;
}

void orr_share_free(struct orr_share *share)
{
    if (!share)
        return;
    g_free(share->used);
    g_free(share);
}

/* Adds the links that @flow crosses to those used, each once. */
static void use_links(struct orr_share *share, const struct orr_flow *flow)
{
    for (unsigned i = 0; i < flow->count; i++) {
        struct link *link = &share->links[flow->links[i]];

        if (link->visited != share->solves) {
            link->visited = share->solves;
            link->left = link->capacity;
            link->pressure = 0;
            share->used[share->used_count++] = flow->links[i];
        }
        link->pressure += flow->weight;
    }
}

/*
 * Sums up the weights of the flows without a rate anew. Subtracting the weights
 * of fixed flows instead would leave rounding errors, which after a heavy flow
 * are as large as the weight of a light one.
 */
static void press_again(struct orr_share *share, struct orr_flow **flows,
                        size_t count)
{
    for (size_t u = 0; u < share->used_count; u++)
        share->links[share->used[u]].pressure = 0;
    for (size_t f = 0; f < count; f++) {
        if (flows[f]->bytes_per_s != UNKNOWN)
            continue;
        for (unsigned i = 0; i < flows[f]->count; i++)
            share->links[flows[f]->links[i]].pressure += flows[f]->weight;
    }
}

/* The link that saturates first; on a tie, the first one used. */
static unsigned find_bottleneck(const struct orr_share *share, double *level)
{
    unsigned bottleneck = 0;

    *level = G_MAXDOUBLE;
    for (size_t u = 0; u < share->used_count; u++) {
        const struct link *link = &share->links[share->used[u]];

        /* Divisions, as products could overflow. */
        if (link->pressure > 0 && link->left / link->pressure < *level) {
            *level = link->left / link->pressure;
            bottleneck = share->used[u];
        }
    }
    return bottleneck;
}

static bool crosses(const struct orr_flow *flow, unsigned link)
{
    for (unsigned i = 0; i < flow->count; i++) {
        if (flow->links[i] == link)
            return true;
    }
    return false;
}

static void withdraw(struct orr_share *share, const struct orr_flow *flow)
{
    for (unsigned i = 0; i < flow->count; i++) {
        struct link *link = &share->links[flow->links[i]];

        link->left = MAX(link->left - flow->bytes_per_s, 0.0);
    }
}

/* Fixes the rates of the flows that cross the next bottleneck; returns their
 * number. */
static size_t fix_some(struct orr_share *share, struct orr_flow **flows,
                       size_t count)
{
    double level;
    unsigned bottleneck = find_bottleneck(share, &level);
    size_t fixed = 0;

    for (size_t f = 0; f < count; f++) {
        if (flows[f]->bytes_per_s != UNKNOWN || !crosses(flows[f], bottleneck))
            continue;
        flows[f]->bytes_per_s = level * flows[f]->weight;
        withdraw(share, flows[f]);
        fixed++;
    }
    g_assert(fixed > 0);
    return fixed;
}

void orr_share_solve(struct orr_share *share, struct orr_flow **flows,
                     size_t count)
{
    size_t known = 0;

    share->solves++;
    share->used_count = 0;
    for (size_t f = 0; f < count; f++) {
        g_assert(flows[f]->count > 0 && flows[f]->weight > 0);
        flows[f]->bytes_per_s = UNKNOWN;
        use_links(share, flows[f]);
    }
    while (known < count) {
        known += fix_some(share, flows, count);
        if (known < count)
            press_again(share, flows, count);
    }
}

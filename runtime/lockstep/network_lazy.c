/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A network for lock-step. Copies share links as in share.h, but rates and the
 * order of ends equal exactly those in SimGrid's lazy network model: the order
 * of ends at one date decides much.
 *
 * When a copy is added, its latency passes or it ends, the links of its route
 * are marked, and all links that share flows with a marked link. Before the
 * clock advances, the marked links are shared anew and the ends of all their
 * flows rescheduled; among ends at one date, the latest to be scheduled comes
 * last. (SimGrid 3.32, src/kernel/resource/Model.cpp:
 * next_occurring_event_lazy(), update_actions_state_lazy(); src/kernel/lmm:
 * update_modified_cnst_set().)
 */
#include "runtime/lockstep/members.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>

#include "runtime/data/copy.h"
#include "runtime/lockstep/clock.h"
#include "runtime/run.h"

/* Differences below these count as 0. The first, for capacities and weights, is
 * SimGrid's maxmin/precision; the second, for bytes, that times
 * surf/precision. */
#define SHARE_PRECISION 1e-5
#define BYTES_PRECISION 1e-14

/* One flow on one of its links. */
struct crossing {
    struct orr_copy *copy;
    double times; /* how many times the flow crosses the link */
};

struct link {
    double capacity; /* bytes/s */
    bool marked;
    struct crossing *crossings; /* in order of start */
    unsigned count, room;

    /* While it is shared: */
    double left, pressure; /* capacity left, pressure of flows without a rate */
    double level;          /* the ratio of both */
    bool is_open;          /* @left and @pressure are both above 0 */
};

struct orr_network_lazy {
    struct orr_network base; /* first */
    struct orr_engine *engine;
    size_t link_count;
    unsigned *marked; /* links, in the order in which they were */
    size_t marked_count;
    unsigned *open; /* links among these */
    size_t open_count;
    struct orr_copy **fixing; /* scratch: flows about to get a rate */
    size_t room;
    uint64_t visits; /* number of the current visit of all flows */
    struct link links[];
};

/* The network's state of a copy, stored behind the copy. */
struct lazy {
    double penalty;   /* inverse of the flow's weight */
    double rate;      /* the new rate; flow.bytes_per_s is the old one */
    double updated;   /* date of bytes_left, in s */
    uint64_t visited; /* number of the last visit */
};

_Static_assert(sizeof(struct lazy) == ORR_NETWORK_LAZY_COPY_BYTES,
               "the state of a copy");

static inline struct lazy *lazy(const struct orr_copy *copy)
{
    return (struct lazy *)(copy + 1);
}

static void mark_new(struct orr_network_lazy *network, unsigned number);

static inline void mark(struct orr_network_lazy *network, unsigned number)
{
    if (!network->links[number].marked)
        mark_new(network, number);
}

/* Notes the links of the flows of @link, latest flow first. */
static void mark_others(struct orr_network_lazy *network,
                        const struct link *link)
{
    for (unsigned i = link->count; i-- > 0;) {
        struct orr_copy *copy = link->crossings[i].copy;

        for (unsigned k = 0; k < copy->flow.count; k++) {
            if (lazy(copy)->visited == network->visits)
                break;
            mark(network, copy->flow.links[k]);
        }
        lazy(copy)->visited = network->visits;
    }
}

static void mark_new(struct orr_network_lazy *network, unsigned number)
{
    struct link *link = &network->links[number];

    link->marked = true;
    network->marked[network->marked_count++] = number;
    mark_others(network, link);
}

static void add(struct orr_network_lazy *network, const struct orr_copy *copy)
{
    for (unsigned i = 0; i < copy->flow.count; i++)
        mark(network, copy->flow.links[i]);
}

static void cross(struct link *link, struct orr_copy *copy)
{
    for (unsigned i = 0; i < link->count; i++) {
        if (link->crossings[i].copy == copy) {
            link->crossings[i].times++;
            return;
        }
    }
    if (link->count == link->room) {
        link->room = MAX(8, 2 * link->room);
        link->crossings = g_renew(struct crossing, link->crossings, link->room);
    }
    link->crossings[link->count++] = (struct crossing){copy, 1};
}

static void leave(struct link *link, const struct orr_copy *copy)
{
    unsigned count = 0;

    for (unsigned i = 0; i < link->count; i++) {
        if (link->crossings[i].copy != copy)
            link->crossings[count++] = link->crossings[i];
    }
    link->count = count;
}

static void start(struct orr_network_lazy *network, struct orr_copy *copy)
{
    for (unsigned i = 0; i < copy->flow.count; i++)
        cross(&network->links[copy->flow.links[i]], copy);
    lazy(copy)->updated = orr_clock_of(network->engine)->seconds;
    lazy(copy)->visited = 0;
    copy->flow.bytes_per_s = 0;
    mark(network, copy->flow.links[0]);
}

static void end(struct orr_network_lazy *network, struct orr_copy *copy)
{
    mark(network, copy->flow.links[0]);
    for (unsigned i = 0; i < copy->flow.count; i++)
        leave(&network->links[copy->flow.links[i]], copy);
}

static double less(double amount, double part, double precision)
{
    double left = amount - part;

    return left < precision ? 0 : left;
}

/* Opens the links marked, and returns the lowest level. */
static double open_links(struct orr_network_lazy *network)
{
    double lowest = INFINITY;

    network->open_count = 0;
    for (size_t n = 0; n < network->marked_count; n++) {
        struct link *link = &network->links[network->marked[n]];

        link->left = link->capacity;
        link->pressure = 0;
        for (unsigned i = link->count; i-- > 0;) {
            lazy(link->crossings[i].copy)->rate = 0;
            link->pressure += link->crossings[i].times /
                              lazy(link->crossings[i].copy)->penalty;
        }
        link->is_open = link->pressure > 0;
        if (!link->is_open)
            continue;
        link->level = link->left / link->pressure;
        lowest = MIN(lowest, link->level);
        network->open[network->open_count++] = network->marked[n];
    }
    return lowest;
}

/* Gives the flows of @link that have no rate yet one, and lists them after
 * @count others. Returns the new count. */
static size_t list_flows(struct orr_network_lazy *network,
                         const struct link *link, size_t count)
{
    for (unsigned i = 0; i < link->count; i++) {
        struct orr_copy *copy = link->crossings[i].copy;

        if (lazy(copy)->rate > 0)
            continue;
        if (count == network->room) {
            network->room = MAX(16, 2 * network->room);
            network->fixing =
                g_renew(struct orr_copy *, network->fixing, network->room);
        }
        lazy(copy)->rate = link->level / lazy(copy)->penalty;
        network->fixing[count++] = copy;
    }
    return count;
}

/* Gives rates to the flows of all links at level @lowest, and lists them. */
static size_t list_fixing(struct orr_network_lazy *network, double lowest)
{
    size_t count = 0;

    for (size_t n = 0; n < network->open_count; n++) {
        const struct link *link = &network->links[network->open[n]];

        if (link->level == lowest)
            count = list_flows(network, link, count);
    }
    return count;
}

/* The last open link takes its place. */
static void close_link(struct orr_network_lazy *network, unsigned number)
{
    network->links[number].is_open = false;
    for (size_t n = 0; n < network->open_count; n++) {
        if (network->open[n] == number) {
            network->open[n] = network->open[--network->open_count];
            return;
        }
    }
}

static void withdraw(struct orr_network_lazy *network, unsigned number,
                     const struct orr_copy *copy)
{
    struct link *link = &network->links[number];

    link->left =
        less(link->left, lazy(copy)->rate, link->capacity * SHARE_PRECISION);
    link->pressure =
        less(link->pressure, 1 / lazy(copy)->penalty, SHARE_PRECISION);
    if (!link->is_open)
        return;
    if (link->pressure > SHARE_PRECISION &&
        link->left > link->capacity * SHARE_PRECISION)
        link->level = link->left / link->pressure;
    else
        close_link(network, number);
}

/* Max-min fair sharing: see share.h. */
static void share(struct orr_network_lazy *network)
{
    double lowest = open_links(network);

    while (network->open_count > 0) {
        size_t count = list_fixing(network, lowest);

        for (size_t i = 0; i < count; i++) {
            struct orr_copy *copy = network->fixing[i];

            for (unsigned k = 0; k < copy->flow.count; k++)
                withdraw(network, copy->flow.links[k], copy);
        }
        lowest = INFINITY;
        for (size_t n = 0; n < network->open_count; n++)
            lowest = MIN(lowest, network->links[network->open[n]].level);
    }
}

/* Updates bytes_left of @copy and schedules its end. */
static void reschedule(struct orr_network_lazy *network, struct orr_copy *copy)
{
    double now = orr_clock_of(network->engine)->seconds;
    double date;

    copy->bytes_left = less(
        copy->bytes_left, copy->flow.bytes_per_s * (now - lazy(copy)->updated),
        BYTES_PRECISION);
    lazy(copy)->updated = now;
    copy->flow.bytes_per_s = lazy(copy)->rate;
    date = now + copy->bytes_left / lazy(copy)->rate;
    orr_clock_at_seconds(network->engine, date, &copy->event);
}

/* Before the clock advances: schedules anew the ends that have changed. */
static void settle(void *arg)
{
    struct orr_network_lazy *network = arg;

    if (network->marked_count == 0)
        return;
    share(network);
    network->visits++; /* flows visited from now on are rescheduled */
    for (size_t n = 0; n < network->marked_count; n++) {
        struct link *link = &network->links[network->marked[n]];

        link->marked = false;
        for (unsigned i = link->count; i-- > 0;) {
            struct orr_copy *copy = link->crossings[i].copy;

            if (lazy(copy)->visited != network->visits)
                reschedule(network, copy);
            lazy(copy)->visited = network->visits;
        }
    }
    network->visits++;
    network->marked_count = 0;
}

static void ended(void *arg)
{
    struct orr_copy *copy = arg;

    end((struct orr_network_lazy *)copy->network, copy);
    orr_copy_ended(copy->store, copy);
}

static void latency_passed(void *arg)
{
    struct orr_copy *copy = arg;

    copy->event.fire = ended;
    start((struct orr_network_lazy *)copy->network, copy);
}

static bool owns(const struct orr_event *event)
{
    return event->fire == latency_passed || event->fire == ended;
}

static void carry(struct orr_network *base, struct orr_copy *copy,
                  const struct orr_route *route)
{
    struct orr_network_lazy *network = (struct orr_network_lazy *)base;
    double latency_s = orr_time_to_seconds(route->latency);
    double now = orr_clock_of(network->engine)->seconds;

    copy->network = base;
    *lazy(copy) = (struct lazy){.penalty = route->penalty_s};
    copy->event = (struct orr_event){.fire = latency_passed, .arg = copy};
    add(network, copy);
    orr_clock_at_seconds(network->engine, now + latency_s, &copy->event);
}

static void free_network(struct orr_network *base)
{
    struct orr_network_lazy *network = (struct orr_network_lazy *)base;

    for (size_t l = 0; l < network->link_count; l++)
        g_free(network->links[l].crossings);
    g_free(network->fixing);
    g_free(network->open);
    g_free(network->marked);
    g_free(network);
}

struct orr_network *orr_network_lazy_new(struct orr_run *run,
                                         const struct orr_links *links)
{
    size_t count = links->link_count;
    struct orr_network_lazy *network =
        g_malloc0(sizeof(*network) + count * sizeof(struct link));
    struct orr_clock *clock = orr_clock_of(&run->engine);

    network->base = (struct orr_network){.carry = carry, .free = free_network};
    network->engine = &run->engine;
    network->link_count = count;
    network->marked = g_new(unsigned, count);
    network->open = g_new(unsigned, count);
    network->visits = 1;
    for (size_t l = 0; l < count; l++)
        network->links[l].capacity = links->bytes_per_s[l];
    clock->settle = settle;
    clock->owns = owns;
    clock->network = network;
    return &network->base;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/network_lazy.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>

#include "runtime/data/copy.h"

/* Capacities, weights and bytes are exact to these, SimGrid's
 * maxmin/precision, and that times surf/precision. */
#define SHARE_PRECISION 1e-5
#define BYTES_PRECISION 1e-14

/* One flow on one of its links. */
struct crossing {
    struct orr_copy *copy;
    double times; /* that it crosses the link */
};

struct link {
    double capacity; /* bytes/s */
    bool noted;
    struct crossing *crossings; /* in order of start */
    unsigned count, room;

    /* While it is shared: */
    double left, pressure; /* of the flows that have no rate yet */
    double level;          /* the ratio of both */
    bool is_open;          /* with neither of them exhausted */
};

struct orr_network_lazy {
    struct orr_engine *engine;
    size_t link_count;
    unsigned *noted; /* links, in the order in which they were */
    size_t noted_count;
    unsigned *open; /* links among these */
    size_t open_count;
    struct orr_copy **fixing; /* scratch: flows about to get a rate */
    size_t room;
    uint64_t visits; /* of the flows of links that are noted */
    struct link links[];
};

struct orr_network_lazy *orr_network_lazy_new(struct orr_engine *engine,
                                              size_t link_count,
                                              const double *bytes_per_s)
{
    struct orr_network_lazy *traffic =
        g_malloc0(sizeof(*traffic) + link_count * sizeof(struct link));

    traffic->engine = engine;
    traffic->link_count = link_count;
    traffic->noted = g_new(unsigned, link_count);
    traffic->open = g_new(unsigned, link_count);
    traffic->visits = 1;
    for (size_t l = 0; l < link_count; l++)
        traffic->links[l].capacity = bytes_per_s[l];
    return traffic;
}

void orr_network_lazy_free(struct orr_network_lazy *traffic)
{
    if (!traffic)
        return;
    for (size_t l = 0; l < traffic->link_count; l++)
        g_free(traffic->links[l].crossings);
    g_free(traffic->fixing);
    g_free(traffic->open);
    g_free(traffic->noted);
    g_free(traffic);
}

static void note_new(struct orr_network_lazy *traffic, unsigned number);

static inline void note(struct orr_network_lazy *traffic, unsigned number)
{
    if (!traffic->links[number].noted)
        note_new(traffic, number);
}

/* Notes the links that the flows of @link cross, latest flow first. */
static void note_others(struct orr_network_lazy *traffic,
                        const struct link *link)
{
    for (unsigned i = link->count; i-- > 0;) {
        struct orr_copy *copy = link->crossings[i].copy;

        for (unsigned k = 0; k < copy->flow.count; k++) {
            if (copy->visited == traffic->visits)
                break;
            note(traffic, copy->flow.links[k]);
        }
        copy->visited = traffic->visits;
    }
}

static void note_new(struct orr_network_lazy *traffic, unsigned number)
{
    struct link *link = &traffic->links[number];

    link->noted = true;
    traffic->noted[traffic->noted_count++] = number;
    note_others(traffic, link);
}

static void add(struct orr_network_lazy *traffic, const struct orr_copy *copy)
{
    for (unsigned i = 0; i < copy->flow.count; i++)
        note(traffic, copy->flow.links[i]);
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
    unsigned kept = 0;

    for (unsigned i = 0; i < link->count; i++) {
        if (link->crossings[i].copy != copy)
            link->crossings[kept++] = link->crossings[i];
    }
    link->count = kept;
}

static void start(struct orr_network_lazy *traffic, struct orr_copy *copy)
{
    for (unsigned i = 0; i < copy->flow.count; i++)
        cross(&traffic->links[copy->flow.links[i]], copy);
    copy->updated = traffic->engine->seconds;
    copy->visited = 0;
    copy->flow.bytes_per_s = 0;
    note(traffic, copy->flow.links[0]);
}

static void end(struct orr_network_lazy *traffic, struct orr_copy *copy)
{
    note(traffic, copy->flow.links[0]);
    for (unsigned i = 0; i < copy->flow.count; i++)
        leave(&traffic->links[copy->flow.links[i]], copy);
}

static double less(double amount, double part, double precision)
{
    double left = amount - part;

    return left < precision ? 0 : left;
}

/* Opens the links noted, and returns the lowest level. */
static double open_links(struct orr_network_lazy *traffic)
{
    double lowest = INFINITY;

    traffic->open_count = 0;
    for (size_t n = 0; n < traffic->noted_count; n++) {
        struct link *link = &traffic->links[traffic->noted[n]];

        link->left = link->capacity;
        link->pressure = 0;
        for (unsigned i = link->count; i-- > 0;) {
            link->crossings[i].copy->rate = 0;
            link->pressure +=
                link->crossings[i].times / link->crossings[i].copy->penalty;
        }
        link->is_open = link->pressure > 0;
        if (!link->is_open)
            continue;
        link->level = link->left / link->pressure;
        lowest = MIN(lowest, link->level);
        traffic->open[traffic->open_count++] = traffic->noted[n];
    }
    return lowest;
}

/* Lists the flows of @link that have no rate yet, which gives them one, after
 * @count others. Returns how many there are then. */
static size_t list_flows(struct orr_network_lazy *traffic,
                         const struct link *link, size_t count)
{
    for (unsigned i = 0; i < link->count; i++) {
        struct orr_copy *copy = link->crossings[i].copy;

        if (copy->rate > 0)
            continue;
        if (count == traffic->room) {
            traffic->room = MAX(16, 2 * traffic->room);
            traffic->fixing =
                g_renew(struct orr_copy *, traffic->fixing, traffic->room);
        }
        copy->rate = link->level / copy->penalty;
        traffic->fixing[count++] = copy;
    }
    return count;
}

/* Does so for all links at level @lowest. */
static size_t list_fixing(struct orr_network_lazy *traffic, double lowest)
{
    size_t count = 0;

    for (size_t n = 0; n < traffic->open_count; n++) {
        const struct link *link = &traffic->links[traffic->open[n]];

        if (link->level == lowest)
            count = list_flows(traffic, link, count);
    }
    return count;
}

/* The last one takes its place. */
static void close_link(struct orr_network_lazy *traffic, unsigned number)
{
    traffic->links[number].is_open = false;
    for (size_t n = 0; n < traffic->open_count; n++) {
        if (traffic->open[n] == number) {
            traffic->open[n] = traffic->open[--traffic->open_count];
            return;
        }
    }
}

static void withdraw(struct orr_network_lazy *traffic, unsigned number,
                     const struct orr_copy *copy)
{
    struct link *link = &traffic->links[number];

    link->left = less(link->left, copy->rate, link->capacity * SHARE_PRECISION);
    link->pressure = less(link->pressure, 1 / copy->penalty, SHARE_PRECISION);
    if (!link->is_open)
        return;
    if (link->pressure > SHARE_PRECISION &&
        link->left > link->capacity * SHARE_PRECISION)
        link->level = link->left / link->pressure;
    else
        close_link(traffic, number);
}

/* Max-min fair sharing: see share.h. */
static void share(struct orr_network_lazy *traffic)
{
    double lowest = open_links(traffic);

    while (traffic->open_count > 0) {
        size_t count = list_fixing(traffic, lowest);

        for (size_t i = 0; i < count; i++) {
            struct orr_copy *copy = traffic->fixing[i];

            for (unsigned k = 0; k < copy->flow.count; k++)
                withdraw(traffic, copy->flow.links[k], copy);
        }
        lowest = INFINITY;
        for (size_t n = 0; n < traffic->open_count; n++)
            lowest = MIN(lowest, traffic->links[traffic->open[n]].level);
    }
}

/* Brings what is left of @copy up to date and schedules its end. */
static void reschedule(struct orr_network_lazy *traffic, struct orr_copy *copy)
{
    double now = traffic->engine->seconds;
    double date;

    copy->bytes_left =
        less(copy->bytes_left, copy->flow.bytes_per_s * (now - copy->updated),
             BYTES_PRECISION);
    copy->updated = now;
    copy->flow.bytes_per_s = copy->rate;
    date = now + copy->bytes_left / copy->rate;
    orr_engine_at_seconds(traffic->engine, date, &copy->event);
}

void orr_network_lazy_settle(struct orr_network_lazy *traffic)
{
    if (traffic->noted_count == 0)
        return;
    share(traffic);
    traffic->visits++; /* from now on: who is scheduled */
    for (size_t n = 0; n < traffic->noted_count; n++) {
        struct link *link = &traffic->links[traffic->noted[n]];

        link->noted = false;
        for (unsigned i = link->count; i-- > 0;) {
            struct orr_copy *copy = link->crossings[i].copy;

            if (copy->visited != traffic->visits)
                reschedule(traffic, copy);
            copy->visited = traffic->visits;
        }
    }
    traffic->visits++;
    traffic->noted_count = 0;
}

static void ended(void *arg)
{
    struct orr_copy *copy = arg;

    end(copy->traffic, copy);
    orr_copy_ended(copy->run, copy);
}

static void latency_passed(void *arg)
{
    struct orr_copy *copy = arg;

    copy->event.fire = ended;
    start(copy->traffic, copy);
}

void orr_network_lazy_carry(struct orr_network_lazy *traffic,
                            struct orr_copy *copy, double latency_s)
{
    copy->traffic = traffic;
    copy->event.is_late = true;
    copy->event.fire = latency_passed;
    add(traffic, copy);
    orr_engine_at_seconds(traffic->engine, traffic->engine->seconds + latency_s,
                          &copy->event);
}

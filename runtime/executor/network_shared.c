/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/executor/network.h"

#include <math.h>
#include <string.h>

#include "runtime/data/copy.h"
#include "runtime/run.h"

/* A flow is over when less than this is left of it, in s at its rate: dates
 * are whole ns. */
#define PRECISION_S 1e-9

/*
 * Rates depend only on the routes in use, and a run uses few combinations of
 * these: solutions are cached in a table. Each replaces the one in its place.
 * The key is the sequence of routes: in another order, rates could differ in
 * their last bit. To clear a table that serves a long run would take a short
 * run longer than all the rest, so the table begins small; when it has been
 * filled, a larger one replaces it.
 */
enum { FIRST_KNOWN_BITS = 7, KNOWN_BITS = 13, KNOWN_FLOWS = 7 };

struct solution {
    _Alignas(ORR_CACHE_LINE) uint64_t key; /* 0: none yet */
    double bytes_per_s[KNOWN_FLOWS];
};

struct shared {
    struct orr_network base; /* first */
    struct orr_run *run;
    size_t route_count;

    /* The copies that are past their latency: one for each route at most. */
    unsigned copy_count;
    struct orr_copy **copies; /* in order of start */
    struct orr_copy **ended;  /* scratch */
    struct orr_flow **flows;  /* scratch */
    uint64_t key;             /* of their routes, if it has room for them */
    orr_time updated;         /* date of bytes_left */
    struct orr_event next_end;

    struct orr_share *share;
    unsigned route_bits;    /* of a route in a key */
    unsigned known_flows;   /* that a key has room for */
    unsigned known_bits;    /* log2 of how many there may be */
    unsigned solved;        /* since the table is that large */
    struct solution *known; /* by hash of the key */
};

/* Brings bytes_left of all flows up to now. */
static void advance(struct shared *shared)
{
    orr_time now = shared->run->engine.now;
    double elapsed_s = orr_time_to_seconds(now - shared->updated);

    shared->updated = now;
    for (unsigned i = 0; i < shared->copy_count; i++) {
        struct orr_copy *copy = shared->copies[i];

        copy->bytes_left -= elapsed_s * copy->flow.bytes_per_s;
    }
}

static double seconds_left(const struct orr_copy *copy)
{
    return copy->bytes_left / copy->flow.bytes_per_s;
}

static void solve(struct shared *shared)
{
    for (unsigned i = 0; i < shared->copy_count; i++)
        shared->flows[i] = &shared->copies[i]->flow;
    orr_share_solve(shared->share, shared->flows, shared->copy_count);
}

static void append_copy(struct shared *shared, struct orr_copy *copy)
{
    g_assert(shared->copy_count < shared->route_count);
    shared->copies[shared->copy_count++] = copy;
    shared->key = shared->key << shared->route_bits | (copy->route + 1);
}

/* Where the solution for the flows there are is, or will be. */
static struct solution *find_solution(const struct shared *shared)
{
    /* Fibonacci hashing (Knuth, TAOCP 3, section 6.4). */
    return &shared->known[shared->key * 0x9e3779b97f4a7c15u >>
                          (64 - shared->known_bits)];
}

/* What a smaller table held is soon solved again. */
static void make_known(struct shared *shared, unsigned bits)
{
    size_t bytes = sizeof(*shared->known) << bits;

    free(shared->known);
    shared->known = aligned_alloc(ORR_CACHE_LINE, bytes);
    if (!shared->known)
        g_error("out of memory: %zu bytes", bytes);
    memset(shared->known, 0, bytes);
    shared->known_bits = bits;
    shared->solved = 0;
}

/* Gives the flows their rates. */
static void share_links(struct shared *shared)
{
    struct solution *known = find_solution(shared);

    if (shared->copy_count > shared->known_flows) {
        solve(shared);
        return;
    }
    if (known->key == shared->key) {
        for (unsigned i = 0; i < shared->copy_count; i++)
            shared->copies[i]->flow.bytes_per_s = known->bytes_per_s[i];
        return;
    }
    solve(shared);
    if (++shared->solved >> shared->known_bits &&
        shared->known_bits < KNOWN_BITS) {
        make_known(shared, KNOWN_BITS);
        known = find_solution(shared);
    }
    known->key = shared->key;
    for (unsigned i = 0; i < shared->copy_count; i++)
        known->bytes_per_s[i] = shared->copies[i]->flow.bytes_per_s;
}

/* Shares the links anew and schedules the first end that follows. */
static void reshare(struct shared *shared)
{
    struct orr_engine *engine = &shared->run->engine;
    double first_s = INFINITY;

    if (shared->copy_count == 0) {
        orr_engine_cancel(engine, &shared->next_end);
        return;
    }
    share_links(shared);
    for (unsigned i = 0; i < shared->copy_count; i++) {
        double left_s = seconds_left(shared->copies[i]);

        first_s = MIN(first_s, left_s);
    }
    first_s = MAX(first_s, 0.0);
    orr_engine_move(engine, engine->now + (orr_time)ceil(first_s * 1e9),
                    &shared->next_end);
}

static void flows_ended(void *arg)
{
    struct shared *shared = arg;
    unsigned count = shared->copy_count;
    unsigned ended = 0;

    advance(shared);
    shared->copy_count = 0;
    shared->key = 0;
    for (unsigned i = 0; i < count; i++) {
        struct orr_copy *copy = shared->copies[i];

        if (seconds_left(copy) < PRECISION_S)
            shared->ended[ended++] = copy;
        else
            append_copy(shared, copy);
    }
    reshare(shared);
    /* As SimGrid orders simultaneous ends. */
    for (unsigned i = ended; i-- > 0;)
        orr_copy_ended(shared->run, shared->ended[i]);
}

static void latency_passed(void *arg)
{
    struct orr_copy *copy = arg;
    struct shared *shared = (struct shared *)copy->network;

    advance(shared);
    append_copy(shared, copy);
    reshare(shared);
}

bool orr_network_shared_is_latency(const struct orr_event *event)
{
    return event->fire == latency_passed;
}

static void carry(struct orr_network *network, struct orr_copy *copy,
                  const struct orr_route *route)
{
    struct orr_engine *engine = &copy->run->engine;

    copy->network = network;
    copy->event = (struct orr_event){.fire = latency_passed, .arg = copy};
    orr_engine_at(engine, engine->now + route->latency, &copy->event);
}

static void free_network(struct orr_network *network)
{
    struct shared *shared = (struct shared *)network;

    orr_share_free(shared->share);
    free(shared->known);
    g_free(shared->flows);
    g_free(shared->ended);
    g_free(shared->copies);
    g_free(shared);
}

struct orr_network *orr_network_shared_new(struct orr_run *run,
                                           const struct orr_links *links)
{
    struct shared *shared = g_new0(struct shared, 1);
    size_t count = links->route_count;

    shared->base = (struct orr_network){.carry = carry, .free = free_network};
    shared->run = run;
    shared->next_end = (struct orr_event){.fire = flows_ended, .arg = shared};
    shared->share = orr_share_new(links->link_count, links->bytes_per_s);
    shared->route_count = count;
    shared->copies = g_new(struct orr_copy *, count);
    shared->ended = g_new(struct orr_copy *, count);
    shared->flows = g_new(struct orr_flow *, count);
    shared->route_bits = g_bit_storage(count);
    shared->known_flows = MIN(64 / shared->route_bits, KNOWN_FLOWS);
    make_known(shared, FIRST_KNOWN_BITS);
    return &shared->base;
}

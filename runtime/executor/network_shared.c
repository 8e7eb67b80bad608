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
 * routes: so solutions are cached in a hash table, where a new solution
 * replaces the old one in its place. The key is the sequence of routes, since
 * in another order rates could differ in their last bit. To clear a table that
 * serves a long run would take a short run longer than all the rest, so the
 * table begins small; when it has been filled, a larger one replaces it.
 */
enum { FIRST_KNOWN_BITS = 7, KNOWN_BITS = 13, KNOWN_FLOWS = 7 };

struct solution {
    _Alignas(ORR_CACHE_LINE) uint64_t key; /* 0: none yet */
    double bytes_per_s[KNOWN_FLOWS];
};

/* A copy that is past its latency. */
struct moving {
    double bytes_left;
    double bytes_per_s;
    struct orr_copy *copy;
};

struct shared {
    struct orr_network base; /* first */
    struct orr_run *run;
    size_t route_count;

    /* One for each route at most, in order of start. */
    unsigned count;
    struct moving *moving;
    struct orr_copy **ended; /* scratch */
    struct orr_flow **flows; /* scratch */
    double *bytes_per_s;     /* scratch */
    uint64_t key;            /* the sequence of routes, if it fits into a key */
    orr_time updated;        /* date of bytes_left */
    struct orr_event next_end;

    struct orr_share *share;
    unsigned route_bits;  /* bits of a route in a key */
    unsigned known_flows; /* number of routes that fit into a key */
    unsigned known_bits;  /* log2 of how many there may be */
    unsigned solved;      /* solutions computed since the table got its size */
    struct solution *known; /* solutions by hash of the key */
};

/* How long the flows have had their rates, in s; they are about to change. */
static double elapse(struct shared *shared)
{
    orr_time now = shared->run->engine.now;
    double elapsed_s = orr_time_to_seconds(now - shared->updated);

    shared->updated = now;
    return elapsed_s;
}

static void solve(struct shared *shared, double *bytes_per_s)
{
    for (unsigned i = 0; i < shared->count; i++)
        shared->flows[i] = &shared->moving[i].copy->flow;
    orr_share_solve(shared->share, shared->flows, shared->count);
    for (unsigned i = 0; i < shared->count; i++)
        bytes_per_s[i] = shared->flows[i]->bytes_per_s;
}

static inline void append(struct shared *shared, const struct moving *moving)
{
    g_assert(shared->count < shared->route_count);
    shared->moving[shared->count++] = *moving;
    shared->key = shared->key << shared->route_bits | (moving->copy->route + 1);
}

/* Where the solution for the flows there are is, or will be. */
static struct solution *find_solution(const struct shared *shared)
{
    /* Fibonacci hashing (Knuth, TAOCP 3, section 6.4). */
    return &shared->known[shared->key * 0x9e3779b97f4a7c15u >>
                          (64 - shared->known_bits)];
}

/* The solutions of the smaller table are dropped; they are soon computed
 * again. */
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

/* The rates of the flows where no solution is known. */
static G_GNUC_NO_INLINE const double *share_anew(struct shared *shared)
{
    struct solution *known;

    if (shared->count > shared->known_flows) {
        solve(shared, shared->bytes_per_s);
        return shared->bytes_per_s;
    }
    if (++shared->solved >> shared->known_bits &&
        shared->known_bits < KNOWN_BITS)
        make_known(shared, KNOWN_BITS);
    known = find_solution(shared);
    known->key = shared->key;
    solve(shared, known->bytes_per_s);
    return known->bytes_per_s;
}

static inline const double *share_links(struct shared *shared)
{
    const struct solution *known = find_solution(shared);

    return shared->count > shared->known_flows || known->key != shared->key
               ? share_anew(shared)
               : known->bytes_per_s;
}

/* @ns >= 0, rounded up; without a call, as ceil() would be. */
static orr_time round_up(double ns)
{
    orr_time below = (orr_time)ns;

    return below + ((double)below < ns);
}

/* Shares the links anew and schedules the first end that follows. */
static void reshare(struct shared *shared)
{
    struct orr_engine *engine = &shared->run->engine;
    const double *bytes_per_s;
    double first_s = INFINITY;

    if (shared->count == 0) {
        orr_engine_cancel(engine, &shared->next_end);
        return;
    }
    bytes_per_s = share_links(shared);
    for (unsigned i = 0; i < shared->count; i++) {
        struct moving *moving = &shared->moving[i];
        double left_s = moving->bytes_left / bytes_per_s[i];

        moving->bytes_per_s = bytes_per_s[i];
        first_s = MIN(first_s, left_s);
    }
    first_s = MAX(first_s, 0.0);
    orr_engine_move(engine, engine->now + round_up(first_s * 1e9),
                    &shared->next_end);
}

static void flows_ended(void *arg)
{
    struct shared *shared = arg;
    double elapsed_s = elapse(shared);
    unsigned count = shared->count;
    unsigned ended = 0;

    shared->count = 0;
    shared->key = 0;
    for (unsigned i = 0; i < count; i++) {
        struct moving moving = shared->moving[i];

        moving.bytes_left -= elapsed_s * moving.bytes_per_s;
        if (moving.bytes_left / moving.bytes_per_s < PRECISION_S)
            shared->ended[ended++] = moving.copy;
        else
            append(shared, &moving);
    }
    reshare(shared);
    /* As SimGrid orders simultaneous ends. */
    for (unsigned i = ended; i-- > 0;)
        orr_copy_ended(&shared->run->store, shared->ended[i]);
}

static void latency_passed(void *arg)
{
    struct orr_copy *copy = arg;
    struct shared *shared = (struct shared *)copy->network;
    double elapsed_s = elapse(shared);

    for (unsigned i = 0; i < shared->count; i++) {
        struct moving *moving = &shared->moving[i];

        moving->bytes_left -= elapsed_s * moving->bytes_per_s;
    }
    append(shared, &(struct moving){copy->bytes_left, 0, copy});
    reshare(shared);
}

bool orr_network_shared_is_latency(const struct orr_event *event)
{
    return event->fire == latency_passed;
}

static void carry(struct orr_network *network, struct orr_copy *copy,
                  const struct orr_route *route)
{
    struct orr_engine *engine = &copy->store->run->engine;

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
    g_free(shared->bytes_per_s);
    g_free(shared->ended);
    g_free(shared->moving);
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
    shared->moving = g_new(struct moving, count);
    shared->ended = g_new(struct orr_copy *, count);
    shared->flows = g_new(struct orr_flow *, count);
    shared->bytes_per_s = g_new(double, count);
    shared->route_bits = g_bit_storage(count);
    shared->known_flows = MIN(64 / shared->route_bits, KNOWN_FLOWS);
    make_known(shared, FIRST_KNOWN_BITS);
    return &shared->base;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The simulated executor: kernels take what the performance models say, one
 * after the other on each worker; copies share the links of their routes.
 */
#include "runtime/worker/executor.h"

#include <math.h>
#include <string.h>

#include "runtime/engine/decision.h"
#include "runtime/lockstep/network_lazy.h"
#include "runtime/worker/duration.h"
#include "runtime/worker/worker.h"

/* A flow is over when less than this is left of it, in s at its rate: dates
 * are whole ns. */
#define PRECISION_S 1e-9

/* The weight of flows without latency, as in SimGrid. */
#define WEIGHT_WITHOUT_LATENCY 1.0

/* The kernels queued on one worker. */
struct stream {
    struct sim *sim;
    struct orr_event event; /* the first one ends */
    struct orr_worker *worker;
    struct orr_job *queue[ORR_PIPELINE];
    unsigned count;
    orr_time duration; /* of the first one */
};

/* What copies between two nodes, or by one segment, have in common. */
struct route {
    struct orr_flow flow; /* without a rate */
    orr_time latency;
    double bytes_per_s; /* of the slowest link: what a lone copy gets */
};

/*
 * How the links are shared depends on which routes are in use, and runs use
 * the same few combinations over and over: what was solved is looked up. A
 * small table suffices, each solution replacing the one in its place. The
 * key is the sequence of routes: in another order, rates could differ in
 * their last bit. To clear a table that serves a long run would take a short
 * one longer than all the rest: it begins small, and a larger one takes its
 * place when it has been filled.
 */
enum { FIRST_KNOWN_BITS = 7, KNOWN_BITS = 13, KNOWN_FLOWS = 7 };

struct solution {
    _Alignas(ORR_CACHE_LINE) uint64_t key; /* 0: none yet */
    double bytes_per_s[KNOWN_FLOWS];
};

struct sim {
    struct orr_executor base; /* first */
    struct orr_run *run;
    struct stream *streams; /* by worker */
    size_t route_count;
    struct route *routes; /* [from * node_count + to], then of segments */
    unsigned **links;     /* of the latter */

    /* The copies that are past their latency: one for each route at most. */
    unsigned copy_count;
    struct orr_copy **copies; /* in order of start */
    struct orr_copy **ended;  /* scratch */
    struct orr_flow **flows;  /* scratch */
    uint64_t key;             /* of their routes, if it has room for them */
    orr_time updated;         /* date of bytes_left */
    struct orr_event next_end;

    struct orr_network_lazy
        *traffic; /* in a run by rounds, instead of all that */

    struct orr_share *share;
    unsigned route_bits;    /* of a route in a key */
    unsigned known_flows;   /* that a key has room for */
    unsigned known_bits;    /* log2 of how many there may be */
    unsigned solved;        /* since the table is that large */
    struct solution *known; /* by hash of the key */
};

/* The duration of the first kernel of @stream, not rounded if it is a mean. */
static double exact(const struct stream *stream)
{
    const struct orr_kernel *kernel = stream->queue[0]->kernel;
    unsigned device = stream->worker->device;

    return stream->duration == kernel->means[device]
               ? kernel->means_s[device]
               : orr_time_to_seconds(stream->duration);
}

static void run_first(struct stream *stream)
{
    struct orr_engine *engine = &stream->sim->run->engine;

    stream->duration = orr_duration_of(stream->sim->run, stream->queue[0],
                                       stream->worker->device);
    /* As SimGrid orders simultaneous ends: not as those of sleeps. */
    if (G_UNLIKELY(engine->by_rounds)) {
        orr_engine_at_seconds(engine, engine->seconds + exact(stream),
                              &stream->event);
        return;
    }
    orr_engine_at_via(engine, engine->now + stream->duration, engine->now,
                      &stream->event);
}

static void kernel_ended(void *arg)
{
    struct stream *stream = arg;
    struct orr_job *job = stream->queue[0];
    orr_time duration = stream->duration;

    stream->count--;
    for (unsigned i = 0; i < stream->count; i++)
        stream->queue[i] = stream->queue[i + 1];
    if (stream->count > 0)
        run_first(stream);
    orr_worker_kernel_ended(stream->worker, job, duration);
}

static void sim_kernel(struct orr_executor *executor, struct orr_worker *worker,
                       struct orr_job *job)
{
    struct sim *sim = (struct sim *)executor;
    struct stream *stream = &sim->streams[worker->index];

    g_assert(stream->count < ORR_PIPELINE);
    stream->queue[stream->count++] = job;
    if (stream->count == 1)
        run_first(stream);
}

/* Brings bytes_left of all flows up to now. */
static void advance(struct sim *sim)
{
    orr_time now = sim->run->engine.now;
    double elapsed_s = orr_time_to_seconds(now - sim->updated);

    sim->updated = now;
    for (unsigned i = 0; i < sim->copy_count; i++) {
        struct orr_copy *copy = sim->copies[i];

        copy->bytes_left -= elapsed_s * copy->flow.bytes_per_s;
    }
}

static double seconds_left(const struct orr_copy *copy)
{
    return copy->bytes_left / copy->flow.bytes_per_s;
}

static void solve(struct sim *sim)
{
    for (unsigned i = 0; i < sim->copy_count; i++)
        sim->flows[i] = &sim->copies[i]->flow;
    orr_share_solve(sim->share, sim->flows, sim->copy_count);
}

static void append_copy(struct sim *sim, struct orr_copy *copy)
{
    g_assert(sim->copy_count < sim->route_count);
    sim->copies[sim->copy_count++] = copy;
    sim->key = sim->key << sim->route_bits | (copy->route + 1);
}

/* Where the solution for the flows there are is, or will be. */
static struct solution *find_solution(const struct sim *sim)
{
    /* Fibonacci hashing (Knuth, TAOCP 3, section 6.4). */
    return &sim->known[sim->key * 0x9e3779b97f4a7c15u >>
                       (64 - sim->known_bits)];
}

/* What a smaller table held is soon solved again. */
static void make_known(struct sim *sim, unsigned bits)
{
    size_t bytes = sizeof(*sim->known) << bits;

    free(sim->known);
    sim->known = aligned_alloc(ORR_CACHE_LINE, bytes);
    if (!sim->known)
        g_error("out of memory: %zu bytes", bytes);
    memset(sim->known, 0, bytes);
    sim->known_bits = bits;
    sim->solved = 0;
}

/* Gives the flows their rates. */
static void share_links(struct sim *sim)
{
    struct solution *known = find_solution(sim);

    if (sim->copy_count > sim->known_flows) {
        solve(sim);
        return;
    }
    if (known->key == sim->key) {
        for (unsigned i = 0; i < sim->copy_count; i++)
            sim->copies[i]->flow.bytes_per_s = known->bytes_per_s[i];
        return;
    }
    solve(sim);
    if (++sim->solved >> sim->known_bits && sim->known_bits < KNOWN_BITS) {
        make_known(sim, KNOWN_BITS);
        known = find_solution(sim);
    }
    known->key = sim->key;
    for (unsigned i = 0; i < sim->copy_count; i++)
        known->bytes_per_s[i] = sim->copies[i]->flow.bytes_per_s;
}

/* Shares the links anew and schedules the first end that follows. */
static void reshare(struct sim *sim)
{
    struct orr_engine *engine = &sim->run->engine;
    double first_s = INFINITY;

    if (sim->copy_count == 0) {
        orr_engine_cancel(engine, &sim->next_end);
        return;
    }
    share_links(sim);
    for (unsigned i = 0; i < sim->copy_count; i++) {
        double left_s = seconds_left(sim->copies[i]);

        first_s = MIN(first_s, left_s);
    }
    first_s = MAX(first_s, 0.0);
    orr_engine_move(engine, engine->now + (orr_time)ceil(first_s * 1e9),
                    &sim->next_end);
}

static void flows_ended(void *arg)
{
    struct sim *sim = arg;
    unsigned count = sim->copy_count;
    unsigned ended = 0;

    advance(sim);
    sim->copy_count = 0;
    sim->key = 0;
    for (unsigned i = 0; i < count; i++) {
        struct orr_copy *copy = sim->copies[i];

        if (seconds_left(copy) < PRECISION_S)
            sim->ended[ended++] = copy;
        else
            append_copy(sim, copy);
    }
    reshare(sim);
    /* As SimGrid orders simultaneous ends. */
    for (unsigned i = ended; i-- > 0;)
        orr_copy_ended(sim->run, sim->ended[i]);
}

static void latency_passed(void *arg)
{
    struct orr_copy *copy = arg;
    struct sim *sim = (struct sim *)copy->run->executor;

    advance(sim);
    append_copy(sim, copy);
    reshare(sim);
}

static void copy_by_rounds(struct sim *sim, const struct route *route,
                           struct orr_copy *copy)
{
    double latency = orr_time_to_seconds(route->latency);

    copy->penalty = latency > 0 && sim->run->switches.sharing_weighted
                        ? latency
                        : WEIGHT_WITHOUT_LATENCY;
    orr_network_lazy_carry(sim->traffic, copy, latency);
}

static void settle(void *settler)
{
    orr_network_lazy_settle(((struct sim *)settler)->traffic);
}

static void crude_copy_ended(void *arg)
{
    struct orr_copy *copy = arg;

    orr_copy_ended(copy->run, copy);
}

/* The segment that says how long @copy takes, if one does. */
static const struct orr_pitch_segment *find_segment(const struct sim *sim,
                                                    const struct orr_copy *copy)
{
    const struct orr_platform *platform = sim->run->platform;
    const struct orr_pitch_copy question = {
        .from = copy->from,
        .to = copy->to,
        .bytes = copy->bytes,
        .pitch_bytes = copy->from == ORR_RAM || copy->to == ORR_RAM
                           ? copy->request->data->pitch_bytes
                           : 0,
    };

    return orr_pitch_find(platform->segments, platform->segment_count,
                          &question);
}

/* Which of the routes @copy takes: that of a segment or the plain one. */
static void choose_route(const struct sim *sim, struct orr_copy *copy)
{
    const struct orr_run *run = sim->run;
    const struct orr_platform *platform = run->platform;
    const struct orr_pitch_segment *segment = NULL;
    size_t pairs = (size_t)run->node_count * run->node_count;

    if (run->switches.pitch && platform->segment_count > 0)
        segment = find_segment(sim, copy);
    copy->by_segment = segment != NULL;
    copy->route = segment ? pairs + (size_t)(segment - platform->segments)
                          : copy->from * run->node_count + copy->to;
}

static void sim_copy(struct orr_executor *executor, struct orr_copy *copy)
{
    struct sim *sim = (struct sim *)executor;
    struct orr_run *run = sim->run;
    const struct route *route;
    orr_time delay;

    choose_route(sim, copy);
    route = &sim->routes[copy->route];
    delay = route->latency;
    copy->flow = route->flow;
    copy->bytes_left = (double)copy->bytes;
    copy->event = (struct orr_event){.fire = latency_passed, .arg = copy};
    if (!run->switches.network_full) {
        copy->event.fire = crude_copy_ended;
        delay += orr_time_from_seconds(copy->bytes_left / route->bytes_per_s);
    }
    if (sim->traffic && run->switches.network_full) {
        copy_by_rounds(sim, route, copy);
        return;
    }
    orr_engine_at(&run->engine, run->engine.now + delay, &copy->event);
}

static bool sim_touches(const struct orr_event *event, uint64_t *objects)
{
    *objects = event->fire == latency_passed ? ORR_TOUCH_SHARES : 0;
    return *objects || orr_copy_is_start(event);
}

static void sim_free(struct orr_executor *executor)
{
    struct sim *sim = (struct sim *)executor;

    orr_network_lazy_free(sim->traffic);
    orr_share_free(sim->share);
    free(sim->known);
    g_free(sim->flows);
    g_free(sim->ended);
    g_free(sim->copies);
    for (unsigned i = 0; i < sim->run->platform->segment_count; i++)
        g_free(sim->links[i]);
    g_free(sim->links);
    g_free(sim->routes);
    g_free(sim->streams);
    g_free(sim);
}

static void make_streams(struct sim *sim)
{
    struct orr_run *run = sim->run;

    sim->streams = g_new0(struct stream, run->worker_count);
    for (unsigned i = 0; i < run->worker_count; i++) {
        sim->streams[i] = (struct stream){
            .sim = sim,
            .event = {.fire = kernel_ended, .arg = &sim->streams[i]},
            .worker = run->workers[i],
        };
    }
}

static void init_route(struct route *route, const struct orr_run *run,
                       const struct orr_platform_route *model)
{
    const struct orr_platform_link *links = run->platform->links;

    route->bytes_per_s = INFINITY;
    for (unsigned i = 0; i < model->count; i++) {
        const struct orr_platform_link *link = &links[model->links[i]];

        route->latency += link->latency;
        route->bytes_per_s = MIN(route->bytes_per_s, link->bytes_per_s);
    }
    route->flow = (struct orr_flow){
        .links = model->links,
        .count = model->count,
        .weight = route->latency > 0 && run->switches.sharing_weighted
                      ? 1 / orr_time_to_seconds(route->latency)
                      : WEIGHT_WITHOUT_LATENCY,
    };
}

/*
 * A copy that has a segment crosses its route and a link of its own besides,
 * as wide as the segment says: only one copy at a time has it.
 */
static void init_segment_route(struct sim *sim, unsigned number)
{
    const struct orr_run *run = sim->run;
    const struct orr_platform *platform = run->platform;
    const struct orr_pitch_segment *segment = &platform->segments[number];
    unsigned nodes = run->node_count;
    struct route *route = &sim->routes[nodes * nodes + number];
    unsigned *links;

    if (segment->from >= nodes || segment->to >= nodes)
        return; /* of a GPU that is not in use */
    *route = sim->routes[segment->from * nodes + segment->to];
    links = g_new(unsigned, route->flow.count + 1);
    memcpy(links, route->flow.links, route->flow.count * sizeof(*links));
    links[route->flow.count] = platform->link_count + number;
    sim->links[number] = links;
    route->flow.links = links;
    route->flow.count++;
    route->latency = segment->latency;
    route->bytes_per_s = MIN(route->bytes_per_s, segment->bytes_per_s);
}

static void make_routes(struct sim *sim)
{
    const struct orr_run *run = sim->run;
    unsigned nodes = run->node_count;
    unsigned segments = run->platform->segment_count;
    size_t count = (size_t)nodes * nodes + segments;

    sim->route_count = count;
    sim->routes = g_new0(struct route, count);
    for (unsigned from = 0; from < nodes; from++) {
        for (unsigned to = 0; to < nodes; to++)
            init_route(&sim->routes[from * nodes + to], run,
                       orr_platform_route(run->platform, from, to));
    }
    sim->links = g_new0(unsigned *, segments);
    for (unsigned i = 0; i < segments; i++)
        init_segment_route(sim, i);
    sim->copies = g_new(struct orr_copy *, count);
    sim->ended = g_new(struct orr_copy *, count);
    sim->flows = g_new(struct orr_flow *, count);
    sim->route_bits = g_bit_storage(count);
    sim->known_flows = MIN(64 / sim->route_bits, KNOWN_FLOWS);
    make_known(sim, FIRST_KNOWN_BITS);
}

static void make_links(struct sim *sim)
{
    const struct orr_platform *platform = sim->run->platform;
    struct orr_engine *engine = &sim->run->engine;
    unsigned count = platform->link_count + platform->segment_count;
    double *capacities = g_new(double, count);

    for (unsigned i = 0; i < platform->link_count; i++)
        capacities[i] = platform->links[i].bytes_per_s;
    for (unsigned i = 0; i < platform->segment_count; i++)
        capacities[platform->link_count + i] =
            platform->segments[i].bytes_per_s;
    sim->share = orr_share_new(count, capacities);
    if (engine->by_rounds) {
        sim->traffic = orr_network_lazy_new(engine, count, capacities);
        engine->settle = settle;
        engine->settler = sim;
    }
    g_free(capacities);
}

struct orr_executor *orr_executor_sim_new(struct orr_run *run)
{
    struct sim *sim = g_new0(struct sim, 1);

    sim->base = (struct orr_executor){
        .kernel = sim_kernel,
        .copy = sim_copy,
        .touches = sim_touches,
        .free = sim_free,
    };
    sim->run = run;
    sim->next_end = (struct orr_event){.fire = flows_ended, .arg = sim};
    make_links(sim);
    make_streams(sim);
    make_routes(sim);
    return &sim->base;
}

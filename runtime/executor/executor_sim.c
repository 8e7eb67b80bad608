/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The simulated executor: kernels take the time that the performance models
 * say, one after the other on each worker; copies share the links of their
 * routes.
 */
#include "runtime/executor/executor_sim.h"

#include <math.h>
#include <string.h>

#include "runtime/engine/decision.h"
#include "runtime/executor/duration.h"
#include "runtime/executor/network.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* The kernels queued on one worker. */
struct stream {
    struct sim *sim;
    struct orr_event event; /* the first one ends */
    struct orr_worker *worker;
    /* tasks of the kernels; the first is NULL if its kernel is detached */
    struct orr_job *queue[ORR_MAX_PIPELINE];
    unsigned first, count;
    struct orr_kernel *kernel; /* the first kernel */
    orr_time duration;         /* its duration */
    bool is_metered; /* its energy is measured: not if no figures were known
                        when it started */
};

struct sim {
    struct orr_executor base; /* first */
    struct orr_run *run;
    struct stream *streams;   /* streams of kernels, by worker */
    struct orr_route *routes; /* [from * node_count + to], then of segments */
    unsigned **links;         /* of the latter */
    struct orr_network *network;
};

/* The duration of the first kernel of @stream, not rounded if it is a mean. */
static double exact(const struct stream *stream)
{
    unsigned device = stream->worker->device;

    return stream->duration == stream->kernel->means[device]
               ? stream->kernel->means_s[device]
               : orr_time_to_seconds(stream->duration);
}

/* Most runs take the mean, without a call. */
static orr_time duration_of_first(const struct stream *stream)
{
    struct orr_run *run = stream->sim->run;
    const struct orr_job *job = stream->queue[stream->first];
    unsigned device = stream->worker->device;
    const struct orr_kernel *kernel = stream->kernel;
    orr_time duration;

    if (orr_job_calls_kernel(job) && orr_job_ending(job)->calls->takes > 0)
        return orr_job_ending(job)->calls->takes - 1;
    if (G_UNLIKELY(kernel->joules))
        return kernel->by_implementation[orr_job_cost(kernel, job,
                                                      stream->worker->index)];
    duration =
        run->switches.durations == ORR_DURATIONS_MEAN && !run->engine.decider
            ? kernel->means[device]
            : orr_duration_of(run, job, device);
    return G_UNLIKELY(kernel->factors)
               ? orr_duration_scale(duration,
                                    kernel->factors[stream->worker->index])
               : duration;
}

static void run_first(struct stream *stream)
{
    struct orr_run *run = stream->sim->run;
    const struct orr_job *job = stream->queue[stream->first];

    stream->kernel = orr_job_kernel(&run->graph, job);
    stream->duration = duration_of_first(stream);
    stream->is_metered = run->energy.known;
    if (stream->is_metered)
        orr_energy_begin(run, job, stream->worker, stream->duration);
    orr_engine_at_end(&run->engine, stream->duration, exact(stream),
                      &stream->event);
}

static void kernel_ended(void *arg)
{
    struct stream *stream = arg;
    struct orr_job *job = stream->queue[stream->first];
    orr_time duration = stream->duration;

    if (stream->is_metered)
        orr_energy_end(stream->sim->run, stream->kernel, stream->worker);
    stream->first = (stream->first + 1) % ORR_MAX_PIPELINE;
    stream->count--;
    if (stream->count > 0)
        run_first(stream);
    if (G_LIKELY(job))
        orr_worker_kernel_ended(stream->worker, job, duration);
    else
        orr_worker_signal_end(stream->worker);
}

static void sim_kernel(struct orr_executor *executor, struct orr_worker *worker,
                       struct orr_job *job)
{
    struct sim *sim = (struct sim *)executor;
    struct stream *stream = &sim->streams[worker->index];

    g_assert(stream->count < ORR_MAX_PIPELINE);
    stream->queue[(stream->first + stream->count++) % ORR_MAX_PIPELINE] = job;
    if (stream->count == 1)
        run_first(stream);
}

static bool sim_detach(struct orr_executor *executor, struct orr_worker *worker)
{
    struct sim *sim = (struct sim *)executor;
    struct stream *stream = &sim->streams[worker->index];

    if (stream->count > 1)
        return false;
    orr_worker_kernel_detached(worker, stream->queue[stream->first],
                               stream->duration);
    stream->queue[stream->first] = NULL;
    return true;
}

static void crude_copy_ended(void *arg)
{
    struct orr_copy *copy = arg;

    orr_copy_ended(copy->store, copy);
}

/* The segment from which the time of @copy follows, or NULL. */
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

/* Chooses the route of @copy: the route of a segment, or the plain one. */
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

/* The time that @bytes take if nothing else crosses the links of @route. */
static orr_time alone(const struct orr_route *route, double bytes)
{
    return route->latency + orr_time_from_seconds(bytes / route->bytes_per_s);
}

/* One link for each pair of nodes, and no contention. */
static void copy_crudely(struct sim *sim, const struct orr_route *route,
                         struct orr_copy *copy)
{
    struct orr_engine *engine = &sim->run->engine;
    orr_time delay = alone(route, copy->bytes_left);

    copy->event = (struct orr_event){.fire = crude_copy_ended, .arg = copy};
    orr_engine_at(engine, engine->now + delay, &copy->event);
}

static void sim_copy(struct orr_executor *executor, struct orr_copy *copy)
{
    struct sim *sim = (struct sim *)executor;
    const struct orr_route *route;

    choose_route(sim, copy);
    route = &sim->routes[copy->route];
    copy->flow = route->flow;
    copy->bytes_left = (double)copy->bytes;
    if (G_UNLIKELY(sim->run->energy.links))
        orr_energy_copy(sim->run, route->flow.links,
                        route->flow.count - copy->by_segment,
                        (double)copy->bytes);
    if (sim->run->switches.network_full)
        sim->network->carry(sim->network, copy, route);
    else
        copy_crudely(sim, route, copy);
}

static void sim_path(struct orr_executor *executor, const struct orr_copy *copy,
                     struct orr_copy_path *path)
{
    const struct sim *sim = (struct sim *)executor;
    const struct orr_route *route = &sim->routes[copy->route];

    *path = (struct orr_copy_path){
        .alone_ns = alone(route, (double)copy->bytes),
        /* The last link of a route by a segment stands for that segment. */
        .count = route->flow.count - copy->by_segment,
        .links = route->flow.links,
    };
}

static bool sim_touches(const struct orr_event *event, uint64_t *objects)
{
    *objects = orr_network_shared_is_latency(event) ? ORR_TOUCH_SHARES : 0;
    return *objects || orr_copy_is_start(event);
}

static void sim_free(struct orr_executor *executor)
{
    struct sim *sim = (struct sim *)executor;

    sim->network->free(sim->network);
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

static void init_route(struct orr_route *route, const struct orr_run *run,
                       const struct orr_platform_route *model)
{
    const struct orr_platform_link *links = run->platform->links;
    double delay_s = 0;

    route->bytes_per_s = INFINITY;
    for (unsigned i = 0; i < model->count; i++) {
        const struct orr_platform_link *link = &links[model->links[i]];

        route->latency += link->latency;
        delay_s += link->delay_s;
        route->bytes_per_s = MIN(route->bytes_per_s, link->bytes_per_s);
    }
    delay_s += orr_time_to_seconds(route->latency);
    route->penalty_s = delay_s > 0 && run->switches.sharing_weighted
                           ? delay_s
                           : ORR_PENALTY_WITHOUT_LATENCY;
    route->flow = (struct orr_flow){
        .links = model->links,
        .count = model->count,
        .weight = 1 / route->penalty_s,
    };
}

/* A copy with a segment crosses, beside its route, a link with the bandwidth of
 * the segment. Only one copy at a time crosses that link. */
static void init_segment_route(struct sim *sim, unsigned number)
{
    const struct orr_run *run = sim->run;
    const struct orr_platform *platform = run->platform;
    const struct orr_pitch_segment *segment = &platform->segments[number];
    unsigned nodes = run->node_count;
    struct orr_route *route = &sim->routes[nodes * nodes + number];
    unsigned *links;

    if (segment->from >= nodes || segment->to >= nodes)
        return; /* the route belongs to a GPU that is not in use */
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

    sim->routes = g_new0(struct orr_route, count);
    for (unsigned from = 0; from < nodes; from++) {
        for (unsigned to = 0; to < nodes; to++)
            init_route(&sim->routes[from * nodes + to], run,
                       orr_platform_route(run->platform, from, to));
    }
    sim->links = g_new0(unsigned *, segments);
    for (unsigned i = 0; i < segments; i++)
        init_segment_route(sim, i);
}

static void make_network(struct sim *sim)
{
    struct orr_run *run = sim->run;
    const struct orr_platform *platform = run->platform;
    unsigned count = platform->link_count + platform->segment_count;
    g_autofree double *capacities = g_new(double, count);
    struct orr_links links = {
        .link_count = count,
        .bytes_per_s = capacities,
        .route_count =
            (size_t)run->node_count * run->node_count + platform->segment_count,
    };

    for (unsigned i = 0; i < platform->link_count; i++)
        capacities[i] = platform->links[i].bytes_per_s;
    for (unsigned i = 0; i < platform->segment_count; i++)
        capacities[platform->link_count + i] =
            platform->segments[i].bytes_per_s;
    sim->network = run->turns->network(run, &links);
}

struct orr_executor *orr_executor_sim_new(struct orr_run *run)
{
    struct sim *sim = g_new0(struct sim, 1);

    sim->base = (struct orr_executor){
        .kernel = sim_kernel,
        .detach = sim_detach,
        .copy = sim_copy,
        .path = sim_path,
        .touches = sim_touches,
        .free = sim_free,
    };
    sim->run = run;
    make_network(sim);
    make_streams(sim);
    make_routes(sim);
    return &sim->base;
}

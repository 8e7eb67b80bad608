/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The simulated executor: kernels take what the performance models say, one
 * after the other on each worker; copies share the links of their routes.
 */
#include "runtime/executor.h"

#include <math.h>

#include "runtime/run.h"
#include "runtime/worker.h"

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
};

struct sim {
    struct orr_executor base; /* first */
    struct orr_run *run;
    struct stream *streams; /* by worker */

    /* The copies that are past their latency. */
    struct orr_share *share;
    GPtrArray *copies;       /* in order of start */
    struct orr_flow **flows; /* theirs; as many as the array can hold */
    size_t flow_room;
    orr_time updated; /* date of bytes_left */
    struct orr_event next_end;
};

static void run_first(struct stream *stream)
{
    struct orr_engine *engine = &stream->sim->run->engine;
    const struct orr_kernel *kernel = stream->queue[0]->kernel;
    orr_time duration = kernel->durations[stream->worker->device];

    orr_engine_at(engine, engine->now + duration, &stream->event);
}

static void kernel_ended(void *arg)
{
    struct stream *stream = arg;
    struct orr_job *job = stream->queue[0];

    stream->count--;
    for (unsigned i = 0; i < stream->count; i++)
        stream->queue[i] = stream->queue[i + 1];
    if (stream->count > 0)
        run_first(stream);
    orr_worker_kernel_ended(stream->worker, job);
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
    for (unsigned i = 0; i < sim->copies->len; i++) {
        struct orr_copy *copy = g_ptr_array_index(sim->copies, i);

        copy->bytes_left -= elapsed_s * copy->flow.bytes_per_s;
    }
}

static double seconds_left(const struct orr_copy *copy)
{
    return copy->bytes_left / copy->flow.bytes_per_s;
}

/* Shares the links anew and schedules the first end that follows. */
static void reshare(struct sim *sim)
{
    struct orr_engine *engine = &sim->run->engine;
    double first_s = INFINITY;

    orr_engine_cancel(engine, &sim->next_end);
    if (sim->copies->len == 0)
        return;
    if (sim->flow_room < sim->copies->len) {
        sim->flow_room = 2 * (size_t)sim->copies->len;
        sim->flows = g_renew(struct orr_flow *, sim->flows, sim->flow_room);
    }
    for (unsigned i = 0; i < sim->copies->len; i++) {
        struct orr_copy *copy = g_ptr_array_index(sim->copies, i);

        sim->flows[i] = &copy->flow;
    }
    orr_share_solve(sim->share, sim->flows, sim->copies->len);
    for (unsigned i = 0; i < sim->copies->len; i++)
        first_s = MIN(first_s, seconds_left(g_ptr_array_index(sim->copies, i)));
    first_s = MAX(first_s, 0.0);
    orr_engine_at(engine, engine->now + (orr_time)ceil(first_s * 1e9),
                  &sim->next_end);
}

static void flows_ended(void *arg)
{
    struct sim *sim = arg;
    g_autoptr(GPtrArray) ended = g_ptr_array_new();
    unsigned kept = 0;

    advance(sim);
    for (unsigned i = 0; i < sim->copies->len; i++) {
        struct orr_copy *copy = g_ptr_array_index(sim->copies, i);

        if (seconds_left(copy) < PRECISION_S)
            g_ptr_array_add(ended, copy);
        else
            g_ptr_array_index(sim->copies, kept++) = copy;
    }
    g_ptr_array_set_size(sim->copies, (gint)kept);
    reshare(sim);
    for (unsigned i = 0; i < ended->len; i++)
        orr_copy_ended(sim->run, g_ptr_array_index(ended, i));
}

static void latency_passed(void *arg)
{
    struct orr_copy *copy = arg;
    struct sim *sim = (struct sim *)copy->request->run->executor;

    advance(sim);
    g_ptr_array_add(sim->copies, copy);
    reshare(sim);
}

static void crude_copy_ended(void *arg)
{
    struct orr_copy *copy = arg;

    orr_copy_ended(copy->request->run, copy);
}

/* Duration without contention of a copy by its slowest link. */
static orr_time lone_duration(const struct orr_platform *platform,
                              const struct orr_platform_route *route,
                              uint64_t bytes)
{
    double slowest = INFINITY;

    for (unsigned i = 0; i < route->count; i++)
        slowest = MIN(slowest, platform->links[route->links[i]].bytes_per_s);
    return orr_time_from_seconds((double)bytes / slowest);
}

static void sim_copy(struct orr_executor *executor, struct orr_copy *copy)
{
    struct sim *sim = (struct sim *)executor;
    struct orr_run *run = sim->run;
    const struct orr_platform_route *route =
        orr_platform_route(run->platform, copy->from, copy->to);
    orr_time delay = 0;

    for (unsigned i = 0; i < route->count; i++)
        delay += run->platform->links[route->links[i]].latency;
    copy->flow = (struct orr_flow){
        .links = route->links,
        .count = route->count,
        .weight = delay > 0 && run->switches.sharing_weighted
                      ? 1 / orr_time_to_seconds(delay)
                      : WEIGHT_WITHOUT_LATENCY,
    };
    copy->bytes_left = (double)copy->bytes;
    copy->event = (struct orr_event){.fire = latency_passed, .arg = copy};
    if (!run->switches.network_full) {
        copy->event.fire = crude_copy_ended;
        delay += lone_duration(run->platform, route, copy->bytes);
    }
    orr_engine_at(&run->engine, run->engine.now + delay, &copy->event);
}

static void sim_free(struct orr_executor *executor)
{
    struct sim *sim = (struct sim *)executor;

    orr_share_free(sim->share);
    g_ptr_array_unref(sim->copies);
    g_free(sim->flows);
    g_free(sim->streams);
    g_free(sim);
}

static struct orr_share *share_links(const struct orr_platform *platform)
{
    g_autofree double *capacities = g_new(double, platform->link_count);

    for (unsigned i = 0; i < platform->link_count; i++)
        capacities[i] = platform->links[i].bytes_per_s;
    return orr_share_new(platform->link_count, capacities);
}

struct orr_executor *orr_executor_sim_new(struct orr_run *run)
{
    struct sim *sim = g_new0(struct sim, 1);

    sim->base = (struct orr_executor){
        .kernel = sim_kernel,
        .copy = sim_copy,
        .free = sim_free,
    };
    sim->run = run;
    sim->streams = g_new0(struct stream, run->worker_count);
    for (unsigned i = 0; i < run->worker_count; i++) {
        sim->streams[i] = (struct stream){
            .sim = sim,
            .event = {.fire = kernel_ended, .arg = &sim->streams[i]},
            .worker = run->workers[i],
        };
    }
    sim->share = share_links(run->platform);
    sim->copies = g_ptr_array_new();
    sim->next_end = (struct orr_event){.fire = flows_ended, .arg = sim};
    return &sim->base;
}

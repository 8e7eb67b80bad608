/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/interleaving.h"

#include "runtime/lockstep/helper.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/lockstep/queue_scan.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"
#include "runtime/worker/progress.h"
#include "runtime/worker/worker.h"

static void signal_node(struct orr_run *run, unsigned node)
{
    if (node != ORR_RAM) {
        orr_actor_signal_at_once(&run->workers[node - 1]->actor);
        return;
    }
    for (unsigned i = 0; i < run->worker_count; i++)
        orr_actor_signal_at_once(&run->workers[i]->actor);
}

static void wake_node(struct orr_run *run, unsigned node)
{
    if (node != ORR_RAM) {
        run->workers[node - 1]->woken = true;
    } else {
        for (unsigned i = 0; i < run->worker_count; i++)
            run->workers[i]->woken = true;
    }
    signal_node(run, node);
}

static void count_buffer(struct orr_worker *worker)
{
    worker->buffers_arrived++;
    signal_node(worker->run, worker->device);
}

/* RAM is driven by all workers. */
static unsigned first_driver(unsigned node)
{
    return node == ORR_RAM ? 0 : node - 1;
}

static unsigned end_of_drivers(const struct orr_run *run, unsigned node)
{
    return node == ORR_RAM ? run->worker_count : node;
}

/* The lock of a list, in it those of the conditions one after the other
 * (StarPU, memory_nodes.c: wake_all_blocked_workers_on_node()). */
static void signal_node_in_turn(struct orr_run *run, unsigned node)
{
    orr_engine_take(&run->engine, &run->shared.nodes[node]);
    for (unsigned i = first_driver(node); i < end_of_drivers(run, node); i++)
        orr_actor_signal_in_turn(&run->workers[i]->actor);
    orr_engine_give(&run->engine, &run->shared.nodes[node]);
}

static void note_arrival(void *arg)
{
    struct orr_worker *worker = arg;

    worker->woken = true;
    orr_worker_state_tell(worker);
}

/* In the same way, the lock of each one's state first. */
static void wake_node_in_turn(struct orr_run *run, unsigned node)
{
    struct orr_engine *engine = &run->engine;

    orr_engine_take(engine, &run->shared.common[ORR_LOCK_DRIVERS]);
    for (unsigned i = first_driver(node); i < end_of_drivers(run, node); i++) {
        struct orr_worker *worker = run->workers[i];

        if (&worker->actor == engine->acting) {
            worker->woken = true;
            continue;
        }
        orr_engine_take(engine, &worker->lock);
        orr_engine_do(engine, note_arrival, worker);
        orr_engine_spend(engine, 1);
        orr_engine_give(engine, &worker->lock);
    }
    orr_engine_give(engine, &run->shared.common[ORR_LOCK_DRIVERS]);
    signal_node_in_turn(run, node);
}

static void post(struct orr_run *run, struct orr_request *request)
{
    orr_request_append(request);
    wake_node(run, request->node);
}

static void append(void *arg)
{
    orr_request_append(arg);
}

/* Operations: the lock of a list of requests. */
enum { POST = 2 };

static void post_in_turn(struct orr_run *run, struct orr_request *request)
{
    orr_engine_do(&run->engine, append, request);
    orr_engine_spend(&run->engine, POST);
    wake_node_in_turn(run, request->node);
}

static void note_buffer(void *arg)
{
    ((struct orr_worker *)arg)->buffers_arrived++;
}

static void count_buffer_in_turn(struct orr_worker *worker)
{
    orr_engine_do(&worker->run->engine, note_buffer, worker);
    signal_node_in_turn(worker->run, worker->device);
}

static bool wake_in_turn(struct orr_worker *worker)
{
    bool first = orr_worker_note_wake(worker);

    orr_actor_signal_in_turn(&worker->actor);
    return first;
}

static const struct orr_interleaving plain = {
    .cpu_loop = orr_worker_cpu,
    .gpu_loop = orr_worker_gpu,
    .call_turn = orr_progress_once,
    .wake_node = wake_node,
    .signal_node = signal_node,
    .post = post,
    .buffer_arrived = count_buffer,
    .wake = orr_worker_wake,
};

static const struct orr_interleaving by_rounds = {
    .cpu_loop = orr_worker_cpu_by_rounds,
    .gpu_loop = orr_worker_gpu_by_rounds,
    .call_turn = orr_progress_once_by_rounds,
    .wake_node = wake_node_in_turn,
    .signal_node = signal_node_in_turn,
    .post = post_in_turn,
    .buffer_arrived = count_buffer_in_turn,
    .wake = wake_in_turn,
};

/* Whether pushes and pops of @policy are known operation by operation: it has
 * no other way of letting others go first. */
static bool is_known(const struct orr_sched_ops *policy)
{
    return (policy->central || policy->steal) && !policy->place &&
           !policy->pushed && !policy->prefetches && !policy->concurrent;
}

/* Whether it matters enough who comes first at one date. */
static bool is_worth_it(const struct orr_run *run)
{
    return run->switches.quirks == ORR_QUIRKS_EXACT ||
           (run->switches.quirks == ORR_QUIRKS_ON &&
            run->worker_count > run->gpu_count);
}

static bool goes_by_rounds(const struct orr_run *run)
{
    return is_worth_it(run) && run->switches.overheads &&
           is_known(run->policy) && !run->engine.decider;
}

void orr_interleaving_choose(struct orr_run *run)
{
    run->interleaving = &plain;
    if (!goes_by_rounds(run))
        return;
    run->interleaving = &by_rounds;
    orr_engine_begin_rounds(&run->engine);
    orr_queue_scan_init(run);
    orr_actor_in_turns(&run->main);
    for (unsigned i = 0; i < run->worker_count; i++)
        orr_actor_in_turns(&run->workers[i]->actor);
}

void orr_interleaving_clear(struct orr_run *run)
{
    orr_queue_scan_clear(run);
    orr_actor_clear_account(&run->main);
    orr_helpers_clear(run);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The run as host of its policy: the answers behind sched.h. */
#include "models/base/error.h"
#include "models/base/source_line.h"
#include "runtime/data/access_hit.h"
#include "runtime/engine/decision.h"
#include "runtime/run.h"
#include "runtime/worker/accesses.h"
#include "runtime/worker/lock.h"
#include "runtime/worker/preemption.h"
#include "runtime/worker/steps.h"
#include "runtime/worker/worker.h"
#include "runtime/worker/worker_locks.h"

/* Relative speeds where no duration is known (StarPU, perfmodel.h). */
#define CPU_SPEED 0.5
#define GPU_SPEED 13.33

static struct orr_worker *worker_of(void *data, unsigned worker)
{
    struct orr_run *run = data;

    g_assert(worker < run->worker_count);
    return run->workers[worker];
}

static unsigned host_node(void *data, unsigned worker)
{
    return worker_of(data, worker)->device;
}

static double host_speed(void *data, unsigned worker)
{
    return worker_of(data, worker)->device == ORR_RAM ? CPU_SPEED : GPU_SPEED;
}

static unsigned host_socket(void *data, unsigned worker)
{
    const struct orr_run *run = data;
    unsigned device = worker_of(data, worker)->device;

    if (device != ORR_RAM)
        return run->platform->gpus[device - 1].socket;
    return orr_platform_socket(run->platform, run->gpu_count,
                               worker - run->gpu_count);
}

static unsigned host_caller(void *data)
{
    const struct orr_run *run = data;
    const struct orr_actor *acting = run->engine.acting;

    return acting ? acting->index : ORR_NO_WORKER;
}

static const char *host_name(void *data, unsigned worker)
{
    return worker_of(data, worker)->name;
}

/* Unlike host_duration(), does not set asked_durations. */
static bool host_can_run(void *data, const struct orr_task *task,
                         unsigned worker)
{
    return orr_job_runs_on(data, orr_job_of(task),
                           worker_of(data, worker)->index);
}

static bool host_has_code(void *data, const struct orr_task *task,
                          unsigned worker)
{
    struct orr_run *run = data;

    return orr_job_kernel(&run->graph, orr_job_of(task))
               ->durations[worker_of(data, worker)->device] != ORR_NEVER;
}

static orr_time host_duration(void *data, const struct orr_task *task,
                              unsigned worker)
{
    struct orr_run *run = data;
    const struct orr_job *job = orr_job_of(task);

    g_assert(worker < run->worker_count);
    run->policy.asked_durations = true;
    return orr_job_kernel(&run->graph, job)
        ->by_worker[(job->cpu_only ? run->worker_count : 0) + worker];
}

static const orr_time *host_durations(void *data, const struct orr_task *task)
{
    struct orr_run *run = data;
    const struct orr_job *job = orr_job_of(task);

    run->policy.asked_durations = true;
    return orr_job_kernel(&run->graph, job)->by_worker +
           (job->cpu_only ? run->worker_count : 0);
}

static unsigned host_implementations(void *data, const struct orr_task *task,
                                     const orr_time **durations)
{
    struct orr_run *run = data;
    unsigned count;

    run->policy.asked_durations = true;
    *durations = orr_job_durations(run, orr_job_of(task), &count);
    return count;
}

static void host_choose_implementation(void *data, struct orr_task *task,
                                       unsigned implementation)
{
    (void)data;
    orr_active_of(task)->implementation = (uint8_t)implementation;
}

static orr_time host_transfer(void *data, const struct orr_task *task,
                              unsigned node)
{
    struct orr_run *run = data;

    run->policy.asked_transfers = true;
    run->engine.effects |= ORR_EFFECT_RUNTIME;
    return orr_job_transfer(&run->store, orr_job_of(task), node);
}

static void host_transfers(void *data, const struct orr_task *task,
                           uint32_t nodes, orr_time *times)
{
    struct orr_run *run = data;

    run->policy.asked_transfers = true;
    run->engine.effects |= ORR_EFFECT_RUNTIME;
    orr_job_transfers(&run->store, orr_job_of(task), nodes, times);
}

static void host_missing(void *data, const struct orr_task *task, unsigned node,
                         struct orr_missing *missing)
{
    struct orr_run *run = data;

    run->engine.effects |= ORR_EFFECT_RUNTIME;
    orr_active_missing(orr_active_of(task), node, missing);
}

static bool host_access(void *data, const struct orr_task *task, unsigned i,
                        struct orr_task_access *access)
{
    const struct orr_job *job = orr_job_of(task);
    const struct orr_data *datum;
    unsigned mode;

    (void)data;
    if (i >= job->access_count)
        return false;
    datum = orr_access_data(&job->accesses[i]);
    mode = orr_access_mode(&job->accesses[i]);
    *access = (struct orr_task_access){
        .datum = datum->id,
        .bytes = datum->bytes,
        .reads = mode & ORR_R,
        .writes = mode & ORR_W,
    };
    return true;
}

static bool host_has(void *data, uint64_t datum, unsigned node)
{
    struct orr_run *run = data;
    const struct orr_data *of = run->store.data->pdata[datum];

    run->engine.effects |= ORR_EFFECT_RUNTIME;
    return (of->valid | of->awaited) & 1u << node;
}

static orr_time host_load(void *data, uint64_t datum, unsigned node)
{
    struct orr_run *run = data;

    run->policy.asked_transfers = true;
    run->engine.effects |= ORR_EFFECT_RUNTIME;
    return orr_data_load_time(&run->store, run->store.data->pdata[datum], node);
}

static uint64_t host_data_count(void *data)
{
    const struct orr_run *run = data;

    return run->store.data->len;
}

static void host_watch(void *data, struct orr_task *task, unsigned node,
                       struct orr_missing *missing)
{
    struct orr_run *run = data;

    run->engine.effects |= ORR_EFFECT_RUNTIME;
    *missing = orr_job_watch(&run->store, orr_job_of(task), node);
}

static void host_prefetch_cache(void *data, const struct orr_task *task,
                                unsigned node)
{
    (void)data;
    orr_job_prefetch_cache_copies(orr_job_of(task), node);
}

static const struct orr_task *host_successor(void *data,
                                             const struct orr_task *task,
                                             const void **cursor,
                                             unsigned *predecessors)
{
    struct orr_run *run = data;
    const struct orr_job *job = orr_job_of(task);
    const uint32_t *at = *cursor;
    struct orr_job *to;

    run->engine.effects |= ORR_EFFECT_RUNTIME;
    do {
        to = orr_graph_next_successor(&run->graph, job, &at);
    } while (to && to->kind != ORR_JOB_KERNEL);
    *cursor = at;
    if (!to)
        return NULL;
    *predecessors = to->predecessors;
    return orr_job_peek(&run->graph, to);
}

/* Not inline: most data are there already. */
static G_GNUC_NO_INLINE void
prefetch(struct orr_run *run, struct orr_job_access *access, unsigned node)
{
    struct orr_request_spec spec = {
        .data = orr_access_data(access),
        .node = node,
        .mode = orr_access_mode(access),
        .level = ORR_PREFETCH,
        .access = access,
    };

    orr_request_submit(&run->store, &spec);
}

static inline void prefetch_one(struct orr_run *run,
                                struct orr_job_access *access, unsigned node)
{
    struct orr_data *datum = orr_access_data(access);

    if (orr_access_is_hit(datum, node, orr_access_mode(access), ORR_PREFETCH))
        orr_access_hit(&run->store, &run->store.memories[node], access,
                       &datum->copies[node], ORR_PREFETCH);
    else
        prefetch(run, access, node);
}

void orr_access_prefetch(struct orr_run *run, struct orr_job *job,
                         unsigned access, unsigned node)
{
    job->active->prefetched = true;
    prefetch_one(run, &job->accesses[access], node);
}

static void host_prefetch(void *data, struct orr_task *task, unsigned worker)
{
    struct orr_run *run = data;
    struct orr_job *job = orr_job_of(task);
    unsigned node = run->workers[worker]->device;

    run->engine.effects |= ORR_EFFECT_RUNTIME;
    job->active->prefetched = true;
    for (unsigned i = 0; i < job->access_count; i++)
        prefetch_one(run, &job->accesses[i], node);
}

static bool host_wake(void *data, unsigned worker)
{
    struct orr_run *run = data;
    bool slept;

    if (run->policy.ignore_wake_calls)
        return true;
    run->engine.effects |= ORR_EFFECT_RUNTIME;
    if (orr_push_pop_overlap_meets_pop(&run->store,
                                       &run->workers[worker]->actor,
                                       &run->workers[worker]->last_pop))
        return true;
    slept = orr_worker_wake(worker_of(data, worker));
    if (slept) {
        orr_decision_history_add(&run->history, ORR_PAST_WAKE, run->engine.now)
            ->actor = &run->workers[worker]->actor;
        orr_steps_woke(run, run->workers[worker]->name);
    }
    return slept;
}

static bool host_wake_concurrently(void *data, unsigned worker)
{
    struct orr_operation operation = {
        .verb = "wakes",
        .name = worker_of(data, worker)->name,
        .object = worker_of(data, worker),
    };
    bool woke;

    orr_preempt_before(data, &operation);
    worker_of(data, worker)->run->engine.effects |= ORR_EFFECT_RUNTIME;
    orr_accesses_woken(data, worker_of(data, worker));
    woke = orr_worker_wake(worker_of(data, worker));
    if (!woke)
        operation.verb = "tries to wake";
    orr_preempt_after(data, &operation);
    return woke;
}

static unsigned host_choose(void *data, const unsigned *workers, unsigned count)
{
    const struct orr_run *run = data;

    return orr_decide(run->engine.decider, ORR_DECIDE_WAKE, count, workers);
}

static void host_collide(void *data, unsigned worker)
{
    struct orr_worker *collided = worker_of(data, worker);

    collided->run->engine.effects |= ORR_EFFECT_RUNTIME;
    collided->collided = true;
    orr_worker_wake(collided);
}

static void host_fail_check(void *data, char *what)
{
    orr_concurrency_fail_with(data, ORR_ERROR_POLICY_CHECK, what);
}

static void host_fail(void *data, const char *message)
{
    struct orr_run *run = data;

    orr_concurrency_blame(run, ORR_ERROR_POLICY, "%s", message);
    run->ended = true;
    orr_engine_check_soon(&run->engine);
}

bool orr_run_notifies_pinned(const struct orr_run *run)
{
    const struct orr_sched_ops *ops = run->policy.ops;

    return ops->concurrent ? ops->worker_locks : ops->bypassed != NULL;
}

static bool host_in_call(void *data)
{
    return orr_concurrency_caller(data) != NULL;
}

static void host_use_priorities(void *data, int max_priority)
{
    struct orr_run *run = data;

    run->policy.priorities = true;
    run->policy.max_priority = max_priority;
}

static void host_stop(void *data, int code, const char *does)
{
    orr_concurrency_fail_as(data, code, "%s", does);
}

static void host_record_access(void *data, const void *address, size_t bytes,
                               bool writes)
{
    const struct orr_run *run = data;

    if (run->policy.concurrency && run->policy.concurrency->detector)
        orr_accesses_record(address, bytes, writes ? ORR_ACCESS_WRITES : 0,
                            orr_calling_code());
}

void orr_run_host_implementations(struct orr_run *run)
{
    struct orr_sched_host *host =
        run->policy.plain_host ? run->policy.plain_host : &run->policy.host;

    host->implementations = host_implementations;
    host->choose_implementation = host_choose_implementation;
    if (run->policy.plain_host)
        orr_run_host_policy_in_turns(run);
}

void orr_run_host_policy(struct orr_run *run)
{
    run->policy.host = (struct orr_sched_host){
        .workers = run->worker_count,
        .seed = run->seed,
        .data = run,
        .node = host_node,
        .speed = host_speed,
        .socket = host_socket,
        .caller = host_caller,
        .name = host_name,
        .can_run = host_can_run,
        .has_code = host_has_code,
        .buckets = run->policy.buckets,
        .now = &run->engine.now,
        .duration = host_duration,
        .durations = host_durations,
        .weights = &run->policy.weights,
        .transfer = host_transfer,
        .transfers = host_transfers,
        .missing = host_missing,
        .access = host_access,
        .has = host_has,
        .load = host_load,
        .data_count = host_data_count,
        .watch = host_watch,
        .prefetch_cache = host_prefetch_cache,
        .successor = host_successor,
        .prefetch = host_prefetch,
        .wake =
            run->policy.ops->concurrent ? host_wake_concurrently : host_wake,
        .choose = run->engine.decider ? host_choose : NULL,
        .collide = host_collide,
        .fail_check = host_fail_check,
        .fail = host_fail,
        .locks = &orr_policy_lock_ops,
        .worker_locks =
            run->policy.ops->worker_locks ? &orr_policy_worker_lock_ops : NULL,
        .run = run,
        .in_call = host_in_call,
        .use_priorities = host_use_priorities,
        .stop = host_stop,
        .record_access = host_record_access,
    };
    if (run->policy.ops->worker_locks && run->turns->workers.policy)
        orr_run_host_policy_in_turns(run);
}

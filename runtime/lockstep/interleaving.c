/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lock-step as an interleaving: see engine/interleaving.h. */
#include "runtime/lockstep/lockstep.h"
#include "runtime/lockstep/members.h"
#include "runtime/lockstep/queue_scan.h"
#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/state.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"
#include "runtime/worker/progress.h"

static void begin(struct orr_run *run)
{
    size_t pairs = (size_t)run->node_count * run->node_count;

    orr_lockstep_run(&run->engine)->run = run;
    orr_lockstep_run(&run->engine)->streams =
        g_new0(struct orr_stream *, pairs);
    if (run->policy.queueing->late)
        orr_lockstep_run(&run->engine)->transfers = g_new0(
            orr_time, (size_t)(run->worker_count + 1) * run->worker_count);
    orr_queue_scan_init(run);
}

static void end(struct orr_run *run)
{
    orr_queue_scan_clear(run);
    orr_streams_clear(run);
    g_clear_pointer(&orr_lockstep_run(&run->engine)->kernel_actors,
                    g_ptr_array_unref);
    g_clear_pointer(&orr_lockstep_run(&run->engine)->transfers, g_free);
    orr_trace_points_clear(run);
    orr_clock_clear(&run->engine);
}

/* A waiting actor checks the lock again each time the clock has advanced, one
 * actor after the other. */
static enum orr_next spin(struct orr_actor *actor, struct orr_spinlock *lock,
                          bool *locked)
{
    struct orr_engine *engine = actor->engine;
    bool is_free = !orr_spinlock_is_taken(lock, engine);

    if (!*locked) {
        if (is_free)
            return ORR_DONE;
        *locked = true;
        return orr_lockstep_lock(&orr_clock_of(engine)->advancing, actor);
    }
    orr_mutex_unlock(&orr_clock_of(engine)->advancing);
    if (!is_free)
        return orr_actor_wait_advance(actor);
    orr_spinlock_lock_briefly(lock, engine);
    orr_lockstep_add_ticks(engine, 1);
    orr_point(engine, ORR_POINT_UNLOCKED, lock);
    return ORR_DONE;
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

/* Locks the list of conditions of the node and, while holding this lock, locks
 * each of the conditions (StarPU, memory_nodes.c:
 * wake_all_blocked_workers_on_node()). A driver that waits for its kernel does
 * so on another condition. */
static void signal_node(struct orr_run *run, unsigned node)
{
    struct orr_mutex *lock = &orr_lockstep_run(&run->engine)->nodes[node];

    orr_lockstep_add_lock(&run->engine, lock);
    for (unsigned i = first_driver(node); i < end_of_drivers(run, node); i++) {
        if (orr_lockstep_worker(run->workers[i])->awaits_kernel)
            orr_lockstep_add_ticks(&run->engine, ORR_SIGNAL_TICKS);
        else
            orr_actor_signal(&run->workers[i]->actor);
    }
    orr_lockstep_add_unlock(&run->engine, lock);
}

static void count_buffer(void *arg)
{
    ((struct orr_worker *)arg)->buffers_arrived++;
}

static void buffer_arrived(struct orr_worker *worker)
{
    orr_act(&worker->run->engine, count_buffer, worker);
    signal_node(worker->run, worker->device);
}

static void count_arrival(void *arg)
{
    struct orr_worker *worker = arg;

    worker->actor.woken = true;
    orr_worker_state_notify(worker);
}

/* Locks the list of drivers and, while holding this lock, locks the state of
 * each driver and signals it. */
static void wake_node(struct orr_run *run, unsigned node)
{
    struct orr_engine *engine = &run->engine;
    struct orr_mutex *drivers =
        &orr_lockstep_run(&run->engine)->common[ORR_LOCK_DRIVERS];

    orr_lockstep_add_lock(engine, drivers);
    for (unsigned i = first_driver(node); i < end_of_drivers(run, node); i++) {
        struct orr_worker *worker = run->workers[i];

        if (&worker->actor == engine->acting) {
            worker->actor.woken = true;
            continue;
        }
        orr_lockstep_add_lock(engine, orr_worker_state_lock(worker));
        orr_act(engine, count_arrival, worker);
        orr_lockstep_add_ticks(engine, 1);
        orr_lockstep_add_unlock(engine, orr_worker_state_lock(worker));
    }
    orr_lockstep_add_unlock(engine, drivers);
    signal_node(run, node);
}

static void free_actor(gpointer data)
{
    orr_actor_clear(data);
    g_free(data);
}

/* One that has nothing to do. */
static struct orr_actor *get_kernel_actor(struct orr_run *run)
{
    struct orr_lockstep_run *own = orr_lockstep_run(&run->engine);
    struct orr_actor *actor;

    if (!own->kernel_actors)
        own->kernel_actors = g_ptr_array_new_with_free_func(free_actor);
    for (unsigned i = 0; i < own->kernel_actors->len; i++) {
        actor = own->kernel_actors->pdata[i];
        if (orr_actor_idle(actor))
            return actor;
    }
    actor = g_new0(struct orr_actor, 1);
    orr_actor_init(actor, &run->engine);
    g_ptr_array_add(own->kernel_actors, actor);
    return actor;
}

/* In the reference, an actor of its own executes the kernels of a GPU. When one
 * has ended, it wakes the worker as workers wake each other (StarPU, simgrid.c:
 * task_execute()). */
static void kernel_ended(struct orr_worker *worker)
{
    struct orr_actor *actor = get_kernel_actor(worker->run);

    orr_waking_call(actor, NULL, worker,
                    &orr_lockstep_run(actor->engine)->kernel_woke);
    orr_actor_resume(actor);
}

static bool push(struct orr_actor *actor, struct orr_run *run,
                 struct orr_job *job)
{
    orr_pushing_call(actor, run, job);
    return true;
}

static bool pop(struct orr_worker *worker)
{
    orr_popping_call(&worker->actor, worker, &worker->found);
    return true;
}

/* A driver that has allocated makes progress instead of waiting; a worker that
 * ends a task waits. */
static bool wait_for_lock(struct orr_actor *actor, struct orr_worker *worker,
                          struct orr_data *data, enum orr_lock_site site)
{
    if (!orr_spinlock_is_taken(&data->lock, actor->engine))
        return false;
    if (site == ORR_LOCK_AT_ISSUE)
        orr_progress_until_free(actor, worker, data);
    else
        orr_spinlock_await(actor, &data->lock);
    return true;
}

/* Also while the lock is locked briefly, which takes some ticks. */
static bool is_locked(const struct orr_spinlock *lock,
                      const struct orr_engine *engine)
{
    return orr_spinlock_is_taken(lock, engine);
}

/* Passes the locks in the order of the accesses, each once. */
static bool wait_for_locks(struct orr_worker *worker)
{
    struct orr_engine *engine = worker->actor.engine;
    struct orr_lockstep_worker *own = orr_lockstep_worker(worker);
    const struct orr_job *job = worker->fetching;

    if (!orr_worker_has_fetched(worker))
        return false;
    while (own->locks_passed < job->access_count) {
        struct orr_spinlock *lock =
            &orr_access_data(&job->accesses[own->locks_passed++])->lock;

        if (orr_spinlock_is_taken(lock, engine)) {
            orr_spinlock_await(&worker->actor, lock);
            return true;
        }
    }
    own->locks_passed = 0;
    return false;
}

static const struct orr_interleaving of_engine = {
    .run_bytes = sizeof(struct orr_lockstep_run),
    .actor_bytes = sizeof(struct orr_lockstep_actor),
    .step = orr_clock_step,
    .schedule = orr_clock_schedule,
    .schedule_end = orr_clock_schedule_end,
    .cancel_all = orr_clock_cancel_all,
    .point = orr_trace_points_play,
    .act = orr_lockstep_act,
    .init_actor = orr_lockstep_init_actor,
    .clear_actor = orr_lockstep_clear_actor,
    .pass = orr_lockstep_pass_pending,
    .sleep = orr_lockstep_sleep,
    .wait = orr_lockstep_wait,
    .wait_advance = orr_lockstep_wait_advance,
    .suspend = orr_lockstep_suspend,
    .resume = orr_clock_resume,
    .signal = orr_lockstep_signal,
    .clear_signal = orr_lockstep_clear_signal,
    .lock = orr_lockstep_lock_mutex,
    .spin = spin,
};

static const struct orr_turns lockstep = {
    .engine = &of_engine,
    .data =
        {
            .copy_bytes = ORR_NETWORK_LAZY_COPY_BYTES,
            .wake_node = wake_node,
            .signal_node = signal_node,
            .is_locked = is_locked,
            .launch = orr_stream_post,
            .copy_ended = orr_stream_resume,
        },
    .workers =
        {
            .worker_bytes = sizeof(struct orr_lockstep_worker),
            .begin = begin,
            .end = end,
            .buffer_arrived = buffer_arrived,
            .kernel_ended = kernel_ended,
            .steps_pushes = true,
            .push = push,
            .pop = pop,
            .scan = orr_progress_scan,
            .find_group = orr_progress_find_group,
            .wait_for_lock = wait_for_lock,
            .wait_for_locks = wait_for_locks,
            .await_window = orr_submission_await,
            .notify_window = orr_submission_notify,
            .policy = &orr_policy_turns_lockstep,
        },
    .network = orr_network_lazy_new,
};

const struct orr_turns *const orr_turns_lockstep = &lockstep;

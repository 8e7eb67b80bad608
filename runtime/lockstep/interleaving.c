/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lock-step as an interleaving: see engine/interleaving.h. */
#include "runtime/lockstep/helper.h"
#include "runtime/lockstep/network_lazy.h"
#include "runtime/lockstep/points.h"
#include "runtime/lockstep/progress_lockstep.h"
#include "runtime/lockstep/queue_scan.h"
#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/state.h"
#include "runtime/lockstep/stream.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"
#include "runtime/worker/progress.h"

static void begin(struct orr_run *run)
{
    size_t pairs = (size_t)run->node_count * run->node_count;

    orr_lockstep_run(&run->engine)->streams =
        g_new0(struct orr_stream *, pairs);
    orr_queue_scan_init(run);
}

static void end(struct orr_run *run)
{
    orr_queue_scan_clear(run);
    orr_streams_clear(run);
    orr_helpers_clear(run);
    orr_points_clear(run);
    orr_clock_clear(&run->engine);
}

/* The worker whose lock is taken has waited long enough: only then, under it,
 * does it know. */
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
    orr_mutex_give(&orr_clock_of(engine)->advancing);
    if (!is_free)
        return orr_actor_wait_advance(actor);
    orr_spinlock_touch(lock, engine);
    orr_lockstep_spend(engine, 1);
    orr_point(engine, ORR_POINT_LOCK_LEFT, lock);
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

/* The lock of a list, in it those of the conditions one after the other
 * (StarPU, memory_nodes.c: wake_all_blocked_workers_on_node()). */
static void signal_node(struct orr_run *run, unsigned node)
{
    struct orr_mutex *lock = &orr_lockstep_run(&run->engine)->nodes[node];

    orr_lockstep_take(&run->engine, lock);
    for (unsigned i = first_driver(node); i < end_of_drivers(run, node); i++)
        orr_actor_signal(&run->workers[i]->actor);
    orr_lockstep_give(&run->engine, lock);
}

static void note_buffer(void *arg)
{
    ((struct orr_worker *)arg)->buffers_arrived++;
}

static void buffer_arrived(struct orr_worker *worker)
{
    orr_act(&worker->run->engine, note_buffer, worker);
    signal_node(worker->run, worker->device);
}

static void note_arrival(void *arg)
{
    struct orr_worker *worker = arg;

    worker->woken = true;
    orr_worker_state_tell(worker);
}

/* Under a lock of their list, in it those of the states one after the other;
 * then they are signalled. */
static void wake_node(struct orr_run *run, unsigned node)
{
    struct orr_engine *engine = &run->engine;
    struct orr_mutex *drivers =
        &orr_lockstep_run(&run->engine)->common[ORR_LOCK_DRIVERS];

    orr_lockstep_take(engine, drivers);
    for (unsigned i = first_driver(node); i < end_of_drivers(run, node); i++) {
        struct orr_worker *worker = run->workers[i];

        if (&worker->actor == engine->acting) {
            worker->woken = true;
            continue;
        }
        orr_lockstep_take(engine, orr_worker_state_lock(worker));
        orr_act(engine, note_arrival, worker);
        orr_lockstep_spend(engine, 1);
        orr_lockstep_give(engine, orr_worker_state_lock(worker));
    }
    orr_lockstep_give(engine, drivers);
    signal_node(run, node);
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

/* A driver that has allocated makes progress rather than wait; a worker that
 * ends a task looks after no copies meanwhile. */
static bool meets_lock(struct orr_actor *actor, struct orr_worker *worker,
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

/* An actor that takes a lock for a moment keeps it for some turns. */
static bool is_busy(const struct orr_spinlock *lock,
                    const struct orr_engine *engine)
{
    return orr_spinlock_is_taken(lock, engine);
}

/* One after the other; another actor that takes a lock which it has had is of
 * no interest. */
static bool awaits_locks(struct orr_worker *worker)
{
    struct orr_engine *engine = worker->actor.engine;
    struct orr_lockstep_worker *own = orr_lockstep_worker(worker);
    const struct orr_job *job = worker->fetching;

    if (!orr_worker_has_fetched(worker))
        return false;
    while (own->locks_had < job->access_count) {
        struct orr_spinlock *lock = &job->accesses[own->locks_had++].data->lock;

        if (orr_spinlock_is_taken(lock, engine)) {
            orr_spinlock_await(&worker->actor, lock);
            return true;
        }
    }
    own->locks_had = 0;
    return false;
}

static const struct orr_interleaving lockstep = {
    .run_bytes = sizeof(struct orr_lockstep_run),
    .actor_bytes = sizeof(struct orr_lockstep_actor),
    .worker_bytes = sizeof(struct orr_lockstep_worker),
    .copy_bytes = ORR_NETWORK_LAZY_COPY_BYTES,
    .step = orr_clock_step,
    .schedule = orr_clock_schedule,
    .schedule_end = orr_clock_schedule_end,
    .forget = orr_clock_forget,
    .point = orr_points_play,
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
    .take = orr_lockstep_take_mutex,
    .spin = spin,
    .begin = begin,
    .end = end,
    .wake_node = wake_node,
    .signal_node = signal_node,
    .buffer_arrived = buffer_arrived,
    .kernel_ended = orr_helper_call,
    .push = push,
    .pop = pop,
    .look = orr_progress_look,
    .find_group = orr_progress_find_group,
    .meets_lock = meets_lock,
    .is_busy = is_busy,
    .awaits_locks = awaits_locks,
    .launch = orr_stream_post,
    .copy_ended = orr_stream_resume,
    .network = orr_network_lazy_new,
};

const struct orr_interleaving *const orr_interleaving_lockstep = &lockstep;

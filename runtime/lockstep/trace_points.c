/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One table: the lock script of each trace point, with the function of StarPU
 * in which its operations were counted. Most scripts are lists of entries; the
 * few whose operations depend on the state of the run call a function instead.
 */
#include "runtime/lockstep/members.h"
#include "runtime/lockstep/queue_scan.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"

/* An entry of a lock script: the acting actor locks, lets some ticks pass, and
 * unlocks; or it only lets ticks pass. */
enum lock {
    END, /* the script ends */
    NO_LOCK,
    OWN_STATE, /* state of the acting actor; no entry if that is no worker */
    HOOK, /* lock of the policy's hooks at the begin and the end of a kernel; no
             entry if it has none */
    FOOTPRINT, /* ARCHS, when a model is first asked for a task; no entry if the
                  policy has asked before */
    MODEL,     /* model of the kernel of the object, a task */
    STATE,     /* state of the object, a worker */
    GRAPH,     /* the locks that a task takes to leave the graph, if the policy
                  keeps a graph; without ticks */
    COUNTED, /* a task stays counted as submitted until UNCOUNTED; without ticks
              */
    UNCOUNTED, /* SUBMITTED; then the task is no longer counted */
    COMMON,    /* from here on: enum orr_common_lock */
    READY = COMMON + ORR_LOCK_READY,
    SUBMITTED = COMMON + ORR_LOCK_SUBMITTED,
    FINISHED = COMMON + ORR_LOCK_FINISHED,
    ARCHS = COMMON + ORR_LOCK_ARCHS,
    STARTED = COMMON + ORR_LOCK_STARTED,
};

struct lock_entry {
    uint8_t lock; /* enum lock */
    uint8_t ticks;
};

enum { ENTRIES = 9 };

struct lock_script {
    struct lock_entry entries[ENTRIES];
    void (*call)(struct orr_engine *engine, void *object); /* not NULL:
                                                              instead */
};

/* Turns. */
enum {
    LOCK_OWN = 2,    /* the lock of a task or datum, without contention */
    LAST_SIGNAL = 4, /* last signal of a task: lock, init and broadcast of a
                        condition, unlock */
    PREPARE = 10 /* preparation of a task until it is counted as submitted */
};

/* Entries. To change its state, an actor locks and unlocks another lock
 * within. */
#define TICKS(n)                                                               \
    {                                                                          \
        NO_LOCK, (n)                                                           \
    }
#define CHANGE_STATE                                                           \
    {                                                                          \
        OWN_STATE, 2                                                           \
    }
#define COUNT_END                                                              \
    {READY, 0}, {SUBMITTED, 0}, {FINISHED, 0}, {UNCOUNTED, 0},                 \
    {                                                                          \
        OWN_STATE, 0                                                           \
    }
#define SCRIPT(...)                                                            \
    {                                                                          \
        .entries = { __VA_ARGS__ }                                             \
    }

static struct orr_mutex *lock_of_kernel(struct orr_lockstep_run *own,
                                        uint32_t kernel)
{
    gpointer key = GUINT_TO_POINTER(kernel);
    struct orr_mutex *lock;

    if (!own->kernel_locks)
        own->kernel_locks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    lock = g_hash_table_lookup(own->kernel_locks, key);
    if (!lock) {
        lock = g_new0(struct orr_mutex, 1);
        g_hash_table_insert(own->kernel_locks, key, lock);
    }
    return lock;
}

/* Whether the policy has buckets, and learns about them. */
static bool learns(const struct orr_lockstep_run *own)
{
    const struct orr_policy *policy = &own->run->policy;

    return policy->queueing->buckets &&
           policy->queueing->buckets->learns(policy->sched);
}

/* The lock of the policy's hooks, or NULL. A policy that plans locks the state
 * of the acting worker (StarPU, deque_modeling_policy_data_aware.c:
 * dmda_pre_exec_hook()). A policy that binds late locks the plan of that worker
 * (component_worker.c: starpu_sched_component_worker_pre_exec_hook()). A policy
 * that learns about buckets locks its queue (heteroprio.c:
 * pre_exec_hook_heteroprio_policy()). */
static struct orr_mutex *hook_lock(struct orr_lockstep_run *own)
{
    const struct orr_queueing *queueing = own->run->policy.queueing;
    const struct orr_actor *acting = own->run->engine.acting;
    struct orr_worker *worker;

    if (learns(own))
        return &own->common[ORR_LOCK_POLICY];
    if (!acting || acting->index == ORR_NO_WORKER)
        return NULL;
    worker = own->run->workers[acting->index];
    if (queueing->late)
        return &orr_lockstep_worker(worker)->plan;
    return queueing->planning ? orr_worker_state_lock(worker) : NULL;
}

/* Whether the policy has asked how long @job takes. */
static bool has_asked(const struct orr_lockstep_run *own,
                      const struct orr_job *job)
{
    const struct orr_queueing *queueing = own->run->policy.queueing;

    return queueing->calls ? job->active->asked
                           : queueing->planning || queueing->late;
}

/* Returns NULL if there is none. */
static struct orr_mutex *find_lock(struct orr_engine *engine, enum lock lock,
                                   void *object)
{
    struct orr_lockstep_run *own = orr_lockstep_run(engine);

    switch (lock) {
    case END:
    case NO_LOCK:
    case GRAPH:
    case COUNTED:
        return NULL;
    case UNCOUNTED:
        return &own->common[ORR_LOCK_SUBMITTED];
    case OWN_STATE:
        if (!engine->acting || engine->acting->index == ORR_NO_WORKER)
            return NULL;
        return orr_worker_state_lock(own->run->workers[engine->acting->index]);
    case HOOK:
        return hook_lock(own);
    case FOOTPRINT:
        return has_asked(own, object) ? NULL : &own->common[ORR_LOCK_ARCHS];
    case MODEL:
        return lock_of_kernel(own, ((struct orr_job *)object)->kernel);
    case STATE:
        return orr_worker_state_lock(object);
    default:
        return &own->common[lock - COMMON];
    }
}

/* A task leaves the graph that a policy that learns keeps (StarPU, graph.c:
 * _starpu_graph_drop_job()). */
static void leave_graph(struct orr_engine *engine)
{
    struct orr_lockstep_run *own = orr_lockstep_run(engine);
    struct orr_mutex *dropped = &own->common[ORR_LOCK_DROPPED];

    if (!learns(own))
        return;
    orr_lockstep_add_ticks(engine, 1 + LOCK_OWN); /* its lock is made first */
    orr_lockstep_add_lock(engine, dropped);
    orr_lockstep_add_ticks(engine, 1); /* tries the lock of the graph */
    orr_lockstep_add_unlock(engine, dropped);
    orr_lockstep_add_ticks(engine, 1);
}

/* Under the lock of the count. A signal to the application is a tick. */
static void count_end(void *arg)
{
    struct orr_actor *actor = arg;
    struct orr_lockstep_run *own = orr_lockstep_run(actor->engine);

    own->uncounted--;
    if (orr_submission_notify(own->run))
        orr_lockstep_delay(actor, 1);
}

static void release_data(struct orr_engine *engine, void *object)
{
    const struct orr_job *job = object;
    struct orr_lockstep_run *own = orr_lockstep_run(engine);
    struct orr_mutex *hook = find_lock(engine, HOOK, NULL);

    orr_lockstep_add_ticks(engine, LOCK_OWN);
    if (hook)
        orr_lockstep_add_lock(engine, hook);
    if (learns(own)) {
        orr_lockstep_add_lock(engine, &own->common[ORR_LOCK_LEARNING]);
        orr_lockstep_add_unlock(engine, &own->common[ORR_LOCK_LEARNING]);
    }
    if (hook)
        orr_lockstep_add_unlock(engine, hook);
    leave_graph(engine);
    orr_lockstep_add_ticks(engine, orr_job_declared_count(job) * LOCK_OWN);
}

static void queue_request(struct orr_engine *engine, void *object)
{
    (void)engine;
    orr_queue_scan_posted(object);
}

static void lock_data(struct orr_engine *engine, void *object)
{
    struct orr_spinlock *lock = object;

    (void)engine;
    lock->until = ORR_NEVER; /* until it is unlocked */
    lock->taken++;
}

static void lock_data_briefly(struct orr_engine *engine, void *object)
{
    struct orr_spinlock *lock = object;

    (void)engine;
    lock->taken++;
}

static void end_unlock(void *arg)
{
    struct orr_spinlock *lock = arg;

    if (--lock->taken > 0)
        return;
    lock->toucher = NULL;
    lock->holder = NULL;
}

static void unlock_data(struct orr_engine *engine, void *object)
{
    orr_lockstep_act(engine, end_unlock, object);
}

/* The datum is unlocked while the copy starts; then the request is added to the
 * list in flight (2 ticks). */
static void queue_copy(struct orr_engine *engine, void *object)
{
    struct orr_request *request = object;
    unsigned operations = orr_copy_operations(request);

    orr_lockstep_add_ticks(engine, operations + (operations > 1));
    unlock_data(engine, &request->data->lock);
    orr_lockstep_add_ticks(engine, 2);
}

/* The driver makes a lock and a condition, and adds them to a list. */
static void begin_await(struct orr_engine *engine, void *object)
{
    orr_lockstep_worker(object)->awaits_kernel = true;
    orr_lockstep_add_ticks(engine, 2 + LOCK_OWN);
}

/* It removes them from the list, and takes the lock once more. */
static void end_await(struct orr_engine *engine, void *object)
{
    orr_lockstep_worker(object)->awaits_kernel = false;
    orr_lockstep_add_ticks(engine, 2 * LOCK_OWN);
}

/* The worker makes progress without allocating (StarPU,
 * DATAWIZARD_DO_NOT_ALLOC). */
static void begin_spin(struct orr_engine *engine, void *object)
{
    (void)engine;
    ((struct orr_worker *)object)->no_alloc++;
}

static void end_spin(struct orr_engine *engine, void *object)
{
    (void)engine;
    ((struct orr_worker *)object)->no_alloc--;
}

static const struct lock_script scripts[ORR_POINTS] = {
    /* task.c: _starpu_task_submit() */
    [ORR_POINT_TASK_SUBMITTED] =
        SCRIPT(TICKS(PREPARE), {SUBMITTED, 1}, TICKS(LOCK_OWN)),

    /* sched_policy.c: _starpu_push_task() */
    [ORR_POINT_TASK_READY] = SCRIPT({READY, 1}),

    /* perfmodel.c: starpu_task_worker_expected_length() */
    [ORR_POINT_MODEL_FIRST] = SCRIPT({ARCHS, 0}, {ARCHS, 0}, {MODEL, 0}),
    [ORR_POINT_MODEL_ASKED] = SCRIPT({ARCHS, 0}, {MODEL, 0}),

    /* driver_common.c: _starpu_driver_start_job() and its callers */
    [ORR_POINT_FETCHES_ASKED] = SCRIPT(CHANGE_STATE),
    [ORR_POINT_NO_ROOM] = SCRIPT({STATE, 1}),
    [ORR_POINT_KERNEL_BEGINS] =
        SCRIPT(CHANGE_STATE, {HOOK, 0}, CHANGE_STATE, {STARTED, 0}, {ARCHS, 0},
               {FOOTPRINT, 0}, {MODEL, 0}),
    [ORR_POINT_KERNEL_NOTIFIES] = SCRIPT(CHANGE_STATE),
    [ORR_POINT_KERNEL_NOTIFIED] = SCRIPT(CHANGE_STATE, {STARTED, 0}, {ARCHS, 0},
                                         {FOOTPRINT, 0}, {MODEL, 0}),
    [ORR_POINT_KERNEL_BEHIND] =
        SCRIPT(CHANGE_STATE, {ARCHS, 0}, {FOOTPRINT, 0}, {MODEL, 0}),
    [ORR_POINT_KERNEL_FOLLOWS] = SCRIPT({HOOK, 0}, CHANGE_STATE, {STARTED, 0}),
    [ORR_POINT_KERNEL_QUEUED] = SCRIPT(TICKS(1)),

    /* simgrid.c: _starpu_simgrid_wait_tasks() */
    [ORR_POINT_AWAIT_BEGINS] = {.call = begin_await},
    [ORR_POINT_AWAIT_ENDS] = {.call = end_await},

    /* driver_common.c: _starpu_driver_end_job(),
     * _starpu_driver_update_job_feedback(); coherency.c */
    [ORR_POINT_TASK_ENDS] =
        SCRIPT({ARCHS, 0}, CHANGE_STATE, {ARCHS, 0}, TICKS(LOCK_OWN)),
    [ORR_POINT_DATA_RELEASED] = {.call = release_data},

    /* jobs.c: _starpu_handle_job_termination() */
    [ORR_POINT_SUCCESSOR_FOUND] = SCRIPT(TICKS(1)),
    [ORR_POINT_SUCCESSOR_NOTIFIED] = SCRIPT(TICKS(1)),
    [ORR_POINT_SUCCESSORS_NOTIFIED] =
        SCRIPT({COUNTED, 0}, TICKS(LAST_SIGNAL + LOCK_OWN), COUNT_END),

    /* sched_policy.c: _starpu_repush_task(); jobs.c, where it releases the
     * datum that it orders */
    [ORR_POINT_EMPTY_TASK] =
        SCRIPT({READY, 1}, TICKS(LOCK_OWN), {GRAPH, 0}, TICKS(LOCK_OWN)),

    /* user_interactions.c: _starpu_data_wont_use(). To submit the second task
     * takes as long as any task. */
    [ORR_POINT_WONT_USE_BEGINS] =
        SCRIPT({READY, 1}, TICKS(LOCK_OWN), {GRAPH, 0}, TICKS(LOCK_OWN)),
    [ORR_POINT_WONT_USE_HAS] = SCRIPT(CHANGE_STATE),
    [ORR_POINT_WONT_USE_LISTS] = SCRIPT(TICKS(LOCK_OWN)),
    [ORR_POINT_WONT_USE_SUBMITS] = SCRIPT({COUNTED, 0}, TICKS(3 * LOCK_OWN),
                                          {SUBMITTED, 1}, TICKS(LOCK_OWN)),
    [ORR_POINT_WONT_USE_RELEASES] =
        SCRIPT({READY, 1}, TICKS(LOCK_OWN), {GRAPH, 0},
               TICKS(LAST_SIGNAL + LOCK_OWN), COUNT_END),
    [ORR_POINT_WONT_USE_ENDS] = SCRIPT(
        {COUNTED, 0}, CHANGE_STATE, TICKS(LAST_SIGNAL + LOCK_OWN), COUNT_END),

    /* driver_cuda.c */
    [ORR_POINT_DRIVER_LOCK] = SCRIPT(TICKS(1)),
    [ORR_POINT_DRIVER_CALL] = SCRIPT(TICKS(1)),
    [ORR_POINT_DRIVER_RETURN] = SCRIPT(TICKS(2)),

    /* data_request.c: the lock of a list of requests */
    [ORR_POINT_REQUEST_POSTED] = SCRIPT(TICKS(2)),
    [ORR_POINT_REQUEST_WAITS] = {.call = queue_request},
    [ORR_POINT_REQUEST_ALLOCATES] = SCRIPT(TICKS(2)),
    [ORR_POINT_COPY_QUEUED] = {.call = queue_copy},
    [ORR_POINT_REQUESTS_LEFT] = SCRIPT(TICKS(2)),

    /* simgrid.c: signals the stream */
    [ORR_POINT_COPY_LAUNCHED] = SCRIPT(TICKS(1)),

    [ORR_POINT_LOCKED] = {.call = lock_data},
    [ORR_POINT_LOCKED_BRIEFLY] = {.call = lock_data_briefly},
    [ORR_POINT_UNLOCKED] = {.call = unlock_data},
    [ORR_POINT_SPIN_BEGINS] = {.call = begin_spin},
    [ORR_POINT_SPIN_ENDS] = {.call = end_spin},
};

void orr_trace_points_play(struct orr_engine *engine, enum orr_point point,
                           void *object)
{
    const struct lock_script *script = &scripts[point];

    if (script->call) {
        script->call(engine, object);
        return;
    }
    for (unsigned i = 0; i < ENTRIES && script->entries[i].lock != END; i++) {
        const struct lock_entry *entry = &script->entries[i];
        struct orr_mutex *lock = find_lock(engine, entry->lock, object);

        if (entry->lock == GRAPH)
            leave_graph(engine);
        if (entry->lock == COUNTED && engine->acting)
            orr_lockstep_run(engine)->uncounted++;
        if (!lock && entry->lock != NO_LOCK)
            continue;
        if (lock)
            orr_lockstep_add_lock(engine, lock);
        if (entry->lock == UNCOUNTED && engine->acting)
            orr_lockstep_act(engine, count_end, engine->acting);
        orr_lockstep_add_ticks(engine, entry->ticks);
        if (lock)
            orr_lockstep_add_unlock(engine, lock);
    }
}

void orr_trace_points_clear(struct orr_run *run)
{
    g_clear_pointer(&orr_lockstep_run(&run->engine)->kernel_locks,
                    g_hash_table_unref);
}

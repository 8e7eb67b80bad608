/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The guard of a policy (policy_guard.h): a table of the same operations, each
 * of which makes a guarded call of the plug-in's operation, and a host that
 * checks the arguments of the plug-in's calls.
 *
 * guard->tasks has an entry for each pushed task, by address, and whether the
 * plug-in still holds it. So pop can check any pointer without dereferencing
 * it.
 */
#include "sched/guard/policy_guard.h"

#include "models/base/error.h"

struct orr_policy_guard {
    struct orr_sched_ops ops; /* first member: the table of the guard */
    struct orr_guard *calls;
    const struct orr_sched_ops *policy;
    const struct orr_sched_host *host;
    struct orr_sched_host own_host; /* the host that the plug-in calls */
    struct orr_lock_ops locks;
    struct orr_worker_lock_ops worker_locks;
    GHashTable *tasks; /* all pushed: struct orr_task * -> struct entry */
};

enum which {
    INIT,
    FINI,
    PLACE,
    PUSH,
    PUSHED,
    POP,
    BYPASSED,
    STARTED,
    DONE,
    TOUCHED,
    SUBMITTED,
    SCHEDULE
};

/* A call of the plug-in. */
struct policy_call {
    struct orr_guard_call call; /* first member */
    enum which which;
    struct orr_sched *sched;
    struct orr_task *task; /* its argument, or NULL; the result of pop */
    unsigned worker;       /* the caller, or ORR_NO_WORKER */
};

/* A task that was pushed. */
struct entry {
    uint64_t id;
    bool held;       /* the plug-in holds the task; false once it was popped */
    unsigned worker; /* the worker that popped the task */
};

static struct orr_policy_guard *guard_of(const struct orr_sched *sched)
{
    return (struct orr_policy_guard *)orr_sched_policy(sched);
}

/* Returns the name of @worker; in @buffer, "worker 3" if it has none. */
static const char *name_worker(const struct orr_policy_guard *guard,
                               unsigned worker, char *buffer, size_t size)
{
    if (worker == ORR_NO_WORKER)
        return "the application";
    if (guard->host->name)
        return guard->host->name(guard->host->data, worker);
    g_snprintf(buffer, size, "worker %u", worker);
    return buffer;
}

static char *describe_worker(const struct orr_policy_guard *guard,
                             unsigned worker)
{
    char buffer[32];

    return g_strdup(name_worker(guard, worker, buffer, sizeof(buffer)));
}

static void describe(const struct orr_guard_call *of, char *text, size_t size)
{
    const struct policy_call *call = (const struct policy_call *)of;
    const struct orr_task *task = call->which == POP ? NULL : call->task;
    char buffer[32], of_task[256] = "";

    if (task)
        g_snprintf(of_task, sizeof(of_task),
                   " of task %" G_GUINT64_FORMAT " (%s)", task->id,
                   task->kernel);
    g_snprintf(text, size, "%s, called by %s", of_task,
               name_worker(guard_of(call->sched), call->worker, buffer,
                           sizeof(buffer)));
}

/* Whether the plug-in holds @task, which may be any pointer. */
static bool holds(const struct orr_policy_guard *guard,
                  const struct orr_task *task)
{
    const struct entry *entry = g_hash_table_lookup(guard->tasks, task);

    return entry && entry->held;
}

/* The caller of all functions of the policy. Debuggers find their frames below
 * this one, so it is not inlined, and no call is its last action. */
__attribute__((noinline)) static void
orr_guard_invoke(struct orr_guard_call *guarded)
{
    struct policy_call *call = (struct policy_call *)guarded;
    struct orr_sched *sched = call->sched;
    const struct orr_sched_ops *ops = guard_of(sched)->policy;

    switch (call->which) {
    case INIT:
        ops->init(sched);
        break;
    case FINI:
        ops->fini(sched);
        break;
    case PLACE:
        ops->place(sched, call->task);
        break;
    case PUSH:
        ops->push(sched, call->task);
        break;
    case PUSHED:
        ops->pushed(sched, call->task);
        break;
    case POP:
        call->task = ops->pop(sched, call->worker);
        break;
    case BYPASSED:
        ops->bypassed(sched, call->task, call->worker);
        break;
    case STARTED:
        ops->started(sched, call->task, call->worker);
        break;
    case DONE:
        ops->done(sched, call->task, call->worker);
        break;
    case TOUCHED:
        ops->touched(sched, call->task);
        break;
    case SUBMITTED:
        ops->submitted(sched, call->task);
        break;
    case SCHEDULE:
        ops->schedule(sched);
        break;
    }
    __asm__ volatile("" : : : "memory");
}

/* Makes @call. Returns false if the policy has failed, now or before. */
static bool perform(struct policy_call *call)
{
    static const char *const names[] = {
        "init",     "fini",    "place", "push",    "pushed",    "pop",
        "bypassed", "started", "done",  "touched", "submitted", "schedule"};

    call->call.function = names[call->which];
    call->call.invoke = orr_guard_invoke;
    call->call.describe = describe;
    return orr_guard_perform(guard_of(call->sched)->calls, &call->call);
}

static void call_function(struct orr_sched *sched, enum which which,
                          struct orr_task *task, unsigned worker)
{
    struct policy_call call = {
        .which = which, .sched = sched, .task = task, .worker = worker};

    perform(&call);
}

static void guard_init(struct orr_sched *sched)
{
    call_function(sched, INIT, NULL, orr_sched_caller(sched));
}

static void guard_fini(struct orr_sched *sched)
{
    call_function(sched, FINI, NULL, orr_sched_caller(sched));
}

/* Records that the plug-in holds @task. An earlier task may have had the same
 * address. */
static void record_held(struct orr_policy_guard *guard, struct orr_task *task)
{
    struct entry *entry = g_hash_table_lookup(guard->tasks, task);

    if (!entry) {
        entry = g_new(struct entry, 1);
        g_hash_table_insert(guard->tasks, task, entry);
    }
    *entry = (struct entry){.id = task->id, .held = true};
}

static void guard_place(struct orr_sched *sched, struct orr_task *task)
{
    record_held(guard_of(sched), task);
    call_function(sched, PLACE, task, orr_sched_caller(sched));
}

static void guard_push(struct orr_sched *sched, struct orr_task *task)
{
    record_held(guard_of(sched), task);
    call_function(sched, PUSH, task, orr_sched_caller(sched));
}

static void guard_pushed(struct orr_sched *sched, struct orr_task *task)
{
    call_function(sched, PUSHED, task, orr_sched_caller(sched));
}

static bool can_run(const struct orr_policy_guard *guard,
                    const struct orr_task *task, unsigned worker)
{
    const struct orr_sched_host *host = guard->host;

    return host->can_run
               ? host->can_run(host->data, task, worker)
               : host->duration(host->data, task, worker) != ORR_NEVER;
}

/* Checks the task that pop returned. */
static bool check_popped(struct orr_policy_guard *guard,
                         const struct policy_call *call)
{
    struct entry *entry = g_hash_table_lookup(guard->tasks, call->task);
    g_autofree char *owner = NULL;

    if (!entry) {
        orr_guard_record(guard->calls, ORR_ERROR_POLICY, &call->call,
                         "returns a pointer that is not a task");
        return false;
    }
    if (!entry->held) {
        owner = describe_worker(guard, entry->worker);
        orr_guard_record(guard->calls, ORR_ERROR_POLICY_TWICE, &call->call,
                         "returns task %" G_GUINT64_FORMAT
                         ", which %s was given already",
                         entry->id, owner);
        return false;
    }
    if (!can_run(guard, call->task, call->worker)) {
        orr_guard_record(guard->calls, ORR_ERROR_POLICY_WORKER, &call->call,
                         "returns task %" G_GUINT64_FORMAT
                         " (%s), which it cannot run",
                         entry->id, call->task->kernel);
        return false;
    }
    entry->held = false;
    entry->worker = call->worker;
    return true;
}

static struct orr_task *guard_pop(struct orr_sched *sched, unsigned worker)
{
    struct policy_call call = {.which = POP, .sched = sched, .worker = worker};

    if (!perform(&call) || !call.task || !check_popped(guard_of(sched), &call))
        return NULL;
    return call.task;
}

static void guard_bypassed(struct orr_sched *sched, struct orr_task *task,
                           unsigned worker)
{
    record_held(guard_of(sched), task);
    call_function(sched, BYPASSED, task, worker);
    ((struct entry *)g_hash_table_lookup(guard_of(sched)->tasks, task))->held =
        false;
}

static void guard_started(struct orr_sched *sched, struct orr_task *task,
                          unsigned worker)
{
    call_function(sched, STARTED, task, worker);
}

static void guard_done(struct orr_sched *sched, struct orr_task *task,
                       unsigned worker)
{
    call_function(sched, DONE, task, worker);
}

static void guard_touched(struct orr_sched *sched, struct orr_task *task)
{
    call_function(sched, TOUCHED, task, orr_sched_caller(sched));
}

/* The plug-in may ask about the task during this call. */
static void guard_submitted(struct orr_sched *sched, struct orr_task *task)
{
    record_held(guard_of(sched), task);
    call_function(sched, SUBMITTED, task, orr_sched_caller(sched));
    g_hash_table_remove(guard_of(sched)->tasks, task);
}

static void guard_schedule(struct orr_sched *sched)
{
    call_function(sched, SCHEDULE, NULL, orr_sched_caller(sched));
}

struct orr_policy_guard *orr_policy_guard_new(const struct orr_sched_ops *ops,
                                              const char *file,
                                              const struct orr_sched_host *host,
                                              struct orr_guard_watch *watch,
                                              GError **error)
{
    struct orr_policy_guard *guard = g_new0(struct orr_policy_guard, 1);
    const struct orr_guarded plugin = {
        .kind = "policy",
        .name = ops->name,
        .file = file,
        .code = (const void *)(uintptr_t)ops->pop,
    };

    guard->ops = *ops;
    guard->policy = ops;
    guard->host = host;
    guard->tasks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    guard->ops.init = ops->init ? guard_init : NULL;
    guard->ops.fini = ops->fini ? guard_fini : NULL;
    guard->ops.place = ops->place ? guard_place : NULL;
    guard->ops.push = guard_push;
    guard->ops.pushed = ops->pushed ? guard_pushed : NULL;
    guard->ops.pop = guard_pop;
    guard->ops.bypassed = ops->bypassed ? guard_bypassed : NULL;
    guard->ops.started = ops->started ? guard_started : NULL;
    guard->ops.done = ops->done ? guard_done : NULL;
    guard->ops.touched = ops->touched ? guard_touched : NULL;
    guard->ops.submitted = ops->submitted ? guard_submitted : NULL;
    guard->ops.schedule = ops->schedule ? guard_schedule : NULL;
    guard->calls = orr_guard_new(&plugin, ORR_ERROR_POLICY, watch, error);
    return guard;
}

void orr_policy_guard_free(struct orr_policy_guard *guard)
{
    if (!guard)
        return;
    orr_guard_free(guard->calls);
    g_hash_table_unref(guard->tasks);
    g_free(guard);
}

const struct orr_sched_ops *
orr_policy_guard_policy(const struct orr_policy_guard *guard)
{
    return &guard->ops;
}

struct orr_guard *orr_policy_guard_calls(struct orr_policy_guard *guard)
{
    return guard->calls;
}

/* ---- the host that a plug-in calls: checks workers, memory nodes and tasks,
 * then calls the host of the run ---- */

static const struct orr_sched_host *check_worker(struct orr_policy_guard *guard,
                                                 unsigned worker,
                                                 const char *function)
{
    if (worker >= guard->host->workers)
        orr_guard_stop(guard->calls, "calls %s() for worker %u; there are %u",
                       function, worker, guard->host->workers);
    return guard->host;
}

static const struct orr_sched_host *
check_node(struct orr_policy_guard *guard, unsigned node, const char *function)
{
    const struct orr_sched_host *host = guard->host;

    for (unsigned w = 0; node > 0 && w < host->workers; w++) {
        if (host->node(host->data, w) == node)
            return host;
    }
    if (node > 0)
        orr_guard_stop(guard->calls,
                       "calls %s() for memory node %u, which is no "
                       "worker's",
                       function, node);
    return host;
}

static void check_held(struct orr_policy_guard *guard,
                       const struct orr_task *task, const char *function)
{
    if (!holds(guard, task))
        orr_guard_stop(guard->calls,
                       "calls %s() for a task that it does not hold", function);
}

static unsigned node(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_node");

    return host->node(host->data, worker);
}

static double speed(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_speed");

    return host->speed(host->data, worker);
}

static unsigned socket(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_socket");

    return host->socket(host->data, worker);
}

static unsigned caller(void *data)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->caller(host->data);
}

static bool runs_on(void *data, const struct orr_task *task, unsigned worker)
{
    check_worker(data, worker, "orr_sched_can_run");
    return can_run(data, task, worker);
}

static orr_time duration(void *data, const struct orr_task *task,
                         unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_duration");

    return host->duration(host->data, task, worker);
}

static const orr_time *durations(void *data, const struct orr_task *task)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->durations(host->data, task);
}

static unsigned implementations(void *data, const struct orr_task *task,
                                const orr_time **durations)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    if (host->implementations)
        return host->implementations(host->data, task, durations);
    *durations = host->durations(host->data, task);
    return 1;
}

static void choose_implementation(void *data, struct orr_task *task,
                                  unsigned implementation)
{
    struct orr_policy_guard *guard = data;
    const struct orr_sched_host *host = guard->host;
    const orr_time *durations;
    /* Without several, nothing is asked, which might take turns. */
    unsigned count =
        host->implementations ? implementations(data, task, &durations) : 1;

    check_held(data, task, "orr_sched_choose_implementation");
    if (implementation >= count)
        orr_guard_stop(guard->calls,
                       "calls orr_sched_choose_implementation() for "
                       "implementation %u; there are %u",
                       implementation, count);
    if (host->choose_implementation)
        host->choose_implementation(host->data, task, implementation);
}

static orr_time transfer(void *data, const struct orr_task *task,
                         unsigned memory)
{
    const struct orr_sched_host *host =
        check_node(data, memory, "orr_sched_transfer");

    return host->transfer(host->data, task, memory);
}

static void missing(void *data, const struct orr_task *task, unsigned memory,
                    struct orr_missing *answer)
{
    const struct orr_sched_host *host =
        check_node(data, memory, "orr_sched_missing");

    host->missing(host->data, task, memory, answer);
}

static bool task_access(void *data, const struct orr_task *task, unsigned i,
                        struct orr_task_access *answer)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    check_held(data, task, "orr_sched_access");
    return host->access(host->data, task, i, answer);
}

static const struct orr_sched_host *check_datum(struct orr_policy_guard *guard,
                                                uint64_t datum,
                                                const char *function)
{
    uint64_t count = guard->host->data_count(guard->host->data);

    if (datum >= count)
        orr_guard_stop(guard->calls,
                       "calls %s() for datum %" G_GUINT64_FORMAT
                       "; there are %" G_GUINT64_FORMAT,
                       function, datum, count);
    return guard->host;
}

static bool has(void *data, uint64_t datum, unsigned memory)
{
    const struct orr_sched_host *host =
        check_node(data, memory, "orr_sched_has");

    check_datum(data, datum, "orr_sched_has");
    return host->has(host->data, datum, memory);
}

static orr_time load(void *data, uint64_t datum, unsigned memory)
{
    const struct orr_sched_host *host =
        check_node(data, memory, "orr_sched_load");

    check_datum(data, datum, "orr_sched_load");
    return host->load(host->data, datum, memory);
}

static void watch(void *data, struct orr_task *task, unsigned memory,
                  struct orr_missing *answer)
{
    const struct orr_sched_host *host =
        check_node(data, memory, "orr_sched_watch");

    check_held(data, task, "orr_sched_watch");
    host->watch(host->data, task, memory, answer);
}

static const struct orr_task *successor(void *data, const struct orr_task *task,
                                        const void **cursor,
                                        unsigned *predecessors)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->successor(host->data, task, cursor, predecessors);
}

static void prefetch(void *data, struct orr_task *task, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_prefetch");

    check_held(data, task, "orr_sched_prefetch");
    host->prefetch(host->data, task, worker);
}

static bool wake(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_wake");

    return host->wake(host->data, worker);
}

static void collide(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_collide");

    host->collide(host->data, worker);
}

static void fail_check(void *data, char *what)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    host->fail_check(host->data, what);
}

static void fail(void *data, const char *message)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    host->fail(host->data, message);
}

static bool in_call(void *data)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->in_call(host->data);
}

static void record_access(void *data, const void *address, size_t bytes,
                          bool writes)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    host->record_access(host->data, address, bytes, writes);
}

static void use_priorities(void *data, int max_priority)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    host->use_priorities(host->data, max_priority);
}

static void stop(void *data, int code, const char *does)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    host->stop(host->data, code, does);
}

static struct orr_lock *lock_new(void *data, const char *name)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->locks->lock_new(host->data, name);
}

static struct orr_cond *cond_new(void *data, const char *name)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->locks->cond_new(host->data, name);
}

static void relax(void *data, bool relaxed)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    host->worker_locks->relax(host->data, relaxed);
}

static bool is_relaxed(void *data)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->worker_locks->is_relaxed(host->data);
}

static bool was_woken(void *data)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->worker_locks->was_woken(host->data);
}

static void lock_worker(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_lock_worker");

    host->worker_locks->lock(host->data, worker);
}

static bool try_lock_worker(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_try_lock_worker");

    return host->worker_locks->try_lock(host->data, worker);
}

static void unlock_worker(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_unlock_worker");

    host->worker_locks->unlock(host->data, worker);
}

static bool wake_locked(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_wake_locked");

    return host->worker_locks->wake_locked(host->data, worker);
}

static void sleep_for(void *data, orr_time delay)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    host->worker_locks->sleep(host->data, delay);
}

static void push_own(void *data, struct orr_task *task, unsigned worker)
{
    struct orr_policy_guard *guard = data;
    const struct orr_sched_host *host =
        check_worker(guard, worker, "orr_sched_push_own");
    struct entry *entry;

    check_held(guard, task, "orr_sched_push_own");
    if (!can_run(guard, task, worker))
        orr_guard_stop(guard->calls,
                       "gives worker %u task %" G_GUINT64_FORMAT
                       " (%s), which it cannot run",
                       worker, task->id, task->kernel);
    entry = g_hash_table_lookup(guard->tasks, task);
    entry->held = false;
    entry->worker = worker;
    host->worker_locks->push_own(host->data, task, worker);
}

const struct orr_sched_host *
orr_policy_guard_host(struct orr_policy_guard *guard)
{
    const struct orr_sched_host *host = guard->host;
    struct orr_sched_host *own = &guard->own_host;

    *own = (struct orr_sched_host){
        .workers = host->workers,
        .seed = host->seed,
        .weights = host->weights,
        .data = guard,
        .node = node,
        .speed = speed,
        .socket = host->socket ? socket : NULL,
        .caller = host->caller ? caller : NULL,
        .now = host->now,
        .can_run = runs_on,
        .duration = duration,
        .durations = durations,
        .implementations = implementations,
        .choose_implementation = choose_implementation,
        .transfer = transfer,
        .missing = missing,
        .access = task_access,
        .has = has,
        .load = load,
        .watch = watch,
        .successor = host->successor ? successor : NULL,
        .prefetch = prefetch,
        .wake = wake,
        .collide = host->collide ? collide : NULL,
        .fail_check = host->fail_check ? fail_check : NULL,
        .fail = host->fail ? fail : NULL,
    };
    if (host->locks) {
        guard->locks = *host->locks;
        guard->locks.lock_new = lock_new;
        guard->locks.cond_new = cond_new;
        own->locks = &guard->locks;
    }
    guard->worker_locks = (struct orr_worker_lock_ops){
        .relax = relax,
        .is_relaxed = is_relaxed,
        .was_woken = was_woken,
        .lock = lock_worker,
        .try_lock = try_lock_worker,
        .unlock = unlock_worker,
        .wake_locked = wake_locked,
        .sleep = sleep_for,
        .push_own = push_own,
    };
    own->worker_locks = host->worker_locks ? &guard->worker_locks : NULL;
    own->run = host->run;
    own->in_call = host->in_call ? in_call : NULL;
    own->record_access = host->record_access ? record_access : NULL;
    own->use_priorities = host->use_priorities ? use_priorities : NULL;
    own->stop = host->stop ? stop : NULL;
    return own;
}

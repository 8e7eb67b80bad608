/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/guard/policy_guard.h"
#include "models/base/error.h"
#include "sched/guard/policy_guard_private.h"

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
    TOUCHED
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
    bool held;       /* by the plug-in; false once it was popped */
    unsigned worker; /* the worker that popped it */
};

static struct orr_policy_guard *guard_of(const struct orr_sched *sched)
{
    return (struct orr_policy_guard *)orr_sched_policy(sched);
}

/* Returns the name of @worker, which is in @buffer if it has none. */
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

bool orr_policy_guard_holds(const struct orr_policy_guard *guard,
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
    }
    __asm__ volatile("" : : : "memory");
}

/* Makes @call. Returns false if the policy has failed, now or before. */
static bool perform(struct policy_call *call)
{
    static const char *const names[] = {
        "init", "fini",     "place",   "push", "pushed",
        "pop",  "bypassed", "started", "done", "touched"};

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

/* Notes that the plug-in holds @task. An earlier task may have had its address.
 */
static void note_held(struct orr_policy_guard *guard, struct orr_task *task)
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
    note_held(guard_of(sched), task);
    call_function(sched, PLACE, task, orr_sched_caller(sched));
}

static void guard_push(struct orr_sched *sched, struct orr_task *task)
{
    note_held(guard_of(sched), task);
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
        orr_guard_note(guard->calls, ORR_ERROR_POLICY, &call->call,
                       "returns a pointer that is not a task");
        return false;
    }
    if (!entry->held) {
        owner = describe_worker(guard, entry->worker);
        orr_guard_note(guard->calls, ORR_ERROR_POLICY_TWICE, &call->call,
                       "returns task %" G_GUINT64_FORMAT
                       ", which %s was given already",
                       entry->id, owner);
        return false;
    }
    if (!can_run(guard, call->task, call->worker)) {
        orr_guard_note(guard->calls, ORR_ERROR_POLICY_WORKER, &call->call,
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
    note_held(guard_of(sched), task);
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

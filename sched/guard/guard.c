/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fortified longjmp() would refuse jumps to another stack. */
#undef _FORTIFY_SOURCE

#include "sched/guard/guard.h"
#include "models/base/error.h"
#include "sched/guard/guard_private.h"

/* A task that was pushed. */
struct entry {
    uint64_t id;
    bool held;       /* by the plug-in; false once it was popped */
    unsigned worker; /* the worker that popped it */
};

static struct orr_guard *guard_of(const struct orr_sched *sched)
{
    return (struct orr_guard *)orr_sched_policy(sched);
}

static const char *name_of(enum orr_guarded which)
{
    static const char *const names[] = {"init",    "fini",   "place",
                                        "push",    "pushed", "pop",
                                        "started", "done",   "touched"};

    return names[which];
}

/* Returns the name of @worker, which is in @buffer if it has none. */
static const char *name_worker(const struct orr_guard *guard, unsigned worker,
                               char *buffer, size_t size)
{
    if (worker == ORR_NO_WORKER)
        return "the application";
    if (guard->host->name)
        return guard->host->name(guard->host->data, worker);
    g_snprintf(buffer, size, "worker %u", worker);
    return buffer;
}

static char *describe_worker(const struct orr_guard *guard, unsigned worker)
{
    char buffer[32];

    return g_strdup(name_worker(guard, worker, buffer, sizeof(buffer)));
}

void orr_guard_describe(const struct orr_guard *guard,
                        const struct orr_guard_call *call, const char *what,
                        char text[ORR_GUARD_TEXT])
{
    const char *file = guard->file;
    const struct orr_task *task =
        call->which == ORR_GUARDED_POP ? NULL : call->task;
    char buffer[32], of_task[256] = "";

    if (task)
        g_snprintf(of_task, sizeof(of_task),
                   " of task %" G_GUINT64_FORMAT " (%s)", task->id,
                   task->kernel);
    g_snprintf(text, ORR_GUARD_TEXT,
               "policy %s%s%s%s: %s()%s, called by %s, %s", guard->policy->name,
               file ? " (" : "", file ? file : "", file ? ")" : "",
               name_of(call->which), of_task,
               name_worker(guard, call->worker, buffer, sizeof(buffer)), what);
}

/* Notes an error of the plug-in in @call, if it is the first. */
static void fail_with(struct orr_guard *guard,
                      const struct orr_guard_call *call, const char *what)
{
    char text[ORR_GUARD_TEXT];

    guard->failed = true;
    if (*guard->error)
        return;
    orr_guard_describe(guard, call, what, text);
    g_set_error_literal(guard->error, ORR_ERROR, ORR_ERROR_POLICY, text);
}

static void fail(struct orr_guard *guard, const struct orr_guard_call *call,
                 const char *format, ...) G_GNUC_PRINTF(3, 4);

static void fail(struct orr_guard *guard, const struct orr_guard_call *call,
                 const char *format, ...)
{
    g_autofree char *what = NULL;
    va_list arguments;

    va_start(arguments, format);
    what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    fail_with(guard, call, what);
}

void orr_guard_stop(struct orr_guard *guard, const char *format, ...)
{
    char *what;
    va_list arguments;

    va_start(arguments, format);
    what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    fail_with(guard, guard->stack->call, what);
    g_free(what); /* g_autofree has no effect across the jump */
    siglongjmp(((struct orr_guard_call *)guard->stack->call)->left,
               ORR_LEFT_STOPPED);
}

void orr_guard_fail(struct orr_guard *guard, char *does)
{
    struct orr_guard_call *call = guard ? guard->stack->call : NULL;

    if (!call)
        return;
    fail_with(guard, call, does);
    g_free(does);
    siglongjmp(call->left, ORR_LEFT_STOPPED);
}

bool orr_guard_holds(const struct orr_guard *guard, const struct orr_task *task)
{
    const struct entry *entry = g_hash_table_lookup(guard->tasks, task);

    return entry && entry->held;
}

/* The caller of all functions of the policy. Debuggers find their frames below
 * this one, so it is not inlined, and no call is its last action. */
__attribute__((noinline)) static void
orr_guard_invoke(const struct orr_sched_ops *ops, struct orr_sched *sched,
                 struct orr_guard_call *call)
{
    switch (call->which) {
    case ORR_GUARDED_INIT:
        ops->init(sched);
        break;
    case ORR_GUARDED_FINI:
        ops->fini(sched);
        break;
    case ORR_GUARDED_PLACE:
        ops->place(sched, call->task);
        break;
    case ORR_GUARDED_PUSH:
        ops->push(sched, call->task);
        break;
    case ORR_GUARDED_PUSHED:
        ops->pushed(sched, call->task);
        break;
    case ORR_GUARDED_POP:
        call->task = ops->pop(sched, call->worker);
        break;
    case ORR_GUARDED_STARTED:
        ops->started(sched, call->task, call->worker);
        break;
    case ORR_GUARDED_DONE:
        ops->done(sched, call->task, call->worker);
        break;
    case ORR_GUARDED_TOUCHED:
        ops->touched(sched, call->task);
        break;
    }
    __asm__ volatile("" : : : "memory");
}

static void set_stack(struct orr_guard *guard)
{
    if (guard->is_set)
        return;
    guard->thread = pthread_self();
    orr_guard_stack_set(guard->stack, &guard->before);
    guard->is_set = true;
}

/* Makes @call the current one. The watch counts outermost calls alone: one that
 * never returns may make others. */
static void set_call(struct orr_guard_stack *stack, struct orr_guard_call *call)
{
    if (call && !call->outer)
        atomic_fetch_add_explicit(&stack->number, 1, memory_order_relaxed);
    atomic_store_explicit(&stack->call, call, memory_order_release);
}

/* Returns false if the policy has failed, now or before. */
static bool perform(struct orr_sched *sched, struct orr_guard_call *call)
{
    struct orr_guard *guard = guard_of(sched);

    if (guard->failed)
        return false;
    set_stack(guard);
    call->outer = guard->stack->call;
    set_call(guard->stack, call);
    switch (sigsetjmp(call->left, 0)) {
    case ORR_LEFT_NOT:
        orr_guard_invoke(guard->policy, sched, call);
        break;
    case ORR_LEFT_CRASHED:
        fail(guard, call, "crashes: %s",
             orr_guard_crash_text(&guard->stack->crash));
        break;
    case ORR_LEFT_EXITED:
        fail(guard, call, "calls exit()");
        break;
    case ORR_LEFT_OVERDUE:
        fail(guard, call, "%s", orr_guard_watch_reason(guard->watch));
        break;
    default: /* orr_guard_stop() has noted the error */
        break;
    }
    atomic_store_explicit(&guard->stack->call, call->outer,
                          memory_order_release);
    return !guard->failed;
}

struct orr_guard_call *orr_guard_leave(struct orr_guard *guard)
{
    struct orr_guard_call *call;

    if (!guard)
        return NULL;
    call = guard->stack->call;
    set_call(guard->stack, NULL);
    return call;
}

void orr_guard_enter(struct orr_guard *guard, struct orr_guard_call *call)
{
    if (!guard)
        return;
    set_stack(guard);
    set_call(guard->stack, call);
}

void orr_guard_rest(struct orr_guard *guard)
{
    if (!guard || !guard->is_set)
        return;
    orr_guard_stack_unset(&guard->before);
    guard->is_set = false;
}

static struct orr_guard_call call_of(const struct orr_sched *sched,
                                     enum orr_guarded which,
                                     struct orr_task *task)
{
    return (struct orr_guard_call){
        .which = which, .task = task, .worker = orr_sched_caller(sched)};
}

static void guard_init(struct orr_sched *sched)
{
    struct orr_guard_call call = call_of(sched, ORR_GUARDED_INIT, NULL);

    perform(sched, &call);
}

static void guard_fini(struct orr_sched *sched)
{
    struct orr_guard_call call = call_of(sched, ORR_GUARDED_FINI, NULL);

    perform(sched, &call);
}

/* Notes that the plug-in holds @task. An earlier task may have had its address.
 */
static void note_held(struct orr_guard *guard, struct orr_task *task)
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
    struct orr_guard_call call = call_of(sched, ORR_GUARDED_PLACE, task);

    note_held(guard_of(sched), task);
    perform(sched, &call);
}

static void guard_push(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_guard_call call = call_of(sched, ORR_GUARDED_PUSH, task);

    note_held(guard_of(sched), task);
    perform(sched, &call);
}

static void guard_pushed(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_guard_call call = call_of(sched, ORR_GUARDED_PUSHED, task);

    perform(sched, &call);
}

static bool can_run(const struct orr_guard *guard, const struct orr_task *task,
                    unsigned worker)
{
    const struct orr_sched_host *host = guard->host;

    return host->can_run
               ? host->can_run(host->data, task, worker)
               : host->duration(host->data, task, worker) != ORR_NEVER;
}

/* Checks the task that pop returned. */
static bool check_popped(struct orr_guard *guard,
                         const struct orr_guard_call *call)
{
    struct entry *entry = g_hash_table_lookup(guard->tasks, call->task);
    g_autofree char *owner = NULL;

    if (!entry) {
        fail(guard, call, "returns a pointer that is not a task");
        return false;
    }
    if (!entry->held) {
        owner = describe_worker(guard, entry->worker);
        fail(guard, call,
             "returns task %" G_GUINT64_FORMAT ", which %s was given already",
             entry->id, owner);
        return false;
    }
    if (!can_run(guard, call->task, call->worker)) {
        fail(guard, call,
             "returns task %" G_GUINT64_FORMAT " (%s), which it cannot run",
             entry->id, call->task->kernel);
        return false;
    }
    entry->held = false;
    entry->worker = call->worker;
    return true;
}

static struct orr_task *guard_pop(struct orr_sched *sched, unsigned worker)
{
    struct orr_guard_call call = call_of(sched, ORR_GUARDED_POP, NULL);

    call.worker = worker;
    if (!perform(sched, &call) || !call.task ||
        !check_popped(guard_of(sched), &call))
        return NULL;
    return call.task;
}

static void guard_started(struct orr_sched *sched, struct orr_task *task,
                          unsigned worker)
{
    struct orr_guard_call call = call_of(sched, ORR_GUARDED_STARTED, task);

    call.worker = worker;
    perform(sched, &call);
}

static void guard_done(struct orr_sched *sched, struct orr_task *task,
                       unsigned worker)
{
    struct orr_guard_call call = call_of(sched, ORR_GUARDED_DONE, task);

    call.worker = worker;
    perform(sched, &call);
}

static void guard_touched(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_guard_call call = call_of(sched, ORR_GUARDED_TOUCHED, task);

    perform(sched, &call);
}

struct orr_guard *orr_guard_new(const struct orr_sched_ops *ops,
                                const char *file,
                                const struct orr_sched_host *host,
                                struct orr_guard_watch *watch, GError **error)
{
    struct orr_guard *guard = g_new0(struct orr_guard, 1);

    guard->ops = *ops;
    guard->policy = ops;
    guard->file = file;
    guard->host = host;
    guard->error = error;
    guard->tasks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    guard->stack = orr_guard_stack_new();
    guard->ops.init = ops->init ? guard_init : NULL;
    guard->ops.fini = ops->fini ? guard_fini : NULL;
    guard->ops.place = ops->place ? guard_place : NULL;
    guard->ops.push = guard_push;
    guard->ops.pushed = ops->pushed ? guard_pushed : NULL;
    guard->ops.pop = guard_pop;
    guard->ops.started = ops->started ? guard_started : NULL;
    guard->ops.done = ops->done ? guard_done : NULL;
    guard->ops.touched = ops->touched ? guard_touched : NULL;
    guard->watch = watch;
    orr_guard_find_code(guard);
    orr_guard_watch_add(watch, guard);
    return guard;
}

void orr_guard_free(struct orr_guard *guard)
{
    if (!guard)
        return;
    orr_guard_rest(guard);
    orr_guard_watch_remove(guard->watch, guard);
    g_hash_table_unref(guard->tasks);
    orr_guard_stack_free(guard->stack);
    g_free(guard);
}

const struct orr_sched_ops *orr_guard_policy(const struct orr_guard *guard)
{
    return &guard->ops;
}

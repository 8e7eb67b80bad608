/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls of a concurrent policy. Each caller has a coroutine, created at its
 * first call, that serves all its calls. run_call() is the procedure of the
 * caller's actor: it resumes the coroutine; when that yields, it suspends
 * itself, yields or sleeps as the pause says; when the call has ended, the
 * procedure ends.
 *
 * The clock of orr_concurrency counts pushes, waits and returns. By it a
 * diagnosis sees whether a worker last looked for a task before or after a
 * push.
 */
#include "runtime/worker/concurrent.h"

#include "models/base/error.h"
#include "runtime/engine/coroutine.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* As the guard names it (sched/guard/guard.h). */
static char *name_policy(const struct orr_run *run)
{
    const char *file = run->totals.report.sched_file;

    return file ? g_strdup_printf("%s (%s)", run->policy.ops->name, file)
                : g_strdup(run->policy.ops->name);
}

bool orr_concurrency_check(const struct orr_run *run, GError **error)
{
    const struct orr_sched_ops *ops = run->policy.ops;
    g_autofree char *policy = NULL;
    const char *extra = ops->place     ? "place"
                        : ops->pushed  ? "pushed"
                        : ops->touched ? "touched"
                                       : NULL;

    if (!ops->concurrent || !extra)
        return true;
    policy = name_policy(run);
    g_set_error(error, ORR_ERROR, ORR_ERROR_POLICY,
                "policy %s is concurrent, and so cannot have %s()", policy,
                extra);
    return false;
}

struct orr_concurrency *orr_concurrency_new(struct orr_run *run)
{
    struct orr_concurrency *concurrency = g_new0(struct orr_concurrency, 1);
    unsigned count = run->worker_count + ORR_MAX_THREADS;

    concurrency->run = run;
    concurrency->count = count;
    concurrency->callers = g_new0(struct orr_caller, count);
    concurrency->indices = g_new(unsigned, count);
    concurrency->locks = g_ptr_array_new();
    concurrency->conds = g_ptr_array_new();
    for (unsigned i = 0; i < count; i++) {
        concurrency->callers[i] = (struct orr_caller){
            .run = run,
            .actor = i < run->worker_count ? &run->workers[i]->actor : NULL,
            .index = i < run->worker_count ? i : ORR_NO_WORKER,
        };
    }
    return concurrency;
}

void orr_concurrency_free(struct orr_concurrency *concurrency)
{
    if (!concurrency)
        return;
    for (unsigned i = 0; i < concurrency->count; i++)
        orr_coroutine_free(concurrency->callers[i].coroutine);
    g_ptr_array_unref(concurrency->locks);
    g_ptr_array_unref(concurrency->conds);
    if (concurrency->hooks)
        concurrency->hooks->free(concurrency);
    g_free(concurrency->callers);
    g_free(concurrency->indices);
    g_free(concurrency);
}

const char *orr_caller_name(const struct orr_run *run, unsigned index)
{
    return index == ORR_NO_WORKER ? "the application"
                                  : run->workers[index]->name;
}

const char *orr_policy_call_name(enum orr_policy_call call)
{
    static const char *const names[] = {"",         "push",     "pop",
                                        "started",  "done",     "schedule",
                                        "bypassed", "submitted"};

    return names[call];
}

static struct orr_caller *caller_of(const struct orr_run *run,
                                    const struct orr_actor *actor)
{
    return &run->policy.concurrency->callers[orr_run_slot(run, actor)];
}

struct orr_caller *orr_concurrency_caller(const struct orr_run *run)
{
    struct orr_caller *caller;

    if (!run->engine.acting)
        return NULL;
    caller = caller_of(run, run->engine.acting);
    return caller->call == ORR_CALL_NONE ? NULL : caller;
}

/* The worker that alone may run the task of the call. */
static unsigned pinned_to(const struct orr_caller *caller)
{
    return orr_job_kernel(&caller->run->graph, orr_job_of(caller->task))
        ->pinned_to;
}

static void perform(struct orr_caller *caller)
{
    struct orr_sched *sched = caller->run->policy.sched;

    switch (caller->call) {
    case ORR_CALL_PUSH:
        orr_sched_push(sched, caller->task);
        break;
    case ORR_CALL_POP:
        caller->task = orr_sched_pop(sched, caller->index);
        break;
    case ORR_CALL_STARTED:
        orr_sched_started(sched, caller->task, caller->index);
        break;
    case ORR_CALL_DONE:
        orr_sched_done(sched, caller->task, caller->index);
        break;
    case ORR_CALL_SCHEDULE:
        orr_sched_schedule(sched);
        break;
    case ORR_CALL_BYPASSED:
        orr_sched_bypassed(sched, caller->task, pinned_to(caller));
        break;
    case ORR_CALL_SUBMITTED:
        orr_sched_submitted(sched, caller->task);
        break;
    case ORR_CALL_NONE:
        break;
    }
}

void orr_caller_mark_waiting(struct orr_caller *caller)
{
    caller->waits_since = ++caller->run->policy.concurrency->clock;
}

/* The body of a coroutine: makes the calls of its caller, one after the
 * other. */
static void serve(void *arg)
{
    struct orr_caller *caller = arg;

    for (;;) {
        const struct orr_call_hooks *hooks =
            caller->run->policy.concurrency->hooks;
        uint64_t id = caller->task ? caller->task->id : 0;

        hooks->begin(caller);
        perform(caller);
        hooks->end(caller, id);
        if (caller->run->policy.concurrency->check_returned)
            caller->run->policy.concurrency->check_returned(caller);
        caller->call = ORR_CALL_NONE;
        orr_caller_mark_waiting(caller);
        orr_caller_pause(caller, ORR_PAUSE_ENDED);
    }
}

void orr_caller_pause(struct orr_caller *caller, enum orr_policy_pause pause)
{
    struct orr_guard *guard = caller->run->policy.guard;
    struct orr_guard_call *call = orr_guard_leave(guard);

    caller->pause = pause;
    orr_coroutine_yield(caller->coroutine);
    orr_guard_enter(guard, call);
}

void orr_caller_perform(struct orr_caller *caller,
                        enum orr_next (*begin)(struct orr_actor *actor,
                                               void *arguments),
                        void *arguments)
{
    caller->operation = (struct orr_call_operation){begin, arguments};
    orr_caller_pause(caller, ORR_PAUSE_PERFORM);
}

/* How often a diagnosis resumes a pop that finds a lock taken. */
enum { MOST_RESUMES = 10 };

static enum orr_next run_call(struct orr_actor *actor, void *locals)
{
    struct orr_caller *caller = *(struct orr_caller **)locals;
    const struct orr_call_hooks *hooks = caller->run->policy.concurrency->hooks;

    /* The caller of a policy that has failed waits for the run to end. */
    if (caller->run->error)
        return orr_actor_suspend(actor);
    caller->run->engine.effects |= ORR_EFFECT_POLICY;
    hooks->enter(caller);
    orr_coroutine_resume(caller->coroutine);
    hooks->enter(NULL);
    switch (caller->pause) {
    case ORR_PAUSE_ENDED:
        break;
    case ORR_PAUSE_SUSPEND:
        return orr_actor_suspend(actor);
    case ORR_PAUSE_YIELD:
        return orr_actor_yield(actor);
    case ORR_PAUSE_SLEEP:
        return orr_actor_sleep(actor, caller->delay);
    case ORR_PAUSE_PERFORM:
        return caller->operation.begin(actor, caller->operation.arguments);
    }
    return ORR_DONE;
}

/* The next time that the coroutine is resumed it makes the call. */
static void prepare(struct orr_caller *caller, enum orr_policy_call which,
                    struct orr_task *task)
{
    g_assert(caller->call == ORR_CALL_NONE);
    if (!caller->coroutine)
        caller->coroutine =
            orr_coroutine_new(serve, caller, ORR_COROUTINE_STACK);
    caller->call = which;
    caller->task = task;
    caller->operated = false;
}

void orr_concurrency_call(struct orr_run *run, struct orr_actor *actor,
                          enum orr_policy_call call, struct orr_task *task)
{
    struct orr_caller *caller = caller_of(run, actor);
    struct orr_caller **local =
        orr_actor_call(actor, run_call, sizeof(struct orr_caller *));

    *local = caller;
    caller->actor = actor;
    prepare(caller, call, task);
    if (call == ORR_CALL_PUSH)
        orr_job_of(task)->active->push_order = ++run->policy.concurrency->clock;
}

void orr_concurrency_schedule(struct orr_run *run)
{
    struct orr_actor *actor = orr_run_actor(run);

    if (G_LIKELY(!run->policy.ops->schedule || !run->policy.ops->concurrent))
        return;
    orr_concurrency_call(run, actor, ORR_CALL_SCHEDULE, NULL);
    orr_actor_act(actor);
}

void orr_concurrency_submitted(struct orr_run *run, struct orr_actor *actor,
                               struct orr_job *job)
{
    struct orr_caller *caller = caller_of(run, actor);

    caller->submitted = (struct orr_task){.job = NULL};
    orr_job_show(&run->graph, job, &caller->submitted);
    orr_concurrency_call(run, actor, ORR_CALL_SUBMITTED, &caller->submitted);
}

struct orr_task *orr_concurrency_popped(const struct orr_run *run,
                                        unsigned worker)
{
    return run->policy.concurrency->callers[worker].task;
}

bool orr_concurrency_calls(const struct orr_run *run, unsigned worker)
{
    return run->policy.concurrency->callers[worker].call != ORR_CALL_NONE;
}

bool orr_concurrency_ask(struct orr_run *run, unsigned worker,
                         struct orr_task **task)
{
    struct orr_engine *engine = &run->engine;
    struct orr_caller *caller = &run->policy.concurrency->callers[worker];
    struct orr_decider *decider = engine->decider;
    struct orr_actor *acting = engine->acting;
    struct orr_trace *trace = run->totals.trace;
    uint64_t looked = caller->waits_since;

    run->totals.trace = NULL; /* this is no part of the run */
    engine->decider = NULL;
    engine->acting = caller->actor;
    prepare(caller, ORR_CALL_POP, NULL);
    for (unsigned i = 0; i < MOST_RESUMES && caller->call != ORR_CALL_NONE; i++)
        orr_coroutine_resume(caller->coroutine); /* it may try a lock again */
    engine->acting = acting;
    engine->decider = decider;
    run->totals.trace = trace;
    caller->waits_since = looked;
    *task = caller->task;
    return caller->call == ORR_CALL_NONE;
}

bool orr_run_overtook(const struct orr_run *run, unsigned worker,
                      const struct orr_job *job)
{
    uint64_t pushed = job->active->push_order;

    return run->policy.concurrency && pushed > 0 &&
           run->policy.concurrency->callers[worker].waits_since > pushed;
}

bool orr_run_pushing(const struct orr_run *run, const struct orr_job *job,
                     unsigned *caller_index)
{
    for (unsigned i = 0;
         run->policy.concurrency && i < run->policy.concurrency->count; i++) {
        const struct orr_caller *caller = &run->policy.concurrency->callers[i];

        if (caller->call == ORR_CALL_PUSH && job->activated &&
            caller->task == &job->active->task) {
            *caller_index = caller->index;
            return true;
        }
    }
    return false;
}

/* An error of a function that is not called concurrently. */
static void fail_other(struct orr_run *run, int code, char *what)
{
    g_autofree char *policy = NULL;

    orr_guard_fail_as(run->policy.guard, code, what); /* names the function */
    if (run->error)
        return;
    policy = name_policy(run);
    g_set_error(&run->error, ORR_ERROR, code,
                "policy %s: a function that is not called concurrently %s",
                policy, what);
}

static void fail_in_call(struct orr_caller *caller, int code, const char *what)
{
    struct orr_run *run = caller->run;
    g_autofree char *policy = name_policy(run);

    if (!run->error)
        g_set_error(&run->error, ORR_ERROR, code,
                    "policy %s: %s(), called by %s, %s", policy,
                    orr_policy_call_name(caller->call),
                    orr_caller_name(run, caller->index), what);
}

void orr_concurrency_fail_with(struct orr_run *run, int code, char *what)
{
    struct orr_caller *caller = orr_concurrency_caller(run);

    if (caller)
        fail_in_call(caller, code, what);
    else
        fail_other(run, code, what);
    g_free(what); /* the loop below does not end */
    while (caller)
        orr_caller_pause(caller, ORR_PAUSE_SUSPEND);
}

void orr_concurrency_fail(struct orr_run *run, const char *format, ...)
{
    char *what;
    va_list arguments;

    va_start(arguments, format);
    what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    orr_concurrency_fail_with(run, ORR_ERROR_POLICY, what);
}

void orr_concurrency_fail_as(struct orr_run *run, int code, const char *format,
                             ...)
{
    char *what;
    va_list arguments;

    va_start(arguments, format);
    what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    orr_concurrency_fail_with(run, code, what);
}

void orr_concurrency_blame(struct orr_run *run, int code, const char *format,
                           ...)
{
    g_autofree char *policy = name_policy(run);
    g_autofree char *what = NULL;
    va_list arguments;

    if (run->error)
        return;
    va_start(arguments, format);
    what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(&run->error, ORR_ERROR, code, "policy %s: %s", policy, what);
}
